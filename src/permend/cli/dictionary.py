"""``permend dict``: words that are never changed, and findings that are not reported again."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import click

from permend.documents.dictionary import PersonalDictionary, is_id
from permend.text.edits import diff
from permend.text.visible import visible

_user = click.option("--user", is_flag=True, help="Your own list, for all that you write, not the project's.")


@click.group(name="dict")
def dictionary() -> None:
    """Keep words that are never changed (names, terms, brands), and findings that you have dismissed.

    They are plain text files, a word or a finding a line: words.txt and ignored.txt in the folder .permend of the
    project that you are in, to be shared with all who work on it, and with --user in a folder of your own. All commands
    that correct know both folders.

    \b
    Examples:
      permend dict add Kubernetes "de facto"
      permend dict add --user Yevheniia
      permend dict list
      permend dict ignore "We was robbed!" "We were robbed!"
      permend dict ignored
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
    _list(_load().words(project=not user))


@dictionary.command()
@click.argument("finding", metavar="ID|SENTENCE")
@click.argument("correction", required=False)
@_user
def ignore(finding: str, correction: str | None, user: bool) -> None:
    """Dismiss a finding for good: by the ID that `permend check` prints behind it, or as SENTENCE and CORRECTION.

    SENTENCE is what you wrote, CORRECTION what permend would have. What differs between the two is not reported again
    where the same words stand around it (up to two on each side), so it stays dismissed when the rest of the sentence
    changes. Of several findings, those are dismissed that CORRECTION contains; if one of them is a word that is right
    everywhere, `permend dict add` it instead.

    \b
    Examples:
      permend dict ignore 7f0ae2c411
      permend dict ignore "We was robbed!" "We were robbed!"
      permend dict ignore --user "I live in hospital." "I live in the hospital."
    """
    lists = _load()
    if correction is None:
        if not is_id(finding):
            raise click.UsageError("Give the id of a finding, or a sentence and its correction.")
        news = [finding] if lists.ignore_id(finding, project=not user) else []
    else:
        edits = diff(finding, correction)
        if not edits:
            raise click.UsageError("SENTENCE and CORRECTION are the same: there is nothing to dismiss.")
        news = [edit.after for edit in edits if lists.ignore(finding, edit, project=not user)]
    if not news:
        click.echo("this is dismissed already", err=True)


@dictionary.command()
@_user
def ignored(user: bool) -> None:
    """List the dismissed findings, one a line: We [was → were] robbed!"""
    _list(_load().ignored(project=not user))


@dictionary.command()
@click.argument("findings", nargs=-1, required=True, metavar="FINDING...")
@_user
def restore(findings: tuple[str, ...], user: bool) -> None:
    """Report findings again, given as `permend dict ignored` lists them; the exit code is 1 when one is not there.

    \b
    Example:
      permend dict restore "We [was → were] robbed!"
    """
    if not _change(_load().restore, findings, user, "is not there"):
        raise SystemExit(1)


def _load() -> PersonalDictionary:
    return PersonalDictionary.load(Path())


def _list(entries: Iterable[str]) -> None:
    """Print entries as they stand in the file, which may be anybody's: in a terminal, nothing in them steers it."""
    for entry in entries:
        click.echo(visible(entry) if sys.stdout.isatty() else entry)


def _change(change: Callable[[str, bool], bool], entries: tuple[str, ...], user: bool, otherwise: str) -> bool:
    """Add or take out entries, and say of which that was not needed."""
    complete = True
    for entry in entries:
        if not change(entry, not user):
            complete = False
            click.echo(f"{visible(entry)} {otherwise}", err=True)
    return complete
