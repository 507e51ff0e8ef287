"""Paragraphs to sentences.

In: a paragraph as runs. Out: its sentences, split by ``sentencex`` (MIT, of the Wikimedia Foundation, about 300
languages), without the whitespace around them; those without a letter that may change are left out.

>>> from permend.documents.runs import Run
>>> shown = "Dr. Hall met J. Bond. They had tea! 12."
>>> [each.prose for each in split(Paragraph((Run(0, len(shown), shown, free=True),)))]
['Dr. Hall met J. Bond.', 'They had tea!']
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from itertools import accumulate
from typing import cast

from permend.documents.runs import Paragraph, Run
from permend.documents.sentence import Sentence

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
        if any(run.free and any(map(str.isalpha, run.shown)) for run in runs):
            fragment = paragraph.fragment and end == ranges[-1][1]
            sentences.append(Sentence(paragraph.text[start:end], runs, fragment, special))
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
        if run.free:
            yield Run(run.start + first + origin, run.start + last + origin, run.shown[first:last], free=True)
        else:
            yield Run(run.start + origin, run.end + origin, run.shown[first:last], noun=run.noun)
        at += len(run.shown)
