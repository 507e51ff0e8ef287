"""Tokens to guess: some of a batch's tokens are hidden, always equally many.

In: rows of ids and a share. Out: `Masked`, the rows with those tokens replaced, where they stand and what they were.
A fixed number of places keeps every tensor of a step at one shape, and lets the output layer run at those places alone.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from permend.pretraining.recipe import Masking
from permend.text.tokens import SubwordTokenizer

IGNORED = -100
"""Target of a place that does not count."""


class Masked(NamedTuple):
    """Rows with something to guess."""

    ids: Tensor
    """(B, L)"""
    places: Tensor
    """(k,) positions in the flattened rows."""
    targets: Tensor
    """(k,) ids that stood there."""


class Masker:
    """Hides tokens."""

    def __init__(self, masking: Masking, tokenizer: SubwordTokenizer, size: int, device: torch.device) -> None:
        """Hide them among `size` ids as the recipe says; special tokens are never to be guessed."""
        self._masking, self._mask = masking, tokenizer.mask
        self._special = torch.zeros(size, dtype=torch.bool, device=device)  # (V,)
        self._special[[tokenizer.start, tokenizer.end, tokenizer.pad, tokenizer.mask]] = True

    def share(self, done: float) -> float:
        """Return the share of tokens to guess when a share of training is done."""
        return self._masking.share if done < self._masking.late_from else self._masking.late_share

    def hide(self, ids: Tensor, share: float, seed: int, *, all_masks: bool = False) -> Masked:
        """Hide a share of the tokens of ids (B, L); with `all_masks`, behind nothing but ``<mask>``."""
        random = torch.Generator(ids.device).manual_seed(seed)
        flat = ids.flatten()
        count = max(1, int(share * len(flat)))
        chance = torch.rand(len(flat), generator=random, device=ids.device)
        places = chance.masked_fill(self._special[flat], 2.0).topk(count, largest=False, sorted=False).indices  # (k,)
        truth = flat[places]
        others = flat[torch.randint(len(flat), (count,), generator=random, device=ids.device)]
        kind = torch.rand(count, generator=random, device=ids.device)
        masks, changes = (1.0, 0.0) if all_masks else (self._masking.mask, self._masking.other)
        shown = torch.where(kind < masks, self._mask, torch.where(kind < masks + changes, others, truth))
        targets = truth.masked_fill(self._special[truth], IGNORED)
        return Masked(flat.index_copy(0, places, shown).view_as(ids), places, targets)
