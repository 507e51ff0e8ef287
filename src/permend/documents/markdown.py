r"""Markdown: CommonMark with tables, front matter, maths, footnotes and HTML inside.

>>> text = "---\ntitle: x\n---\n# The *first* part\n\n- See [our page](a.md) and\n  `main`.\n\n```\ncode\n```\n"
>>> [paragraph.text for paragraph in scan(text).paragraphs]
['The first part', 'See our page and Python.']

This module finds blocks line by line; `markdown_inline` reads what stands inside a paragraph. Where the dialects of
Markdown differ, the reading that protects more is taken.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from permend.documents.html import RAW_TAGS, Elements
from permend.documents.markdown_inline import add_inline
from permend.documents.paragraphs import ParagraphBuilder, Scan

special = frozenset("`*_[]<>|\\#~$&{}^=")

_LINE = re.compile(r"[^\n\r]*(?:\r\n|\n|\r|\Z)")
_FRONT = re.compile(r"(---|\+\+\+)[ \t]*\r?\n.*?^(?:\1|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_QUOTE = re.compile(r"(?: {0,3}>[ \t]?)+")
_SESSION = re.compile(r"[ \t]*>>> [^\n\r]*(?:(?:\r\n|\n|\r)[ \t]*[^\s][^\n\r]*)*")  # Python, with what it answers
_FENCE = re.compile(r"[ \t]*(`{3,}(?=[^`]*$)|~{3,})")
_MATHS = re.compile(r"[ \t]*(\$\$|\\\[|\\begin\{(?:equation|align|gather|multline|eqnarray|split)\*?\})")
_MATHS_END = {"$$": "$$", "\\[": "\\]"}
_RAW = re.compile(
    rf"[ ]{{0,3}}(?:<(?P<tag>{RAW_TAGS})\b|(?P<comment><!--)|(?P<instruction><\?)|(?P<data><!\[CDATA\[))", re.IGNORECASE
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_RAW_END = {"comment": "-->", "instruction": r"\?>", "data": r"\]\]>"}
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]+|$)")
_HEADING_END = re.compile(r"(?:[ \t]+#+)?(?:[ \t]*\{[^{}]*\})?[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
_RULE = re.compile(r" {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|(\d{1,9})[.)])(?:[ \t]+|$)(?:\[[ xX]\][ \t]+)?")
_DEFINITION = re.compile(r"[ \t]*(?:\[\^[^\]\s]+\]:[ \t]*|:[ \t]+)")
_REFERENCE = re.compile(r" {0,3}(?:\[[^\[\]^][^\[\]]*\]:[ \t]*\S|\*\[[^\]]+\]:)")
_DIRECTIVE = re.compile(
    r"[ \t]*(?::{3,}|!!!|\?\?\?|\{[%{#:].*[%}]\}?[ \t]*$|\[\[?toc\]?\]|\\[A-Za-z]+(?:\{[^{}]*\})*[ \t]*$)", re.I
)
_TABLE = re.compile(r"[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$")
_CELL = re.compile(r"(?:\\.|`[^`]*`|[^|\\`]|`|\\)+")
_CODE_INDENT = 4
_MOST_ITEMS = 100  # that begin on one line; more dashes are no list


def scan(text: str, first: bool = True) -> Scan:
    """Find the paragraphs of a Markdown document."""
    blocks = _Blocks(text)
    front = _FRONT.match(text) if first else None
    blocks.read(front.end() if front else 0)
    return Scan(blocks.found.finished, blocks.cut_at, blocks.found.comments, blocks.tables)


@dataclass
class _Blocks:
    """Goes through the lines of a document."""

    text: str
    cut_at: int = 0
    found: ParagraphBuilder = field(init=False)
    lines: list[tuple[int, int]] = field(default_factory=list)
    """Contents of the lines of the paragraph so far."""
    columns: list[int] = field(default_factory=list)
    """Where the contents of the list items around begin."""
    depth: int = 0
    """Quotation marks before the paragraph's lines."""
    blank: bool = True
    """Whether the last line was blank."""
    tables: list[tuple[int, int]] = field(default_factory=list)
    elements: Elements = field(default_factory=Elements)
    """Those of HTML around the paragraph that say what is to be left alone."""

    def __post_init__(self) -> None:
        """Begin without paragraphs."""
        self.found = ParagraphBuilder(self.text, special)

    def read(self, at: int) -> None:
        """Read all lines from a place on."""
        while at < len(self.text):
            if session := _SESSION.match(self.text, at):
                self.finish()
                at = self.line_end(session.end())
                continue
            line = _LINE.match(self.text, at)
            assert line is not None
            start, end = at, at + len(line.group().rstrip("\r\n"))
            at = line.end()
            quote = _QUOTE.match(self.text, start, end)
            depth = quote.group().count(">") if quote else 0
            content = quote.end() if quote else start
            if not self.text[content:end].strip():
                self.finish()
                self.blank = True
                continue
            if depth > self.depth or (self.blank and depth != self.depth):
                self.finish()
            self.depth = depth
            if self.blank and not self.lines and content == start and not self.text[start].isspace():
                self.cut_at = self.cut_at if self.elements else start
                self.columns = self.columns if _ITEM.match(self.text, start, end) else []
            at = self.block(content, end, at)
            self.blank = False
        self.finish()

    def finish(self, fragment: bool = False) -> None:
        """End the paragraph."""
        if self.lines:
            add_inline(self.found, self.lines, self.elements)
            self.found.end(fragment or bool(self.columns))
            self.lines = []

    def block(self, start: int, end: int, following: int, column: int = 0, items: int = 0) -> int:
        """Read what begins at a column of a line, in so many list items that do, too; return where to go on."""
        text = self.text
        indent = column + _indent(text[start:end])
        if not self.lines:
            while self.columns and indent < self.columns[-1] and not _ITEM.match(text, start, end):
                self.columns.pop()
            if indent >= (self.columns[-1] if self.columns else 0) + _CODE_INDENT:
                return following
        if fence := _FENCE.match(text, start, end):
            self.finish()
            return self.behind_fence(fence.group(1), following)
        if maths := _MATHS.match(text, start, end):
            return self.behind_maths(maths, start, end, following)
        if raw := _RAW.match(text, start, end):
            self.finish()
            return self.behind_raw(raw)
        if self.small_block(start, end):
            return following
        if self.lines and _TABLE.match(text, start, end) and "|" in text[slice(*self.lines[-1])]:
            return self.behind_table(following)
        if items < _MOST_ITEMS and (item := _ITEM.match(text, start, end)) and self.interrupts(item):
            content = column + len(item.group().expandtabs(4))
            self.begin_item(indent, content)
            return self.block(item.end(), end, following, content, items + 1) if item.end() < end else following
        self.add_line(start, end)
        return following

    def small_block(self, start: int, end: int) -> bool:
        """Read a block of one line, if this is one."""
        text = self.text
        if heading := _HEADING.match(text, start, end):
            self.finish()
            last = _HEADING_END.search(text, heading.end(), end)
            self.add_line(heading.end(), last.start() if last else end)
            self.finish(fragment=True)
        elif self.lines and _UNDERLINE.match(text, start, end):
            self.finish(fragment=True)
        elif _RULE.match(text, start, end) or _DIRECTIVE.match(text, start, end):
            self.finish()
            if text[start:end].lstrip().startswith(("!!!", "???")):  # its content is indented as a list item's
                self.columns.append(_indent(text[start:end]) + _CODE_INDENT)
        elif not self.lines and _REFERENCE.match(text, start, end):
            return True
        elif definition := _DEFINITION.match(text, start, end):
            self.finish()
            self.add_line(definition.end(), end)
        else:
            return False
        return True

    def add_line(self, start: int, end: int) -> None:
        """Add a line to the paragraph, without the whitespace around it."""
        content = self.text[start:end]
        if content.strip():
            self.lines.append((end - len(content.lstrip()), start + len(content.rstrip())))

    def interrupts(self, item: re.Match[str]) -> bool:
        """Whether a list item begins here; a number at the beginning of a wrapped line is none."""
        return not self.lines or bool(self.columns) or item.group(1) in (None, "1")

    def begin_item(self, indent: int, content: int) -> None:
        """Begin a list item whose content begins at a column."""
        self.finish()
        while self.columns and indent < self.columns[-1]:
            self.columns.pop()
        self.columns.append(content)

    def behind_fence(self, fence: str, at: int) -> int:
        """Return where fenced code ends."""
        end = re.compile(rf"^[ \t>]*{re.escape(fence[0])}{{{len(fence)},}}[ \t]*\r?$", re.MULTILINE).search(
            self.text, at
        )
        return self.line_end(end.end()) if end else len(self.text)

    def behind_maths(self, maths: re.Match[str], start: int, end: int, following: int) -> int:
        """Add the lines of displayed maths to the paragraph, whatever else they look like."""
        close = _MATHS_END.get(maths.group(1), maths.group(1).replace("begin", "end"))
        last = self.text.find(close, maths.end())
        if last < 0 or re.search(r"\n[ \t]*\r?\n", self.text[start:last]):
            self.add_line(start, end)
            return following
        stop = self.line_end(last + len(close))
        for line in _LINE.finditer(self.text, start, stop):
            self.add_line(line.start(), line.end())
        return stop

    def behind_raw(self, raw: re.Match[str]) -> int:
        """Return where a comment or an element without prose ends: with the line on which it is closed."""
        close = _RAW_END.get(raw.lastgroup or "") or rf"</{raw['tag']}\s*>|(?<=/)>"
        end = re.compile(close, re.IGNORECASE).search(self.text, raw.end())
        stop = self.line_end(end.end()) if end else len(self.text)
        if raw.lastgroup == "comment":
            self.found.comments += [comment.span() for comment in _COMMENT.finditer(self.text, raw.start(), stop)]
        return stop

    def behind_table(self, at: int) -> int:
        """Add the cells of a table: its head is the paragraph's last line, its rows reach to the next blank one."""
        head = self.lines.pop()
        self.finish()
        self.add_cells(*head)
        while at < len(self.text):
            end = self.line_end(at)
            if not self.text[at:end].strip(" \t>\r\n"):
                break
            self.add_cells(at, end)
            at = end
        self.tables.append((head[0], at))
        return at

    def add_cells(self, start: int, end: int) -> None:
        """Add a row, each cell as a paragraph."""
        for cell in _CELL.finditer(self.text, start, end):
            self.add_line(*cell.span())
            self.finish(fragment=True)

    def line_end(self, at: int) -> int:
        """Return where the next line begins."""
        line = _LINE.match(self.text, at)
        assert line is not None
        return line.end()


def _indent(line: str) -> int:
    """Return the columns of the whitespace that a line begins with."""
    return len(line[: len(line) - len(line.lstrip())].expandtabs(4))
