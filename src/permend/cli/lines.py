r"""``permend correct`` for single lines: sentences given as arguments, typed, or one a line in files.

In: sentences and a corrector. Out: a piece of output for each line, in batches, so that memory does not grow with the
input. A `Line` has everything that is needed to write it back byte by byte: only ``\n`` and ``\r\n`` end it, a
byte-order mark is no part of its text, and bytes that are no UTF-8 travel as lone surrogates.

>>> import io
>>> [line] = read_stream(io.BytesIO(b"\xef\xbb\xbfcaf\xe9\r\n"), "-")
>>> line.text, line.written("tea"), line.written(line.text)
('caf\udce9', b'\xef\xbb\xbftea\r\n', b'\xef\xbb\xbfcaf\xe9\r\n')

A `View` is what is shown of a correction, as JSON, as M2 or as text. For a space-tokenised benchmark line, its text and
alternatives are tokenised, too, and its edits count tokens, where those of raw text count characters; an edit of tokens
may hold several of characters, and has all their types and explanations.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from permend.cli.terminal import Bar
from permend.documents.dictionary import PersonalDictionary
from permend.errors import InputError
from permend.text.edits import diff
from permend.text.visible import visible_json

if TYPE_CHECKING:
    from permend.corrector.correction import Correction
    from permend.corrector.corrector import Corrector
    from permend.text.tokenized import Detokenized

LINES, CHARACTERS = 128, 100_000
"""A batch has at most so many lines, and ends with the line that reaches so many characters."""
_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Line:
    """The text of a line, and what stands around it."""

    text: str
    before: bytes = b""
    """A byte-order mark, or nothing."""
    end: bytes = b"\n"
    """How the line ends; the last one of a file may not."""
    size: int = 0
    """Bytes in the input."""

    def written(self, text: str) -> bytes:
        """Return the bytes of the line with another text."""
        return self.before + text.encode("utf-8", "surrogateescape") + self.end


def read_stream(stream: IO[bytes], name: str) -> Iterator[Line]:
    """Yield the lines of an open file."""
    number = 0
    try:
        for number, raw in enumerate(stream, start=1):
            if b"\0" in raw:
                raise InputError("this is a binary file, not text", name, number)
            before = _MARK if number == 1 and raw.startswith(_MARK) else b""
            end = b"\r\n" if raw.endswith(b"\r\n") else b"\n" if raw.endswith(b"\n") else b""
            text = raw[len(before) : len(raw) - len(end)].decode("utf-8", "surrogateescape")
            yield Line(text, before, end, len(raw))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", name) from None


def batches(lines: Iterable[Line], count: int = LINES) -> Iterator[list[Line]]:
    """Gather lines into batches."""
    batch: list[Line] = []
    characters = 0
    for line in lines:
        batch.append(line)
        characters += len(line.text)
        if len(batch) >= count or characters >= CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


_DIGITS = 4


@dataclass(frozen=True)
class View:
    """What is shown of a correction."""

    source: str
    text: str
    edits: list[dict[str, Any]]
    alternatives: list[tuple[float, str]]
    """Scores and sentences, best first."""
    margin: float
    as_m2: Callable[[], str]
    """Writes the sentence with its edits as the benchmarks do."""

    def visible_json(self, alternatives: int | None) -> str:
        """Return one line of JSON; None lists all alternatives."""
        document = {
            "source": self.source,
            "text": self.text,
            "edits": self.edits,
            "margin": round(self.margin, _DIGITS),
            "alternatives": [
                {"text": text, "score": round(score, _DIGITS)} for score, text in self.alternatives[:alternatives]
            ],
        }
        return visible_json(document)

    def as_list(self, alternatives: int) -> str:
        """Return the best sentences, each on a line behind its score, and an empty line."""
        return "".join(f"{score:.{_DIGITS}f}\t{text}\n" for score, text in self.alternatives[:alternatives]) + "\n"


def view(correction: Correction) -> View:
    """Show a correction of raw text."""
    edits = [
        {
            "start": edit.start,
            "end": edit.end,
            "before": edit.before,
            "after": edit.after,
            "probability": round(edit.probability, _DIGITS),
            "type": edit.type,
            "explanation": edit.explanation,
            "alternatives": [
                {"after": each.after, "probability": round(each.probability, _DIGITS)} for each in edit.alternatives
            ],
        }
        for edit in correction.edits
    ]
    alternatives = [(each.score, each.text) for each in correction.alternatives]

    def as_m2() -> str:
        from permend.documents.reports.m2 import m2_sentence

        return m2_sentence(correction.source, correction.edits)

    return View(correction.source, correction.text, edits, alternatives, correction.margin, as_m2)


def tokenized_view(line: str, tokens: Detokenized, correction: Correction) -> View:
    """Show the correction of a line's detokenised text as one of its tokens."""
    from permend.text.tokenized import retokenize, token_edits

    scored = {edit.start: edit for edit in correction.edits}
    changed = token_edits(tokens, correction.edits)
    edits = [
        {
            "start": edit.start,
            "end": edit.end,
            "before": " ".join(edit.before),
            "after": " ".join(edit.after),
            "probability": round(min(scored[each.start].probability for each in edit.edits), _DIGITS),
            "type": " ".join(scored[each.start].type for each in edit.edits),
            "explanation": " ".join(scored[each.start].explanation for each in edit.edits),
        }
        for edit in changed
    ]
    alternatives = {
        " ".join(retokenize(tokens, diff(tokens.text, each.text))): each.score
        for each in reversed(correction.alternatives)  # where two become the same, the better one stays
    }
    text = " ".join(retokenize(tokens, correction.edits)) if changed else line
    ranked = sorted(((score, text) for text, score in alternatives.items()), key=lambda each: -each[0])

    def as_m2() -> str:
        from permend.documents.reports.m2 import m2_tokens

        return m2_tokens(tokens, correction.edits)

    return View(line, text, edits, ranked, correction.margin, as_m2)


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
        words = PersonalDictionary() if self.tokenized else PersonalDictionary.load(Path())
        for batch in batches(lines, count):
            views = self._views([line.text for line in batch], words)
            yield b"".join(map(self._written, batch, views))

    def _views(self, texts: Sequence[str], words: PersonalDictionary) -> list[View]:
        if not self.tokenized:
            corrections = self.corrector.correct_batch(texts, known=words.knows if words.known else None)
            return [view(_allowed(correction, words)) for correction in corrections]
        from permend.text.tokenized import detokenize

        tokens = [detokenize(text.split()) for text in texts]
        corrections = self.corrector.correct_batch([each.text for each in tokens])
        return [tokenized_view(*each) for each in zip(texts, tokens, corrections, strict=True)]

    def _written(self, line: Line, view: View) -> bytes:
        if self.report == "json":  # a byte that was no UTF-8 becomes a \\udc.. escape, which is JSON
            return view.visible_json(self.alternatives).encode("utf-8", "backslashreplace") + b"\n"
        if self.report == "m2":
            return view.as_m2().encode("utf-8", "surrogateescape")
        if self.alternatives is not None:
            return view.as_list(self.alternatives).encode("utf-8", "surrogateescape")
        return line.written(view.text)


def _allowed(correction: Correction, words: PersonalDictionary) -> Correction:
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
    from permend.documents.stream import size_of

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
