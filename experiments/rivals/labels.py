"""From pairs to batches, for every rival alike: a row of numbers for each column that the rival names.

In: pairs, and a rival's `Labels`, which turn the tokens of a pair into rows. Out: what `training.correction.stream`
asks for: a `RowMaker` that makes examples of one width, a `RowPacker` that makes batches. All columns of an example
have the same width L, a multiple of `bucket`, and are padded with -1; so a batch is one (B, L) tensor a column.

    AR:  target_in  <s> I am busy      target_out  I am busy </s>      source  <s> I be busy </s>

A batch always has as many rows as its width allows: rows without an example hold the rival's row for an empty
sentence in the columns that the network reads, and nothing to learn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from permend.corpora.pairs import Pair
from permend.text.tokens import Tokenizer, Tokens
from permend.training.correction.data import LeakGuard
from permend.training.correction.examples import PADDING, Chunk, Tally, padded, tokenised

Row: TypeAlias = Mapping[str, Sequence[int]]
"""Numbers by column."""
Columns: TypeAlias = Mapping[str, NDArray[np.int64]]
"""(B, L) arrays by column."""


class Labels(Protocol):
    """How one rival turns a pair into what it learns from; without torch, so that worker processes can do it."""

    @property
    def read(self) -> frozenset[str]:
        """The columns that the network reads; the others are what it should say, -1 where that does not count."""

    def row(self, source: Tokens, target: Tokens) -> Row | None:
        """Return the row of a pair; None where it cannot be expressed."""

    def counts(self, columns: Columns) -> tuple[float, ...]:
        """Return what the sums of the rival's terms are divided by, in the order of the terms."""


@dataclass(frozen=True)
class Rows:
    """Examples of one width."""

    columns: Mapping[str, NDArray[np.int32]]
    """(k, L) each."""

    def __len__(self) -> int:
        """Return the number of examples."""
        return len(next(iter(self.columns.values())))

    def __getitem__(self, rows: slice) -> Rows:
        """Return some of the examples."""
        return Rows({name: column[rows] for name, column in self.columns.items()})

    def widened(self, by: int) -> Rows:
        """Return the same examples with more columns of padding."""
        wider = {n: np.pad(c, ((0, 0), (0, by)), constant_values=PADDING) for n, c in self.columns.items()}
        return Rows(wider)


@dataclass(frozen=True)
class Batch:
    """Tensors by column, and what is known of them without a network."""

    columns: dict[str, Tensor]
    """(B, L) each, -1 where there is nothing."""
    counts: tuple[float, ...]
    """What the sums of the rival's terms are divided by."""
    examples: int
    """Rows that are examples."""


@dataclass(frozen=True)
class RowMaker:
    """Turns pairs into examples."""

    labels: Labels
    tokenizer: Tokenizer
    max_length: int
    """Longest side of a pair in tokens, `<s>` and `</s>` not counted."""
    longest: int
    """Longest row that the network takes."""
    bucket: int = 8
    """Widths are multiples of this."""
    guard: LeakGuard = field(default_factory=LeakGuard)

    def make(self, pairs: Iterable[Pair]) -> Chunk[Rows]:
        """Label the pairs."""
        couples, tally = tokenised(pairs, self.tokenizer, self.guard, self.max_length)
        rows = [row for source, target in couples if (row := self.labels.row(source, target)) is not None]
        groups: dict[int, list[Row]] = {}
        for row in rows:
            groups.setdefault(self._width(row), []).append(row)
        too_wide = [width for width in groups if width > self.longest]
        unfit = sum(len(groups.pop(width)) for width in too_wide)
        tally += Tally(too_long=unfit, inexpressible=len(couples) - len(rows))
        return Chunk({width: stacked(group, width) for width, group in groups.items()}, tally)

    def blank(self) -> Row:
        """Return the row of an empty sentence."""
        nothing = self.tokenizer.encode("")
        row = self.labels.row(nothing, nothing)
        if row is None:
            raise ValueError("labels must express that an empty sentence stays as it is")
        return row

    def _width(self, row: Row) -> int:
        return -(-max(map(len, row.values())) // self.bucket) * self.bucket


def stacked(rows: Sequence[Row], width: int) -> Rows:
    """Return rows as examples of a width."""
    return Rows({name: padded([row[name] for row in rows], width, np.int32) for name in rows[0]})


@dataclass(frozen=True)
class RowPacker:
    """Makes batches of examples: so many padded positions in each column."""

    labels: Labels
    blank: Row
    tokens_per_batch: int

    @property
    def most_tokens(self) -> int:
        """Padded positions of the largest batch."""
        return self.tokens_per_batch

    def rows(self, width: int) -> int:
        """Return the rows of a batch."""
        return max(1, self.tokens_per_batch // width)

    def tokens(self, width: int) -> int:
        """Return the padded positions of a batch."""
        return self.rows(width) * width

    def stack(self, parts: Sequence[Rows]) -> Rows:
        """Put examples below each other."""
        return Rows({name: np.concatenate([part.columns[name] for part in parts]) for name in parts[0].columns})

    def full(self, examples: Rows, width: int) -> int:
        """Return how many of the examples, from the first, make a full batch; 0 where there are too few."""
        return self.rows(width) if len(examples) >= self.rows(width) else 0

    def collate(self, examples: Rows, width: int) -> Batch:
        """Make a batch."""
        columns = {name: self._filled_up(name, column) for name, column in examples.columns.items()}
        tensors = {name: torch.from_numpy(column) for name, column in columns.items()}
        return Batch(tensors, self.labels.counts(columns), len(examples))

    def empty(self, width: int) -> Batch:
        """Make a batch without examples: as large as a full one, and worth nothing."""
        return self.collate(stacked([self.blank], width)[:0], width)

    def pinned(self, batch: Batch) -> Batch:
        """Return the batch in memory from which a GPU can fetch by itself."""
        return Batch({name: each.pin_memory() for name, each in batch.columns.items()}, batch.counts, batch.examples)

    def _filled_up(self, name: str, column: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return a column with as many rows as a batch has."""
        width = column.shape[1]
        out = np.full((self.rows(width), width), PADDING, dtype=np.int64)
        if name in self.labels.read:
            out[:, : len(self.blank[name])] = self.blank[name]
        out[: len(column)] = column
        return out
