"""Errors made while training: a source of pairs without files, new errors in every epoch.

In: clean sentences, held as one stretch of bytes, and a corruptor. Out: the pairs of an epoch by their places, a
function of epoch, seed and place alone, as training asks of a source (`permend.training.sources.PairSource`).

    sentences = Sentences.read(["news.txt.xz", "letters.txt"], Job(corruptor))
    train(recipe, source=SyntheticPairs(sentences, corruptor))
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import overload

import numpy as np
from numpy.typing import NDArray

from permend.corpora.pairs import Pair
from permend.errors import PermendError
from permend.synthesis.corrupt import Corrupts
from permend.synthesis.duplicates import Seen
from permend.synthesis.filters import Tally
from permend.synthesis.generate import Job, Paragraph, read_chunks


class Sentences(Sequence[str]):
    """Many sentences, packed: their bytes and eight more each. Processes that are forked share them."""

    def __init__(self, sentences: Iterable[str]) -> None:
        """Pack sentences; there must be at least one."""
        text = bytearray()
        ends = array("q", [0])
        for sentence in sentences:
            text += sentence.encode("utf-8")
            ends.append(len(text))
        if len(ends) == 1:
            raise PermendError("there are no sentences to make errors in")
        self._text = bytes(text)
        self._ends: NDArray[np.int64] = np.frombuffer(ends, dtype=np.int64)

    @classmethod
    def read(
        cls,
        paths: Sequence[str | Path],
        job: Job,
        *,
        keep: Mapping[str, float] | None = None,
        wanted: Callable[[str], bool] = lambda paragraph: True,
        limit: int | None = None,
        tally: Tally | None = None,
    ) -> Sentences:
        """Read the good sentences of the wanted paragraphs of text files, each once."""
        tally = Tally.empty() if tally is None else tally
        return cls(islice(good_sentences(read_chunks(paths, keep, job.seed, wanted), job, tally), limit))

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self._ends) - 1

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    def __getitem__(self, place: int | slice) -> str | list[str]:
        """Return a sentence, or several."""
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        place %= len(self)
        return self._text[self._ends[place] : self._ends[place + 1]].decode("utf-8")


def good_sentences(chunks: Iterable[Sequence[Paragraph]], job: Job, tally: Tally) -> Iterator[str]:
    """Yield the sentences of paragraphs that are good targets, each once."""
    seen = Seen()
    for chunk in chunks:
        for paragraph in chunk:
            sentences, dropped = job.sentences(paragraph)
            tally.dropped += dropped
            for sentence in sentences:
                if seen.add(sentence):
                    tally.dropped["duplicate"] += 1
                else:
                    tally.kept += 1
                    yield sentence


class SyntheticPairs:
    """A source of pairs for training: all sentences once an epoch, in a new order and with new errors."""

    def __init__(self, sentences: Sequence[str], corruptor: Corrupts) -> None:
        """Take the targets, and what makes their sources."""
        self._sentences = sentences
        self._corruptor = corruptor
        self._shuffled: tuple[tuple[int, int], NDArray[np.int64]] | None = None

    def __len__(self) -> int:
        """Return the pairs of one epoch."""
        return len(self._sentences)

    def read(self, epoch: int, seed: int, start: int, stop: int) -> Iterator[Pair]:
        """Yield the pairs at the places [start, stop) of an epoch's order."""
        for place in self._order(epoch, seed)[start:stop]:
            random_ = random.Random(f"{seed} {epoch} {place}")
            yield self._corruptor.corrupt(self._sentences[int(place)], random_).pair

    def _order(self, epoch: int, seed: int) -> NDArray[np.int64]:
        if self._shuffled is None or self._shuffled[0] != (epoch, seed):
            self._shuffled = (epoch, seed), np.random.default_rng([seed, epoch]).permutation(len(self))
        return self._shuffled[1]
