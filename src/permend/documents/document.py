r"""A document: text of any length and format in; sentences to correct and the way back out.

    document = read_document("notes.md")
    for block in document:
        corrections = corrector.correct_batch([sentence.prose for sentence in block.sentences])
        edits = []                                                # with offsets in the document
        for sentence, correction in zip(block.sentences, corrections):
            edits += sentence.map_edits(correction.edits)
        out.write(document.encoding.encode(block.apply(edits)))

>>> from permend.text.edits import Edit
>>> [block] = Document.from_text("See **he** go to `main`.\n", "markdown")
>>> [sentence] = block.sentences
>>> sentence.prose
'See he go to Python.'
>>> edits = sentence.map_edits([Edit(4, 6, "he", "him")])
>>> edits, block.apply(edits)
([Edit(start=6, end=8, before='he', after='him')], 'See **him** go to `main`.\n')

A document is read block by block, each of bounded size, so memory does not grow with it; the texts of all blocks are
the document. Where a block would become too large (a line of 50 MB) it is cut behind a sentence or at least a word.
Source code cannot be understood from the middle on: it is held in memory whole, up to `LONGEST` characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import IO
from unicodedata import combining

from permend.documents.encoding import Encoding, decode
from permend.documents.formats import find_format, format_of, is_read_whole
from permend.documents.ignoring import Open, leave_out
from permend.documents.paragraphs import Format, Paragraph, Run, Scan
from permend.documents.sentence import Sentence, split
from permend.errors import InputError
from permend.text.edits import Edit, apply

FIRST, BLOCK, LARGEST = 2_048, 32_768, 65_536
"""Characters from which on a block ends at the next good place: the first one, so that there is soon something to see;
later ones, each twice as long as the one before until they are this long; and at which one is cut."""
LONGEST = 20_000_000
"""Characters of source code that are read; a program with more is refused."""
_CHUNK = 32_768
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class Block:
    """A stretch of a document with its sentences."""

    start: int
    """Where it begins, in characters of the document (a byte-order mark is none of them)."""
    text: str
    paragraphs: list[Paragraph]
    """Their runs count from the beginning of the block."""
    special: frozenset[str] = frozenset()
    language: str = "en"

    @cached_property
    def sentences(self) -> list[Sentence]:
        """What there is to correct, in the order of the text (a footnote before the sentence that it stands in)."""
        return [each for paragraph in self.paragraphs for each in self._split(paragraph)]

    def _split(self, paragraph: Paragraph) -> list[Sentence]:
        return split(paragraph, self.start, self.language, self.special)

    def apply(self, edits: Iterable[Edit]) -> str:
        """Return the block's text with edits of the document carried out."""
        here = [Edit(edit.start - self.start, edit.end - self.start, edit.before, edit.after) for edit in edits]
        return apply(self.text, here)


@dataclass(frozen=True)
class Document:
    """Blocks of a text; a document that is read from a file can be gone through once."""

    chunks: Iterable[str]
    """The text, in pieces of any length."""
    format: str = "plain"
    encoding: Encoding = field(default_factory=Encoding)
    language: str = ""
    """What it is written in, such as ``en``; without it, whoever checks it takes the corrector's language."""

    @classmethod
    def from_text(cls, text: str, format: str = "plain", language: str = "") -> Document:  # noqa: A002
        """Take a text that is in memory."""
        find_format(format)
        return cls([text[at : at + _CHUNK] for at in range(0, len(text), _CHUNK)], format, language=language)

    def __iter__(self) -> Iterator[Block]:
        """Yield the blocks, whose texts together are the document."""
        read = _slices if is_read_whole(self.format) else _blocks
        return read(self.chunks, find_format(self.format), self.language or "en")

    @property
    def sentences(self) -> Iterator[Sentence]:
        """All sentences of all blocks."""
        return (sentence for block in self for sentence in block.sentences)


def read_document(
    source: str | Path | IO[bytes],
    format: str | None = None,  # noqa: A002
    encoding: str | None = None,
    language: str = "",
) -> Document:
    """Open a file, or take an open one, and read it as it is gone through.

    The format is that of the file's ending unless it is named. Files that cannot be read or are no text are refused at
    once; bytes that do not fit the encoding, when they are reached.
    """
    name = source if isinstance(source, str | Path) else getattr(source, "name", "-")
    chosen = format or format_of(str(name))
    find_format(chosen)
    found, chunks = decode(_chunks(source, str(name)), encoding, str(name))
    return Document(chunks, chosen, found, language)


def _chunks(source: str | Path | IO[bytes], name: str) -> Iterator[bytes]:
    try:
        if not isinstance(source, str | Path):
            yield from iter(lambda: source.read(_CHUNK), b"")
            return
        with closing(open(source, "rb")) as file:
            yield from iter(lambda: file.read(_CHUNK), b"")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", name) from None


def _blocks(chunks: Iterable[str], format_: Format, language: str) -> Iterator[Block]:
    start, waiting, length, wanted = 0, [""], 0, FIRST
    ignored: Open = ()
    for portion in _portions(chunks):
        waiting.append(portion)
        length += len(portion)
        while length >= wanted:
            text = "".join(waiting)
            clean, cut = find_cut(text, format_, start == 0)
            if cut:
                scan = format_.scan(text[:cut], start == 0)
                paragraphs, ignored = leave_out(text[:cut], scan, ignored, goes_on=not clean)
                yield Block(start, text[:cut], paragraphs, format_.special, language)
            start, waiting, length = start + cut, [text[cut:]], len(text) - cut
            wanted = min(2 * wanted, BLOCK) if cut else 2 * max(length, wanted)
    if length:
        text = "".join(waiting)
        paragraphs, _ = leave_out(text, format_.scan(text, start == 0), ignored)
        yield Block(start, text, paragraphs, format_.special, language)


def _slices(chunks: Iterable[str], format_: Format, language: str) -> Iterator[Block]:
    """Read a document at once, and part it between paragraphs."""
    text = _whole(chunks)
    paragraphs, _ = leave_out(text, format_.scan(text))
    start, reached, wanted = 0, 0, FIRST
    waiting: list[Paragraph] = []
    for paragraph in sorted(paragraphs, key=lambda each: each.runs[0].start):
        at = paragraph.runs[0].start
        if at - start >= wanted and at >= reached:
            yield Block(start, text[start:at], waiting, format_.special, language)
            start, waiting, wanted = at, [], min(2 * wanted, BLOCK)
        waiting.append(replace(paragraph, runs=tuple(_moved(run, -start) for run in paragraph.runs)))
        reached = max(reached, paragraph.runs[-1].end)
    if start < len(text):
        yield Block(start, text[start:], waiting, format_.special, language)


def _moved(run: Run, distance: int) -> Run:
    return replace(run, start=run.start + distance, end=run.end + distance)


def _whole(chunks: Iterable[str]) -> str:
    parts, length = [], 0
    for chunk in chunks:
        parts.append(chunk)
        length += len(chunk)
        if length > LONGEST:
            raise InputError(f"source code is read up to {LONGEST:,} characters, and this is longer")
    return "".join(parts)


def _portions(chunks: Iterable[str]) -> Iterator[str]:
    """Yield chunks in small portions at first, which grow until they are the chunks."""
    size = FIRST
    for chunk in chunks:
        at = 0
        while at < len(chunk):
            yield chunk[at : at + size]
            at, size = at + size, min(2 * size, max(BLOCK, len(chunk)))


def find_cut(text: str, format_: Format, first: bool) -> tuple[bool, int]:
    """Return whether there is a good place at which a block may end, and where it shall end."""
    scan = format_.scan(text, first)
    if scan.cut_at or len(text) < LARGEST:
        return True, scan.cut_at
    return False, _bad_place(text, scan, format_)


def _bad_place(text: str, scan: Scan, format_: Format) -> int:
    """Return where a cut hurts least."""
    middle = len(text) // 2
    sentences = split(scan.paragraphs[-1]) if scan.paragraphs else []
    if sentences and sentences[-1].runs[0].editable and sentences[-1].start > middle:
        return sentences[-1].start
    editable = [run for paragraph in scan.paragraphs for run in paragraph.runs if run.editable and run.end > middle]
    spaces = [match.end() for run in editable for match in _SPACE.finditer(text, max(run.start, middle), run.end)]
    if spaces or format_.special:
        return max(spaces, default=0)
    *_, space = [None, *_SPACE.finditer(text, middle)]
    # where there is no space, both halves are long: neither looks like a word
    return space.end() if space else _between_characters(text, middle)


def _between_characters(text: str, at: int) -> int:
    """Return the last place up to this one that is not inside what a reader takes for one character."""
    while text[at - 1 : at + 1] == "\r\n" or combining(text[at : at + 1] or "a") or "\u200d" in text[at - 1 : at + 1]:
        at -= 1
    return at
