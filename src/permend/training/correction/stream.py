"""The stream of batches: worker processes label, a thread collates, and the network never waits.

In: a source of pairs, a maker that turns pairs into examples of some widths, a packer that turns examples of one width
into batches; what examples and batches look like is theirs alone. Out: batches, in an order that depends on the seed
and the number of streams alone, not on the number of workers, so that a run can be resumed on another machine.

An epoch's pairs are cut into pools. A pool is labelled chunk by chunk; a batch leaves as soon as enough examples of a
width are there; what is left at the pool's end moves up to the next width until it fills batches too. So a pool's
batches depend on nothing before it: to go on from the k-th batch of a pool, that pool alone is labelled again.

Several streams (processes, and batches whose gradients are summed) take turns at an epoch's pools. `prefetch` makes
batches in a thread while the one before is used.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, cast

import torch
from torch.utils.data import DataLoader, Dataset

from permend.corpora.pairs import Pair
from permend.errors import PermendError
from permend.training.correction.data import PairSource
from permend.training.correction.examples import Chunk, E, Tally
from permend.training.task import B, Delivery

Item = TypeVar("Item")


def prefetch(items: Iterator[Item], depth: int) -> Iterator[Item]:
    """Yield the items while a thread makes up to `depth` of them in advance; its errors are raised here."""
    box: queue.Queue[Any] = queue.Queue(depth)
    stopped = threading.Event()
    end = object()

    def put(item: Any) -> None:
        while not stopped.is_set():
            with suppress(queue.Full):
                box.put(item, timeout=0.1)
                return

    def work() -> None:
        try:
            for item in items:
                put(item)
                if stopped.is_set():
                    return
            put(end)
        except BaseException as error:  # raised again where the items are wanted
            put(error)

    thread = threading.Thread(target=work, name="permend-batches", daemon=True)
    thread.start()
    try:
        while (item := box.get()) is not end:
            if isinstance(item, BaseException):
                raise item
            yield cast(Item, item)
    finally:
        stopped.set()
        thread.join()


_CHUNK = 512
_POOL_BATCHES = 64
_TYPICAL_WIDTH = 32
_PREFETCHED = 8


class Maker(Protocol[E]):
    """Labels pairs."""

    def make(self, pairs: Iterable[Pair]) -> Chunk[E]:
        """Return their examples by width, and what became of the pairs."""


class Packer(Protocol[E, B]):
    """Puts examples of one width together."""

    @property
    def most_tokens(self) -> int:
        """Padded positions of the largest batch."""

    def tokens(self, width: int) -> int:
        """Return the padded positions of a batch."""

    def stack(self, parts: Sequence[E]) -> E:
        """Put examples below each other."""

    def full(self, examples: E, width: int) -> int:
        """Return how many of the examples, from the first, make a full batch; 0 where there are too few."""

    def collate(self, examples: E, width: int) -> B:
        """Make a batch, be it full or not."""

    def pinned(self, batch: B) -> B:
        """Return the batch in memory from which a GPU can fetch by itself."""


class Position(NamedTuple):
    """A place in a stream: so many batches of that pool have been used."""

    epoch: int = 0
    pool: int = 0
    batch: int = 0


class _Stretch(NamedTuple):
    """One chunk of a pool."""

    epoch: int
    pool: int
    start: int
    stop: int
    last: bool
    """Whether the pool ends here."""


@dataclass(frozen=True)
class _Chunks(Dataset[Chunk[E]]):
    """Labels stretches, in a worker process or in this one."""

    source: PairSource
    maker: Maker[E]
    seed: int

    def __getitem__(self, stretch: _Stretch) -> Chunk[E]:
        return self.maker.make(self.source.read(stretch.epoch, self.seed, stretch.start, stretch.stop))


@dataclass(frozen=True)
class Stream(Generic[E, B]):
    """One process's share of the batches."""

    source: PairSource
    maker: Maker[E]
    packer: Packer[E, B]
    seed: int = 1
    epochs: int | None = None
    """Passes over the source; None for no end."""
    number: int = 0
    """This stream among `streams`."""
    streams: int = 1
    workers: int = 0
    pin: int | None = None
    """The GPU for which batches are put where it can fetch them by itself."""

    def open(self, position: Sequence[int] = ()) -> Iterator[Delivery[B]]:
        """Start the workers and return the batches behind a position."""
        if len(self.source) < self.streams:
            raise PermendError(f"{len(self.source)} pairs are too few for {self.streams} streams of batches")
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # the workers are the parallelism
        loader: DataLoader[Chunk[E]] = DataLoader(
            _Chunks(self.source, self.maker, self.seed),
            sampler=_Again(self, Position(*position)),
            batch_size=None,
            num_workers=self.workers,
            prefetch_factor=4 if self.workers else None,
            collate_fn=_as_is,
            worker_init_fn=_ignore_signals,
        )
        chunks = iter(loader)  # forks here, before any thread of ours
        place = Position(*position)
        return prefetch(self._deliver(zip(self.stretches(place), chunks, strict=False), place), _PREFETCHED)

    def stretches(self, position: Position) -> Iterator[_Stretch]:
        """Yield what to label, from the position's pool on."""
        pairs = len(self.source)
        pools = self._pools(pairs)
        epoch, first = position.epoch, position.pool
        while self.epochs is None or epoch < self.epochs:
            for pool in range(first if first % self.streams == self.number else self.number, pools, self.streams):
                start, end = pairs * pool // pools, pairs * (pool + 1) // pools
                for at in range(start, end, _CHUNK):
                    stop = min(at + _CHUNK, end)
                    yield _Stretch(epoch, pool, at, stop, stop == end)
            epoch, first = epoch + 1, self.number

    def _pools(self, pairs: int) -> int:
        """Return the number of pools in an epoch: as many for each stream."""
        rows = self.packer.most_tokens // _TYPICAL_WIDTH
        return self.streams * max(1, round(pairs / (self.streams * _POOL_BATCHES * max(1, rows))))

    def _next_pool(self, position: Position) -> Position:
        pool = position.pool + self.streams
        if pool < self._pools(len(self.source)):
            return Position(position.epoch, pool)
        return Position(position.epoch + 1, self.number)

    def _deliver(self, chunks: Iterable[tuple[_Stretch, Chunk[E]]], position: Position) -> Iterator[Delivery[B]]:
        if self.pin is not None:  # this runs in a thread of its own, which begins with the first GPU
            torch.cuda.set_device(self.pin)
        pairs, done, tally = len(self.source), 0, Tally()
        shelves = _Shelves(self.packer)
        for stretch, chunk in chunks:
            tally += chunk.tally
            ready = [*shelves.add(chunk), *(shelves.clear() if stretch.last else ())]
            for count, (examples, width) in enumerate(ready, start=1):
                done += 1
                here = Position(stretch.epoch, stretch.pool, done)
                if here > position:
                    after = self._next_pool(here) if stretch.last and count == len(ready) else here
                    batch = self.packer.collate(examples, width)
                    batch = batch if self.pin is None else self.packer.pinned(batch)
                    read = stretch.start + (stretch.stop - stretch.start) * count / len(ready)
                    tokens = self.packer.tokens(width)
                    yield Delivery(batch, after, stretch.epoch + read / pairs, tokens, vars(tally))
                    tally = Tally()
            if stretch.last and not done:
                raise PermendError(_nothing(tally))
            done = 0 if stretch.last else done


@dataclass
class _Shelves(Generic[E, B]):
    """Examples that wait for a batch, by width."""

    packer: Packer[E, B]
    waiting: dict[int, E] = field(default_factory=dict)

    def add(self, chunk: Chunk[E]) -> Iterator[tuple[E, int]]:
        """Take in a chunk; yield the batches that are full now, with their width."""
        for width in sorted(chunk.examples):
            yield from self._put(width, chunk.examples[width])

    def clear(self) -> Iterator[tuple[E, int]]:
        """Yield what is left as batches, moving it up from width to width while a wider one waits too."""
        while self.waiting:
            width = min(self.waiting)
            examples = self.waiting.pop(width)
            if self.waiting:
                wider = min(self.waiting)
                yield from self._put(wider, examples.widened(wider - width))
            elif len(examples):
                yield examples, width

    def _put(self, width: int, examples: E) -> Iterator[tuple[E, int]]:
        held = self.packer.stack([self.waiting[width], examples]) if width in self.waiting else examples
        while count := self.packer.full(held, width):
            yield held[:count], width
            held = held[count:]
        self.waiting[width] = held


@dataclass(frozen=True)
class _Again:
    """The stretches of a stream, as something that can be iterated over."""

    stream: Stream[Any, Any]
    position: Position

    def __iter__(self) -> Iterator[_Stretch]:
        return self.stream.stretches(self.position)


def _nothing(tally: Tally) -> str:
    return (
        f"none of {tally.pairs:,} pairs can be used: {tally.too_long:,} are longer than data.max_length, "
        f"{tally.leaked:,} have a held-out sentence, {tally.inexpressible:,} have labels that do not fit"
    )


def _as_is(chunk: Any) -> Any:
    return chunk


def _ignore_signals(worker: int) -> None:
    """Leave signals to the main process, which saves and then ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
