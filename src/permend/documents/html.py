"""HTML: prose is what a browser shows as text.

>>> text = "<p>She <b>go</b> to &quot;<code>main()</code>&quot;.<!-- no --></p><script>if (a < b) {}</script><td>A cell"
>>> [paragraph.text for paragraph in scan(text).paragraphs]
['She go to "Python".', 'A cell']

Tags that only format words are hidden, others end the paragraph; scripts, styles, comments and preformatted text are
no prose, code inside a sentence is a noun. An element or a comment that is never closed reaches to the end.
"""

from __future__ import annotations

import re
from html import unescape

from permend.documents.runs import Paragraphs
from permend.documents.scan import Scan

special = frozenset("<>&")

INLINE_TAGS = frozenset(
    "a abbr acronym b bdi bdo big cite data del dfn em font i ins label mark nobr q rp rt ruby s small span strike"
    " strong sub sup time tt u wbr img picture source input".split()
)
"""Tags that do not end a sentence."""
FRAGMENT_TAGS = frozenset("h1 h2 h3 h4 h5 h6 title td th li dt button option legend summary figcaption caption".split())
"""Elements that need not hold sentences."""
NOUN_TAGS = "code|kbd|samp|var|tt|math"
RAW_TAGS = "script|style|pre|textarea|svg|template|select|object|iframe|audio|video|canvas|noscript|xmp|listing"
ATTRIBUTE = r"""\s+[^\s"'<>/=]{1,200}(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?"""
TAG = rf"<(?P<close>/?)(?P<tag>[A-Za-z][A-Za-z0-9:_-]{{0,60}})(?:{ATTRIBUTE})*\s*/?>"
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
    at = safe = 0
    fragment = False
    for match in _TOKEN.finditer(text):
        found.prose(at, match.start())
        kind, at = match.lastgroup, match.end()
        if kind == "raw" or (kind == "element" and match["tag"].lower() not in INLINE_TAGS):
            found.end(fragment)
            fragment = kind == "element" and not match["close"] and match["tag"].lower() in FRAGMENT_TAGS
            safe = match.start() if not match["close"] else safe
        else:
            show_inline(found, match.start(), at, kind or "")
    found.prose(at, len(text))
    found.end(fragment)
    return Scan(found.finished, safe)


def show_inline(found: Paragraphs, start: int, end: int, kind: str) -> None:
    """Show something that stands inside a sentence."""
    if kind in ("noun", "template"):
        found.noun(start, end)
    elif kind == "entity":
        found.show(start, end, unescape(found.text[start:end]))
    elif kind == "line":
        found.show(start, end, " ")
    elif kind == "comment":
        found.hide_aside(start, end)
    else:
        found.hide(start, end)
