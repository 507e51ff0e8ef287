r"""What stands inside a paragraph of AsciiDoc: formatting, macros, references, passthroughs.

In: the contents of its lines. Out: runs. Line ends show as a space.

>>> text = "See *our\npage* at https://a.org[the site], <<x>> or `y`; {z} is _new_.footnote:[So it is.] 2 * 3"
>>> found = ParagraphBuilder(text)
>>> add_inline(found, [(0, 8), (9, len(text))])
>>> found.end()
>>> [paragraph.text for paragraph in found.finished]
['So it is.', 'See our page at the site, Python or Python; Python is new. 2 * 3']

The text of a link is prose, that of a footnote a paragraph by itself; every unknown macro shows as a noun. Signs
beside formatting are shown, but fixed: with a letter there it would be no formatting any more.
"""

from __future__ import annotations

import re
from html import unescape
from typing import NamedTuple

from permend.documents.html import ENTITY
from permend.documents.inline import Inline
from permend.documents.paragraphs import ParagraphBuilder, find_names

_TOKEN = re.compile(
    rf"""
    (?P<line>\n)
  | (?P<escape>\\\S{{0,200}}(?<![.,;:!?)]))
  | (?P<footnote>footnote(?:ref)?:[\w-]{{0,100}}\[)
  | (?P<macro>(?<![\w:])(?P<name>(?!\w{{0,30}}footnote)[A-Za-z][\w-]{{0,30}}):(?P<target>[^\s\[\]]{{0,500}})\[)
  | (?P<linked>\{{[\w-]{{1,100}}\}}(?:(?!footnote)[^\s\[\]]){{0,500}}\[)
  | (?P<reference><<(?P<id>[^\s<>,][^<>,]{{0,200}})(?:,\s?(?P<shown>[^<>]{{1,500}}))?>>)
  | (?P<role>\[[^\[\]\n]{{0,200}}\](?=[\#*_`^~]))
  | (?P<hidden>\[\[\[?[^\[\]\n]{{1,200}}\]\]\]?|\(\(\([^()]{{1,200}}\)\)\))
  | (?P<term>\(\((?P<word>[^()]{{1,200}})\)\))
  | (?P<attribute>\{{(?:\w[\w-]{{0,100}}|(?:counter2?|set):[^{{}}\n]{{1,200}})\}})
  | (?P<entity>{ENTITY})
  | (?P<sign>\((?:C|R|TM)\))
  | (?P<raised>\^[^\s^]{{1,100}}\^|~[^\s~]{{1,100}}~)
  | (?P<apostrophe>(?<=\w)`')
  | (?P<quotes>(?<!\w)["']`(?=\S))
  | (?P<passed>\+\+\+?(?=\S)|\$\$(?=\S)|``(?=\S)|(?<![\w;:}}])\+(?=\S)|(?<![\w;:"'`}}])`(?=\S))
  | (?P<doubled>\*\*(?=\S)|__(?=\S)|\#\#(?=\S))
  | (?P<single>(?<![\w;:}}])[*_\#](?=\S))
  | (?P<stray>[`*]+)
    """,
    re.VERBOSE,
)
_CLOSE = {
    sign: re.compile(rf"\\.|(?<!\s)(?P<close>{re.escape(mark)}){behind}", re.DOTALL)
    for sign, mark, behind in [
        ('"`', '`"', r"(?!\w)"),
        ("'`", "`'", r"(?!\w)"),
        ("+++", "+++", ""),
        ("++", "++", ""),
        ("$$", "$$", ""),
        ("``", "``", ""),
        ("+", "+", r"(?!\w)"),
        ("`", "`", r"""(?![\w"'`])"""),
        ("**", "**", ""),
        ("__", "__", ""),
        ("##", "##", ""),
        ("*", "*", r"(?!\w)"),
        ("_", "_", r"(?!\w)"),
        ("#", "#", r"(?!\w)"),
    ]
}
_FILE = re.compile(r"[^\s_/]+[_/]\S*\w")  # what may be formatted, but is no word
_BRACKET = re.compile(r"\\.|(?P<close>\])", re.DOTALL)
_LINKS = frozenset("link xref http https ftp irc".split())
_INDEX = frozenset("indexterm anchor".split())
_SHOWN = {"nbsp": "\xa0", "zwsp": "", "wj": "", "empty": "", "apos": "'", "quot": '"', "amp": "&", "lt": "<", "gt": ">"}
_SIGNS = {"(C)": "©", "(R)": "®", "(TM)": "™"}
_MARKUP = "\n\\`*_#+^~[{<&"


def add_inline(found: ParagraphBuilder, lines: list[tuple[int, int]]) -> None:
    """Add the runs of a paragraph, given the contents of its lines."""
    _Inline(found, lines).add()


class _Open(NamedTuple):
    """Markup whose words are being read: where they end, where what closes it ends, how that shows, what it is."""

    end: int
    behind: int
    shown: str = ""
    kind: str = ""


class _Inline(Inline):
    """A paragraph with its markup."""

    def add(self) -> None:
        """Read the paragraph; markup inside other markup ends before it."""
        self.open: list[_Open] = []
        self.skipped = at = 0
        names = find_names(self.text, 0, len(self.text))
        name = next(names, None)
        token, searched = None, -1
        while at < len(self.text) or self.open:
            end = self.open[-1].end if self.open else len(self.text)
            if end != searched or (token and token.start() < max(at, self.skipped)):
                token, searched = _TOKEN.search(self.text, max(at, self.skipped), end), end
            while name and name[0] < at:
                name = next(names, None)
            if name and name[0] < (token.start() if token else end):
                self.prose(at, name[0])
                at = min(name[1], end)
                self.placeholder(name[0], at)
            elif token:
                at = self.token(token, at, end)
            else:
                self.prose(at, end)
                at = self.close() if self.open else end

    def close(self) -> int:
        """End the innermost markup; return where to go on."""
        ended = self.open.pop()
        self.show(ended.end, ended.behind, ended.shown)
        if ended.kind == "footnote":
            self.found.close()
            return ended.behind
        end = self.open[-1].end if self.open else len(self.text)
        return ended.behind if ended.kind == "doubled" else self.fix_behind(ended.behind, end, _MARKUP)

    def token(self, token: re.Match[str], at: int, end: int) -> int:
        """Add what stands before a token, and the token or what opens it; return where to go on."""
        kind = _kind(token)
        if kind in ("quotes", "passed", "doubled", "single"):
            return self.formatting(kind, token, at, end)
        if kind in ("macro", "linked", "footnote"):
            return self.macro(kind, token, at, end)
        if kind == "reference" and token["shown"]:
            return self.enter(token, at, _Open(token.end("shown"), token.end()), token.start("shown"))
        if kind == "stray":
            return self.stray(*token.span(), at)
        self.prose(at, token.start())
        if kind == "line":
            self.end_line(*token.span())
        elif kind == "hidden":
            self.found.hide_aside(self.place(token.start()), self.place(token.end(), end=True))
        elif kind in ("escape", "reference") or (shown := _shown(kind, token)) is None:
            self.placeholder(*token.span())
        else:
            self.show(*token.span(), shown)
        return token.end()

    def enter(self, token: re.Match[str], at: int, opened: _Open, start: int, shown: str = "") -> int:
        """Begin to read the words of markup; return where they begin."""
        if opened.kind in ("doubled", "footnote"):
            self.prose(at, token.start())
        else:
            self.prose_before(at, token.start())
        self.show(token.start(), start, shown)
        if opened.kind == "footnote":
            self.found.open()
        self.open.append(opened)
        return start

    def formatting(self, kind: str, token: re.Match[str], at: int, end: int) -> int:
        """Begin formatting, or show a noun for code and what is passed through; if it is closed."""
        sign = token.group()
        close = self.find_close(_CLOSE[sign], token.end() + 1, end)
        if close is None and sign[0] in "*`":
            return self.stray(*token.span(), at)
        if close is None:
            self.skipped = token.end()  # it may still begin a name
            return at
        if kind == "passed" or _FILE.fullmatch(self.text, token.end(), close.start()):
            self.prose(at, token.start())
            self.placeholder(token.start(), close.end())
            return close.end()
        quote = sign[0] if kind == "quotes" else ""
        return self.enter(token, at, _Open(close.start(), close.end(), quote, kind), token.end(), quote)

    def macro(self, kind: str, token: re.Match[str], at: int, end: int) -> int:
        """Read the text of a link or a footnote, or show a noun for another macro; if it is closed."""
        close = self.find_close(_BRACKET, token.end(), end)
        if close is None:
            self.prose(at, token.start())
            self.placeholder(token.start(), token.end())
            return token.end()
        words = self.text[token.end() : close.start()]
        shown = words.removesuffix("^")  # which asks for a new window
        is_link = (kind == "linked" or token["name"] in _LINKS) and shown.strip() and not set(shown) & set('="^')
        if kind == "footnote" or is_link:
            opened = _Open(close.start() - len(words) + len(shown), close.end(), kind=kind)
            return self.enter(token, at, opened, token.end())
        self.prose(at, token.start())
        if token["name"] in _INDEX:
            self.found.hide_aside(self.place(token.start()), self.place(close.end(), end=True))
        else:
            self.placeholder(token.start(), close.end())
        return close.end()


def _kind(token: re.Match[str]) -> str:
    """Return the outermost group of a token."""
    return next(name for name, value in token.groupdict().items() if value is not None)


def _shown(kind: str, token: re.Match[str]) -> str | None:
    """Return what a small token shows, None if a noun."""
    text = token.group()
    if kind == "attribute":
        return _SHOWN.get(text[1:-1].lower())
    if kind == "term":
        return token["word"].replace("\n", " ")
    if kind == "role":
        return ""
    if kind == "entity":
        return unescape(text)
    if kind == "raised":
        return text[1:-1]
    return "'" if kind == "apostrophe" else _SIGNS[text]
