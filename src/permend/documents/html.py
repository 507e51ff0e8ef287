r"""HTML: prose is what a browser shows as text.

In: a text. Out: its paragraphs.

>>> text = "<p>She <b>go</b> to &quot;<code>main()</code>&quot;.<!-- no --></p><script>if (a < b) {}</script><td>A cell"
>>> [paragraph.text for paragraph in scan(text).paragraphs]
['She go to "Python".', 'A cell']

Tags that only format words are hidden, others end the paragraph; scripts, styles, comments and preformatted text are
no prose. Code inside a sentence is shown as a noun, and so is what is marked as not to be translated
(``translate="no"``, ``class="notranslate"``): what its writer keeps from translators is not corrected either.
`Elements` follows these marks from tag to tag, here and in Markdown:

>>> elements, text = Elements(), '<p translate="no">one <b translate="yes">two <i>three</i></b> four<p>five</p>'
>>> for tag in re.finditer(rf"{TAG}(?P<text> ?\w*)", text):
...     elements.read(tag)
...     print(tag["text"] if elements.are_fixed else tag["text"].upper(), end="")
oneTWOTHREE fourFIVE

An element that is not closed ends with the one around it, or where HTML lets another one end it; where nothing ends
it, it reaches to the end of the document, and so does a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from permend.documents.inline import Inline
from permend.documents.paragraphs import ParagraphBuilder, Scan

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

_ATTRIBUTE = re.compile(ATTRIBUTE)
_NEVER_OPEN = frozenset(
    f"area base br col embed hr img input link meta source track wbr {NOUN_TAGS}|{RAW_TAGS}".replace("|", " ").split()
)
"""Elements without content, and those that are read as one token."""
_ENDED_BY = {
    "li": frozenset({"li"}),
    "dt": frozenset({"dt", "dd"}),
    "dd": frozenset({"dt", "dd"}),
    "td": frozenset({"td", "th", "tr", "tbody", "tfoot"}),
    "th": frozenset({"td", "th", "tr", "tbody", "tfoot"}),
    "tr": frozenset({"tr", "tbody", "tfoot"}),
}
"""Elements whose end need not be written: it is where one of these begins."""


class Left(NamedTuple):
    """A stretch that is left alone."""

    last: int
    """Where the tag begins that ends it."""
    end: int
    breaks: bool
    """Whether a paragraph ends inside it."""
    shown: bool
    """Whether there is anything to see of it."""
    comments: list[tuple[int, int]]


class Elements:
    """The open elements, from the outermost one on that is not to be translated."""

    def __init__(self) -> None:
        self._open: list[tuple[str, bool]] = []

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._open)

    @property
    def are_fixed(self) -> bool:
        """Whether what stands here is to be left alone."""
        return bool(self._open) and self._open[-1][1]

    def read(self, token: re.Match[str]) -> None:
        """Open or close an element; an end that fits none of those open is that of one around them all."""
        tag = token["tag"].lower()
        if tag in _NEVER_OPEN:
            return
        if token["close"]:
            while self._open and self._open.pop()[0] != tag:
                pass
            return
        if self._open and _ends(tag, self._open[-1][0]):
            self._open.pop()
        fixed = _is_fixed(token.group(), self.are_fixed)
        if (fixed or self._open) and not token.group().endswith("/>"):
            self._open.append((tag, fixed))

    def end_paragraph(self) -> None:
        """Close what cannot reach beyond a paragraph."""
        while self._open and (self._open[-1][0] in INLINE_TAGS or self._open[-1][0] == "p"):
            self._open.pop()

    def behind_fixed(self, text: str, at: int, tokens: Iterator[re.Match[str]]) -> Left:
        """Go on to where there is something to be corrected again."""
        breaks = shown = False
        comments = []
        for token in tokens:
            shown = shown or token.lastgroup in ("noun", "entity", "template") or bool(text[at : token.start()].strip())
            at = token.end()
            comments += [token.span()] if token.lastgroup == "comment" else []
            breaks = breaks or breaks_paragraph(token)
            if token.lastgroup == "element":
                self.read(token)
            if not self.are_fixed:
                return Left(token.start(), at, breaks, shown, comments)
        return Left(len(text), len(text), breaks, shown or bool(text[at:].strip()), comments)


def breaks_paragraph(token: re.Match[str]) -> bool:
    """Whether a paragraph ends at a token."""
    return token.lastgroup == "raw" or (token.lastgroup == "element" and token["tag"].lower() not in INLINE_TAGS)


def _ends(tag: str, opened: str) -> bool:
    """Whether the beginning of an element is the end of the one before it."""
    return tag not in INLINE_TAGS if opened == "p" else tag in _ENDED_BY.get(opened, ())


def _is_fixed(tag: str, around: bool) -> bool:
    """Whether an element is not to be translated: as its tag says, or else as what stands around it."""
    if "translate" not in tag.lower():
        return around
    fixed = around
    for attribute in _ATTRIBUTE.findall(tag):
        name, _, value = (part.strip().lower() for part in attribute.partition("="))
        value = value.strip("\"'")
        if name == "class" and "notranslate" in value.split():
            return True
        if name == "translate" and value in ("no", "yes", ""):
            fixed = value == "no"
    return fixed


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
    found = ParagraphBuilder(text, special)
    elements = Elements()
    at = cut_at = 0
    fragment = False
    tokens = _TOKEN.finditer(text)
    for match in tokens:
        found.prose(at, match.start())
        kind, at = match.lastgroup, match.end()
        if breaks_paragraph(match):
            found.end(fragment)
            fragment = kind == "element" and not match["close"] and match["tag"].lower() in FRAGMENT_TAGS
            cut_at = match.start() if not match["close"] and not elements else cut_at
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
    return Scan(found.finished, cut_at, found.comments)


def show_left(found: ParagraphBuilder | Inline, start: int, content: int, left: Left) -> None:
    """Show a noun for what is left alone inside a sentence, between the spaces that it has at its sides."""
    if not left.shown:
        found.hide(start, left.end)
        return
    first = content if found.text[content].isspace() else start
    last = left.last if found.text[left.last - 1].isspace() else left.end
    if start < first:
        found.show(start, first, " ")
    found.placeholder(first, last)
    if last < left.end:
        found.show(last, left.end, " ")


def _show_inline(found: ParagraphBuilder, start: int, end: int, kind: str) -> None:
    """Show something that stands inside a sentence."""
    if kind in ("noun", "template"):
        found.placeholder(start, end)
    elif kind == "entity":
        found.show(start, end, unescape(found.text[start:end]))
    elif kind == "line":
        found.show(start, end, " ")
    elif kind == "comment":
        found.comments.append((start, end))
        found.hide_aside(start, end)
    else:
        found.hide(start, end)
