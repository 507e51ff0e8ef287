"""Sentences that leave early: read by the encoder's first layers, doubted too little to be read on.

In: the encoder's two parts, sentences of about the same length, `Options.leave_below`. Out: how much each sentence is
doubted, and batches of those that stay, with what the whole encoder says of them.

    reading = Reading(parts, sentences, config, pad, batch_size=8)
    reading.doubts                        # [0.001, 0.4, 0.002]
    for places, memory, mask, scores in reading.staying(0.01, batch_size=8):    # places [1]
        ...

Those that stay are put together again before they are read on, so that batches are full whoever left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from permend.corrector.correction import Alternative, Correction
from permend.model.config import ModelConfig
from permend.model.networks import Bools, Floats, Ints, Parts, sentence_arrays
from permend.text.tokens import Tokens


class Batch(NamedTuple):
    """Sentences that were read to the end."""

    places: list[int]
    memory: Floats
    mask: Bools
    scores: Floats


class Reading:
    """Some batches of sentences, read by the first layers."""

    def __init__(
        self, parts: Parts, sentences: Sequence[Tokens], config: ModelConfig, pad: int, batch_size: int
    ) -> None:
        """Read them."""
        self._parts, self._config, self._pad = parts, config, pad
        self._ids = [tokens.ids for tokens in sentences]
        self._states: list[Floats] = []
        self.doubts: list[float] = []
        for at in range(0, len(sentences), batch_size):
            states, doubts = parts.start(*self._arrays(range(at, min(at + batch_size, len(sentences)))))
            self._states += list(states)
            self.doubts += doubts.tolist()

    def _arrays(self, places: Sequence[int]) -> tuple[Ints, Bools]:
        slots, first = self._config.slots, self._config.slot_id(0)
        return sentence_arrays([self._ids[place] for place in places], slots, first, self._pad)

    def staying(self, least: float, batch_size: int) -> Iterator[Batch]:
        """Read on those that are doubted so much."""
        staying = [place for place, doubt in enumerate(self.doubts) if doubt >= least]
        for at in range(0, len(staying), batch_size):
            places = staying[at : at + batch_size]
            ids, mask = self._arrays(places)
            states = np.zeros((*ids.shape, self._states[0].shape[-1]), np.float32)
            for row, place in enumerate(places):
                width = len(self._ids[place]) + self._config.slots
                states[row, :width] = self._states[place][:width]
            memory, scores = self._parts.rest(states, ids, mask)
            yield Batch(places, memory, mask, scores)


def left(tokens: Tokens, doubt: float) -> Correction:
    """Return the correction of a sentence that left: itself, as probable as the head says."""
    length = len(tokens.ids)
    log_prob = float(np.log1p(-min(doubt, 1 - 1e-9)))
    same = Alternative(tokens.text, log_prob, 0.0, length, log_prob / length, True)
    return Correction(tokens.text, tokens.text, (), (same,), 0.0)
