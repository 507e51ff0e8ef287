r"""Sections of docstrings in the styles of Google and NumPy, told as plain paragraphs.

In: the lines of a docstring. Out: the same lines, in which the names of sections and of arguments are left out and what
they say begins a paragraph; None stands for a paragraph's end.

>>> text = "Add.\n\nArgs:\n    x (int): the first\n        number\n    y: another\n"
>>> lines = [Line(0, 4), Line(5, 5), Line(6, 11), Line(16, 34, 4), Line(43, 49, 8), Line(54, 64, 4)]
>>> [line and text[line.start : line.end] for line in without_sections(text, lines)]
['Add.', None, None, None, 'the first', 'number', None, 'another']
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from permend.documents.comments.comment import Line

_LISTS = (
    "args arguments attributes keyword-args keyword-arguments kwargs members methods other-parameters parameters params"
    " raises receives warns variables fields options functions classes"
)
_TEXTS = (
    "caution danger error example examples hint important note notes references return returns see-also tip todo todos"
    " usage warning warnings warns yield yields"
)
_LISTED, _TOLD = frozenset(_LISTS.split()), frozenset(_TEXTS.split())
_TYPED = frozenset({"example", "examples", "usage"})
_ITEM = re.compile(r"[*`]{0,4}[\w.\[\]/, *`-]{1,80}?(?:\s?\((?:[^()\n]|\([^()\n]*\)){0,200}\))?\s?:(?:\s+|$)")
_TYPE = re.compile(r"[\w.\[\]|]{1,80}:\s+")
_UNDER = re.compile(r"[-=~]{3,}$")


def without_sections(text: str, lines: Sequence[Line]) -> list[Line | None]:
    """Leave out what names sections and arguments."""
    return list(_Sections(text, lines).read())


class _Sections:
    """Goes through the lines of a docstring."""

    def __init__(self, text: str, lines: Sequence[Line]) -> None:
        self.text, self.lines = text, lines

    def read(self) -> Iterator[Line | None]:
        at = 0
        while at < len(self.lines):
            line = self.lines[at]
            name = self.content(line).rstrip(":").strip().lower().replace(" ", "-")
            under = self.lines[at + 1] if at + 1 < len(self.lines) else None
            if under and not line.blank and _UNDER.match(self.content(under)):
                yield None
                at += 2
                if name in _LISTED or name in ("returns", "yields", "see-also"):
                    end = self.section_end(at, line.indent - 1, until_under=True)
                    yield from self.numpy(at, end, line.indent)
                    at = end
            elif self.content(line).endswith(":") and name in _LISTED | _TOLD:
                end = self.section_end(at + 1, line.indent)
                yield None
                yield from self.shown(self.google(at + 1, end, listed=name in _LISTED), name)
                at = end
            else:
                yield None if line.blank else line
                at += 1

    def shown(self, lines: Iterator[Line | None], name: str) -> Iterator[Line | None]:
        """Leave out what is typed in an example: it does not begin as a sentence does."""
        for line in lines:
            typed = line and name in _TYPED and not self.text[line.start].isupper()
            yield None if typed else line

    def content(self, line: Line) -> str:
        return self.text[line.start : line.end]

    def section_end(self, at: int, indent: int, until_under: bool = False) -> int:
        """Return the first line behind a section: it is not indented more, or the title of another one."""
        for place in range(at, len(self.lines)):
            line = self.lines[place]
            if not line.blank and line.indent <= indent:
                return place
            if until_under and place + 1 < len(self.lines) and _UNDER.match(self.content(self.lines[place + 1])):
                return place
        return len(self.lines)

    def google(self, at: int, end: int, listed: bool) -> Iterator[Line | None]:
        """Yield the lines of a section, each item as a paragraph."""
        column = min((line.indent for line in self.lines[at:end] if not line.blank), default=0)
        for place in range(at, end):
            line = self.lines[place]
            begins = line.indent == column
            item = (_ITEM if listed else _TYPE).match(self.text, line.start, line.end) if begins else None
            if line.blank:
                yield None
            elif item and (listed or place == at):
                yield None
                if item.end() < line.end:
                    yield Line(item.end(), line.end)
            elif listed:
                yield replace(line, indent=0)
            else:
                yield replace(line, indent=line.indent - column)

    def numpy(self, at: int, end: int, column: int) -> Iterator[Line | None]:
        """Yield the lines that say what arguments are, without those that name them."""
        deeper = min((line.indent for line in self.lines[at:end] if not line.blank and line.indent > column), default=0)
        for line in self.lines[at:end]:
            if line.blank or line.indent <= column:
                yield None
            else:
                yield replace(line, indent=max(line.indent - deeper, 0))
