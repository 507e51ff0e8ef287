r"""LaTeX: prose is what is typeset as text.

>>> text = r"\section{A \emph{new} part} We~show in \cite{a} that $x$ is \"{u}ber\footnote{See it.} 5\% % no" + "\n"
>>> [paragraph.text.strip() for paragraph in scan(text).paragraphs]
['A new part', 'See it.', 'We show in Python that Python is über 5%']

Commands that format words are hidden and their arguments read on; references, inline maths and code show as a noun,
and so does every unknown command. A citation beside a sentence is hidden, one inside it shows as a noun. Of the
preamble only titles are read. Environments without prose that are never closed reach to the end.
"""

from __future__ import annotations

import re
import unicodedata

from permend.documents.latex_commands import (
    ACCENTS,
    ADDRESS,
    ASIDE,
    BREAK,
    CITATION,
    DISPLAY,
    HEADING,
    HIDDEN,
    PROSE,
    RAW,
    SHOWN,
    TABLE,
)
from permend.documents.paragraphs import ParagraphBuilder, Scan

special = frozenset("\\{}$%&#_^~")

_DEEPEST = 20_000  # characters in which an argument is closed
_TOKEN = re.compile(
    r"""
    (?=[%\s\\$~&{}`'^_\#-])(?:
    (?P<comment>%[^\n]*(?:\n[ \t]*(?=\S))?)
  | (?P<blank>[ \t]*\r?\n[ \t]*\r?\n\s*)
  | (?P<line>[ \t]*\r?\n[ \t]*)
  | (?P<verb>\\(?:verb\*?|lstinline|mintinline\{\w+\})(?P<sign>[^\sA-Za-z*{\[]).*?(?P=sign))
  | (?P<display>\$\$(?:(?!\n\s*\n).)*?\$\$|\\\[(?:(?!\n\s*\n).)*?\\\])
  | (?P<maths>\$(?:\\.|(?!\n\s*\n)[^$\\])+\$|\\\((?:(?!\n\s*\n).)*?\\\))
  | (?P<begin>\\begin\s*\{(?P<opened>[^{}\n]*)\})
  | (?P<finish>\\end\s*\{[^{}\n]*\})
  | (?P<accent>\\(?P<mark>[`'^"~=.])\s*\{?\\?(?P<letter>[A-Za-z])\}?
      |\\(?P<mark2>[uvHckdbr])(?:\s*\{\\?(?P<letter2>[A-Za-z])\}|\s+(?P<letter3>[A-Za-z])))
  | (?P<newline>\\\\\*?(?:\[[^\]\n]*\])?)
  | (?P<command>\\[A-Za-z@]+\*?)
  | (?P<space>~|\\[ ,;:!\n>])
  | (?P<sign_escape>\\[%&$\#_{}])
  | (?P<hidden>\\[-/@()\[\]|+*]|[{}])
  | (?P<quote>``|'')
  | (?P<dash>---?)
  | (?P<cell>&)
  | (?P<other>[\\$^_\#])
    )
    """,
    re.VERBOSE | re.DOTALL,
)
_COMMENT = re.compile(r"(?m)^[ \t]*%[^\n]*")
_OPTION = re.compile(r"[ \t]*\[[^\[\]]{0,2000}\]")
_NEEDS_NOUN = re.compile(
    r"(?:^|[.!?:(]|\b(?:in|by|of|from|see|to|with|and|or|than|as|for|on|at|like|following|[Ss]ee|[Ii]n|cf\.?|e\.g\.,?))\s*$"
)
_REST_OF_LINE = re.compile(r"[ \t]*(?:%[^\n]*)?(?:\r?\n|\Z)")
_OVERLAY = re.compile(r"<[-0-9,|+ ]{1,20}>")
_BRACES = re.compile(r"\\.|%[^\n]*|[{}]", re.DOTALL)
_BRACES_OF_ADDRESSES = re.compile(r"\\.|[{}]", re.DOTALL)
_DOCUMENT = re.compile(r"\\begin\s*\{document\}")
_TITLE = re.compile(r"(?<!\\)\\(?:sub)?title\s*(?:\[[^\]]*\])?\s*\{")
_UNSEEN = HIDDEN | BREAK | HEADING | ASIDE | PROSE.keys()  # commands of which a sentence shows nothing
_DEFINED = re.compile(r"\\(?:def|let)\*?\s*\\[A-Za-z@]+[^{\n]*")


def scan(text: str, first: bool = True) -> Scan:
    """Find the paragraphs of a LaTeX document."""
    reader = _Reader(text)
    start = _DOCUMENT.search(text) if first else None
    if start:
        reader.found.comments += [comment.span() for comment in _COMMENT.finditer(text, 0, start.start())]
        done = 0
        for title in _TITLE.finditer(text, 0, start.start()):
            if title.start() >= done:  # none inside another
                done = min(reader.closing(title.end() - 1), start.start())
                reader.read(title.end(), done, fragment=True)
    elif first and "\\documentclass" in text:
        return Scan([], 0)  # a preamble that does not end here
    reader.cut_at = 0
    reader.read(start.end() if start else 0, len(text))
    return Scan(reader.found.finished, reader.cut_at, reader.found.comments)


class _Reader:
    """Goes through the tokens of a document."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found = ParagraphBuilder(text, special)
        self.cut_at = 0
        self.closers: dict[int, str] = {}  # braces that end a heading or an aside
        self.closings: dict[bool, dict[int, int | None]] = {True: {}, False: {}}  # of braces, with comments and without
        self.in_item = self.in_table = False

    def read(self, at: int, end: int, fragment: bool = False) -> None:
        """Read from one place to another."""
        while at < end:
            token = _TOKEN.search(self.text, at, end)
            self.found.prose(at, token.start() if token else end)
            if token is None:
                break
            at = self.token(token)
        while self.found.depth:
            self.found.close()
        self.found.end(fragment)

    def token(self, token: re.Match[str]) -> int:
        """Add a token; return where to go on."""
        kind, start, end = token.lastgroup or "", token.start(), token.end()
        if kind in ("command", "begin"):
            return self.behind_command(token) if kind == "command" else self.environment(token)
        if kind in ("blank", "newline", "cell", "finish"):
            return self.boundary(token)
        if kind in ("verb", "maths"):
            self.found.placeholder(start, end)
        elif kind == "display":
            self.found.display(start, end)
        elif start in self.closers:
            self.close(start)
        else:
            self.found.comments += [(start, end)] if kind == "comment" else []
            self.found.show(start, end, _shown(token))
        return end

    def boundary(self, token: re.Match[str]) -> int:
        """End a paragraph."""
        if token.group().startswith("\\end") and "{document}" in token.group():
            self.found.end()
            return len(self.text)
        self.found.end(fragment=self.in_item or self.in_table)
        self.in_item = False
        self.in_table = self.in_table and token.lastgroup != "finish"
        if token.lastgroup == "blank" and not self.found.depth and not self.closers:
            self.cut_at = token.end()
        return token.end()

    def close(self, brace: int) -> None:
        """End a heading or an aside."""
        if self.closers.pop(brace) == "aside":
            self.found.hide(brace, brace + 1)
            if self.found.depth:
                self.found.close()
        else:
            self.found.end(fragment=True)

    def environment(self, token: re.Match[str]) -> int:
        """Begin an environment; return its end if it holds no prose."""
        name, start = token["opened"].strip(), token.start()
        if name in DISPLAY or name in RAW:
            close = self.text.find(f"\\end{{{token['opened']}}}", token.end())
            end = close + len(f"\\end{{{token['opened']}}}") if close >= 0 else len(self.text)
            if name in DISPLAY:
                self.found.display(start, end)
            else:
                self.found.end()
            return end
        self.found.end()
        self.in_table = name in TABLE
        return self.behind_arguments(token.end())

    def behind_command(self, token: re.Match[str]) -> int:
        """Read a command, and keep the sign that ends a hidden name: a letter there would make another command."""
        end = self.command(token)
        sign, name = self.text[end : end + 1], token.group()[1:].rstrip("*")
        if end > token.end() or not sign or name not in _UNSEEN or _TOKEN.match(self.text, end):
            return end
        self.found.show(end, end + 1, sign)
        return end + 1

    def command(self, token: re.Match[str]) -> int:
        """Read a command with the arguments that are no prose."""
        name, start, end = token.group()[1:].rstrip("*"), token.start(), token.end()
        if name in SHOWN:
            end = self.behind_space(end)
            self.found.show(start, end, SHOWN[name])
            return end
        if name in HEADING or name in ASIDE:
            return self.opening(name, start, end)
        if name in PROSE:
            return self.prose_command(name, start, end)
        if name in BREAK:
            self.found.end(fragment=self.in_item)
            self.in_item = False
        if name == "item":
            return self.item(end)
        defined = _DEFINED.match(self.text, start)
        end = self.behind_arguments(defined.end() if defined else end, comments=name not in ADDRESS)
        if name in CITATION:
            self.citation(start, end)
        elif name in HIDDEN or name in BREAK or self.alone(start, end):
            end = self.behind_space(end) if end == token.end() else end
            self.found.hide(start, end)
        else:
            self.found.placeholder(start, end)
        return end

    def alone(self, start: int, end: int) -> bool:
        """Whether nothing else stands on a line: then an unknown command is no part of a sentence."""
        line = self.text.rfind("\n", 0, start) + 1
        return not self.text[line:start].strip() and bool(_REST_OF_LINE.match(self.text, end))

    def opening(self, name: str, start: int, end: int) -> int:
        """Begin the argument of a heading or an aside."""
        if option := _OPTION.match(self.text, end):
            end = option.end()
        brace = self.behind_space(end)
        if self.text[brace : brace + 1] != "{":
            self.found.hide(start, end)
            return end
        self.closers[self.closing(brace)] = "aside" if name in ASIDE else "heading"
        if name in ASIDE:
            self.found.hide(start, brace + 1)
            self.found.open()
        else:
            self.found.end()
        return brace + 1

    def prose_command(self, name: str, start: int, end: int) -> int:
        """Hide a command up to the argument that is part of the sentence."""
        if option := _OPTION.match(self.text, end):
            end = option.end()
        for _ in range(PROSE[name]):
            brace = self.behind_space(end)
            end = self.closing(brace, comments=name not in ADDRESS) + 1 if self.text[brace : brace + 1] == "{" else end
        self.found.hide(start, end)
        return end

    def item(self, end: int) -> int:
        """Begin a list item; its name, if it has one, is a paragraph by itself."""
        self.in_item = True
        if overlay := _OVERLAY.match(self.text, end):
            end = overlay.end()
        if option := _OPTION.match(self.text, end):
            self.found.prose(self.text.index("[", end) + 1, option.end() - 1)
            self.found.end(fragment=True)
            return option.end()
        return end

    def citation(self, start: int, end: int) -> None:
        """Hide a citation with the space before it, unless the sentence needs it."""
        before = self.found.shown
        if not before.strip() or _NEEDS_NOUN.search(before):
            self.found.placeholder(start, end)
        else:
            self.found.hide_space()
            self.found.hide(start, end)

    def behind_space(self, at: int) -> int:
        """Skip spaces, as LaTeX does behind a command."""
        while self.text[at : at + 1] in (" ", "\t"):
            at += 1
        return at

    def behind_arguments(self, at: int, comments: bool = True) -> int:
        """Return where the arguments end that follow a command directly."""
        while True:
            if self.text[at : at + 1] == "{":
                at = self.closing(at, comments) + 1
            elif self.text[at : at + 1] == "[" and (option := _OPTION.match(self.text, at)):
                at = option.end()
            else:
                return min(at, len(self.text))

    def closing(self, brace: int, comments: bool = True) -> int:
        """Return where a brace is closed, or where its line ends if it never is."""
        known = self.closings[comments]
        if brace not in known:
            known.update(self.find_closings(brace, _BRACES if comments else _BRACES_OF_ADDRESSES))
        place = known[brace]
        if place is not None:
            return place
        line = self.text.find("\n", brace)
        return (line if line >= 0 else len(self.text)) - 1

    def find_closings(self, brace: int, signs: re.Pattern[str]) -> dict[int, int | None]:
        """Find where a brace is closed and, in passing, those inside it, so that braces in braces are read but once."""
        found: dict[int, int | None] = {}
        opened: list[int] = []
        for sign in signs.finditer(self.text, brace, brace + _DEEPEST):
            if sign.group() == "{":
                opened.append(sign.start())
            elif sign.group() == "}":
                found[opened.pop()] = sign.start()
                if not opened:
                    return found
        found.update(
            (place, None) for place in opened if place <= brace + _DEEPEST // 2
        )  # the others may be, farther on
        return found


def _shown(token: re.Match[str]) -> str:
    """Return what a small token shows."""
    kind, text = token.lastgroup, token.group()
    if kind == "accent":
        letter = token["letter"] or token["letter2"] or token["letter3"]
        return unicodedata.normalize("NFC", letter + ACCENTS[token["mark"] or token["mark2"]])
    if kind in ("line", "space"):
        return " "
    if kind == "sign_escape":
        return text[1]
    if kind == "quote":
        return '"'
    if kind == "dash":
        return "—" if text == "---" else "–"
    return "" if kind in ("comment", "hidden") else text
