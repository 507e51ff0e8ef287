"""Sentences of a document: what a corrector sees of them, and the way back for its edits.

In: a paragraph as runs. Out: its sentences, split by ``sentencex`` (MIT, of the Wikimedia Foundation, about 300
languages), without the whitespace around them; those without a letter that may change are left out.

>>> from permend.documents.paragraphs import Run
>>> shown = "Dr. Hall met J. Bond. They had tea! 12."
>>> [each.prose for each in split(Paragraph((Run(0, len(shown), shown, editable=True),)))]
['Dr. Hall met J. Bond.', 'They had tea!']

A sentence turns edits of its prose into edits of the document; those that would alter anything protected are dropped.

>>> he, stars, go = Run(2, 4, "He", editable=True), Run(4, 6, ""), Run(6, 10, " go ", editable=True)
>>> sentence = Sentence("He go Python", (he, stars, go, Run(10, 17, "Python", placeholder=True)))
>>> sentence.map_edits([Edit(3, 5, "go", "goes"), Edit(6, 12, "Python", "Python's")])
[Edit(start=7, end=9, before='go', after='goes')]
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from itertools import accumulate
from typing import TypeVar, cast

from permend.documents.paragraphs import NOUN, VOWEL_NOUN, Paragraph, Run
from permend.text.edits import Edit, move_together

E = TypeVar("E", bound=Edit)

_WORDS = re.compile(r"\w+")
_LAST_WORD = re.compile(r"^.*\s(?=\S)|\s+$", re.DOTALL)
_ARTICLES = frozenset({"a", "an", "the"})
_BEFORE_FIXED, _BEHIND_FIXED = frozenset(" ("), frozenset(" ,.;:!?)")
_LINE_START = re.compile(r"\s|[-+:!?=|>#*./]|\d+[.)]")
_LINE_ENDS = frozenset("\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")


@dataclass(frozen=True)
class Sentence:
    """Prose to correct, and the runs of the document that it was made from."""

    prose: str
    runs: tuple[Run, ...]
    """Together they show the prose."""
    fragment: bool = False
    """Whether it ends a heading, a caption, a table cell or a list item: then no full stop is added."""
    note: bool = False
    """Whether it begins a note in a program: then no capital letter is asked for."""
    special: frozenset[str] = frozenset()
    """Signs that no edit may bring in, since they would become markup."""

    @property
    def start(self) -> int:
        """Where the sentence begins in the document; another one (a footnote) may lie inside it."""
        return min(run.start for run in self.runs)

    @property
    def end(self) -> int:
        """Where it ends."""
        return max(run.end for run in self.runs)

    @property
    def protected(self) -> list[tuple[int, int]]:
        """Ranges of the document inside the sentence that are never altered."""
        return [(run.start, run.end) for run in self.runs if not run.editable]

    def map_edits(self, edits: Iterable[E], allowed: Callable[[E], bool] = lambda edit: True) -> list[E]:
        """Turn edits of the prose into edits of the document, without those that must not be or are not `allowed`.

        An edit that moves words comes as two, one that takes them away and one that puts them elsewhere: where one of
        them must not be, neither may.
        """
        mapped: list[tuple[E, list[E]]] = []
        refused: list[E] = []
        for edit in edits:
            found = self._map(edit) if allowed(edit) else None
            if found is None:
                refused.append(edit)
            else:
                mapped.append((edit, found))
        while halves := [each for each in mapped if any(move_together(each[0], other) for other in refused)]:
            mapped = [each for each in mapped if each not in halves]
            refused = [edit for edit, _ in halves]
        if not self._letters_left([edit for edit, _ in mapped]):
            return []
        return self._none_emptied(list(_without_overlaps(edit for _, found in mapped for edit in found)))

    def _none_emptied(self, edits: list[E]) -> list[E]:
        """Leave out edits that only together take away all that stands between two pieces of markup."""
        ends = [run.end for _, run in self._editable]
        taken: Counter[int] = Counter()
        for edit in edits:
            taken[bisect_left(ends, edit.end)] += edit.end - edit.start - len(edit.after)
        emptied = {place for place, count in taken.items() if count == len(self._editable[place][1].shown)}
        return [edit for edit in edits if bisect_left(ends, edit.end) not in emptied] if emptied else edits

    def _letters_left(self, edits: list[E]) -> bool:
        """Whether edits leave something to read: an empty line or cell would be another document."""
        changed = {place for edit in edits for place in range(edit.start, edit.end)}
        kept = (sign for place, sign in enumerate(self.prose) if place not in changed)
        return any(map(str.isalpha, kept)) or any(_WORDS.search(edit.after) for edit in edits)

    def map_range(self, start: int, end: int) -> tuple[int, int] | None:
        """Return where characters [start, end) of the prose stand in the document, if they may be changed there."""
        if start == end:
            place = self._map_place(start)
            return None if place is None else (place, place)
        at, run = self._editable[max(0, bisect_right(self._starts, start) - 1)]
        if at <= start and end <= at + len(run.shown):
            return start - at + run.start, end - at + run.start
        return None

    @cached_property
    def _editable(self) -> list[tuple[int, Run]]:
        """The editable runs, and where they begin in the prose."""
        places = accumulate((len(run.shown) for run in self.runs), initial=0)
        return [(at, run) for at, run in zip(places, self.runs, strict=False) if run.editable]

    @cached_property
    def _nouns(self) -> frozenset[int]:
        """Where in the prose nouns begin that stand for something: what they stand for may want another article."""
        places = accumulate((len(run.shown) for run in self.runs), initial=0)
        return frozenset(at for at, run in zip(places, self.runs, strict=False) if run.placeholder)

    @cached_property
    def _starts(self) -> list[int]:
        return [at for at, _ in self._editable]

    def _map_place(self, place: int) -> int | None:
        """Find where something can be inserted; beside hidden markup that is outside of it."""
        right = next(((at, run) for at, run in self._editable if at <= place < at + len(run.shown)), None)
        left = next(((at, run) for at, run in self._editable if at < place <= at + len(run.shown)), None)
        if left and right and left != right:
            if not self.prose[place].isalnum():  # behind markup that closes
                return right[1].start
            return None if self.prose[place - 1].isalnum() else left[1].end
        if found := left or right:
            return place - found[0] + found[1].start
        return None

    def _map(self, edit: E) -> list[E] | None:
        if not self._harmless(edit):
            return None
        whole = self._map_one(edit) or self._map_deletion(edit)
        return [whole] if whole else self._map_words(edit)

    def _harmless(self, edit: Edit) -> bool:
        """Whether an edit brings in no markup, no line end, no stand-in, and no full stop where none is needed."""
        new = (Counter(edit.after) - Counter(edit.before)).keys()
        if new & self.special or new & _LINE_ENDS:
            return False
        if {NOUN, VOWEL_NOUN} & set(_WORDS.findall(edit.after)) and any(run.placeholder for run in self.runs):
            return False
        if self._judges_noun(edit) or (self.note and edit.start == 0 and _capitalises(edit)):
            return False
        return not (self.fragment and edit.start == len(self.prose) and not _WORDS.search(edit.after))

    def _judges_noun(self, edit: Edit) -> bool:
        """Whether an edit gives an article to a stand-in, or takes it: what it stands for may want another one."""
        noun = edit.end if edit.end in self._nouns else edit.end + 1
        if noun not in self._nouns or not set((edit.before + " " + edit.after).lower().split()) & _ARTICLES:
            return False
        new = self.prose[: edit.start] + edit.after + self.prose[edit.end : noun]
        return _has_article(self.prose[:noun]) != _has_article(new)

    def _map_one(self, edit: E) -> E | None:
        place = self.map_range(edit.start, edit.end)
        if place is None:
            return None
        if self._glues(edit) or self._begins_otherwise(edit) or (not edit.after and self._empties(edit)):
            return None
        if self._parts(edit, *place):
            return None
        return replace(edit, start=place[0], end=place[1])

    def _empties(self, edit: Edit) -> bool:
        """Whether an edit takes away all that stands between two pieces of markup."""
        return any((at, at + len(run.shown)) == (edit.start, edit.end) for at, run in self._editable)

    def _glues(self, edit: Edit) -> bool:
        """Whether an edit joins something to a name, code or sign, which would then read otherwise."""
        starts, ends = self._fixed
        glued = False
        if edit.end in starts:
            old, new = self.prose[: edit.end][-1:], (self.prose[: edit.start] + edit.after)[-1:]
            glued = new != old and new not in _BEFORE_FIXED
        if edit.start in ends:
            old, new = self.prose[edit.start :][:1], (edit.after + self.prose[edit.end :])[:1]
            opens = self.prose[edit.start - 1] == "<" and new in "!?"  # a comment or an instruction
            glued = glued or (new != old and (new not in _BEHIND_FIXED or opens))
        return glued

    def _parts(self, edit: Edit, start: int, end: int) -> bool:
        """Whether an edit leaves whitespace between a word and the markup or the line's end that it stands at."""
        run = next(run for _, run in self._editable if run.start <= start and end <= run.end)
        new = run.shown[: start - run.start] + edit.after + run.shown[end - run.start :]
        first, last = run.shown[:1], run.shown[-1:]
        before, behind = new[:1].isspace(), new[-1:].isspace()
        return (before and first not in _BEHIND_FIXED) or (behind and last not in _BEFORE_FIXED)

    def _begins_otherwise(self, edit: Edit) -> bool:
        """Whether an edit makes a line begin with whitespace, or as a list item or heading does."""
        if edit.start not in self._line_starts:
            return False
        old, new = self.prose[edit.start :], edit.after + self.prose[edit.end :]
        return bool(_LINE_START.match(new)) and not _LINE_START.match(old)

    @cached_property
    def _line_starts(self) -> frozenset[int]:
        """Where in the prose a line of the document may begin."""
        places = accumulate(len(run.shown) for run in self.runs)
        return frozenset([0, *(at for at, run in zip(places, self.runs, strict=True) if run.shown == " ")])

    @cached_property
    def _fixed(self) -> tuple[frozenset[int], frozenset[int]]:
        """Where in the prose something begins and ends that is shown but may not change; a colon may be anywhere."""
        places = list(accumulate((len(run.shown) for run in self.runs), initial=0))
        fixed = [place for place, run in enumerate(self.runs) if not run.editable and run.shown.strip(" :")]
        return frozenset(places[place] for place in fixed), frozenset(places[place + 1] for place in fixed)

    def _map_deletion(self, edit: E) -> E | None:
        """Delete a word at the beginning of a line with the space behind it: the one before it is the line's end."""
        last = edit.end + 1
        if edit.after or edit.end == edit.start or self.prose[edit.start] != " " or self.prose[edit.end : last] != " ":
            return None
        return self._map_one(replace(edit, start=edit.start + 1, end=last, before=edit.before[1:] + " "))

    def _map_words(self, edit: E) -> list[E] | None:
        """Map an edit across a line's end or markup word by word, where each word has its counterpart."""
        old, new = edit.before.split(" "), edit.after.split(" ")
        if len(old) != len(new) or len(old) < 2 or not all(old) or not all(new):
            return None
        parts = [self._map_one(part) for part in _words(edit, old, new) if part.before != part.after]
        return None if None in parts else [part for part in parts if part is not None]


def _has_article(text: str) -> bool:
    """Whether a text ends with an article."""
    return _LAST_WORD.sub("", text[-8:]).lower() in _ARTICLES


def _capitalises(edit: Edit) -> bool:
    return edit.before[:1].islower() and edit.before != "i" and edit.after[:1].isupper()


def _words(edit: E, old: list[str], new: list[str]) -> Iterator[E]:
    at = edit.start
    for before, after in zip(old, new, strict=True):
        yield replace(edit, start=at, end=at + len(before), before=before, after=after)
        at += len(before) + 1


def _without_overlaps(edits: Iterable[E]) -> Iterator[E]:
    done = 0
    for edit in sorted(edits, key=lambda each: (each.start, each.end)):
        if edit.start >= done:
            yield edit
            done = edit.end


_UNUSUAL = re.compile(r"\s|[\ud800-\udfff]")  # what sentencex stumbles over, each as one character


@cache
def _load_splitter() -> Callable[[str, str], list[str]]:
    return cast(Callable[[str, str], list[str]], import_module("sentencex").segment)  # it has no types


def split(
    paragraph: Paragraph, origin: int = 0, language: str = "en", special: frozenset[str] = frozenset()
) -> list[Sentence]:
    """Split a paragraph into sentences; its runs count from `origin` on, theirs from the document's beginning."""
    sentences = []
    ranges = list(sentence_ranges(paragraph.text, language))
    places = list(accumulate((len(run.shown) for run in paragraph.runs), initial=0))
    for start, end in ranges:
        first, last = bisect_right(places, start) - 1, bisect_left(places, end)
        runs = tuple(_cut(paragraph.runs[first:last], start - places[first], end - places[first], origin))
        if any(run.editable and any(map(str.isalpha, run.shown)) for run in runs):
            fragment = paragraph.fragment and end == ranges[-1][1]
            note = paragraph.note and start == ranges[0][0]
            sentences.append(Sentence(paragraph.text[start:end], runs, fragment, note, special | paragraph.special))
    return sentences


def sentence_ranges(text: str, language: str = "en") -> Iterator[tuple[int, int]]:
    """Yield where the sentences of a text begin and end, without the whitespace around them."""
    at = 0
    for part in _load_splitter()(language, _UNUSUAL.sub(" ", text)):
        sentence = text[at : at + len(part)]
        start = at + len(sentence) - len(sentence.lstrip())
        at += len(part)
        if sentence.strip():
            yield start, start + len(sentence.strip())


def _cut(runs: tuple[Run, ...], start: int, end: int, origin: int) -> Iterator[Run]:
    """Yield what the runs show between two places of their text."""
    at = 0
    for run in runs:
        first, last = max(start - at, 0), min(end - at, len(run.shown))
        if run.editable:
            yield Run(run.start + first + origin, run.start + last + origin, run.shown[first:last], editable=True)
        else:
            yield Run(run.start + origin, run.end + origin, run.shown[first:last], placeholder=run.placeholder)
        at += len(run.shown)
