r"""What stands inside a paragraph of reStructuredText: emphasis, literals, roles, references; and what directives hold.

In: the contents of a paragraph's lines. Out: runs. Line ends and the indents behind them show as a space.

>>> text = "See *the\n  page* of `our text <a>`_, word_ or :ref:`x`, ``y`` [1]_ 2 * 3::"
>>> found = ParagraphBuilder(text)
>>> add_inline(found, [(0, 8), (11, len(text))])
>>> found.end()
>>> found.finished[0].text
'See the page of our text, word or Python, Python 2 * 3:'

Markup begins and ends where docutils says: beside whitespace or punctuation. These signs are shown, but fixed, since
another one there would be the end of the markup. A reference is found by its text, so that stays as it is.

`kind_of` says where the prose of a directive stands, for those of docutils, of Sphinx and of its domains. Any other
directive is taken to hold none.

>>> kind_of("note"), kind_of("py:function"), kind_of("code-block")
('content', 'body', None)
"""

from __future__ import annotations

import re

from permend.documents.inline import Inline
from permend.documents.paragraphs import ParagraphBuilder

_BEGIN = r"(?:^|(?<=[\s'\"(\[{<\-/:])|(?<=[^\w\x00-\x7f]))"
_END = r"(?=\Z|[\s'\")\]}>\-/\\:.,;!?]|[^\w\x00-\x7f])"
_NAME = r"[^\W_](?:[\w.+:-]{0,98}\w)?"

_TOKEN = re.compile(
    rf"""
    (?=[`*|\\_\[:\n])(?:
    (?P<line>\n)
  | (?P<escape>\\.)
  | (?P<reference>(?<=[^\W_])__?{_END})
  | (?P<footnote>{_BEGIN}\[(?:[0-9]{{1,9}}|\*|\#|\#?{_NAME})\]_{_END})
  | {_BEGIN}(?:(?P<strong>\*\*)|(?P<emphasis>\*)(?!\*)|(?P<literal>``)|(?P<substitution>\|)(?!\|)
      |(?P<target>_`)|(?P<interpreted>(?::{_NAME}:)?`)(?!`))(?=\S)
  | (?P<stray>[`*|]+)
    )
    """,
    re.VERBOSE | re.DOTALL,
)
_CLOSE = {
    "strong": re.compile(rf"\\.|(?<!\s)(?P<close>\*\*){_END}", re.DOTALL),
    "emphasis": re.compile(rf"\\.|(?<!\s)(?P<close>\*){_END}", re.DOTALL),
    "literal": re.compile(rf"(?<!\s)(?P<close>``){_END}"),
    "substitution": re.compile(rf"\\.|(?<!\s)(?P<close>\|_{{0,2}}){_END}", re.DOTALL),
    "target": re.compile(rf"\\.|(?<!\s)(?P<close>`){_END}", re.DOTALL),
    "interpreted": re.compile(rf"\\.|(?<!\s)(?P<close>`(?::{_NAME}:|__?)?){_END}", re.DOTALL),
}
_ADDRESS = re.compile(r"\s{0,9}<[^<>]*>$")
_QUOTED = frozenset(['""', "''", "()", "[]", "{}", "<>"])
_MARKUP = "\n\\"


def add_inline(found: ParagraphBuilder, lines: list[tuple[int, int]]) -> None:
    """Add the runs of a paragraph, given the contents of its lines."""
    _Inline(found, lines).add()


class _Inline(Inline):
    """A paragraph with its markup."""

    def add(self) -> None:
        """Read the paragraph; of the two colons that announce a literal block one is shown, as docutils does."""
        end = len(self.text) - 2 if self.text.endswith("::") else len(self.text)
        self.read(0, end, plain=False)
        self.show(end, len(self.text), ":" if self.text[end - 1 : end].strip() else "")

    def read(self, at: int, end: int, plain: bool) -> None:
        """Read from one place to another; inside emphasis (`plain`) there is none."""
        while at < end:
            token = _TOKEN.search(self.text, at, end)
            if token is None:
                self.prose(at, end)
                return
            at = self.token(token, at, end, plain)

    def token(self, token: re.Match[str], at: int, end: int, plain: bool) -> int:
        """Add what stands before a token, and the token; return where to go on."""
        kind = token.lastgroup or ""
        if kind in _CLOSE:
            close = None if self.is_quoted(token) else self.find_close(_CLOSE[kind], token.end() + 1, end)
            if close and kind in ("emphasis", "strong"):
                return self.stray(*token.span(), at) if plain else self.emphasis(token, close, at, end)
            return self.fixed(token, close, at) if close else self.stray(*token.span(), at)
        if kind == "stray":
            return self.stray(*token.span(), at)
        if kind == "reference":
            return self.reference(token, at)
        if kind == "footnote":
            self.prose(at, token.start())
            self.found.hide_aside(self.place(token.start()), self.place(token.end(), end=True))
            return self.fix_behind(token.end(), end, _MARKUP)
        self.prose(at, token.start())
        if kind == "line":
            self.end_line(*token.span())
        else:
            self.escape(token)
        return token.end()

    def escape(self, token: re.Match[str]) -> None:
        """Show an escaped character; whitespace that is escaped is none."""
        if token.group().endswith("\n"):
            self.found.hide(self.place(token.start()), self.place(token.end()))
        else:
            self.show(*token.span(), token.group()[1].strip())

    def is_quoted(self, token: re.Match[str]) -> bool:
        """Whether quotation marks or brackets stand around the beginning of markup: then it is none."""
        return self.text[max(0, token.start() - 1) : token.start()] + self.text[token.end()] in _QUOTED

    def emphasis(self, token: re.Match[str], close: re.Match[str], at: int, end: int) -> int:
        """Hide what encloses words."""
        self.prose_before(at, token.start())
        self.hide(*token.span())
        self.read(token.end(), close.start(), plain=True)
        self.hide(*close.span("close"))
        return self.fix_behind(close.end("close"), end, _MARKUP)

    def fixed(self, token: re.Match[str], close: re.Match[str], at: int) -> int:
        """Show the text of a reference or target as it is, and a noun for everything else."""
        self.prose(at, token.start())
        start, end = token.start(), close.end("close")
        if token.lastgroup == "target" or (token.lastgroup == "interpreted" and close["close"].endswith("_")):
            content = self.text[token.end() : close.start()]
            self.show(start, end, (_ADDRESS.sub("", content) or content).replace("\n", " "))
        else:
            self.placeholder(start, end)
        return end

    def reference(self, token: re.Match[str], at: int) -> int:
        """Show a word that is a reference without its underscores; behind an escaped letter there is none."""
        start = token.start()
        while start > at and (self.text[start - 1].isalnum() or self.text[start - 1] in "-._+:"):
            start -= 1
        while start < token.start() and not self.text[start].isalnum():
            start += 1
        if start == token.start():
            return self.stray(*token.span(), at)
        self.prose(at, start)
        self.show(start, token.end(), self.text[start : token.start()])
        return token.end()


_KINDS = {
    # everything behind the name
    "content": "attention caution compound danger epigraph error footer header highlights hint hlist"
    " important note pull-quote seealso tip todo warning",
    # a title, then the indented body
    "title": "admonition centered rubric sidebar topic",
    # a version, then all the rest
    "version": "deprecated versionadded versionchanged versionremoved",
    # the indented body; what stands behind the name is a path, a class or a signature
    "body": "attribute class classmethod cmdoption confval container data decorator decoratormethod describe directive"
    " directive:option enum enumerator envvar event exception figure function macro member method only object opcode"
    " option pdbcommand property role setting staticmethod struct type union var",
}
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names.split()}
_DOMAINS = frozenset("c cpp js py rst std".split())


def kind_of(name: str) -> str | None:
    """Return where the prose of a directive stands, if it has any."""
    domain, _, rest = name.lower().partition(":")
    return _KIND_OF.get(rest if domain in _DOMAINS else name.lower())
