"""``permend correct``: sentences in, corrected sentences out, one a line."""

from __future__ import annotations

import dataclasses
import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from permend.cli.correction_view import View, tokenized_view, view
from permend.cli.line_stream import LINES, Line, batches, read_stream
from permend.corpora.detokenize import detokenize
from permend.corrector import Corrector
from permend.errors import InputError
from permend.modes import NAMES


@click.command()
@click.argument("texts", nargs=-1, metavar="[TEXT]...")
@click.option(
    "--file", "files", multiple=True, metavar="FILE", help="Read sentences here, one a line; may be repeated."
)
@click.option("--model", metavar="DIR", help="A model folder; the model installed with permend otherwise.")
@click.option(
    "--mode",
    type=click.Choice(NAMES),
    help="How much to find, how much to leave alone.  [default: balanced, where the model has modes]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line, with edits and alternatives.")
@click.option("--alternatives", type=click.IntRange(1), metavar="N", help="List the N best sentences for each.")
@click.option("--bias", type=click.FloatRange(0, 1), metavar="C", help="How much the search favours the next word.")
@click.option("--steps", type=click.IntRange(1), metavar="K", help="Passes over inserted words.")
@click.option("--min-confidence", type=float, metavar="T", help="Leave a sentence alone below this margin.")
@click.option("--tokenized", is_flag=True, help="Space-tokenised benchmark lines in and out.")
@click.option("--threads", type=click.IntRange(1), metavar="N", help="Cores to use.  [default: all]")
def correct(
    texts: tuple[str, ...],
    files: tuple[str, ...],
    model: str | None,
    mode: str | None,
    as_json: bool,
    alternatives: int | None,
    tokenized: bool,
    threads: int | None,
    **options: Any,
) -> None:
    """Correct TEXT, or the lines of files or of standard input.

    Each line is one sentence and is corrected by itself; what needs no correction comes back byte by byte, empty lines
    and line ends included. --bias, --steps and --min-confidence change what the mode has set.

    \b
    Examples:
      permend correct "He go to school yesterday."
      permend correct --mode precise < letter.txt > corrected.txt
      permend correct --json --alternatives 3 "I am agree with you."
      permend correct --model my-model --tokenized --file dev.src
    """
    if texts and files:
        raise click.UsageError("Give sentences as TEXT or with --file, not both.")
    for path in files:
        if path != "-" and not Path(path).exists():
            raise InputError("no such file", path)
    corrector = Corrector.from_pretrained(model, mode=mode, threads=threads)
    given = {name: value for name, value in options.items() if value is not None}
    if alternatives is not None:  # more of them, never fewer: the best one is found among all
        for name in ("alternatives", "beam"):
            given[name] = max(alternatives, getattr(corrector.options, name))
        given["thrifty"] = False
    corrector.options = dataclasses.replace(corrector.options, **given)
    shown = _shown_as(as_json, alternatives)
    with ExitStack() as stack:
        lines, count = _input(texts, files, stack)
        for batch in batches(lines, count):
            views = _correct(corrector, [line.text for line in batch], tokenized)
            click.echo(b"".join(map(shown, batch, views)), nl=False)


def _correct(corrector: Corrector, texts: Sequence[str], tokenized: bool) -> list[View]:
    if not tokenized:
        return [view(correction) for correction in corrector.correct_batch(texts)]
    tokens = [detokenize(text.split()) for text in texts]
    corrections = corrector.correct_batch([each.text for each in tokens])
    return [tokenized_view(*each) for each in zip(texts, tokens, corrections, strict=True)]


def _shown_as(as_json: bool, alternatives: int | None) -> Callable[[Line, View], bytes]:
    """Return how a line and its correction are written."""
    if as_json:  # a byte that was no UTF-8 becomes a \\udc.. escape, which is JSON
        return lambda line, view: view.as_json(alternatives).encode("utf-8", "backslashreplace") + b"\n"
    if alternatives is not None:
        return lambda line, view: view.as_list(alternatives).encode("utf-8", "surrogateescape")
    return lambda line, view: line.written(view.text)


def _input(texts: Sequence[str], files: Sequence[str], stack: ExitStack) -> tuple[Iterable[Line], int]:
    """Return the lines to correct, and how many to wait for before they are."""
    if texts:
        whole = "".join(f"{text}\n" for text in texts).encode("utf-8", "surrogateescape")
        return read_stream(io.BytesIO(whole), "TEXT"), LINES
    if files:
        return _tracked(_read(files), files, stack), LINES
    if sys.stdin.isatty():
        click.echo("Type a sentence and press Enter; Ctrl-D ends.", err=True)
        return _read(["-"]), 1
    return _read(["-"]), LINES


def _read(files: Iterable[str]) -> Iterator[Line]:
    for path in files:
        try:
            stream = click.open_file(path, "rb")
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}", path) from None
        with stream:
            yield from read_stream(stream, path)


def _tracked(lines: Iterator[Line], files: Sequence[str], stack: ExitStack) -> Iterator[Line]:
    """Draw a progress bar on standard error, where somebody looks and nothing else is written."""
    if not sys.stderr.isatty() or sys.stdout.isatty() or not all(Path(path).is_file() for path in files):
        return lines
    from rich.console import Console
    from rich.progress import Progress

    progress = stack.enter_context(Progress(console=Console(stderr=True), transient=True))
    task = progress.add_task("correcting", total=sum(Path(path).stat().st_size for path in files))

    def advancing() -> Iterator[Line]:
        for line in lines:
            yield line
            progress.advance(task, line.size)

    return advancing()
