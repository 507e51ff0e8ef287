r"""Plain text: paragraphs are lines, or several lines where the text is wrapped.

In: a text. Out: its paragraphs.

>>> text = "This paragraph was wrapped by an editor at forty\ncolumns or so.\nA line by itself\n\n- an item\n"
>>> [paragraph.text for paragraph in scan(text).paragraphs]
['This paragraph was wrapped by an editor at forty columns or so.', 'A line by itself', 'an item']

A line goes on in the next one if that one's first word would not have fit: if the line with it were longer than the
longest line around, and if that holds for half of the lines. In a file with one sentence a line it does not.

What the writer of a letter did not write now is left alone: quoted lines (they begin with ``>``), the line that says
who is quoted, and the signature. That begins with a line of two hyphens (and a space, as RFC 3676 has it) and has at
most 15 lines, of which the last is the last one of the document.

>>> text = "Hi,\n\nOn Mon, 3 May 2021, Ann Lee wrote:\n> He go.\nHe does!\n\n-- \nBob, he sell boats\n"
>>> [paragraph.text for paragraph in scan(text).paragraphs]
['Hi,', 'He does!']
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate

from permend.documents.paragraphs import ParagraphBuilder, Scan, Span

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


_LINE_ENDS = "\n\r\x0b\x0c\x85\u2028\u2029"
_LINE = re.compile(rf"([^{_LINE_ENDS}]*)(?:\r\n|[{_LINE_ENDS}]|\Z)")
_MARKER = re.compile(r"(?:[-*+•–‣◦][ \t]+|\(?(?:\d{1,3}|[a-zA-Z])[.)][ \t]+)(?=\S)")
_FIRST_WORD = re.compile(r"\S+")
_NARROWEST, _WIDEST = 40, 132  # columns at which people and programs wrap

special: frozenset[str] = frozenset()

Lines = list[tuple[int, int]]
"""Where the content of lines begins and ends."""


def scan(text: str, first: bool = True) -> Scan:
    """Find the paragraphs of plain text; it may be cut behind a blank line, or else behind any paragraph."""
    found = ParagraphBuilder(text)
    letter = Letter(text, [line.span(1) for line in _LINE.finditer(text)], first)
    last = 0
    for lines in _groups(text, letter):
        last = lines[0][0] if found.finished else 0
        _add(found, lines)
    last = max(last, letter.last_quoted())
    if not last and len(found.finished) > 1:
        last = found.finished[-1].runs[0].start
    return Scan(found.finished, letter.before_signature(_line_start(text, last)))


def _line_start(text: str, at: int) -> int:
    """Return where a line begins."""
    while at and text[at - 1] not in _LINE_ENDS:
        at -= 1
    return at


def _groups(text: str, letter: Letter) -> Iterator[Lines]:
    """Yield the lines between blank ones and those that are left alone."""
    lines: Lines = []
    for line, left_alone in zip(_LINE.finditer(text), letter.left_alone, strict=True):
        content = line.group(1).strip(" \t")
        start = line.start(1) + line.group(1).index(content)
        end = start + len(content.rstrip())
        if start < end and not left_alone:
            lines.append((start, end))
        elif lines:
            yield lines
            lines = []
    if lines:
        yield lines


def _add(found: ParagraphBuilder, lines: Lines) -> None:
    """Make paragraphs of lines that stand together."""
    text = found.text
    wrapped = _wrapped(text, lines)
    in_item = False  # of a list: it need not be a sentence
    for place, (start, end) in enumerate(lines):
        marker = _MARKER.match(text, start, end)
        hanging = in_item and text[start - 1 : start] in (" ", "\t")
        if place and not marker and (hanging or wrapped[place - 1]):
            found.show(lines[place - 1][1], start, " ")
        else:
            found.end(fragment=in_item)
            in_item = bool(marker)
        found.prose(marker.end() if marker else start, end)
    found.end(fragment=in_item)


def _wrapped(text: str, lines: Lines) -> list[bool]:
    """Tell for each line but the last whether it goes on in the next one: if most of them do, this one may."""
    longest = max(end - start for start, end in lines)
    if not _NARROWEST <= longest <= _WIDEST:
        return [False] * len(lines)
    words = [_FIRST_WORD.match(text, start) for start, _ in lines[1:]]
    full = [
        end - start + 1 + (len(word.group()) if word else 0) > longest
        for (start, end), word in zip(lines, words, strict=False)
    ]
    return full if 2 * sum(full) >= len(full) else [False] * len(lines)
