"""The two networks as the corrector sees them: numpy in, numpy out, whatever runs them.

`encode` turns sentences into memory and pointer scores; `fill` turns templates into tokens. Between the two, search
and templates are plain Python. `sentence_arrays` and `template_arrays` make the padded arrays that they read. One
sentence `<s> I be busy </s>` with one slot, and its plan 0 1 5 3 4:

    ids, mask = sentence_arrays([source], slots=1, first_slot=40, pad=1)
    memory, scores = networks.encode(ids, mask)                 # (1, 6) → (1, 6, d), (1, 6, 6)
    template = template_arrays([make_template(source, plan, mask_id)], pad=1)
    tokens, log_probs = networks.fill(memory, mask, template)   # 3 masks → (3,), (3,): am, <pad>, <pad>

Rows are as wide as the longest and padded at the end; what lies at padded positions of a result means nothing.
Log-probabilities are taken over the whole vocabulary inside the network, so no array of its size ever leaves it.

>>> ids, mask = sentence_arrays([(0, 9, 2), (0, 2)], slots=2, first_slot=40, pad=1)
>>> ids.tolist()
[[0, 9, 2, 40, 41], [0, 2, 40, 41, 1]]
>>> mask.tolist()
[[True, True, True, True, True], [True, True, True, True, False]]
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from permend.errors import PermendError, check_count
from permend.method.search import Searchable
from permend.method.template import Template
from permend.model.config import ModelConfig

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float32]
Bools: TypeAlias = NDArray[np.bool_]

MOST_THREADS = 1_024


class TemplateArrays(NamedTuple):
    """Templates as the decoder reads them: B of them, T elements each, F masks in all."""

    ids: Ints
    """(B, T)"""
    source: Ints
    """(B, T) where each element stands in the memory."""
    coordinates: Floats
    """(B, T) where each element lies in the source."""
    mask: Bools
    """(B, T) True where there is an element."""
    fill_index: Ints
    """(F,) places of all masks among the B·T elements, template by template."""
    row: Ints
    """(B,) which row of the memory is each template's sentence."""


class Networks(Protocol):
    """Encoder with pointer, and decoder, of one model."""

    @property
    def config(self) -> ModelConfig:
        """The model's config: special ids, slots, masks, longest row."""

    def encode(self, ids: Ints, mask: Bools) -> tuple[Floats, Floats]:
        """Return memory (B, L, d) and pointer scores (B, L, L) of `ids` (B, L), valid where `mask` (B, L) is True.

        The memory may be passed on to `fill`, row by row and in any selection of rows.
        """

    def fill(self, memory: Floats, mask: Bools, template: TemplateArrays) -> tuple[Ints, Floats]:
        """Return the most probable token at each mask of the templates (F,), and its log-probability (F,).

        `memory` (M, L, d) and `mask` (M, L) hold the sentences behind the templates.
        """


@runtime_checkable
class ManyAtATime(Protocol):
    """Networks on a device that is fast once it has much to do."""

    batch_tokens: int
    """Positions of a batch, padding among them."""
    masks: int
    """Masks that are filled together."""
    in_flight: int
    """Batches that are under way at a time: while one is searched on a core, the device computes another."""


@runtime_checkable
class SearchesItself(Protocol):
    """Networks that search where the pointer scores are, so that these never travel."""

    def encode_to_search(self, ids: Ints, mask: Bools, lengths: Sequence[int]) -> tuple[Floats, Searchable]:
        """Return memory (B, L, d) as `encode` does, and the scores of sentences of so many tokens, to be searched."""


class Parts(Protocol):
    """An encoder in two parts: a sentence that the head between them does not doubt may leave after the first."""

    def start(self, ids: Ints, mask: Bools) -> tuple[Floats, Floats]:
        """Return the states (B, L, d) after the first layers, and for each row how probably it will be changed (B,)."""

    def rest(self, states: Floats, ids: Ints, mask: Bools) -> tuple[Floats, Floats]:
        """Return memory (B, L, d) and pointer scores (B, L, L) of rows that stay: what `encode` would have said."""


def parts_of(networks: Networks) -> Parts | None:
    """Return the two parts of networks that have them (`parts`); most do not."""
    parts: Parts | None = getattr(networks, "parts", None)
    return parts


def check_length(config: ModelConfig, ids: Ints) -> None:
    """Refuse rows that the encoder has no positions for."""
    if ids.shape[1] > config.max_length:
        raise PermendError(
            f"a row of {ids.shape[1]} positions is longer than the model's {config.max_length}: split the sentence"
        )


def check_threads(threads: int) -> int:
    """Refuse a number of threads that means nothing, or that no machine has."""
    return check_count("threads", threads, MOST_THREADS)


def sentence_arrays(sentences: Sequence[Sequence[int]], slots: int, first_slot: int, pad: int) -> tuple[Ints, Bools]:
    """Return ids (B, L) with each sentence's slots right behind it, and where they are valid."""
    slot_ids = range(first_slot, first_slot + slots)
    rows = [[*sentence, *slot_ids] for sentence in sentences]
    ids = _padded(rows, pad, np.int64)
    return ids, np.arange(ids.shape[1]) < np.array([[len(row)] for row in rows])


def template_arrays(templates: Sequence[Template], pad: int, rows: Sequence[int] | None = None) -> TemplateArrays:
    """Stack templates of the sentences in these rows of the memory; without any, each has its own, in order."""
    ids = _padded([template.ids for template in templates], pad, np.int64)
    width = ids.shape[1]
    return TemplateArrays(
        ids,
        _padded([template.source for template in templates], 0, np.int64),
        _padded([template.coordinates for template in templates], 0, np.float32),
        np.arange(width) < np.array([[len(template.ids)] for template in templates]),
        np.array([row * width + place for row, template in enumerate(templates) for place in template.masks], np.int64),
        np.array(range(len(templates)) if rows is None else rows, np.int64),
    )


def _padded(rows: Sequence[Sequence[float]], padding: int, kind: type[np.generic]) -> NDArray[Any]:
    lengths = np.array([[len(row)] for row in rows])
    out = np.full((len(rows), lengths.max()), padding, dtype=kind)
    out[np.arange(out.shape[1]) < lengths] = list(chain.from_iterable(rows))
    return out
