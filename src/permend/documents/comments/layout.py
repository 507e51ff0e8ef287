r"""The lines of a comment that are prose.

In: a comment. Out: lines, in paragraphs (None ends one); left out are code, tags, directives, licences and rules.

>>> from permend.documents.comments.comment import gather
>>> text = "/**\n * Add one.\n *\n * x = add(1);\n *\n * @param x - the number\n *   that is added\n * @private\n */"
>>> [line and text[line.start : line.end] for line in lay_out(text, gather(text, [(0, len(text))])[0])]
['Add one.', None, 'the number', 'that is added', None]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from permend.documents.comments.comment import Comment, Line
from permend.documents.comments.docstrings import without_sections
from permend.documents.comments.identifiers import judge_line
from permend.documents.comments.tags import directive_behind, find_marker, is_directive, is_licence, read_tag

_FENCE = re.compile(r"(?:`{3,}(?=[^`]*$)|~{3,})")
_END_OF_CODE = re.compile(r"[@\\]end\w+")
_ITEM = re.compile(r"(?:[-*+•]|\(?(?:\d{1,3}|[A-Za-z])[.)])\s+(?=\S)")
_LETTER = re.compile(r"[^\W\d_]")
_ROW = re.compile(r"\|.*\|$")  # of a table
_INDENT = 4  # columns by which code is indented
_NARROWEST = 40  # columns at which lines are wrapped
_ENDS = ".!?:;,"


def lay_out(text: str, comment: Comment) -> list[Line | None]:
    """Return the prose of a comment."""
    whole = text[comment.start : comment.end]
    if whole.startswith("#!") or is_licence(whole) or _goes_on_unseen(text, comment):
        return []
    lines = _readable(text, comment)
    kept = _Layout(text, comment).read(lines)
    return _with_single_ends(_without_code(text, kept))


def _goes_on_unseen(text: str, comment: Comment) -> bool:
    """Whether a backslash makes a line comment go on in the next line."""
    return not comment.is_docstring and any(
        "\n" in text[start:end] and not comment.is_block for start, end in comment.parts
    )


def _readable(text: str, comment: Comment) -> list[Line | None]:
    """Leave out fenced code, sessions, and, in a docstring, the names of sections."""
    lines = comment.lines
    found: list[Line] = []
    fence = ""
    session = False
    for line in lines:
        content = text[line.start : line.end]
        session = not line.blank and (session or content.startswith(">>>"))
        opening = _FENCE.match(content)
        if fence:
            if content.startswith(fence) and not content.strip(fence[0]):
                fence = ""
            line = replace(line, end=line.start)
        elif opening:
            fence = opening.group()
            line = replace(line, end=line.start)
        elif session:
            line = replace(line, end=line.start)
        found.append(line)
    if comment.is_docstring:
        return without_sections(text, found)
    return [None if line.blank else line for line in found]


class _Layout:
    """Goes through lines, and knows what the last one was."""

    def __init__(self, text: str, comment: Comment) -> None:
        self.text = text
        self.is_docstring = comment.is_docstring
        self.has_tags = comment.is_block or comment.is_docstring or comment.marker.startswith(("///", "//!"))
        self.skipped = ""
        """The kind of tag whose lines are left out."""
        self.hangs = False
        """Whether the lines below may be indented more: behind a marker, a tag or in an item."""
        self.longest = max((line.end - line.start for line in comment.lines), default=0)

    def read(self, lines: Sequence[Line | None]) -> Iterator[Line | None]:
        """Yield the lines that may be prose."""
        last: Line | None = None
        for line in lines:
            if line is None:
                self.hangs = False
                self.skipped = self.skipped if self.skipped == "code" else ""
                last = None
                yield None
                continue
            for each in self.line(line, last):
                yield each
                last = each

    def line(self, line: Line, last: Line | None) -> Iterator[Line | None]:
        text = self.text
        content = text[line.start : line.end]
        tag = read_tag(text, line.start, line.end) if self.has_tags else None
        if tag:
            yield None
            self.skipped = "" if tag.kind == "prose" else tag.kind
            self.hangs = True
            if not self.skipped and tag.prose < line.end:
                yield Line(tag.prose, line.end)
            return
        if _END_OF_CODE.match(content):
            self.skipped = ""
            yield None
            return
        if self.skipped:
            yield None
            return
        if is_directive(content) or not _LETTER.search(content) or _ROW.match(content):
            yield None
            return
        end = directive_behind(text, line.start, line.end)
        prose = find_marker(text, line.start, end)
        if prose > line.start:
            yield None
            self.hangs = True
            if prose < end:
                yield Line(prose, end)
            return
        yield from self.prose(replace(line, end=end), last)

    def prose(self, line: Line, last: Line | None) -> Iterator[Line | None]:
        if self.is_docstring:
            yield line
            return
        item = bool(_ITEM.match(self.text, line.start, line.end))
        if item or (last and self.begins(line, last)):
            yield None
        self.hangs = item or (self.hangs and last is not None)
        yield line

    def begins(self, line: Line, last: Line) -> bool:
        """Whether a paragraph begins in a line, though there is none between it and the last one that is blank."""
        if line.indent != last.indent and not self.hangs:
            return True
        first = self.text[line.start : line.end].split(maxsplit=1)[0]
        fits = self.longest < _NARROWEST or last.end - last.start + 1 + len(first) <= self.longest
        return fits and first[0].isupper() and self.text[last.end - 1] not in _ENDS


def _without_code(text: str, lines: Iterable[Line | None]) -> Iterator[Line | None]:
    """Leave out paragraphs that are code: half of their lines are, or one of them where they are indented."""
    group: list[Line] = []
    base = 0
    announced = False
    for line in (*lines, None):
        if line is not None:
            group.append(line)
            continue
        if group:
            deep = group[0].indent >= base + _INDENT
            kinds = [judge_line(text[each.start : each.end]) for each in group]
            code, prose = kinds.count("code"), kinds.count("prose")
            if prose > code and not (deep and (code or announced)):
                yield from group
                base = base if deep else group[0].indent
            announced = text[group[-1].end - 1] == ":"
        yield None
        group = []


def _with_single_ends(lines: Iterable[Line | None]) -> list[Line | None]:
    """Leave out paragraphs' ends where there is no paragraph."""
    found: list[Line | None] = []
    for line in lines:
        if line is not None or (found and found[-1] is not None):
            found.append(line)
    return found
