"""Text files in, pairs out: split, judge, corrupt, before training or while it runs.

In: paths of clean text, one paragraph a line, and a `Job`. Out of `make_corruptions`: a stream of `Corruption`, made in
as many processes as are given, in an order and with errors that depend on the texts and the seed alone: every paragraph
has a random generator of its own. The files take turns, so the beginning of the stream is a mixture of all of them.
Memory does not depend on the size of the files.

`SyntheticPairs` makes errors while training instead, without files and new ones in every epoch: it holds the clean
`Sentences` as one stretch of bytes, and gives the pairs of an epoch by their places, a function of epoch, seed and
place alone, as training asks of a source (`permend.training.correction.data.PairSource`).

    sentences = Sentences.read(["news.txt.xz", "letters.txt"], Job(corruptor))
    train(recipe, source=SyntheticPairs(sentences, corruptor))
"""

from __future__ import annotations

import random
from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from permend.batch.engine import Engine
from permend.batch.pool import Pool
from permend.corpora.lines import read_paragraphs
from permend.corpora.pairs import EpochOrder, Pair
from permend.errors import PermendError
from permend.synthesis.corrupt import Corruption, Corrupts
from permend.synthesis.targets import Judge, Seen, Tally, join_some, split_sentences

_CHUNK = 64

_Result = tuple[list[Corruption], Counter[str]]


class Paragraph(NamedTuple):
    """A paragraph, and where it stands."""

    file: int
    number: int
    text: str


@dataclass(frozen=True)
class Job:
    """What to do with a paragraph."""

    corruptor: Corrupts
    seed: int = 0
    language: str = "en"
    judge: Judge = field(default_factory=Judge)
    joined: float = 0.0
    """Share of neighbouring sentences that stay together in twos."""
    split: bool = True
    """Whether lines are paragraphs; otherwise each is a sentence."""

    def sentences(self, paragraph: Paragraph) -> tuple[list[str], Counter[str]]:
        """Return the good sentences of a paragraph, and the reasons why others were dropped."""
        found = split_sentences(paragraph.text, self.language) if self.split else [paragraph.text]
        dropped: Counter[str] = Counter()
        runs: list[list[str]] = [[]]
        for sentence in found:
            reason = self.judge(sentence)
            if reason is None:
                runs[-1].append(sentence)
            else:
                dropped[reason] += 1
                runs.append([])
        random_ = random.Random(f"{self.seed} join {paragraph.file} {paragraph.number}")
        return [each for run in runs for each in join_some(run, self.joined, random_)], dropped

    def run(self, chunk: Sequence[Paragraph]) -> _Result:
        """Make pairs of the good sentences of some paragraphs."""
        made: list[Corruption] = []
        dropped: Counter[str] = Counter()
        for paragraph in chunk:
            sentences, reasons = self.sentences(paragraph)
            dropped += reasons
            random_ = random.Random(f"{self.seed} {paragraph.file} {paragraph.number}")
            made += [self.corruptor.corrupt(sentence, random_) for sentence in sentences]
        return made, dropped


def read_chunks(
    paths: Sequence[str | Path],
    keep: Mapping[str, float] | None = None,
    seed: int = 0,
    wanted: Callable[[str], bool] = lambda text: True,
) -> Iterator[list[Paragraph]]:
    """Yield wanted paragraphs, a chunk from each file in turn; of files named in `keep`, only that share of them."""
    shares = [(keep or {}).get(str(path), 1.0) for path in paths]
    streams = deque(_read(file, path, shares[file], seed, wanted) for file, path in enumerate(paths))
    while streams:
        chunk = list(islice(streams[0], _CHUNK))
        if chunk:
            yield chunk
            streams.rotate(-1)
        else:
            streams.popleft()


def _read(file: int, path: str | Path, share: float, seed: int, wanted: Callable[[str], bool]) -> Iterator[Paragraph]:
    random_ = random.Random(f"{seed} keep {file}")
    for number, text in enumerate(read_paragraphs(path)):
        if (share >= 1 or random_.random() < share) and wanted(text):
            yield Paragraph(file, number, text)


def make_corruptions(
    chunks: Iterable[list[Paragraph]],
    job: Job,
    *,
    workers: int | None = None,
    ray: str | None = None,
    tally: Tally | None = None,
    progress: Callable[[int], object] = lambda pairs: None,
) -> Iterator[Corruption]:
    """Yield the corruption of every good sentence once; `progress` is told how many more pairs are done.

    The work is done by so many processes, on this machine (one unless told otherwise) or, with an address, on `ray`
    (one a core of it): `permend.batch`.
    """
    tally = Tally.empty() if tally is None else tally
    seen = Seen()
    with _engine(job, workers, ray) as engine:
        for made, dropped in engine.map(chunks):
            tally.dropped += dropped
            for corruption in made:
                if seen.add(corruption.pair.target):
                    tally.dropped["duplicate"] += 1
                else:
                    tally.kept += 1
                    yield corruption
            progress(len(made))


def _engine(job: Job, workers: int | None, ray: str | None) -> Engine[list[Paragraph], _Result]:
    prepare = partial(_give, job.run)
    if ray is None:
        return Pool(prepare, workers or 1)
    from permend.batch.ray_pool import RayPool

    return RayPool(prepare, workers, ray)


def _give(run: Callable[[list[Paragraph]], _Result]) -> Callable[[list[Paragraph]], _Result]:
    """Return what a job does, where it is done: the job travels there once, not with every chunk."""
    return run


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
        self._order = EpochOrder(len(sentences))

    def __len__(self) -> int:
        """Return the pairs of one epoch."""
        return len(self._sentences)

    def read(self, epoch: int, seed: int, start: int, stop: int) -> Iterator[Pair]:
        """Yield the pairs at the places [start, stop) of an epoch's order."""
        for place in self._order(epoch, seed)[start:stop]:
            random_ = random.Random(f"{seed} {epoch} {place}")
            yield self._corruptor.corrupt(self._sentences[int(place)], random_).pair
