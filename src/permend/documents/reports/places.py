r"""Where findings stand: line and column, UTF-16 units, the text around.

In: the checked blocks of a document, in order. Out: `Located` findings.

>>> from permend.documents.checker import CheckedBlock, Finding
>>> from permend.documents import Document
>>> [block] = Document.from_text("Hi 😀!\nHe go there.\n")
>>> finding = Finding(9, 11, "go", "goes", 0.9)
>>> [found] = locate([CheckedBlock(block, (finding,), block.apply([finding]))])
>>> found.start, found.end.unit
(Place(line=2, column=4, unit=10), 12)
>>> found.left, found.right
('Hi 😀!\nHe ', ' there.\n')
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate

from permend.documents.checker import CheckedBlock, Finding

_AROUND = 40  # characters of context on either side
_LAST_WORD, _FIRST_WORD = re.compile(r"(?:\w+|\S)\Z"), re.compile(r"\w+|\S")


@dataclass(frozen=True)
class Place:
    """A place between two characters of a document."""

    line: int
    """From 1; only a line feed ends a line."""
    column: int
    """From 1, in characters."""
    unit: int
    """UTF-16 units from the beginning of the document."""


@dataclass(frozen=True)
class Located:
    """A finding, its place, and up to 40 characters on either side."""

    finding: Finding
    start: Place
    end: Place
    left: str
    right: str

    def widened(self) -> Located:
        """Take in the word beside an insertion, so that there is something to point at: *to → to the*."""
        if self.finding.before:
            return self
        if word := _LAST_WORD.search(self.left):
            return self._with(word.group(), "")
        if word := _FIRST_WORD.match(self.right):
            return self._with("", word.group())
        return self

    def _with(self, left: str, right: str) -> Located:
        found, start, end = self.finding, self.start, self.end
        finding = replace(
            found,
            start=found.start - len(left),
            end=found.end + len(right),
            before=left + found.before + right,
            after=left + found.after + right,
            alternatives=tuple(replace(each, after=left + each.after + right) for each in found.alternatives),
        )
        return Located(
            finding,
            replace(start, column=start.column - len(left), unit=start.unit - units(left)),
            replace(end, column=end.column + len(right), unit=end.unit + units(right)),
            self.left[: len(self.left) - len(left)],
            self.right[len(right) :],
        )


def units(text: str) -> int:
    """Count UTF-16 units."""
    return len(text) if text.isascii() else len(text) + sum(sign > "\uffff" for sign in text)


class MeasuredBlock:
    """A checked block that knows the places of its characters."""

    def __init__(self, checked: CheckedBlock, start: Place) -> None:
        """Measure a block that begins at a place."""
        self.checked = checked
        self._start = start
        text = checked.block.text
        self._lines = [sign.end() for sign in re.finditer("\n", text)]
        wide = not text.isascii()
        self._units = list(accumulate((1 + (sign > "\uffff") for sign in text), initial=0)) if wide else None

    def place(self, offset: int) -> Place:
        """Return the place of an offset in the document."""
        at = offset - self.checked.block.start
        lines = bisect_right(self._lines, at)
        column = at - self._lines[lines - 1] + 1 if lines else self._start.column + at
        return Place(self._start.line + lines, column, self._start.unit + (self._units[at] if self._units else at))

    @property
    def end(self) -> Place:
        """Where the next block begins."""
        return self.place(self.checked.block.start + len(self.checked.block.text))

    def locate(self) -> Iterator[Located]:
        """Yield the block's findings."""
        text, first = self.checked.block.text, self.checked.block.start
        for finding in self.checked.findings:
            start, end = finding.start - first, finding.end - first
            left, right = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
            yield Located(finding, self.place(finding.start), self.place(finding.end), left, right)


def measure(blocks: Iterable[CheckedBlock]) -> Iterator[MeasuredBlock]:
    """Measure the blocks of a document one after the other."""
    at = Place(1, 1, 0)
    for checked in blocks:
        measured = MeasuredBlock(checked, at)
        yield measured
        at = measured.end


def locate(blocks: Iterable[CheckedBlock]) -> Iterator[Located]:
    """Yield the findings of a document with their places."""
    return (found for measured in measure(blocks) for found in measured.locate())
