r"""A text as an editor counts it: lines, and units of UTF-8, -16 or -32 from the beginning of a line.

In: a text and the unit that was agreed on; positions and changes as the protocol has them. Out: offsets, positions, and
the changed text.

>>> text = EditorText("Hi 😀!\r\nHe go.\n", "utf-16")
>>> text.offset(1, 3), text.position(10), text.position(5)
(10, {'line': 1, 'character': 3}, {'line': 0, 'character': 6})
>>> text.offset(0, 99), text.offset(99, 0), text.offset(0, 4)
(5, 14, 3)
>>> text.replaced((1, 3), (1, 5), "goes").content
'Hi 😀!\r\nHe goes.\n'

A line ends with ``\n``, ``\r\n`` or ``\r`` and nothing else. Behind the end of a line is its end, behind the last line
the end of the text, inside a character its beginning, as the protocol wants it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property

_LINE_END = re.compile(r"\r\n|\r|\n")

Place = tuple[int, int]
"""A line and the units before a place in it."""


def _units_8(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _units_16(text: str) -> int:
    return len(text) + sum(sign > "\uffff" for sign in text)


UNITS: dict[str, Callable[[str], int]] = {"utf-8": _units_8, "utf-16": _units_16, "utf-32": len}
"""How long a text is, by the name of the unit."""


class EditorText:
    """A text that does not change; a changed one is another text."""

    def __init__(self, content: str, unit: str = "utf-16") -> None:
        """Take a text and one of the `UNITS`."""
        self.content, self.unit = content, unit
        self._count = UNITS[unit]

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(end.end() for end in _LINE_END.finditer(self.content))]

    @cached_property
    def _plain(self) -> bool:
        """Whether all units are the same."""
        return self.unit == "utf-32" or self.content.isascii()

    def offset(self, line: int, units: int) -> int:
        """Return the offset of a place."""
        if line >= len(self._starts):
            return len(self.content)
        start = self._starts[line]
        end = _LINE_END.search(self.content, start)
        row = self.content[start : end.start() if end else len(self.content)]
        return start + (min(units, len(row)) if self._plain or row.isascii() else self._characters(row, units))

    def has(self, line: int, units: int) -> bool:
        """Whether a place is one of this text: not behind its end, nor that of a line, nor inside a character."""
        if line == len(self._starts):  # editors write the end of the text so
            return units == 0
        return line < len(self._starts) and self.position(self.offset(line, units))["character"] == units

    def _characters(self, row: str, units: int) -> int:
        """Return how many characters of a line lie wholly within so many units."""
        low, high = 0, min(units, len(row))  # a character has at least one
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self._count(row[:middle]) <= units else (low, middle - 1)
        return low

    def position(self, offset: int) -> dict[str, int]:
        """Return the place of an offset as the protocol writes it."""
        line = bisect_right(self._starts, offset) - 1
        start = self._starts[line]
        units = offset - start if self._plain else self._count(self.content[start:offset])
        return {"line": line, "character": units}

    def range(self, start: int, end: int) -> dict[str, dict[str, int]]:
        """Return a range as the protocol writes it."""
        return {"start": self.position(start), "end": self.position(end)}

    def replaced(self, start: Place, end: Place, new: str) -> EditorText:
        """Return the text with something else between two places; where they are in the wrong order, they change it."""
        first, last = sorted((self.offset(*start), self.offset(*end)))
        return EditorText(self.content[:first] + new + self.content[last:], self.unit)
