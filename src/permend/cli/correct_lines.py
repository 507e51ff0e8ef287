"""``permend correct`` for sentences: given as arguments, typed, or one a line in files.

In: sentences and a corrector. Out: pieces of output, a line for each line; what needs no correction comes back byte by
byte, empty lines and line ends included.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import click

from permend.cli.correction_view import View, tokenized_view, view
from permend.cli.document_stream import draw_progress
from permend.cli.line_stream import LINES, Line, batches, read_stream
from permend.corpora.detokenize import detokenize
from permend.correction import Correction
from permend.corrector import Corrector
from permend.errors import InputError
from permend.text.edits import apply
from permend.words import Words


@dataclass(frozen=True)
class LineCorrector:
    """Corrects lines and writes them down."""

    corrector: Corrector
    report: str | None = None
    """``json``, ``m2``, or None for the text itself."""
    alternatives: int | None = None
    tokenized: bool = False

    def correct(self, lines: Iterable[Line], count: int) -> Iterator[bytes]:
        """Correct lines, so many at a time."""
        words = Words() if self.tokenized else Words.load(Path())
        for batch in batches(lines, count):
            views = self._views([line.text for line in batch], words)
            yield b"".join(map(self._written, batch, views))

    def _views(self, texts: Sequence[str], words: Words) -> list[View]:
        if not self.tokenized:
            return [view(_allowed(correction, words)) for correction in self.corrector.correct_batch(texts)]
        tokens = [detokenize(text.split()) for text in texts]
        corrections = self.corrector.correct_batch([each.text for each in tokens])
        return [tokenized_view(*each) for each in zip(texts, tokens, corrections, strict=True)]

    def _written(self, line: Line, view: View) -> bytes:
        if self.report == "json":  # a byte that was no UTF-8 becomes a \\udc.. escape, which is JSON
            return view.as_json(self.alternatives).encode("utf-8", "backslashreplace") + b"\n"
        if self.report == "m2":
            return view.as_m2().encode("utf-8", "surrogateescape")
        if self.alternatives is not None:
            return view.as_list(self.alternatives).encode("utf-8", "surrogateescape")
        return line.written(view.text)


def _allowed(correction: Correction, words: Words) -> Correction:
    """Leave personal words and dismissed findings alone."""
    edits = tuple(edit for edit in correction.edits if words.allows(correction.source, edit))
    if edits == correction.edits:
        return correction
    return replace(correction, edits=edits, text=apply(correction.source, edits))


def read_sentences(texts: Sequence[str], files: Sequence[str], stack: ExitStack) -> tuple[Iterable[Line], int]:
    """Return the lines to correct, and how many to wait for before they are."""
    if texts:
        whole = "".join(f"{text}\n" for text in texts).encode("utf-8", "surrogateescape")
        return read_stream(io.BytesIO(whole), "TEXT"), LINES
    if files:
        return _advancing(_read(files), draw_progress(files, stack)), LINES
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


def _advancing(lines: Iterable[Line], advance: Callable[[int], None]) -> Iterator[Line]:
    for line in lines:
        yield line
        advance(line.size)
