"""The leak guard: no sentence of a development or test set may be learned.

In: the validation pairs; the sets that come with permend (`corpora.held_out`) are known without being asked for. Out: a
test of training pairs. A pair leaks when its source or its target, or a sentence inside of them, is held out, written
in letters and digits alone and without regard to case. Short sentences (*Thank you very much.*) occur everywhere and
say nothing about a leak.

>>> guard = LeakGuard([Pair("He go to the school every day .", "He goes to school every day .")], least_words=6)
>>> guard.leaks(Pair("He goes to school, every day.", "He went to school every day."))
True
>>> guard.leaks(Pair("He goes to work every day.", "He goes to work every day."))
False

A whole file that is held out is refused, before anything is learned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from permend.corpora.fingerprints import fingerprints, holds
from permend.corpora.held_out import LEAST_WORDS, held_out_hashes, refuse_held_out
from permend.corpora.pairs import Pair
from permend.corpora.paragraphs import read_paragraphs
from permend.errors import InputError
from permend.training.recipe import Data
from permend.training.sources import read_corpus


class LeakGuard:
    """Knows the sentences that must not be trained on."""

    def __init__(self, held_out: Iterable[Pair] = (), least_words: int = LEAST_WORDS) -> None:
        """Note the sentences of `held_out`; only those with at least `least_words` words will be looked for."""
        self._least_words = least_words
        sides = (side for pair in held_out for side in (pair.source, pair.target))
        self._known = held_out_hashes().union(*map(fingerprints, sides))

    def leaks(self, pair: Pair) -> bool:
        """Whether either side of the pair holds a sentence that is held out."""
        return self._holds(pair.source) or (pair.target != pair.source and self._holds(pair.target))

    def _holds(self, text: str) -> bool:
        return holds(text, self._known, self._least_words)


def make_guard(data: Data, validation: Iterable[Pair]) -> LeakGuard:
    """Return the guard of a recipe; without `data.leak_tokens` the sentences of its validation file may be learned."""
    return LeakGuard(validation, data.leak_tokens) if data.leak_tokens else LeakGuard()


def refuse_held_out_files(data: Data) -> None:
    """Refuse a recipe that learns from its own validation file, or from a file that is a development or test set."""
    validation = Path(data.validation).resolve() if data.validation else None
    for path in (*data.train, *data.text):
        if Path(path).resolve() == validation:
            raise InputError("this is the recipe's validation file, which it cannot learn from as well", path)
    for path in data.train:
        pairs = read_corpus(path, data.raw)
        refuse_held_out(path, (side for pair in pairs for side in (pair.source, pair.target)))
    for path in data.text:
        refuse_held_out(path, read_paragraphs(path))


def count_leaks(data: Data, number: int = 2000) -> tuple[int, int]:
    """Return how many of the first pairs (of texts: paragraphs) of each file leak, and how many were looked at."""
    guard = make_guard(data, read_corpus(data.validation, data.raw) if data.validation else ())
    leaks = [guard.leaks(pair) for pairs in _beginnings(data, number) for pair in pairs]
    return sum(leaks), len(leaks)


def _beginnings(data: Data, number: int) -> Iterator[Iterator[Pair]]:
    for path in data.train:
        yield islice(read_corpus(path, data.raw), number)
    for path in data.text:
        yield (Pair(text, text) for text in islice(read_paragraphs(path), number))
