"""Training pairs: from the data section of a recipe to a `PairSource`, guarded against what is held out.

In: `Data`. Out: a source, which hands out the pairs at a range of places in an epoch's order, the same ones whenever
it is asked: files, sentences in which errors are made, both shuffled together, or either with its sides exchanged
(`data.reverse`). The rest of training knows no more than `PairSource.read`.

    make_source(Data(train=("wi.m2", "sampled.tsv"), text=("news.txt.xz",), errors="errors.json"))

No sentence of a development or test set may be learned. A pair leaks when its source or its target, or a sentence
inside of them, is held out, written in letters and digits alone and without regard to case. The sets that come with
permend (`corpora.held_out`) are always guarded, and so are those that the recipe names (`data.validation` and
`data.held_out`). Short sentences (*Thank you very much.*) occur everywhere and say nothing about a leak. A whole file
that is held out is refused, before anything is learned.

>>> guard = LeakGuard([Pair("He go to the school every day .", "He goes to school every day .")], least_words=6)
>>> guard.leaks(Pair("He goes to school, every day.", "He went to school every day."))
True
>>> guard.leaks(Pair("He goes to work every day.", "He goes to work every day."))
False
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate, chain, islice
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from permend.corpora.held_out import LEAST_WORDS, fingerprints, held_out_hashes, holds, refuse_held_out
from permend.corpora.lines import content_suffix, is_set_aside, read_names, read_paragraphs
from permend.corpora.pairs import EpochOrder, Pair, read_pairs
from permend.errors import InputError, PermendError
from permend.synthesis.corrupt import Corruptor, Settings
from permend.synthesis.error_model import ErrorModel
from permend.synthesis.generate import Job, Sentences, SyntheticPairs
from permend.synthesis.spelling import read_misspellings
from permend.synthesis.targets import Judge
from permend.training.correction.recipe import Data


def read_corpus(path: str | Path, raw: bool = True, without: Collection[str] = ()) -> Iterator[Pair]:
    """Yield the pairs of a file; those of annotated corpora, which are tokens, as a writer types them if `raw`."""
    tokenised = content_suffix(path) == ".m2" or Path(path).is_dir()
    return read_pairs(path, raw=raw and tokenised, without=without)


class PairSource(Protocol):
    """Pairs in an order that depends on the epoch."""

    def __len__(self) -> int:
        """Pairs in one epoch."""

    def read(self, epoch: int, seed: int, start: int, stop: int) -> Iterable[Pair]:
        """Return the pairs at the places [start, stop) of an epoch's order."""


class FilePairs:
    """The pairs of files, held in memory as one stretch of bytes and shuffled anew in every epoch."""

    def __init__(self, paths: Sequence[str | Path], raw: bool = True, without: Collection[str] = ()) -> None:
        """Read the files, but not the pairs of some repositories; a file that cannot be used is named."""
        text = bytearray()
        ends = array("q", [0])
        for path in paths:
            for pair in read_corpus(path, raw, without):
                for side in (pair.source, pair.target):
                    text += side.encode("utf-8")
                    ends.append(len(text))
        self._text = bytes(text)
        self._ends: NDArray[np.int64] = np.frombuffer(ends, dtype=np.int64)  # (2 pairs + 1,)
        self._order = EpochOrder(len(self))

    def __len__(self) -> int:
        """Return the number of pairs in all files."""
        return len(self._ends) // 2

    def read(self, epoch: int, seed: int, start: int, stop: int) -> Iterator[Pair]:
        """Yield pairs of the epoch's order."""
        for pair in self._order(epoch, seed)[start:stop]:
            first, middle, last = self._ends[2 * pair : 2 * pair + 3]
            yield Pair(self._text[first:middle].decode("utf-8"), self._text[middle:last].decode("utf-8"))


class MixedPairs:
    """The pairs of several sources, shuffled together: an epoch is one epoch of each."""

    def __init__(self, sources: Sequence[PairSource]) -> None:
        """Take the sources."""
        self._sources = sources
        self._starts = [0, *accumulate(map(len, sources))]
        self._order = EpochOrder(len(self), 1)

    def __len__(self) -> int:
        """Return the number of pairs in all sources."""
        return self._starts[-1]

    def read(self, epoch: int, seed: int, start: int, stop: int) -> Iterator[Pair]:
        """Yield pairs of the epoch's order."""
        for place in self._order(epoch, seed)[start:stop].tolist():
            number = bisect_right(self._starts, place) - 1
            inside = place - self._starts[number]
            yield from self._sources[number].read(epoch, seed, inside, inside + 1)


class ReversedPairs:
    """The pairs of a source with their sides exchanged: from right to wrong."""

    def __init__(self, source: PairSource) -> None:
        """Take the source."""
        self._source = source

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self._source)

    def read(self, epoch: int, seed: int, start: int, stop: int) -> Iterator[Pair]:
        """Yield pairs of the epoch's order."""
        for pair in self._source.read(epoch, seed, start, stop):
            yield Pair(pair.target, pair.source)


def make_source(data: Data) -> PairSource:
    """Return where the recipe's pairs come from."""
    sources: list[PairSource] = []
    if data.train:
        sources.append(FilePairs(data.train, data.raw, read_names(data.without)))
    if data.text:
        sources.append(_made(data))
    mixed = sources[0] if len(sources) == 1 else MixedPairs(sources)
    return ReversedPairs(mixed) if data.reverse else mixed


def _made(data: Data) -> SyntheticPairs:
    """Return the text's sentences, in which errors are made."""
    model = ErrorModel.load(str(data.errors))
    lists = read_misspellings(data.misspellings, model.words) if data.misspellings else {}
    corruptor = Corruptor(model, Settings(rates=_rates(model, data), misspellings=lists))
    if data.lines:
        return SyntheticPairs(Sentences(_lines(data)), corruptor)
    joined, lines = model.chances.get("joined", (0, 1))
    job = Job(
        corruptor,
        language=model.language or "en",
        joined=joined / max(1, lines),
        judge=Judge(known=frozenset(model.words)),
    )
    sentences = Sentences.read(
        data.text,
        job,
        keep=dict(zip(data.text, data.text_shares, strict=False)),
        wanted=lambda paragraph: not is_set_aside(paragraph, data.set_aside),
    )
    return SyntheticPairs(sentences, corruptor)


def _rates(model: ErrorModel, data: Data) -> dict[str, float]:
    unknown = data.rates.keys() - model.types.keys()
    if unknown:
        known = ", ".join(sorted(model.types))
        raise PermendError(f"data.rates: {data.errors} has no type {min(unknown)}; it has {known}")
    return dict(model.rates) | {name: model.rates.get(name, 1.0) * factor for name, factor in data.rates.items()}


def _lines(data: Data) -> Iterator[str]:
    """Yield lines that are sentences already."""
    if data.text_shares or data.set_aside:
        raise PermendError("data.text_shares and data.set_aside choose paragraphs: data.lines has none")
    for path in data.text:
        yield from read_paragraphs(path)


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
    """Return the guard of a recipe; without `data.leak_tokens` it guards no file of the recipe's own."""
    held_out = (pair for path in data.held_out for pair in read_corpus(path, data.raw))
    return LeakGuard(chain(validation, held_out), data.leak_tokens) if data.leak_tokens else LeakGuard()


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
        yield islice(read_corpus(path, data.raw, read_names(data.without)), number)
    for path in data.text:
        yield (Pair(text, text) for text in islice(read_paragraphs(path), number))
