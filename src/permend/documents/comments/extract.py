r"""Prose taken out of what stands around it, so that another format's reader understands it, and the way back.

In: lines of prose in a document, and where code stands in them. Out: a text with nothing but this prose, in which a
name (``a_b``) stands for code; and the reader's paragraphs as paragraphs of the document.

>>> from permend.documents.markdown import scan
>>> text = "// See **the**\n// fooBar page."
>>> extract = Extract(text)
>>> extract.add(3, 14), extract.add(18, 30, [(18, 24)])
(None, None)
>>> extract.text
'See **the**\na_b page.\n'
>>> [paragraph] = extract.back(scan(extract.text))
>>> paragraph.text, [text[run.start : run.end] for run in paragraph.runs if run.editable]
('See the Python page.', ['See ', 'the', ' page.'])
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from permend.documents.paragraphs import NOUN, Paragraph, Run, Scan, Span

_NAME = "a_b"
_NEVER = frozenset("\0")  # at which programs end for some who read them


class _Part(NamedTuple):
    """A stretch of the extract, and where it comes from."""

    start: int
    end: int
    origin: int
    origin_end: int
    is_code: bool

    def place(self, at: int) -> int:
        """Return where a place of the extract stands in the document; all of a name is one place or the other."""
        if self.is_code:
            return self.origin if at <= self.start else self.origin_end
        return self.origin + at - self.start


@dataclass
class Extract:
    """Prose of a document, line by line."""

    document: str
    _text: list[str] = field(default_factory=list)
    _length: int = 0
    _parts: list[_Part] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The prose by itself."""
        return "".join(self._text)

    def add(self, start: int, end: int, code: Iterable[Span] = (), indent: int = 0) -> None:
        """Add a line, given where code stands in it."""
        self._write(" " * indent)
        for first, last in code:
            self._take(start, first)
            self._take(first, last, is_code=True)
            start = last
        self._take(start, end)
        self._write("\n")

    def end_paragraph(self) -> None:
        """Add an empty line."""
        self._write("\n")

    def _write(self, text: str) -> None:
        self._text.append(text)
        self._length += len(text)

    def _take(self, start: int, end: int, is_code: bool = False) -> None:
        if start < end:
            begin = self._length
            self._write(_NAME if is_code else self.document[start:end])
            self._parts.append(_Part(begin, self._length, start, end, is_code))

    def back(
        self, scan: Scan, special: frozenset[str] = frozenset(), fixed: frozenset[str] = frozenset()
    ) -> list[Paragraph]:
        """Return paragraphs of the extract as those of the document.

        No edit may bring in `special` signs, nor alter `fixed` ones. None of them has to be a sentence.
        """
        starts, ends = [part.start for part in self._parts], [part.end for part in self._parts]
        found = []
        for paragraph in scan.paragraphs:
            runs = tuple(each for run in paragraph.runs for each in self._back(run, starts, ends, fixed))
            if any(run.editable for run in runs):
                found.append(Paragraph(runs, fragment=True, note=True, special=special | fixed | _NEVER))
        return found

    def _back(self, run: Run, starts: list[int], ends: list[int], fixed: frozenset[str]) -> Iterator[Run]:
        first = self._parts[max(bisect_right(starts, run.start) - 1, 0)]
        last = self._parts[min(bisect_left(ends, run.end), len(ends) - 1)]
        start, end = first.place(min(run.start, first.end)), last.place(max(run.end, last.start))
        moved = replace(run, start=start, end=max(start, end))
        if not run.editable or first is not last or first.is_code:
            yield replace(moved, shown=run.shown.replace(_NAME, NOUN), editable=False)
        else:
            yield from _parted(moved, fixed)


def _parted(run: Run, fixed: frozenset[str]) -> Iterator[Run]:
    """Yield a free run in parts: signs that are fixed, and what stands between them."""
    if fixed.isdisjoint(run.shown):
        yield run
        return
    at = 0
    for place, sign in enumerate(run.shown):
        if sign in fixed:
            if at < place:
                yield Run(run.start + at, run.start + place, run.shown[at:place], editable=True)
            yield Run(run.start + place, run.start + place + 1, sign)
            at = place + 1
    if at < len(run.shown):
        yield Run(run.start + at, run.end, run.shown[at:], editable=True)
