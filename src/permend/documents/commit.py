r"""Messages of git commits: the subject and the body.

In: a message as it is written in an editor, or as git keeps it. Out: its paragraphs. Comments, what is cut off below
them, trailers, prefixes (``fixup!``, ``feat(api):``), quotations and indented code are left alone.

>>> text = "fix(api): Mends the door\n\nIt were open, see #12.\n\nFixes: #12\nSigned-off-by: Ann <a@b.c>\n# On main\n"
>>> [paragraph.text for paragraph in scan(text).paragraphs]
['Mends the door', 'It were open, see Python.']

The subject is no sentence, and no full stop is ever added to a paragraph's end. Markdown is understood inside.
"""

from __future__ import annotations

import re

from permend.documents import markdown
from permend.documents.comments.extract import Extract
from permend.documents.comments.identifiers import find_code, judge_line
from permend.documents.paragraphs import Row, Scan, find_rows

special = markdown.special

_SCISSORS = re.compile(r"^\S{1,5} -+ ?>8 ?-+[ \t]*\r?$", re.MULTILINE)
_PREFIX = re.compile(
    r"(?:(?:fixup|squash|amend)!\s+){0,9}(?:Revert\s+(?=\"))?"
    r"(?:[a-z][\w-]{0,30}(?:\([^()\n]{0,80}\))?!?:\s+|\[[^\]\n]{1,60}\]:?\s+|(?:[\w.*{},-]{1,60}/)*[\w.*{},-]{1,60}:\s+(?=\S)){0,3}"
)
_TRAILER = re.compile(
    r"[A-Z][A-Za-z]*(?:-[A-Za-z]+)+:\s|(?:Fixes|Closes|Resolves|Refs?|See|Related|Issue|Bug|Cc|CC|Link|Topic|Tested|Change-Id)"
    r"(?::\s*\S+|:?\s+#\d+\b[^a-z]*$|:?\s+https?:)|\(cherry picked from commit|This reverts commit|git-svn-id:"
)
_MERGE = re.compile(r"Merge\s+(?:remote-tracking\s+)?(?:branch|branches|tag|commit|pull request)\b")
_INDENT, _FULL = 4, 60  # columns
_ITEM = re.compile(r"(?:[-*+•]|\d{1,3}[.)])\s+\S")


def scan(text: str, first: bool = True) -> Scan:
    """Find the paragraphs of a message, which is all there."""
    scissors = _SCISSORS.search(text)
    rows = find_rows(text[: scissors.start()] if scissors else text)
    written = [row for row in rows if row.blank or not text.startswith("#", row.origin)]
    extract = Extract(text)
    subject = next((place for place, row in enumerate(written) if not row.blank), len(written))
    if subject < len(written):
        _add_subject(extract, written[subject])
    _add_body(extract, written[subject + 1 :])
    return Scan(extract.back(markdown.scan(extract.text, first=False), special), 0)


def _add_subject(extract: Extract, row: Row) -> None:
    text = extract.document
    if not _MERGE.match(text, row.start, row.end):
        prefix = _PREFIX.match(text, row.start, row.end)
        start = prefix.end() if prefix else row.start
        extract.add(start, row.end, find_code(text, start, row.end))
    extract.end_paragraph()


def _add_body(extract: Extract, rows: list[Row]) -> None:
    text = extract.document
    last: Row | None = None
    in_item = False
    for row in rows:
        line = text[row.start : row.end]
        is_item = bool(_ITEM.match(line))
        in_item = is_item or (in_item and not row.blank)
        if row.blank or _is_left_alone(line) or (row.column >= _INDENT and not in_item):
            extract.end_paragraph()
            last = None
            continue
        if is_item or (last and _begins(text, last, row)):
            extract.end_paragraph()
        extract.add(row.start, row.end, find_code(text, row.start, row.end))
        last = row


def _is_left_alone(line: str) -> bool:
    """Whether a line of the body is a trailer, a quotation or code."""
    return bool(_TRAILER.match(line)) or line.startswith((">", "|")) or judge_line(line) == "code"


def _begins(text: str, last: Row, row: Row) -> bool:
    """Whether a paragraph begins in a line, though the one above is not blank: that one ended before it was full."""
    return text[row.start].isupper() and text[last.end - 1] not in ".,;:!?" and last.end - last.start < _FULL
