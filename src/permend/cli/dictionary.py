"""``permend dict``: words that are never changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from permend.words import Words

_user = click.option("--user", is_flag=True, help="Your own list, for all that you write, not the project's.")


@click.group(name="dict")
def dictionary() -> None:
    """Keep words that are never changed: names, terms, brands.

    They are a plain text file, a word a line: .permend/words.txt of the project that you are in, to be shared with all
    who work on it, and with --user a file of your own. All commands that correct know both.

    \b
    Examples:
      permend dict add Kubernetes "de facto"
      permend dict add --user Yevheniia
      permend dict list
    """


@dictionary.command()
@click.argument("words", nargs=-1, required=True, metavar="WORD...")
@_user
def add(words: tuple[str, ...], user: bool) -> None:
    """Add words (or names of several words, in quotation marks)."""
    lists = _load()
    _change(lists.add, words, user, "is there already")


@dictionary.command()
@click.argument("words", nargs=-1, required=True, metavar="WORD...")
@_user
def remove(words: tuple[str, ...], user: bool) -> None:
    """Take words out again; the exit code is 1 when one was not there."""
    lists = _load()
    if not _change(lists.remove, words, user, "is not there"):
        raise SystemExit(1)


@dictionary.command(name="list")
@_user
def list_words(user: bool) -> None:
    """List the words, one a line."""
    for word in _load().words(project=not user):
        click.echo(word)


def _load() -> Words:
    return Words.load(Path.cwd())


def _change(change: Callable[[str, bool], bool], words: tuple[str, ...], user: bool, otherwise: str) -> bool:
    """Add or remove words, and say of which that was not needed."""
    complete = True
    for word in words:
        if not change(word, not user):
            complete = False
            click.echo(f"{word} {otherwise}", err=True)
    return complete
