r"""What a letter holds that its writer did not write now: quotations, who is quoted, and a signature.

In: the lines of a plain text. Out: for each whether it is to be left alone.

>>> text = "Hi,\n\nOn Mon, 3 May 2021, Ann Lee wrote:\n> He go.\nHe does!\n\n-- \nBob, he sell boats\n"
>>> letter = Letter(text, [match.span() for match in re.finditer("[^\n]+", text)])
>>> letter.left_alone
[False, True, True, False, True, True]

Quoted lines begin with ``>``. A signature begins with a line of two hyphens (and a space, as RFC 3676 has it) and
has at most 15 lines, of which the last is the last one of the document.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property
from itertools import accumulate

from permend.documents.runs import Span

_LONGEST = 15  # lines of a signature
_QUOTED = re.compile(r"[ \t]*>")
_ATTRIBUTION = re.compile(
    r"(?:.{0,500}\W)??(?:wrote|writes|schrieb|a écrit|escribió|ha scritto|schreef)\b.{0,200}:\s*$", re.IGNORECASE
)
_BEGUN = re.compile(r"\W*(?:On|Am|Le|El|Il|Op)\b")
_WRAPPED = 3  # lines of an attribution at most


class Letter:
    """The lines of a text, which may be the first ones of a document."""

    def __init__(self, text: str, lines: list[Span], first: bool = True) -> None:
        self._text, self._lines = text, lines
        shown = [bool(text[start:end].strip()) for start, end in lines]
        self._before = list(accumulate(shown, initial=0))  # lines with text before each line
        self._quoted = [bool(_QUOTED.match(text, start, end)) for start, end in lines]
        self._dashes = [
            place
            for place, (start, end) in enumerate(lines)
            if text[start:end] in ("--", "-- ") and (self._before[place] or not first)
        ]

    @cached_property
    def left_alone(self) -> list[bool]:
        """Tell for each line whether its writer did not write it now."""
        left = list(self._quoted)
        for place, quoted in enumerate(self._quoted):
            if quoted and place and not self._quoted[place - 1]:
                for line in self._attribution(place):
                    left[line] = True
        for place in self._dashes:
            if self._is_short(place, len(self._lines)):
                left[place:] = [True] * (len(left) - place)
                break
        return left

    def last_quoted(self) -> int:
        """Return where the last line begins that is quoted as the one before it: 0 if there is none."""
        both = (place for place in range(len(self._lines) - 1, 0, -1) if all(self._quoted[place - 1 : place + 1]))
        place = next(both, None)
        return 0 if place is None else self._lines[place][0]

    def before_signature(self, at: int) -> int:
        """Return where to cut instead of before a line: what could be a signature if no more came is not parted."""
        line = bisect_left(self._lines, (at,))
        for place in reversed(self._dashes):
            if place < line and self._is_short(place, line):
                line, at = place, self._lines[place][0]
        return at

    def _is_short(self, dashes: int, line: int) -> bool:
        return self._before[line] - self._before[dashes + 1] <= _LONGEST

    def _attribution(self, quotation: int) -> range:
        """Return the lines that say who is quoted, right above or with a blank line between."""
        last = quotation - 1 if self._is_shown(quotation - 1) else quotation - 2
        if last < 0 or not _ATTRIBUTION.match(self._text, *self._lines[last]):
            return range(0)
        for first in range(last, max(last - _WRAPPED, -1), -1):
            if not self._is_shown(first) or self._quoted[first]:
                break
            if _BEGUN.match(self._text, *self._lines[first]):
                return range(first, last + 1)
        return range(last, last + 1)

    def _is_shown(self, line: int) -> bool:
        return self._before[line + 1] > self._before[line]
