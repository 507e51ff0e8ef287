r"""The lines of a text, and how far they are indented.

>>> [text_of(row, "a\n\t b \r\n\n") for row in find_rows("a\n\t b \r\n\n")]
[('a', 0), ('b', 9), ('', 0)]
"""

from __future__ import annotations

import re
from typing import NamedTuple

TAB = 8  # columns
_ROW = re.compile(r"[^\n\r\x1c-\x1e\x85\u2028\u2029]*(?:\r\n|[\n\r\x1c-\x1e\x85\u2028\u2029]|\Z)")


class Row(NamedTuple):
    """A line: where it begins, where its content begins and ends, and at which column that begins."""

    origin: int
    start: int
    end: int
    column: int

    @property
    def blank(self) -> bool:
        """Whether it is empty but for whitespace."""
        return self.start == self.end


def find_rows(text: str) -> list[Row]:
    """Return the lines of a text."""
    return [_row(text, *line.span()) for line in _ROW.finditer(text) if line.group()]


def text_of(row: Row, text: str) -> tuple[str, int]:
    """Return the content of a line and its column."""
    return text[row.start : row.end], row.column


def columns_behind(whitespace: str, column: int) -> int:
    """Return the column at which whitespace ends that begins at a column."""
    for sign in whitespace:
        column += TAB - column % TAB if sign == "\t" else 1
    return column


def _row(text: str, origin: int, following: int) -> Row:
    line = text[origin:following]
    content = line.strip()
    if not content:
        return Row(origin, origin, origin, 0)
    start = origin + line.index(content[0])
    return Row(origin, start, start + len(content), columns_behind(text[origin:start], 0))
