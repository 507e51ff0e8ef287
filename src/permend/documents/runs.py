"""A paragraph as runs: what stands in the document, and what a corrector sees of it.

In: a format's scanner, which says for every stretch of the document what it is. Out: paragraphs made of runs.

>>> text = "See **the** `cat` page."
>>> found = Paragraphs(text)
>>> found.prose(0, 4), found.hide(4, 6), found.prose(6, 9), found.hide(9, 11), found.prose(11, 12)
(None, None, None, None, None)
>>> found.noun(12, 17), found.prose(17, 23), found.end()
(None, None, None)
>>> found.finished[0].text
'See the Python page.'
>>> [text[run.start : run.end] for run in found.finished[0].runs if run.free]
['See ', 'the', ' ', ' page.']

Only free runs may ever change. Markup is hidden; code, maths and names are shown as a noun that every English reader
knows, after *an* as one that begins with a vowel, so that neither is a reason to correct the words around it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from permend.documents.names import INVISIBLE, find_unread

NOUN, VOWEL_NOUN = "Python", "Excel"
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
    free: bool = False
    """Whether it may be changed; then `shown` is what stands there."""
    noun: bool = False
    """Whether a noun stands for it."""


@dataclass(frozen=True)
class Paragraph:
    """Runs in the order in which they are read."""

    runs: tuple[Run, ...]
    fragment: bool = False
    """Whether it is a heading, a table cell or a list item, which need not be a sentence."""

    @cached_property
    def text(self) -> str:
        """What a corrector sees."""
        return "".join(run.shown for run in self.runs)


@dataclass
class Paragraphs:
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
        if start < end and self._runs and self._runs[-1].noun and (tail := _ATTACHED.match(self.text, start, end)):
            noun = self._runs.pop()
            self._runs.append(Run(noun.start, tail.end(), noun.shown, noun=True))
            start = tail.end()
        for first, last in find_unread(self.text, start, end):
            self._visible(start, first)
            self.noun(first, last)
            start = last
        self._visible(start, end)

    def _visible(self, start: int, end: int) -> None:
        """Offer characters, but hide those that nobody sees."""
        for match in INVISIBLE.finditer(self.text, start, end):
            self._free(start, match.start())
            self.hide(*match.span())
            start = match.end()
        self._free(start, end)

    def _free(self, start: int, end: int) -> None:
        if self.special.isdisjoint(self.text[start:end]):
            self._add_free(start, end)
            return
        for place in range(start, end):
            if self.text[place] in self.special:
                self._runs.append(Run(place, place + 1, self.text[place]))
            else:
                self._add_free(place, place + 1)

    def _add_free(self, start: int, end: int) -> None:
        if start == end:
            return
        if self._runs and self._runs[-1].free and self._runs[-1].end == start:
            start = self._runs.pop().start
        self._runs.append(Run(start, end, self.text[start:end], free=True))

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
        if last.free:
            kept = last.shown.rstrip(" ")
            self._free(last.start, last.start + len(kept))
            self.hide(last.start + len(kept), last.end)
        else:
            self.hide(last.start, last.end)

    def show(self, start: int, end: int, shown: str) -> None:
        """Show something else than what stands there."""
        self._runs.append(Run(start, end, shown))

    def noun(self, start: int, end: int) -> None:
        """Show a noun instead of something that reads like one."""
        noun = VOWEL_NOUN if _AN.search(self.shown) else NOUN
        self._runs.append(Run(start, end, noun, noun=True))

    def display(self, start: int, end: int) -> None:
        """Show a noun for displayed maths; where the sentence does not go on behind it, a paragraph ends."""
        self.hide_space()
        self._runs.append(
            Run(start, end, f" {NOUN}" if self._runs else NOUN)
        )  # with its space: no word is put before it
        following = self.text[end : end + 80].lstrip()[:1]
        if not (following.islower() or following in set(",;:)") or following in ("$", "\\", "%")):
            self.end()

    def end(self, fragment: bool = False) -> None:
        """Finish the paragraph."""
        if any(run.free for run in self._runs):
            self.finished.append(Paragraph(tuple(self._runs), fragment))
        self._runs = []

    def open(self) -> None:
        """Begin a paragraph inside this one."""
        self._outer.append(self._runs)
        self._runs = []

    def close(self) -> None:
        """Finish the inner paragraph and go on with the outer one."""
        self.end()
        self._runs = self._outer.pop()
