r"""A comment: the lines between its markers.

In: where comments stand in a program. Out: `Comment`s with the contents of their lines; line comments that stand below
each other are one.

>>> text = "// One comment\n// of two lines.\n\nint a; /* And\n        * another. */"
>>> [one, two] = gather(text, [(0, 14), (15, 31), (40, 66)])
>>> [text[line.start : line.end] for line in one.lines], [text[line.start : line.end] for line in two.lines]
(['One comment', 'of two lines.'], ['And', 'another.'])
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from permend.documents.paragraphs import Span, columns_behind, find_rows

_MARKER = re.compile(r"//[/!]?<?|#+[:!]?")
_OPEN, _CLOSE = re.compile(r"/\*+[!<]*"), re.compile(r"\**\*/\Z")
_MARGIN = re.compile(r"\*+(?!/)")
_SPACE = {"\t": "\t"}
_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Line:
    """Where the content of a line begins and ends, and how far it is indented behind the comment's marker."""

    start: int
    end: int
    indent: int = 0

    @property
    def blank(self) -> bool:
        """Whether there is nothing on it."""
        return self.start == self.end


@dataclass(frozen=True)
class Comment:
    """A comment, or a docstring."""

    start: int
    end: int
    lines: tuple[Line, ...]
    marker: str
    """What it begins with."""
    parts: tuple[Span, ...]
    """Line comments that it is made of, or itself."""
    fixed: frozenset[str] = frozenset()
    """Signs that are never brought in, and never changed: those of which its end is made."""

    @property
    def is_docstring(self) -> bool:
        """Whether it is a string of Python."""
        return self.marker[-1:] in ("'", '"')

    @property
    def is_block(self) -> bool:
        """Whether it has an end of its own."""
        return self.marker.startswith("/*")


def gather(text: str, spans: Iterable[Span]) -> list[Comment]:
    """Make comments of the places where single ones stand, in their order."""
    comments: list[Comment] = []
    group: list[Span] = []
    line_starts = [0, *(end.end() for end in _LINE_END.finditer(text))]
    last_look: tuple[str, int] | None = None
    for start, end in spans:
        look = None
        if not text.startswith("/*", start):
            line = line_starts[bisect_right(line_starts, start) - 1]
            look = _marker(text, start), columns_behind("".join(_SPACE.get(sign, " ") for sign in text[line:start]), 0)
        if group and not (look == last_look and _is_below(text[group[-1][1] : start])):
            comments.append(_joined(text, group))
            group = []
        if look is None:
            comments.append(_block(text, start, end))
        else:
            group.append((start, end))
        last_look = look
    return [*comments, _joined(text, group)] if group else comments


def dedented(text: str, lines: Iterable[tuple[int, int, int]]) -> tuple[Line, ...]:
    """Make lines of where they begin and end and of the column of their first sign, without what all are indented."""
    found = []
    for start, end, column in lines:
        content = text[start:end]
        first = start + len(content) - len(content.lstrip())
        last = first + len(content.strip())
        found.append(Line(first, last, columns_behind(text[start:first], column)))
    least = min((line.indent for line in found if not line.blank), default=0)
    return tuple(Line(line.start, line.end, max(line.indent - least, 0)) for line in found)


def _marker(text: str, start: int) -> str:
    found = _MARKER.match(text, start)
    return found.group() if found else ""


def _is_below(between: str) -> bool:
    """Whether there is nothing but one line's end, and an indent, between two comments."""
    return not between.strip() and len(_LINE_END.findall(between)) == 1


def _joined(text: str, group: list[Span]) -> Comment:
    """Make one comment of line comments."""
    lines = [(start + len(_marker(text, start)), end, 0) for start, end in group]
    return Comment(group[0][0], group[-1][1], dedented(text, lines), _marker(text, group[0][0]), tuple(group))


def _block(text: str, start: int, end: int) -> Comment:
    opening = _OPEN.match(text, start, end)
    closing = _CLOSE.search(text, start + 2, end)
    first, last = (opening.end() if opening else start), (closing.start() if closing else end)
    first = min(first, last)
    rows = find_rows(text[first:last])
    inner = [row for row in rows[1:] if not row.blank]
    has_margin = bool(inner) and all(text[first + row.start] == "*" for row in inner)
    lines = []
    for place, row in enumerate(rows):
        begin = first + row.start
        margin = _MARGIN.match(text, begin, first + row.end) if has_margin and place and not row.blank else None
        lines.append((margin.end() if margin else first + row.origin if place else begin, first + row.end, 0))
    marker = text[start:first] if opening else "/*"
    head, *rest = lines or [(first, first, 0)]
    found = (*dedented(text, [head]), *dedented(text, rest))
    return Comment(start, end, found, marker, ((start, end),), frozenset("*/"))
