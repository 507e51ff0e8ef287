r"""AsciiDoc, as Asciidoctor reads it.

>>> text = "= Title\nAnn Lee\n:toc:\n\n.Of it\n* See *our* page:\n+\n----\ncode\n----\n\nNOTE: So `it` is.\n"
>>> [paragraph.text for paragraph in scan(text).paragraphs]
['Title', 'Of it', 'See our page:', 'So Python is.']

This module finds blocks line by line; `asciidoc_inline` reads what stands inside a paragraph. Tables and titles of two
lines stay as they are, and so does every block whose style is not known. A block that is never closed reaches to the
end, and so does what PGP signed or made of bytes, which lies in `.asc` files too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from permend.documents.asciidoc_inline import add_inline
from permend.documents.paragraphs import ParagraphBuilder, Row, Scan, find_rows

special = frozenset("`*_#^~+[]{}<>|\\=&:")
_FIXED = special - {":"}  # a colon is no markup where it already stands alone

_FRONT = re.compile(r"---[ \t]*\r?\n\w[\w-]*:.*?^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_ARMOUR = re.compile(r"-----BEGIN PGP [A-Z ]+-----$")
_RAW = re.compile(r"(?:-{4,}|\.{4,}|\+{4,}|/{4,}|[|,:!]={3,}|(?P<fence>`{3,})[^`]*)$")
_PROSE = re.compile(r"(?:={4,}|\*{4,}|_{4,}|--|\"\")$")
_COMMENT = re.compile(r"//(?!/)")
_CONDITION = re.compile(r"\\?(?:include|ifn?def|ifeval|endif)::\S*\[.*\]$")
_ATTRIBUTES = re.compile(r"\[(?P<anchor>\[.*\])?(?P<style>[^\[\]=,.#%\"']*)(?P<named>=)?.*\]$")
_ENTRY = re.compile(r":!?\w[\w-]*!?:(?:\s|$)")
_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(?=\S)")
_HEADING_END = re.compile(r"[ \t]+[=#]+$")
_BLOCK_TITLE = re.compile(r"\.(?=\.?[^\s.])")
_MACRO = re.compile(r"\w[\w-]{0,50}::\S*\[.*\]$")
_BREAK = re.compile(r"(?:'{3,}|<{3,}|-{3}|\*{3}|-(?: -){2}|\*(?: \*){2})$")
_UNDERLINE = re.compile(r"([-=~^+])\1{2,}$")
_ITEM = re.compile(
    r"(?:-|•|\*{1,5}|\.{1,5}|\d{1,9}\.|[A-Za-z]\.|[ivxIVX]{1,9}\)|<(?:\d{1,3}|\.)>)[ \t]+(?:\[[ xX*]\][ \t]+)?"
)
_DESCRIPTION = re.compile(r"(?P<term>\S.*?)(?:::{1,3}|;;)(?:[ \t]+|$)")
_ADMONITION = re.compile(r"(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+")
_QUOTATION = re.compile(r">(?:[ \t]|$)|-- ")
_HARD_BREAK = re.compile(r"[ \t]+\+$")
_PROSE_STYLES = frozenset(
    "abstract appendix arabic bibliography caution circle colophon decimal dedication disc discrete example float"
    " glossary horizontal important index loweralpha lowergreek lowerroman no-bullet none normal note open ordered"
    " partintro preface qanda quote sidebar square synopsis tip unordered unstyled upperalpha upperroman"
    " warning".split()
)


def scan(text: str, first: bool = True) -> Scan:
    """Find the paragraphs of an AsciiDoc document."""
    blocks = _Blocks(text)
    front = _FRONT.match(text) if first else None
    blocks.read(front.end() if front else 0)
    return Scan(blocks.found.finished, blocks.cut_at, blocks.found.comments)


@dataclass
class _Blocks:
    """Goes through the lines of a document."""

    text: str
    cut_at: int = 0
    found: ParagraphBuilder = field(init=False)
    rows: list[Row] = field(init=False)
    lines: list[tuple[int, int]] = field(default_factory=list)
    """Contents of the lines of the paragraph so far."""
    open: dict[str, None] = field(default_factory=dict)
    """Lines that close the blocks around, the innermost last."""
    raw: bool = False
    """Whether the attributes above make the next block one without prose."""
    item: bool = False
    """Whether the paragraph is that of a list item."""
    blank: bool = True
    """Whether the last line was blank."""

    def __post_init__(self) -> None:
        """Begin without paragraphs."""
        self.found = ParagraphBuilder(self.text, _FIXED)
        self.rows = find_rows(self.text)

    def read(self, start: int) -> None:
        """Read all lines that begin at a place or behind it."""
        at = sum(row.origin < start for row in self.rows) if start else 0
        while at < len(self.rows):
            row = self.rows[at]
            if row.blank:
                self.finish()
                self.blank, self.item = True, False
                at += 1
            else:
                at = self.line(at, row)
                self.blank = False
        self.finish()

    def finish(self, fragment: bool = False) -> None:
        """End the paragraph."""
        if self.lines:
            add_inline(self.found, self.lines)
            self.found.end(fragment or self.item)
            self.lines = []

    def line(self, at: int, row: Row) -> int:
        """Read a line, or the block that begins with it; return where to go on."""
        text, start, end = self.text, row.start, row.end
        if self.blank and not self.open and not self.raw and not row.column:
            self.cut_at = row.origin
        if not row.column:
            if comment := _COMMENT.match(text, start, end):
                self.found.comments.append((start, end))
            if comment or _CONDITION.match(text, start, end):
                return at + 1
            if (following := self.between_blocks(at, start, end)) is not None:
                return following
        if self.lines or self.item:
            item = self.item and not self.is_plain(start, end)
            if not item:
                self.add_line(start, end)
                return at + 1
        self.finish()
        return self.block(at, row)

    def is_plain(self, start: int, end: int) -> bool:
        """Whether a line is no list item."""
        return not _ITEM.match(self.text, start, end) and not _DESCRIPTION.match(self.text, start, end)

    def between_blocks(self, at: int, start: int, end: int) -> int | None:
        """Read a line that ends a paragraph, wherever it stands: one around blocks or above them."""
        content = self.text[start:end]
        if (raw := _RAW.match(content)) or (self.raw and _PROSE.match(content)):
            self.begin_block()
            return self.behind(raw["fence"] if raw and raw["fence"] else content, at + 1)
        if _PROSE.match(content):
            self.begin_block()
            self.enclose(content)
        elif content.endswith("]") and (attributes := _ATTRIBUTES.match(content)):
            self.finish()
            self.item = False
            style = attributes["style"].strip().lower()
            known = attributes["anchor"] or attributes["named"] or not style or style in _PROSE_STYLES
            self.raw = self.raw or not known
        elif content == "+":
            self.begin_block()
        else:
            return None
        return at + 1

    def begin_block(self) -> None:
        """End the paragraph, and forget what was said about the next block."""
        self.finish()
        self.raw = self.item = False

    def enclose(self, delimiter: str) -> None:
        """Begin or end a block of blocks."""
        if delimiter not in self.open:
            self.open[delimiter] = None
            return
        while delimiter in self.open:
            self.open.popitem()

    def behind(self, delimiter: str, at: int) -> int:
        """Return where a block without prose ends."""
        while at < len(self.rows):
            row = self.rows[at]
            at += 1
            if row.end - row.origin == len(delimiter) and self.text.startswith(delimiter, row.origin):
                break
        return at

    def behind_rest(self, at: int) -> int:
        """Return where the lines without a blank one or the beginning of a block between them end."""
        while at < len(self.rows):
            row = self.rows[at]
            if row.blank or _RAW.match(self.text, row.origin, row.end):
                break
            at += 1
        return at

    def block(self, at: int, row: Row) -> int:
        """Read what begins a block; return where to go on."""
        text, start, end = self.text, row.start, row.end
        raw, self.raw, self.item = self.raw, False, False
        if _ARMOUR.match(text, start, end):
            return len(self.rows)
        if not row.column and (heading := _HEADING.match(text, start, end)):
            return self.heading(at, heading, end)
        if not row.column and _ENTRY.match(text, start, end):
            return self.behind_entry(at)
        if not row.column and (_MACRO.match(text, start, end) or _BREAK.match(text, start, end)):
            return at + 1
        if not row.column and (title := _BLOCK_TITLE.match(text, start, end)):
            self.raw = raw
            self.add_line(title.end(), end)
            self.finish(fragment=True)
            return at + 1
        if raw:
            return self.behind_rest(at)
        if self.is_item(start, end):
            return at + 1
        if row.column or _QUOTATION.match(text, start, end):
            return self.behind_rest(at)
        if (following := self.behind_title(at, row)) is not None:
            return following
        admonition = _ADMONITION.match(text, start, end)
        self.add_line(admonition.end() if admonition else start, end)
        return at + 1

    def heading(self, at: int, heading: re.Match[str], end: int) -> int:
        """Add a heading; under that of the document stand names and attributes."""
        last = _HEADING_END.search(self.text, heading.end(), end)
        self.add_line(heading.end(), last.start() if last else end)
        self.finish(fragment=True)
        return self.behind_rest(at + 1) if len(heading[1]) == 1 else at + 1

    def behind_entry(self, at: int) -> int:
        """Return where the value of an attribute ends: behind the lines that go on."""
        while at < len(self.rows) and self.text.endswith("\\", self.rows[at].start, self.rows[at].end):
            at += 1
        return at + 1

    def behind_title(self, at: int, row: Row) -> int | None:
        """Return where a title of two lines ends; a line that would be one if it were as long as the next is left."""
        following = self.rows[at + 1] if at + 1 < len(self.rows) else None
        if following is None or not _UNDERLINE.match(self.text, following.origin, following.end):
            return None
        if self.text[following.origin : following.end] in self.open:
            return None
        difference = (row.end - row.origin) - (following.end - following.origin)
        return at + 2 if abs(difference) < 2 else at + 1

    def is_item(self, start: int, end: int) -> bool:
        """Begin a list item, if this is one; terms may follow each other on a line only once."""
        if marker := _ITEM.match(self.text, start, end):
            start = marker.end()
        if described := _DESCRIPTION.match(self.text, start, end):
            self.add_line(*described.span("term"))
            self.finish(fragment=True)
            start = described.end()
        if not marker and not described:
            return False
        self.item = True
        self.add_line(start, end)
        return True

    def add_line(self, start: int, end: int) -> None:
        """Add a line to the paragraph, without the sign of a hard break."""
        if hard := _HARD_BREAK.search(self.text, start, end):
            end = hard.start()
        if start < end and not (self.lines and self.text.startswith("-- ", start)):
            self.lines.append((start, end))
