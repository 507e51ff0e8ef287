"""HTML: prose is what a browser shows as text.

>>> text = "<p>She <b>go</b> to &quot;<code>main()</code>&quot;.<!-- no --></p><script>if (a < b) {}</script><td>A cell"
>>> [paragraph.text for paragraph in scan(text).paragraphs]
['She go to "Python".', 'A cell']

Tags that only format words are hidden, others end the paragraph; scripts, styles, comments and preformatted text are
no prose. Code inside a sentence is a noun, and so is what is not to be translated. An element or a comment that is
never closed reaches to the end.
"""

from __future__ import annotations

import re
from html import unescape

from permend.documents.html_elements import (
    FRAGMENT_TAGS,
    NOUN_TAGS,
    RAW_TAGS,
    TAG,
    Elements,
    Left,
    breaks_paragraph,
)
from permend.documents.inline import Inline
from permend.documents.runs import Paragraphs
from permend.documents.scan import Scan

special = frozenset("<>&")

ENTITY = r"&(?:[A-Za-z][A-Za-z0-9]{1,31}|\#[0-9]{1,7}|\#[xX][0-9a-fA-F]{1,6});"
TEMPLATE = r"\{\{(?:(?!\{\{\{).){0,2000}?\}\}"
COMMENT = (
    r"<!--.*?(?:-->|\Z)|\{%(?:(?!\{%).){0,2000}?%\}|<!\[CDATA\[.*?(?:\]\]>|\Z)"
    r"|<(?:\?[A-Za-z=]|%).*?(?:[?%]>|\Z)|<![A-Za-z][^>]*(?:>|\Z)"
)

_TOKEN = re.compile(
    rf"""
    (?=[<&{{\s])(?:
    (?P<comment>{COMMENT})
  | (?P<raw><(?P<raw_tag>{RAW_TAGS})\b[^>]*(?:/>|>.*?(?:</(?P=raw_tag)\s*>|\Z)))
  | (?P<noun><(?P<noun_tag>{NOUN_TAGS})\b[^>]*>.*?(?:</(?P=noun_tag)\s*>|\Z))
  | (?P<template>{TEMPLATE})
  | (?P<element>{TAG})
  | (?P<entity>{ENTITY})
  | (?P<line>[^\S\xa0]*[\n\r][^\S\xa0]*)
    )
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


def scan(text: str, first: bool = True) -> Scan:
    """Find the paragraphs of an HTML document."""
    found = Paragraphs(text, special)
    elements = Elements()
    at = safe = 0
    fragment = False
    tokens = _TOKEN.finditer(text)
    for match in tokens:
        found.prose(at, match.start())
        kind, at = match.lastgroup, match.end()
        if breaks_paragraph(match):
            found.end(fragment)
            fragment = kind == "element" and not match["close"] and match["tag"].lower() in FRAGMENT_TAGS
            safe = match.start() if not match["close"] and not elements else safe
        if kind == "element":
            elements.read(match)
        if elements.are_fixed:
            left = elements.behind_fixed(text, at, tokens)
            found.comments += left.comments
            if left.breaks:
                found.end()
                fragment = False
            else:
                show_left(found, match.start(), at, left)
            at = left.end
        elif not breaks_paragraph(match):
            _show_inline(found, match.start(), at, kind or "")
    found.prose(at, len(text))
    found.end(fragment)
    return Scan(found.finished, safe, found.comments)


def show_left(found: Paragraphs | Inline, start: int, content: int, left: Left) -> None:
    """Show a noun for what is left alone inside a sentence, between the spaces that it has at its sides."""
    if not left.shown:
        found.hide(start, left.end)
        return
    first = content if found.text[content].isspace() else start
    last = left.last if found.text[left.last - 1].isspace() else left.end
    if start < first:
        found.show(start, first, " ")
    found.noun(first, last)
    if last < left.end:
        found.show(last, left.end, " ")


def _show_inline(found: Paragraphs, start: int, end: int, kind: str) -> None:
    """Show something that stands inside a sentence."""
    if kind in ("noun", "template"):
        found.noun(start, end)
    elif kind == "entity":
        found.show(start, end, unescape(found.text[start:end]))
    elif kind == "line":
        found.show(start, end, " ")
    elif kind == "comment":
        found.comments.append((start, end))
        found.hide_aside(start, end)
    else:
        found.hide(start, end)
