r"""What a comment in the text dismisses: ``permend-ignore``, or all from ``permend-ignore-start`` to its ``-end``.

In: what a scanner found in a text, and what was still open before it. Out: its paragraphs, in which what is dismissed
is shown but never changed, and what is open behind it.

>>> from permend.documents.markdown import scan
>>> text = "He go. <!-- permend-ignore -->\n\nShe go.\n\n<!-- permend-ignore: a poem -->\nWe goes.\n"
>>> [each.text.strip() for each in leave_out(text, scan(text))[0]]
['She go.']

A comment at the end of a line of prose, or inside it, covers the paragraph around; one on a line by itself covers what
follows, to the end of the paragraph or the table. What is still open is carried from block to block, so a document may
be cut anywhere between them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from permend.documents.paragraphs import Paragraph, Run, Scan, Span

_MARK = re.compile(r"\W*permend-ignore(?P<kind>-start|-end)?(?!-?\w)")
_LINE_END = re.compile(r"[\n\r]")

Open = tuple[str, ...]
"""The kinds of comments whose paragraph or whose end is still to come."""


class _Mark(NamedTuple):
    start: int
    end: int
    kind: str
    """Empty, ``-start`` or ``-end``."""


class _Place(NamedTuple):
    """Something that is shown, and the paragraph in which it stands."""

    start: int
    end: int
    whole: Span


def leave_out(text: str, scan: Scan, before: Open = (), goes_on: bool = False) -> tuple[list[Paragraph], Open]:
    """Keep what comments dismiss from being changed; the last paragraph may go on behind the text."""
    marks = [*(_Mark(0, 0, kind) for kind in before), *_marks(text, scan.comments)]
    if not marks:
        return scan.paragraphs, ()
    spans = _Spans(text, sorted(_places(scan.paragraphs)), scan.tables)
    for mark in marks:
        spans.read(mark)
    covered = list(_united(spans.finish(goes_on)))
    fixed = (_fix(paragraph, covered) for paragraph in scan.paragraphs)
    return [each for each in fixed if any(run.editable for run in each.runs)], tuple(spans.open)


def _marks(text: str, comments: Iterable[Span]) -> Iterator[_Mark]:
    for start, end in sorted(comments):
        if mark := _MARK.match(text, start, end):
            yield _Mark(start, end, mark["kind"] or "")


def _places(paragraphs: Iterable[Paragraph]) -> Iterator[_Place]:
    for paragraph in paragraphs:
        whole = paragraph.runs[0].start, paragraph.runs[-1].end
        yield from (_Place(run.start, run.end, whole) for run in paragraph.runs if run.shown.strip())


@dataclass
class _Spans:
    """Goes through the comments of a text."""

    text: str
    places: list[_Place]
    tables: list[Span]
    found: list[Span] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    _begun: int | None = None

    def __post_init__(self) -> None:
        """Find the lines once."""
        self._lines = [0, *(end.end() for end in _LINE_END.finditer(self.text))]

    def read(self, mark: _Mark) -> None:
        """Add what a comment covers, as far as it is known."""
        if mark.kind == "-start":
            self._begun = mark.start if self._begun is None else self._begun
        elif mark.kind == "-end":
            self.found += [(self._begun, mark.end)] if self._begun is not None else []
            self._begun = None
        elif span := self.span_of(mark):
            self.found.append(span)
        elif "" not in self.open:
            self.open.append("")

    def span_of(self, mark: _Mark) -> Span | None:
        """Return where the paragraph stands that a comment means, unless it is still to come."""
        at = bisect_left(self.places, (mark.start,))
        line = bisect_right(self._lines, mark.start)
        line_start, line_end = self._lines[line - 1], (*self._lines[line : line + 1], len(self.text))[0]
        before = self.places[at - 1] if at else None
        following = self.places[at] if at < len(self.places) else None
        if before and before.end > line_start:
            last_of_line = following is None or following.start >= line_end
            if before.whole[1] >= mark.end or last_of_line:
                return before.whole
        return (mark.start, self.block_end(following)) if following else None

    def block_end(self, place: _Place) -> int:
        """Return where the paragraph ends, or the table."""
        table = self.tables[bisect_right(self.tables, (place.end,)) - 1] if self.tables else (0, 0)
        return max(place.whole[1], table[1] if table[0] <= place.start else 0)

    def finish(self, goes_on: bool) -> list[Span]:
        """Return all spans, with the one that reaches to the end of the text."""
        if goes_on and "" not in self.open and self.places:
            last = max(place.end for place in self.places)
            self.open += [""] if any(end >= last for _, end in self.found) else []
        if self._begun is not None:
            self.found.append((self._begun, len(self.text)))
            self.open.append("-start")
        return self.found


def _united(spans: Iterable[Span]) -> Iterator[Span]:
    """Yield spans from left to right, those that overlap as one."""
    begun: Span | None = None
    for start, end in sorted(spans):
        if begun and start <= begun[1]:
            begun = begun[0], max(begun[1], end)
        else:
            yield from [begun] if begun else []
            begun = start, end
    yield from [begun] if begun else []


def _fix(paragraph: Paragraph, covered: list[Span]) -> Paragraph:
    """Keep the runs of a paragraph that are covered from being changed."""

    def fixed(run: Run) -> Run:
        at = bisect_left(covered, (run.end,)) - 1
        return replace(run, editable=False) if run.editable and at >= 0 and covered[at][1] > run.start else run

    return replace(paragraph, runs=tuple(map(fixed, paragraph.runs)))
