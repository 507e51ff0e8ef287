r"""Paragraphs: what of a document is prose, what a corrector sees of it, and which characters it may change.

In: a format's scanner, which goes through the text and tells a `ParagraphBuilder` what each stretch is. Out: a `Scan`
with paragraphs; each is made of runs, stretches of the document together with what is shown for them.

>>> text = "See **the** `cat` page."
>>> found = ParagraphBuilder(text)
>>> found.prose(0, 4), found.hide(4, 6), found.prose(6, 9), found.hide(9, 11), found.prose(11, 12)
(None, None, None, None, None)
>>> found.placeholder(12, 17), found.prose(17, 23), found.end()
(None, None, None)
>>> found.finished[0].text
'See the Python page.'
>>> [text[run.start : run.end] for run in found.finished[0].runs if run.editable]
['See ', 'the', ' ', ' page.']

Only editable runs may ever change. Markup is hidden. Code, maths and names are shown as a placeholder, a noun that
every English reader knows (after *an* one that begins with a vowel), so that the words around it need no correction.

`find_names` finds names in any format: URLs, e-mail addresses, paths, file names, @names, #tags, and codes such as
hashes. A learner who forgets the space behind a full stop writes what looks like a file name (*it.so*), therefore only
endings that are no English words count; and *he/she* is no path. Every repetition in the patterns is bounded, so that a
line of 50 MB takes no longer than its length asks for.

>>> text = "Mail ann@example.org or @ann about src/main.py, https://example.org/a_(b). And/or run it.so we know #fun"
>>> [text[start:end] for start, end in find_names(text, 0, len(text))]
['ann@example.org', '@ann', 'src/main.py', 'https://example.org/a_(b)', '#fun']

`find_rows` finds lines and how far they are indented, for formats that are read line by line.

>>> [text_of(row, "a\n\t b \r\n\n") for row in find_rows("a\n\t b \r\n\n")]
[('a', 0), ('b', 9), ('', 0)]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from heapq import merge
from typing import NamedTuple, Protocol

from permend.text.no_words import find_codes, find_no_words

_ENDINGS = (
    "7z avi bash bat bib bmp bz2 cfg conf cpp csv css dll doc docx epub exe gif gz hpp htm html ico ini ipynb iso jpeg"
    " jpg js json jsonl jsx kt m2 md mkv mjs mov mp3 mp4 msi odt onnx pdf pem php png ppt pptx ps1 psd py pyi rb rst"
    " rtf safetensors scss sh sql svg tar tex tgz tif tiff toml ts tsv tsx txt wav webp xls xlsx xml xz yaml yml zip"
)
_ENDING = "(?:" + "|".join(_ENDINGS.split()) + ")"
_DOMAIN = r"(?:[a-z0-9][a-z0-9-]{0,62}\.){1,6}"
_PATH_PART = r"[\w.@~+-]{1,255}"
# A URL ends before the sign that closes the sentence or the bracket around it.
_URL_TAIL = r"(?:[^\s<>\"'`{}|\\^()\[\],.;:!?*]|\([^\s()<>]{0,200}\)|[,.;:!?'*&](?=[^\s<>\"'`(){}\[\]|,.;:!?*]))"

_NAME = re.compile(
    rf"""
    (?<![\w@]) (?:(?:https?|ftp|file|git|ssh|irc)://|(?:doi|tel|urn|arxiv):(?=\d)) {_URL_TAIL}{{1,2048}}
  | (?<![\w@.]) (?:mailto:)? [\w+-][\w.+-]{{0,62}} @ {_DOMAIN} [a-z]{{2,24}} \b
  | (?<![\w@./-]) www\. {_URL_TAIL}{{1,2048}}
  | (?<![\w@./-]) {_DOMAIN} (?:com|org|net|edu|gov|io|dev|co\.uk|ac\.uk) \b (?![\w@-]) (?: / {_URL_TAIL}{{0,2048}} )?
  | (?<![\w.@/]) (?:[A-Za-z]: | \\\\ {_PATH_PART}) (?: \\ {_PATH_PART} (?<!\.) ){{1,64}} \\?
  | (?<![\w.@/<]) (?:~|\.{{1,2}})? / {_PATH_PART} (?: / {_PATH_PART} ){{1,64}} (?<![.]) /?
  | (?<![\w.@/]) (?:~|\.{{1,2}}) / {_PATH_PART} (?<![.]) /?
  | (?<![\w.@/-]) (?:[\w.@~+-]{{1,255}} / ){{0,64}} [\w@+-][\w.@~+-]{{0,254}} \. {_ENDING} \b (?![\w@-])
  | (?<![\w.@/]) (?:[\w.@~+-]{{1,255}} / ){{2,64}} (?=[\s,.;:)]|$)
  | (?<![\w@.&]) @ [A-Za-z_][\w-]{{0,63}} (?: [.][\w-]{{1,63}} ){{0,4}}
  | (?<![\w\#&]) \# \w{{1,100}}
  | (?<!\w) _{{0,2}} [A-Za-z][A-Za-z0-9]{{0,63}} (?: _{{1,2}} [A-Za-z0-9]{{1,64}} ){{1,16}} _{{0,2}} (?: \(\) )? (?!\w)
  | (?<!\w) [A-Za-z]\w{{0,63}} (?: \. [A-Za-z]\w{{0,63}} ){{0,8}} \(\)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SIGN = re.compile(r"[@#/\\_]|\.(?=\w)|\(\)|:(?=\d)")  # every name has one of these
_SPACE = re.compile(r"\s")
_LONGEST = 16_384  # characters without a space among which there may be names

INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u2060\u2066-\u2069\u202a-\u202e\ufeff]+")
"""Soft hyphens, spaces without width and marks of direction: part of a word's look, not of its spelling."""


def find_names(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where names and codes stand between two places, whatever markup is around them."""
    return unite(_names(text, start, end), find_codes(text, start, end))


def find_unread(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where names and whatever else is no word stand between two places without markup."""
    return unite(_names(text, start, end), find_no_words(text, start, end))


def unite(*found: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield ranges in their order, those that touch each other as one."""
    start = end = -1
    for first, last in merge(*found):
        if first > end and end >= 0:
            yield start, end
        start, end = (start if first <= end else first), max(end, last)
    if end >= 0:
        yield start, end


def _names(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where names stand; only where there is a sign of one is it worth looking closer."""
    at = start
    while sign := _SIGN.search(text, at, end):
        first = sign.start()
        while first > at and not text[first - 1].isspace():
            first -= 1
        space = _SPACE.search(text, sign.end(), end)
        last = space.start() if space else end
        if last - first <= _LONGEST:
            yield from (name.span() for name in _NAME.finditer(text, first, last))
        at = last


NOUN, VOWEL_NOUN = "Python", "Excel"
"""What stands in for code, maths and names: words that every English reader knows as nouns."""
_AN = re.compile(r"\b[Aa]n\s+$")
_ATTACHED = re.compile(r"[-\w]+")  # $n$-th, `word`s: no word by itself


Span = tuple[int, int]
"""Where something begins and ends."""


@dataclass(frozen=True, slots=True)
class Run:
    """Characters [start, end) of the document, shown to a corrector as `shown`."""

    start: int
    end: int
    shown: str
    editable: bool = False
    """Whether it may be changed; then `shown` is what stands there."""
    placeholder: bool = False
    """Whether `shown` is a noun that stands in for it."""


@dataclass(frozen=True)
class Paragraph:
    """Runs in the order in which they are read."""

    runs: tuple[Run, ...]
    fragment: bool = False
    """Whether it is a heading, a caption, a table cell or a list item, which need not be a sentence."""
    note: bool = False
    """Whether it is a note in a program or a subject, which may begin with a small letter."""
    special: frozenset[str] = frozenset()
    """Signs that no edit may bring in here, beside those of the format."""

    @cached_property
    def text(self) -> str:
        """What a corrector sees."""
        return "".join(run.shown for run in self.runs)


@dataclass
class ParagraphBuilder:
    """Gathers runs into paragraphs; one inside another (a footnote) is kept apart from what stands around it."""

    text: str
    special: frozenset[str] = frozenset()
    """Signs that would be markup elsewhere: shown as they are, but never changed."""
    finished: list[Paragraph] = field(default_factory=list)
    comments: list[Span] = field(default_factory=list)
    """Where comments stand: they may say what is to be left alone."""
    _runs: list[Run] = field(default_factory=list)
    _outer: list[list[Run]] = field(default_factory=list)

    @property
    def depth(self) -> int:
        """How many paragraphs are open around this one."""
        return len(self._outer)

    @property
    def shown(self) -> str:
        """The end of what is shown so far of this paragraph."""
        return "".join(run.shown for run in self._runs[-4:])

    def prose(self, start: int, end: int) -> None:
        """Offer characters to a corrector, except for names (URLs, paths, …) and what is no word among them."""
        if (
            start < end
            and self._runs
            and self._runs[-1].placeholder
            and (tail := _ATTACHED.match(self.text, start, end))
        ):
            noun = self._runs.pop()
            self._runs.append(Run(noun.start, tail.end(), noun.shown, placeholder=True))
            start = tail.end()
        for first, last in find_unread(self.text, start, end):
            self._visible(start, first)
            self.placeholder(first, last)
            start = last
        self._visible(start, end)

    def _visible(self, start: int, end: int) -> None:
        """Offer characters, but hide those that nobody sees."""
        for match in INVISIBLE.finditer(self.text, start, end):
            self._offer(start, match.start())
            self.hide(*match.span())
            start = match.end()
        self._offer(start, end)

    def _offer(self, start: int, end: int) -> None:
        if self.special.isdisjoint(self.text[start:end]):
            self._add_editable(start, end)
            return
        for place in range(start, end):
            if self.text[place] in self.special:
                self._runs.append(Run(place, place + 1, self.text[place]))
            else:
                self._add_editable(place, place + 1)

    def _add_editable(self, start: int, end: int) -> None:
        if start == end:
            return
        if self._runs and self._runs[-1].editable and self._runs[-1].end == start:
            start = self._runs.pop().start
        self._runs.append(Run(start, end, self.text[start:end], editable=True))

    def hide(self, start: int, end: int) -> None:
        """Keep characters from a corrector."""
        self.show(start, end, "")

    def hide_aside(self, start: int, end: int) -> None:
        """Hide something that stands between spaces, with one of them."""
        if not self.text[end : end + 1].isalnum():
            self.hide_space()
        self.hide(start, end)

    def hide_space(self) -> None:
        """Hide the space that was shown last: what follows is hidden too."""
        if not self._runs or not self._runs[-1].shown.endswith(" "):
            return
        last = self._runs.pop()
        if last.editable:
            kept = last.shown.rstrip(" ")
            self._offer(last.start, last.start + len(kept))
            self.hide(last.start + len(kept), last.end)
        else:
            self.hide(last.start, last.end)

    def show(self, start: int, end: int, shown: str) -> None:
        """Show something else than what stands there."""
        self._runs.append(Run(start, end, shown))

    def placeholder(self, start: int, end: int) -> None:
        """Show a stand-in noun for code, maths or a name."""
        noun = VOWEL_NOUN if _AN.search(self.shown) else NOUN
        self._runs.append(Run(start, end, noun, placeholder=True))

    def widen(self, end: int) -> None:
        """Have the noun that was shown last stand for all up to a place, with the paragraph inside of it."""
        if self._runs and self._runs[-1].placeholder:
            self._runs[-1] = replace(self._runs[-1], end=end)

    def display(self, start: int, end: int) -> None:
        """Show a stand-in noun for displayed maths; where the sentence does not go on behind it, a paragraph ends."""
        self.hide_space()
        # the space belongs to it, so that no word is put before it
        self._runs.append(Run(start, end, f" {NOUN}" if self._runs else NOUN))
        following = self.text[end : end + 80].lstrip()[:1]
        if not (following.islower() or following in set(",;:)") or following in ("$", "\\", "%")):
            self.end()

    def end(self, fragment: bool = False) -> None:
        """Finish the paragraph."""
        if any(run.editable for run in self._runs):
            self.finished.append(Paragraph(tuple(self._runs), fragment))
        self._runs = []

    def open(self) -> None:
        """Begin a paragraph inside this one."""
        self._outer.append(self._runs)
        self._runs = []

    def close(self, fragment: bool = False) -> None:
        """Finish the inner paragraph and go on with the outer one."""
        self.end(fragment)
        self._runs = self._outer.pop()


@dataclass(frozen=True)
class Scan:
    """The paragraphs of a text, and how far they do not depend on what follows."""

    paragraphs: list[Paragraph]
    cut_at: int
    """A document may be cut here: what stands behind reads the same by itself. 0 where there is no such place."""
    comments: list[Span] = field(default_factory=list)
    """Where comments stand that are markup, not part of code."""
    tables: list[Span] = field(default_factory=list)
    """Where tables stand whose cells are paragraphs: a comment above one means all of it."""


class Format(Protocol):
    """A format of documents, as a module."""

    special: frozenset[str]
    """Signs that are markup."""

    def scan(self, text: str, first: bool = True) -> Scan:
        """Find the paragraphs of a text, which begins a document (`first`) or follows a place where it was cut."""


TAB = 8  # columns
_ROW = re.compile(r"[^\n\r\x1c-\x1e\x85\u2028\u2029]*(?:\r\n|[\n\r\x1c-\x1e\x85\u2028\u2029]|\Z)")


class Row(NamedTuple):
    """A line: where it begins, where its content begins and ends, and at which column that begins."""

    origin: int
    start: int
    end: int
    column: int

    @property
    def blank(self) -> bool:
        """Whether it is empty but for whitespace."""
        return self.start == self.end


def find_rows(text: str) -> list[Row]:
    """Return the lines of a text."""
    return [_row(text, *line.span()) for line in _ROW.finditer(text) if line.group()]


def text_of(row: Row, text: str) -> tuple[str, int]:
    """Return the content of a line and its column."""
    return text[row.start : row.end], row.column


def columns_behind(whitespace: str, column: int) -> int:
    """Return the column at which whitespace ends that begins at a column."""
    for sign in whitespace:
        column += TAB - column % TAB if sign == "\t" else 1
    return column


def _row(text: str, origin: int, following: int) -> Row:
    line = text[origin:following]
    content = line.strip()
    if not content:
        return Row(origin, origin, origin, 0)
    start = origin + line.index(content[0])
    return Row(origin, start, start + len(content), columns_behind(text[origin:start], 0))
