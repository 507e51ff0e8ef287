r"""What stands inside a paragraph of Markdown: emphasis, links, code, maths, tags.

In: the contents of its lines. Out: runs. Line ends and the quotation marks or indents behind them show as a space.

>>> text = "> See *[the\n> page](x.md)* at $5 & [^1] `a`s, \\*ok\\*, $x$."
>>> found = ParagraphBuilder(text)
>>> add_inline(found, [(2, 11), (14, len(text))])
>>> found.end()
>>> found.finished[0].text
'See the page at $5 & Python, *ok*, Python.'

Emphasis is known by the whitespace around it, not by its other half; a link's text is prose, unless the text itself is
the reference (``[text]``), then it is shown but stays as it is.
"""

from __future__ import annotations

import re
from html import unescape

from permend.documents.html import COMMENT, ENTITY, NOUN_TAGS, TAG, TEMPLATE, Elements, breaks_paragraph, show_left
from permend.documents.inline import Inline
from permend.documents.paragraphs import ParagraphBuilder, find_names

_FARTHEST = 2000  # characters in which a bracket is closed

_TOKEN = re.compile(
    rf"""
    (?=[`$\\<&{{\[\]!:*_~=\n])(?:
    (?P<code>(?<!`)(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))
  | (?P<display>\$\$.+?\$\$|(?:^|(?<=\n))\\\[.+?\\\]
      |\\begin\{{(?P<environment>[a-z]+\*?)\}}.+?\\end\{{(?P=environment)\}})
  | (?P<maths>(?<![\w$\\])\$(?=[^\s$])[^$]{{0,1000}}?(?<=[^\s\\])\$(?![\w$])|\\\([^\n].*?\\\))
  | (?P<line>\\?\n)
  | (?P<escape>\\[!-/:-@\[-`{{-~])
  | (?P<command>\\[A-Za-z]+(?:\{{[^{{}}]*\}})*)
  | (?P<address><[A-Za-z][A-Za-z0-9+.-]{{1,31}}:[^\s<>]*>|<[^\s<>@]{{1,64}}@[^\s<>]{{1,255}}>)
  | (?P<comment>{COMMENT})
  | (?P<noun><(?P<noun_tag>{NOUN_TAGS})\b[^>]*>.*?</(?P=noun_tag)\s*>)
  | (?P<element>{TAG})
  | (?P<entity>{ENTITY})
  | (?P<template>{TEMPLATE})
  | (?P<hidden>\[\^[^\]\s]+\]|\[[^\[\]]*@[\w:.-]+[^\[\]]*\](?!\()
      |\{{[\#.:][^{{}}\n]*\}}|(?:(?<=\s)|^):[a-z][a-z0-9_+-]*:(?!\w)|\]\([^\s()]*\))
  | (?P<wiki>!?\[\[[^\[\]\n]+\]\])
  | (?P<image>!\[)
  | (?P<link>\[)
  | (?P<emphasis>\*+|_+|~~+|==+)
    )
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_BRACKETS = re.compile(rf"\\.|(`+).{{1,{_FARTHEST}}}?\1|[\[\]]", re.DOTALL)
_TARGET = re.compile(
    r"""\(\s*(?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)(?:\{[^{}\n]*\})?"""
    r"|\[[^\[\]]+\]"
)


def add_inline(found: ParagraphBuilder, lines: list[tuple[int, int]], elements: Elements | None = None) -> None:
    """Add the runs of a paragraph, given the contents of its lines and the elements of HTML around it."""
    _Inline(found, lines, Elements() if elements is None else elements).add()


class _Inline(Inline):
    """A paragraph with its links."""

    def __init__(self, found: ParagraphBuilder, lines: list[tuple[int, int]], elements: Elements) -> None:
        super().__init__(found, lines)
        self.elements = elements
        self.brackets: dict[int, int | None] = {}  # what is behind opening brackets, and where they are closed
        self.closing: dict[int, tuple[str, int]] = {}  # where links and images end: what to do, how far it reaches

    def add(self) -> None:
        """Go through names, ends of links and tokens, whichever comes first."""
        at = self.behind_fixed(0, 0)
        names = find_names(self.text, 0, len(self.text))
        name = next(names, None)
        token = _TOKEN.search(self.text)
        while at < len(self.text):
            if token and token.start() < at:
                token = _TOKEN.search(self.text, at)
            while name and name[0] < at:
                name = next(names, None)
            bracket = min(self.closing, default=len(self.text))
            following = token.start() if token else len(self.text)
            if name and name[0] <= min(bracket, following):
                self.prose(at, name[0])
                self.found.placeholder(self.place(name[0]), self.place(name[1], end=True))
                at = name[1]
            elif token is None or bracket <= following:
                self.prose(at, bracket)
                at = self.close(bracket, at)
            else:
                self.prose(at, following)
                at = self.token(token)
        self.elements.end_paragraph()

    def close(self, bracket: int, at: int) -> int:
        """End a link or an image, if one ends here; another token may have run across its end."""
        if bracket not in self.closing:
            return bracket
        what, end = self.closing.pop(bracket)
        start, end = max(bracket, at), max(end, at)
        if start < end:
            self.found.hide(self.place(start), self.place(end, end=True))
        if what == "image":
            self.found.close(fragment=True)
            self.found.widen(self.place(end, end=True))
        return end

    def token(self, token: re.Match[str]) -> int:
        """Add a token; return where to go on."""
        kind, start, end = token.lastgroup or "", token.start(), token.end()
        place = self.place(start), self.place(end, end=True)
        if kind in ("link", "image"):
            return self.open(kind, start, end)
        if kind == "line":
            self.end_line(start, end)
        elif kind in ("code", "maths", "address", "noun", "template", "wiki"):
            self.found.placeholder(*place)
        elif kind == "display":
            self.found.display(*place)
        elif kind == "escape":
            self.found.show(*place, token.group()[1])
        elif kind == "entity":
            self.found.show(*place, unescape(token.group()))
        elif kind in ("hidden", "comment"):
            self.found.comments += [place] if kind == "comment" else []
            self.found.hide_aside(*place)
        elif kind == "emphasis" and not self.flanks(start, end):
            self.found.show(*place, token.group())
        elif kind == "element":
            return self.element(token)
        else:
            self.found.hide(*place)
        return end

    def element(self, token: re.Match[str]) -> int:
        """Read a tag, with what is to be left alone behind it."""
        if breaks_paragraph(token):
            self.found.end()
        self.elements.read(token)
        if not self.elements.are_fixed and not breaks_paragraph(token):
            self.hide(*token.span())
        return self.behind_fixed(*token.span())

    def behind_fixed(self, start: int, end: int) -> int:
        """Show a noun for what is to be left alone; return where to go on."""
        if not self.elements.are_fixed:
            return end
        left = self.elements.behind_fixed(self.text, end, _TOKEN.finditer(self.text, end))
        self.found.comments += [(self.place(first), self.place(last, end=True)) for first, last in left.comments]
        if left.breaks:
            self.found.end()
        else:
            show_left(self, start, end, left)
        return left.end

    def flanks(self, start: int, end: int) -> bool:
        """Whether signs of emphasis stand at a word's side."""
        before, after = self.text[start - 1 : start], self.text[end : end + 1]
        if (self.text[start] == "_" or end - start == 1) and before.isalnum() and after.isalnum():
            return False
        return bool(before.strip() or after.strip())

    def open(self, kind: str, start: int, end: int) -> int:
        """Begin a link or an image, if it is one."""
        close = self.matching(end)
        target = _TARGET.match(self.text, close + 1) if close else None
        if close and target:
            self.closing[close] = kind, target.end()
            place = self.place(start), self.place(end, end=True)
            if kind == "link" or not self.found.shown.strip():
                self.found.hide(*place)
            else:
                self.found.placeholder(*place)
            if kind == "image":
                self.found.open()
            return end
        if close:  # a reference by its own text, or an aside in brackets
            stop = close + 3 if self.text[close + 1 : close + 3] == "[]" else close + 1
            shown = self.text[start : close + 1].replace("\n", " ")
            self.found.show(self.place(start), self.place(stop, end=True), shown)
            return stop
        self.prose(start, end)
        return end

    def matching(self, at: int) -> int | None:
        """Return where the bracket is closed that was opened before this place."""
        if not self.brackets:
            self.brackets = self.match(at, len(self.text))
        if at not in self.brackets:  # what was taken for code is none
            self.brackets[at] = self.match(at, at + _FARTHEST)[at]
        close = self.brackets[at]
        return close if close is not None and close < at + _FARTHEST else None

    def match(self, at: int, end: int) -> dict[int, int | None]:
        """Find where the bracket before a place and those behind it are closed, in one go however many there are."""
        opened = [at]
        found: dict[int, int | None] = {at: None}
        for sign in _BRACKETS.finditer(self.text, at, end):
            if sign.group() == "[":
                opened.append(sign.end())
                found[sign.end()] = None
            elif sign.group() == "]" and opened:
                found[opened.pop()] = sign.start()
        return found
