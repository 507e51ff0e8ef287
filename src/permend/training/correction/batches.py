"""From examples to batches of fixed shapes: each width has one, so that a compiled step knows them all.

In: examples of one width and the width's `Shape`. Out: a `Batch` of tensors, filled up with empty rows and with fills
that weigh nothing. A batch is full when it has `rows` examples, `templates` with slots or `fills` masks:

    tokens_per_batch 3000, width 40 → rows 75; 60% have a slot, 4.2 masks a row on average → templates 56, fills 384

The decoder reads the templates that have something to fill, and no others: `template_row` says whose they are. Their
masks are one flat list, `fill_index` into the (D·T) elements of the templates: most sentences have few, and the output
layer is too wide to be computed for places that do not exist.

`batch_pairs` goes back from a batch to the pairs behind it, as far as ids can be turned back into text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from permend.corpora.pairs import Pair
from permend.model.config import ModelConfig
from permend.text.tokens import Tokenizer
from permend.training.correction.examples import PADDING, Examples, stack

_FILL_STEP, _TEMPLATE_STEP = 64, 8


@dataclass(frozen=True)
class Shape:
    """The shape of all batches of one width."""

    width: int
    """L: positions of a row, slots included."""
    rows: int
    """B: examples, at most."""
    templates: int
    """D: examples with something to fill, at most."""
    fills: int
    """F: masks of all rows together, at most."""

    @property
    def tokens(self) -> int:
        """Padded source positions."""
        return self.width * self.rows


class Tensors(NamedTuple):
    """What the network reads; B rows of L positions, D templates of as many elements (T = L), F masks."""

    ids: Tensor
    """(B, L) source, slots, padding."""
    mask: Tensor
    """(B, L) True at source and slots."""
    lengths: Tensor
    """(B,) n of each source."""
    order: Tensor
    """(B, L) plans."""
    order_mask: Tensor
    """(B, L)"""
    template_row: Tensor
    """(D,) row of the sentence that each template belongs to."""
    template_ids: Tensor
    """(D, T)"""
    template_source: Tensor
    """(D, T) source position or slot behind each element."""
    coordinates: Tensor
    """(D, T) where each element lies in the source."""
    template_mask: Tensor
    """(D, T)"""
    fill_index: Tensor
    """(F,) places of the masks among the D·T elements."""
    fill_targets: Tensor
    """(F,) tokens that belong there."""
    fill_weight: Tensor
    """(F,) 1, or 0 for padding and for tokens that the network can never predict."""

    def to(self, device: torch.device) -> Tensors:
        """Copy to a device, without waiting where the memory is pinned."""
        return Tensors(*(tensor.to(device, non_blocking=True) for tensor in self))

    def pin(self) -> Tensors:
        """Copy to memory from which a GPU can fetch by itself."""
        return Tensors(*(tensor.pin_memory() for tensor in self))


@dataclass(frozen=True)
class Batch:
    """Tensors and what is known of them without a network."""

    tensors: Tensors
    shape: Shape
    examples: int
    """Rows that are examples."""
    decisions: int
    """Decisions of the pointer."""
    edits: int
    """Those that leave the source's own order."""
    fills: int
    """Masks that count."""


def plan_shapes(
    sample: Mapping[int, Examples], widths: Iterable[int], tokens_per_batch: int, most_fills: int
) -> dict[int, Shape]:
    """Choose the shape of every width; the sample tells how many masks to expect.

    Two standard deviations are added to the expected number, so that few batches are full before their rows are used.
    """
    counts = {width: (examples.places != PADDING).sum(1) for width, examples in sample.items()}
    everything = np.concatenate([*counts.values(), np.zeros(1, dtype=np.int64)])
    shapes = {}
    for width in widths:
        rows = max(1, tokens_per_batch // width)
        known = counts.get(width, everything)
        known = known if len(known) >= 16 else everything
        templates = min(_expected(rows, known > 0, _TEMPLATE_STEP), rows)
        fills = min(max(_expected(rows, known, _FILL_STEP), most_fills), rows * most_fills)
        shapes[width] = Shape(width, rows, templates, -(-fills // _FILL_STEP) * _FILL_STEP)
    return shapes


def _expected(rows: int, each: NDArray[np.generic], step: int) -> int:
    """Return what so many rows need together, most of the time, as a multiple of `step`."""
    numbers = each.astype(np.float64)
    return max(1, int(-(-(rows * numbers.mean() + 2 * np.sqrt(rows) * numbers.std()) // step))) * step


def fitting(examples: Examples, shape: Shape) -> int:
    """Return how many of the examples, from the first, one batch can take."""
    masks = (examples.places[: shape.rows] != PADDING).sum(1)  # (k,)
    by_fills = np.searchsorted(masks.cumsum(), shape.fills, side="right")
    by_templates = np.searchsorted((masks > 0).cumsum(), shape.templates, side="right")
    return int(min(by_fills, by_templates))


def is_full(examples: Examples, shape: Shape) -> bool:
    """Whether there is at least one full batch of them."""
    return len(examples) >= shape.rows or fitting(examples, shape) < len(examples)


def collate(examples: Examples, shape: Shape, config: ModelConfig) -> Batch:
    """Make a batch of examples that fit the shape."""
    rows, k = shape.rows, len(examples)
    lengths = np.full(rows, 2, dtype=np.int64)  # an empty row is <s> </s>: attention needs something to look at
    lengths[:k] = (examples.source != PADDING).sum(1)
    ids = _source_ids(examples, shape, config, lengths)
    order = _rows(examples.order, rows, PADDING)
    owner = np.flatnonzero((examples.places != PADDING).any(1))  # rows with something to fill
    template = _rows(examples.template[owner], shape.templates, PADDING)
    template[len(owner) :, :2] = config.start_id, config.end_id
    origin = _rows(examples.origin[owner], shape.templates, PADDING)
    origin[len(owner) :, :2] = 0, 1
    index, targets, weight = _fills(examples.places[owner], examples.fills[owner], shape, config)
    made = order[:, 1:] != PADDING
    columns = np.arange(shape.width)
    arrays = (
        ids,
        columns < lengths[:, None] + config.slots,
        lengths,
        np.maximum(order, 0),
        order != PADDING,
        np.pad(owner, (0, shape.templates - len(owner))),
        np.where(template == PADDING, config.pad_id, template),
        np.maximum(origin, 0),
        _rows(examples.coordinates[owner], shape.templates, 0),
        template != PADDING,
        index,
        targets,
        weight,
    )
    return Batch(
        tensors=Tensors(*map(torch.from_numpy, arrays)),
        shape=shape,
        examples=k,
        decisions=int(made.sum()),
        edits=int((made & (order[:, 1:] != order[:, :-1] + 1)).sum()),
        fills=int(weight.sum()),
    )


def empty_batch(shape: Shape, config: ModelConfig) -> Batch:
    """Make a batch without examples: of the right shape, and worth nothing."""
    ids, places = np.empty((0, shape.width), np.int32), np.empty((0, shape.width), np.int16)
    nothing = Examples(ids, places, ids, places, ids.astype(np.float32), places[:, :0], ids[:, :0])
    return collate(nothing, shape, config)


@dataclass(frozen=True)
class ShapePacker:
    """Packs examples into batches of these shapes."""

    shapes: dict[int, Shape]
    config: ModelConfig

    @property
    def most_tokens(self) -> int:
        """Padded positions of the largest batch."""
        return max(shape.tokens for shape in self.shapes.values())

    def tokens(self, width: int) -> int:
        """Return the padded positions of a batch."""
        return self.shapes[width].tokens

    def stack(self, parts: Sequence[Examples]) -> Examples:
        """Put examples below each other."""
        return stack(parts)

    def full(self, examples: Examples, width: int) -> int:
        """Return how many of the examples, from the first, make a full batch; 0 where there are too few."""
        shape = self.shapes[width]
        return fitting(examples, shape) if is_full(examples, shape) else 0

    def collate(self, examples: Examples, width: int) -> Batch:
        """Make a batch."""
        return collate(examples, self.shapes[width], self.config)

    def pinned(self, batch: Batch) -> Batch:
        """Return the batch in memory from which a GPU can fetch by itself."""
        return replace(batch, tensors=batch.tensors.pin())


def _rows(array: NDArray[np.generic], rows: int, padding: int) -> NDArray[np.generic]:
    """Add empty rows; whole numbers come out as int64, which torch indexes with."""
    kind = array.dtype if array.dtype.kind == "f" else np.int64
    out = np.full((rows, array.shape[1]), padding, dtype=kind)
    out[: len(array)] = array
    return out


def _source_ids(
    examples: Examples, shape: Shape, config: ModelConfig, lengths: NDArray[np.int64]
) -> NDArray[np.generic]:
    ids = _rows(np.where(examples.source == PADDING, config.pad_id, examples.source), shape.rows, config.pad_id)
    ids[len(examples) :, :2] = config.start_id, config.end_id
    slot = np.arange(config.slots)
    np.put_along_axis(ids, lengths[:, None] + slot, config.slot_id(0) + slot[None], axis=1)
    return ids


def _fills(
    places: NDArray[np.int16], fills: NDArray[np.int32], shape: Shape, config: ModelConfig
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """Return the index (F,), the targets (F,) and the weights (F,) of all masks of the templates."""
    row, place = np.nonzero(places != PADDING)
    count = len(row)
    tokens = fills[row, place]
    possible = ~np.isin(tokens, [*config.unfillable, PADDING])
    index = np.zeros(shape.fills, dtype=np.int64)
    targets = np.full(shape.fills, config.pad_id, dtype=np.int64)
    weight = np.zeros(shape.fills, dtype=np.float32)
    index[:count] = row * shape.width + places[row, place]
    targets[:count] = np.where(possible, tokens, config.pad_id)
    weight[:count] = possible
    return index, targets, weight


def batch_pairs(batch: Batch, tokenizer: Tokenizer) -> list[Pair]:
    """Return the pairs: sources as they were read, targets as far as labels express them."""
    tensors = batch.tensors
    filled = tensors.template_ids.clone().flatten()  # (D·T,)
    counted = tensors.fill_weight > 0
    filled[tensors.fill_index[counted]] = tensors.fill_targets[counted]
    width = tensors.template_ids.shape[1]
    used = {int(place) // width for place in tensors.fill_index[counted]}
    templates = {int(tensors.template_row[k]): filled[k * width : (k + 1) * width].tolist() for k in used}
    special = {tokenizer.start, tokenizer.end, tokenizer.pad, tokenizer.mask}
    pairs = []
    for row in range(batch.examples):
        ids = tensors.ids[row]
        copied = ids[tensors.order[row, tensors.order_mask[row]]].tolist()
        sides = ids[: int(tensors.lengths[row])].tolist(), templates.get(row, copied)
        pairs.append(Pair(*(tokenizer.decode([token for token in side if token not in special]) for side in sides)))
    return pairs


def show_batch(batch: Batch, tokenizer: Tokenizer) -> str:
    """Return the pairs of a batch as the text of a .tsv file."""
    return "".join(f"{_line(pair.source)}\t{_line(pair.target)}\n" for pair in batch_pairs(batch, tokenizer))


def _line(text: str) -> str:
    return " ".join(text.split())
