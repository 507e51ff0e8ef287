"""From pairs to examples: numpy rows that only have to be stacked into a batch.

In: pairs. Out: a `Chunk`, that is `Examples` by width and a tally of what was left out. Every example has the smallest
width L, a multiple of `bucket`, in which all its parts fit: n source tokens and s slots, the plan, the template.
Padding is -1 everywhere, so that lengths need not be carried along.

    <s> I be busy </s>, 2 slots, bucket 8 → L = 8
    source     0  8  9  7  2 -1 -1 -1
    order      0  1  5  3  4 -1 -1 -1
    template   0  8  4  4  4  7  2 -1
    origin     0  1  5  5  5  3  4 -1
    places     2  3  4 -1 -1 -1             of the masks in the template
    fills      6  1  1 -1 -1 -1             am <pad> <pad>

Labels are made by `permutation.label.Labeler` and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from permend.corpora.pairs import Pair
from permend.method.label import Label, Labeler
from permend.text.tokens import Tokenizer, Tokens
from permend.training.correction.data import LeakGuard

PADDING = -1


@dataclass(frozen=True)
class Examples:
    """Examples of one width L: k rows each, padded with -1 (the coordinates with 0)."""

    source: NDArray[np.int32]
    """(k, L) ids of the source, without slots."""
    order: NDArray[np.int16]
    """(k, L) the plan."""
    template: NDArray[np.int32]
    """(k, L) ids of the decoder's input."""
    origin: NDArray[np.int16]
    """(k, L) source position or slot behind each element of the template."""
    coordinates: NDArray[np.float32]
    """(k, L) where each element of the template lies in the source."""
    places: NDArray[np.int16]
    """(k, M) places of the masks in the template."""
    fills: NDArray[np.int32]
    """(k, M) tokens for these masks."""

    def __len__(self) -> int:
        """Return the number of examples."""
        return len(self.source)

    def __getitem__(self, rows: slice) -> Examples:
        """Return some of the examples."""
        return Examples(*(getattr(self, part.name)[rows] for part in fields(self)))

    def widened(self, by: int) -> Examples:
        """Return the same examples with `by` more columns of padding; the number of masks stays."""
        wide = {
            name: np.pad(
                getattr(self, name), ((0, 0), (0, by)), constant_values=0 if name == "coordinates" else PADDING
            )
            for name in ("source", "order", "template", "origin", "coordinates")
        }
        return replace(self, **wide)


def stack(parts: Sequence[Examples]) -> Examples:
    """Put examples of the same width below each other."""
    return Examples(*(np.concatenate([getattr(part, name.name) for part in parts]) for name in fields(Examples)))


@dataclass(frozen=True)
class Tally:
    """What became of pairs."""

    pairs: int = 0
    """Pairs read."""
    too_long: int = 0
    """Left out: a side longer than allowed, or a template that fits no width."""
    leaked: int = 0
    """Left out: a sentence of it is held out."""
    inexact: int = 0
    """Used, though the label cannot express all of the target."""
    inexpressible: int = 0
    """Left out: the label cannot express all of the target, and only exact labels are wanted."""

    def __add__(self, other: Tally) -> Tally:
        """Count both."""
        return Tally(*(getattr(self, name.name) + getattr(other, name.name) for name in fields(Tally)))


class Widening(Protocol):
    """Examples of one width, whatever they look like."""

    def __len__(self) -> int:
        """Return the number of examples."""

    def __getitem__(self, rows: slice, /) -> Self:
        """Return some of the examples."""

    def widened(self, by: int, /) -> Self:
        """Return the same examples with so many more columns of padding."""


E = TypeVar("E", bound=Widening)


@dataclass(frozen=True)
class Chunk(Generic[E]):
    """The examples of a stretch of pairs."""

    examples: dict[int, E]
    """By width."""
    tally: Tally


def tokenised(
    pairs: Iterable[Pair], tokenizer: Tokenizer, guard: LeakGuard, max_length: int
) -> tuple[list[tuple[Tokens, Tokens]], Tally]:
    """Return the tokens of both sides of the pairs that may be learned from and are not too long."""
    read = list(pairs)
    kept = [pair for pair in read if not guard.leaks(pair)]
    sides = tokenizer.encode_batch([side for pair in kept for side in (pair.source, pair.target)])
    couples = zip(sides[::2], sides[1::2], strict=True)
    limit = max_length + 2
    fitting = [(a, b) for a, b in couples if len(a.ids) <= limit and len(b.ids) <= limit]
    return fitting, Tally(pairs=len(read), too_long=len(kept) - len(fitting), leaked=len(read) - len(kept))


@dataclass(frozen=True)
class ExampleMaker:
    """Turns pairs into examples."""

    labeler: Labeler
    max_length: int = 70
    """Longest side of a pair in tokens, `<s>` and `</s>` not counted."""
    bucket: int = 8
    """Widths are multiples of this."""
    guard: LeakGuard = field(default_factory=LeakGuard)
    only_exact: bool = False
    """Whether pairs are left out whose labels cannot express all of the target."""

    @property
    def longest(self) -> int:
        """The largest width."""
        return self._round(self.max_length + 2 + self.labeler.slots)

    @property
    def widths(self) -> range:
        """All widths: the smallest holds a sentence without words."""
        return range(self._round(2 + self.labeler.slots), self.longest + 1, self.bucket)

    def make(self, pairs: Iterable[Pair]) -> Chunk[Examples]:
        """Label the pairs."""
        couples, tally = tokenised(pairs, self.labeler.tokenizer, self.guard, self.max_length)
        labels = [self.labeler.label_tokens(source, target) for source, target in couples]
        exact = [label for label in labels if label.alignment.losses.exact]
        inexact = len(labels) - len(exact)
        groups: dict[int, list[Label]] = {}
        for label in exact if self.only_exact else labels:
            groups.setdefault(self._width(label), []).append(label)
        unfit = len(groups.pop(0, ()))
        used, left_out = (0, inexact) if self.only_exact else (inexact, 0)
        tally += Tally(too_long=unfit, inexact=used, inexpressible=left_out)
        return Chunk({width: self._rows(group, width) for width, group in groups.items()}, tally)

    def _width(self, label: Label) -> int:
        """Return the smallest width that fits, or 0 where none does."""
        width = self._round(max(len(label.source.ids) + self.labeler.slots, len(label.template.ids)))
        return width if width <= self.longest else 0

    def _round(self, length: int) -> int:
        return -(-length // self.bucket) * self.bucket

    def _rows(self, labels: Sequence[Label], width: int) -> Examples:
        most = self.labeler.slots * self.labeler.masks
        templates = [label.template for label in labels]
        outputs = [[label.output[place] for place in label.template.masks] for label in labels]
        return Examples(
            source=padded([label.source.ids for label in labels], width, np.int32),
            order=padded([label.alignment.plan.order for label in labels], width, np.int16),
            template=padded([template.ids for template in templates], width, np.int32),
            origin=padded([template.source for template in templates], width, np.int16),
            coordinates=padded([template.coordinates for template in templates], width, np.float32, 0),
            places=padded([template.masks for template in templates], most, np.int16),
            fills=padded(outputs, most, np.int32),
        )


def padded(rows: Sequence[Sequence[float]], width: int, kind: Any, padding: int = PADDING) -> NDArray[Any]:
    """Return rows of numbers as an array, filled up to a width."""
    out = np.full((len(rows), width), padding, dtype=kind)
    for row, values in zip(out, rows, strict=True):
        row[: len(values)] = values
    return out
