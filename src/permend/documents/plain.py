r"""Plain text: paragraphs are lines, or several lines where the text is wrapped.

>>> text = "This paragraph was wrapped by an editor at forty\ncolumns or so.\nA line by itself\n\n- an item\n"
>>> [paragraph.text for paragraph in scan(text).paragraphs]
['This paragraph was wrapped by an editor at forty columns or so.', 'A line by itself', 'an item']

A line goes on in the next one if that one's first word would not have fit: if the line with it were longer than the
longest line around, and if that holds for half of the lines. In a file with one sentence a line it does not.
Quotations and signatures of letters are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from permend.documents.letters import Letter
from permend.documents.runs import Paragraphs
from permend.documents.scan import Scan

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
    found = Paragraphs(text)
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


def _add(found: Paragraphs, lines: Lines) -> None:
    """Make paragraphs of lines that stand together."""
    text = found.text
    wrapped = _wrapped(text, lines)
    in_item = False
    for place, (start, end) in enumerate(lines):
        marker = _MARKER.match(text, start, end)
        hanging = in_item and text[start - 1 : start] in (" ", "\t")
        if place and not marker and (hanging or wrapped[place - 1]):
            found.show(lines[place - 1][1], start, " ")
        else:
            found.end()
            in_item = bool(marker)
        found.prose(marker.end() if marker else start, end)
    found.end()


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
