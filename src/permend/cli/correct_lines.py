"""``permend correct`` for sentences: given as arguments, typed, or one a line in files.

In: sentences and a corrector. Out: pieces of output, a line for each line; what needs no correction comes back byte by
byte, empty lines and line ends included.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from permend.cli.correction_view import View, tokenized_view, view
from permend.cli.document_stream import size_of
from permend.cli.line_stream import LINES, Line, batches, read_stream
from permend.cli.progress import Bar
from permend.corpora.detokenize import detokenize
from permend.correction import Correction
from permend.corrector import Corrector
from permend.errors import InputError
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
            corrections = self.corrector.correct_batch(texts, known=words.knows if words.known else None)
            return [view(_allowed(correction, words)) for correction in corrections]
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
    """Leave personal words and dismissed findings alone, and both halves of what one of them would move."""
    return correction.without(lambda edit: not words.allows(correction.source, edit))


def read_sentences(texts: Sequence[str], files: Sequence[str], bar: Bar) -> tuple[Iterable[Line], int]:
    """Return the lines to correct, and how many to wait for before they are."""
    if texts:
        whole = "".join(f"{text}\n" for text in texts).encode("utf-8", "surrogateescape")
        return read_stream(io.BytesIO(whole), "TEXT"), LINES
    if not files and sys.stdin.isatty():
        click.echo("Type a sentence and press Enter; Ctrl-D ends.", err=True)
        return _read(["-"]), 1
    return _advancing(_read(files or ["-"]), sum(map(size_of, files or ["-"])), bar), LINES


def _read(files: Iterable[str]) -> Iterator[Line]:
    for path in files:
        try:
            stream = click.open_file(path, "rb")
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}", path) from None
        with stream:
            yield from read_stream(stream, path)


def _advancing(lines: Iterable[Line], size: int, bar: Bar) -> Iterator[Line]:
    bar.expect(size)
    for line in lines:
        yield line
        bar.advance(line.size)
