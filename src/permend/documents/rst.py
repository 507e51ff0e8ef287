r"""reStructuredText, as docutils and Sphinx read it.

>>> text = "Title\n=====\n\n.. note:: See *our* page::\n\n      code()\n\n:param x: the ``x`` of it\n\n.. comment\n"
>>> [paragraph.text for paragraph in scan(text).paragraphs]
['See our page:', 'the Python of it']

This module finds blocks line by line; `rst_inline` reads what stands inside a paragraph. Section titles stay as they
are: a longer one would outgrow its underline, and a title is what references to it are found by. Tables stay too,
since their columns are counted, and so does every directive that is not known. In doubt more is protected.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from permend.documents.paragraphs import ParagraphBuilder, Row, Scan, columns_behind, find_rows
from permend.documents.rst_inline import add_inline, kind_of

special = frozenset("`*_|\\:")
_FIXED = special - {":"}  # a colon is no markup where it already stands alone

_NAME = r"[^\W_](?:[\w.+:-]{0,98}\w)?"
_OPTION = r"(?:[-+]\w(?:[ ]?<?[A-Za-z][\w-]{0,50}>?)?|(?:--|/)\w[\w-]{0,80}(?:[ =]<?[A-Za-z][\w-]{0,50}>?)?)"
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*$")
_BULLET = re.compile(r"[-+*•‣⁃](?:\s+|$)")
_ENUMERATOR = re.compile(r"\(?(?:[0-9]{1,9}|[A-Za-z]|[ivxlcdmIVXLCDM]{1,15}|#)[.)](?:\s+|$)")
_FIELD = re.compile(r":(?![:\s])(?P<name>(?:[^:\\\n]|\\.|:(?![\s`]|$)){1,500})(?<!\s):(?:\s+|$)")
_OPTIONS = re.compile(rf"{_OPTION}(?:, {_OPTION}){{0,20}}(?:\s\s+|$)")
_DOCTEST = re.compile(r">>>(?:\s|$)")
_LINE_OF_BLOCK = re.compile(r"\|(?:\s+|$)")
_GRID = re.compile(r"\+[-=][-+=]*\+$")
_SIMPLE = re.compile(r"=+(?: +=+)+$")
_BORDER = re.compile(r"=[ =]*$")
_EXPLICIT = re.compile(r"\.\.(?:\s+|$)")
_ANONYMOUS = re.compile(r"__(?:\s|$)")
_ATTRIBUTION = re.compile(r"(?:---?|—)\s*(?=[^\s-])")
_NOTE = re.compile(rf"\[(?:[0-9]{{1,9}}|\*|#|#?{_NAME})\](?:\s+|$)")
_DIRECTIVE = re.compile(rf"(?P<name>{_NAME})[ ]?::(?:\s+|$)")
_CLASSIFIER = re.compile(r" :(?= )|``?[^`]+``?(?= :)")
_PEP = re.compile(r"PEP: \d+")
_VERSION = re.compile(r"\S+\s*")
_DATA = frozenset(
    "address author authors category contact copyright date id license organization orphan revision rtype status"
    " tocdepth type version vartype".split()
)
"""Fields whose bodies are no prose."""


def scan(text: str, first: bool = True) -> Scan:
    """Find the paragraphs of a reStructuredText document."""
    blocks = _Blocks(text)
    if first and _PEP.match(text):
        blocks.rest = 0  # lines as in the header of an e-mail
    blocks.read()
    return Scan(blocks.found.finished, blocks.cut_at, blocks.found.comments)


class _Body(NamedTuple):
    """A list item, a quotation or the body of a directive: where its lines begin at least."""

    column: int
    item: bool = False


@dataclass
class _Blocks:
    """Goes through the lines of a document."""

    text: str
    cut_at: int = 0
    found: ParagraphBuilder = field(init=False)
    rows: list[Row] = field(init=False)
    bodies: list[_Body] = field(default_factory=list)
    """What the next line may be in."""
    lines: list[tuple[int, int]] = field(default_factory=list)
    """Contents of the lines of the paragraph so far."""
    hanging: bool = False
    """Whether the paragraph begins behind a marker: its second line tells the column of its body."""
    head: str = ""
    """The kind of the directive whose name stands right above, without a blank line between."""
    protected: int | None = None
    """Lines that are indented more than this are no prose."""
    rest: int | None = None
    """Lines up to the next blank one that are indented at least so far are no prose."""
    announced: int | None = None
    """The column of a paragraph that ends with two colons, until the block behind it."""
    blank: bool = True
    """Whether the last line was blank."""

    def __post_init__(self) -> None:
        """Begin without paragraphs."""
        self.found = ParagraphBuilder(self.text, _FIXED)
        self.rows = find_rows(self.text)

    @property
    def column(self) -> int:
        """Where the lines of the innermost body begin."""
        return self.bodies[-1].column if self.bodies else 0

    def read(self) -> None:
        """Read all lines."""
        at = 0
        while at < len(self.rows):
            row = self.rows[at]
            if row.blank:
                self.finish()
                self.blank, self.head, self.rest = True, "", None
                at += 1
            elif self.is_protected(row):
                at += 1
            else:
                at = self.line(at, row)
                self.blank = False
        self.finish()

    def is_protected(self, row: Row) -> bool:
        """Whether a line belongs to a block without prose that began before it."""
        if self.rest is not None and row.column >= self.rest:
            return True
        self.rest = None
        if self.protected is not None and row.column > self.protected:
            return True
        self.protected = None
        return False

    def line(self, at: int, row: Row) -> int:
        """Read a line, or the block that begins with it; return where to go on."""
        if self.lines and self.goes_on(row):
            if self.head and _FIELD.match(self.text, row.start, row.end):
                return self.leave_rest(at, row.column)
            self.lines.append((row.start, row.end))
            return at + 1
        self.finish(term=row.column > self.column and len(self.lines) == 1)
        if self.is_announced(row):
            return at + 1
        while self.bodies and row.column < self.column:
            self.bodies.pop()
        if row.column > self.column:
            self.bodies.append(_Body(row.column))
        if self.blank and not row.column:
            self.cut_at = row.origin
        if self.head and _FIELD.match(self.text, row.start, row.end):
            return self.leave_rest(at, row.column)
        return self.block(at, row)

    def goes_on(self, row: Row) -> bool:
        """Whether the paragraph goes on in a line."""
        if self.hanging and row.column >= self.column:
            self.bodies[-1] = self.bodies[-1]._replace(column=row.column)
            self.hanging = False
        return row.column == self.column

    def is_announced(self, row: Row) -> bool:
        """Whether a literal block begins here, indented or quoted."""
        announced, self.announced = self.announced, None
        if announced is None:
            return False
        if row.column > announced:
            self.protected = announced
            return True
        if _ADORNMENT.match(self.text[row.start]):
            self.rest = row.column
            return True
        return False

    def finish(self, term: bool = False) -> None:
        """End the paragraph."""
        if self.lines:
            if self.text.endswith("::", 0, self.lines[-1][1]):
                self.announced = self.column - self.hanging
            if term and (classifier := _CLASSIFIER.search(self.text, *self.lines[0])):
                self.lines = [(self.lines[0][0], classifier.start())]
            add_inline(self.found, self.lines)
            self.found.end(term or self.head == "title" or bool(self.bodies and self.bodies[-1].item))
        self.lines, self.hanging = [], False

    def block(self, at: int, row: Row) -> int:
        """Read the block that begins in a line, behind the markers of as many list items; return where to go on."""
        start, column = row.start, row.column
        while start < row.end:
            if self.is_list_item(at, start, row.end, column):
                marker = _BULLET.match(self.text, start, row.end) or _ENUMERATOR.match(self.text, start, row.end)
                start, column = self.begin_item(marker, start, column, row.end)
            elif marker := _LINE_OF_BLOCK.match(self.text, start, row.end):
                start, column = self.begin_item(marker, start, column, row.end)
            elif name := _FIELD.match(self.text, start, row.end):
                if name["name"].split()[0].lower() in _DATA:
                    return self.protect(at, column)
                start, column = self.begin_body(name, start, column, item=True)
            elif marker := _OPTIONS.match(self.text, start, row.end):
                start, column = self.begin_body(marker, start, column, item=True)
            elif marker := _EXPLICIT.match(self.text, start, row.end):
                start, column = self.explicit(at, marker, row, column)
            elif (following := self.behind_block(at, start, row.end, column)) is not None:
                return following
            else:
                self.lines.append((start, row.end))
                break
        return at + 1

    def is_list_item(self, at: int, start: int, end: int, column: int) -> bool:
        """Whether a list item begins here; a line that only begins with a number goes on in the next one."""
        if _BULLET.match(self.text, start, end):
            return True
        if not _ENUMERATOR.match(self.text, start, end):
            return False
        following = self.row(at + 1)
        if following is None or following.blank or following.column != column:
            return True
        return bool(_ENUMERATOR.match(self.text, following.start, following.end))

    def row(self, at: int) -> Row | None:
        """Return a line, if there is one."""
        return self.rows[at] if at < len(self.rows) else None

    def begin_item(self, marker: re.Match[str] | None, start: int, column: int, end: int) -> tuple[int, int]:
        """Begin a body whose lines begin where the text behind its marker does; return where that is."""
        assert marker is not None
        if marker.end() == end:
            return self.begin_body(marker, start, column, item=True)
        column = self.column_of(marker.end(), start, column)
        self.bodies.append(_Body(column, item=True))
        self.hanging = False
        return marker.end(), column

    def begin_body(self, marker: re.Match[str], start: int, column: int, item: bool = False) -> tuple[int, int]:
        """Begin a body whose lines are indented more than its marker; return where the text behind that begins."""
        self.bodies.append(_Body(column + 1, item))
        self.hanging = True
        return marker.end(), self.column_of(marker.end(), start, column)

    def column_of(self, at: int, start: int, column: int) -> int:
        """Return the column of a place, given that of one before it in the line."""
        return columns_behind(self.text[start:at], column)

    def protect(self, at: int, column: int) -> int:
        """Leave alone all that is indented more than a column."""
        self.finish()
        self.protected = column
        return at + 1

    def leave_rest(self, at: int, column: int) -> int:
        """Leave alone all lines from this one to the next blank one."""
        self.finish()
        self.rest = column
        return at + 1

    def explicit(self, at: int, marker: re.Match[str], row: Row, column: int) -> tuple[int, int]:
        """Read what follows two full stops; return where its prose begins, or the line's end."""
        start, end = marker.end(), row.end
        if note := _NOTE.match(self.text, start, end):
            return self.begin_body(note, marker.start(), column)
        directive = _DIRECTIVE.match(self.text, start, end)
        kind = kind_of(directive["name"]) if directive else None
        following = self.row(at + 1)
        if directive is None or kind is None:
            self.found.comments.append((marker.start(), end))
            if start < end or (following and not following.blank):  # else an empty comment, which has no body
                self.protected = column
            return end, column
        self.head = kind
        start, body = self.begin_body(directive, marker.start(), column)
        if kind == "body":
            self.rest = column + 1
            return end, body
        if kind == "version" and (version := _VERSION.match(self.text, start, end)):
            return version.end(), self.column_of(version.end(), start, body)
        return start, body

    def behind_block(self, at: int, start: int, end: int, column: int) -> int | None:
        """Return where a block without prose ends, if this is one."""
        text = self.text
        if _DOCTEST.match(text, start, end) or _GRID.match(text, start, end):
            return self.leave_rest(at, column)
        if self.bodies and _ATTRIBUTION.match(text, start, end):
            return self.leave_rest(at, column)
        if _SIMPLE.match(text, start, end):
            return self.behind_table(at + 1, column)
        if _ANONYMOUS.match(text, start, end):
            return self.protect(at, column)
        if _ADORNMENT.match(text, start, end):
            return self.behind_adornment(at, start, end)
        following = self.row(at + 1)
        if following and self.is_adornment(following) and following.column == column:
            return None if text[following.start : following.end] == "::" else at + 2
        return None

    def is_adornment(self, row: Row) -> bool:
        """Whether a line could be under or over a title."""
        return not row.blank and bool(_ADORNMENT.match(self.text, row.start, row.end))

    def behind_adornment(self, at: int, start: int, end: int) -> int:
        """Return where a title between two lines of signs ends, or else one such line."""
        if self.text[start:end] == "::":
            self.announced = self.column - self.hanging
            return at + 1
        title, under = self.row(at + 1), self.row(at + 2)
        if title and under and not title.blank and self.is_adornment(under):
            return at + 3
        return at + 1

    def behind_table(self, at: int, column: int) -> int:
        """Return where a simple table ends: at its last border, or where something stands left of it."""
        borders = 0
        for place in range(at, len(self.rows)):
            row, following = self.rows[place], self.row(place + 1)
            if row.column < column and not row.blank:
                return place
            if not row.blank and _BORDER.match(self.text, row.start, row.end):
                borders += 1
                if borders == 2 or following is None or following.blank:
                    return place + 1
        return len(self.rows)
