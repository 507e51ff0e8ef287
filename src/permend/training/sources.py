"""Where training pairs come from: files, or anything else that can hand out the pairs of an epoch by number.

In: an epoch, a seed and a range of places in that epoch's order. Out: the pairs at those places, the same ones whenever
they are asked for. That is all the rest of training knows, so a generator of synthetic errors is a source as well:
it needs no files, only a `read` that is a function of its arguments. Sources can be mixed, and turned round.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from permend.corpora.lines import content_suffix
from permend.corpora.pairs import Pair, read_pairs


def read_corpus(path: str | Path, raw: bool = True) -> Iterator[Pair]:
    """Yield the pairs of a file; those of annotated corpora, which are tokens, as a writer types them if `raw`."""
    tokenised = content_suffix(path) == ".m2" or Path(path).is_dir()
    return read_pairs(path, raw=raw and tokenised)


class PairSource(Protocol):
    """Pairs in an order that depends on the epoch."""

    def __len__(self) -> int:
        """Pairs in one epoch."""

    def read(self, epoch: int, seed: int, start: int, stop: int) -> Iterable[Pair]:
        """Return the pairs at the places [start, stop) of an epoch's order."""


class FilePairs:
    """The pairs of files, held in memory as one stretch of bytes and shuffled anew in every epoch."""

    def __init__(self, paths: Sequence[str | Path], raw: bool = True) -> None:
        """Read the files; one that cannot be used is named."""
        text = bytearray()
        ends = array("q", [0])
        for path in paths:
            for pair in read_corpus(path, raw):
                for side in (pair.source, pair.target):
                    text += side.encode("utf-8")
                    ends.append(len(text))
        self._text = bytes(text)
        self._ends: NDArray[np.int64] = np.frombuffer(ends, dtype=np.int64)  # (2 pairs + 1,)
        self._shuffled: tuple[tuple[int, int], NDArray[np.int64]] | None = None

    def __len__(self) -> int:
        """Return the number of pairs in all files."""
        return len(self._ends) // 2

    def read(self, epoch: int, seed: int, start: int, stop: int) -> Iterator[Pair]:
        """Yield pairs of the epoch's order."""
        for pair in self._order(epoch, seed)[start:stop]:
            first, middle, last = self._ends[2 * pair : 2 * pair + 3]
            yield Pair(self._text[first:middle].decode("utf-8"), self._text[middle:last].decode("utf-8"))

    def _order(self, epoch: int, seed: int) -> NDArray[np.int64]:
        if self._shuffled is None or self._shuffled[0] != (epoch, seed):
            self._shuffled = (epoch, seed), np.random.default_rng([seed, epoch]).permutation(len(self))
        return self._shuffled[1]


class MixedPairs:
    """The pairs of several sources, shuffled together: an epoch is one epoch of each."""

    def __init__(self, sources: Sequence[PairSource]) -> None:
        """Take the sources."""
        self._sources = sources
        self._starts = [0, *accumulate(map(len, sources))]
        self._shuffled: tuple[tuple[int, int], NDArray[np.int64]] | None = None

    def __len__(self) -> int:
        """Return the number of pairs in all sources."""
        return self._starts[-1]

    def read(self, epoch: int, seed: int, start: int, stop: int) -> Iterator[Pair]:
        """Yield pairs of the epoch's order."""
        for place in self._order(epoch, seed)[start:stop].tolist():
            number = bisect_right(self._starts, place) - 1
            inside = place - self._starts[number]
            yield from self._sources[number].read(epoch, seed, inside, inside + 1)

    def _order(self, epoch: int, seed: int) -> NDArray[np.int64]:
        if self._shuffled is None or self._shuffled[0] != (epoch, seed):
            self._shuffled = (epoch, seed), np.random.default_rng([seed, epoch, 1]).permutation(len(self))
        return self._shuffled[1]


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
