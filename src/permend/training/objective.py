"""What one batch costs: a module around the network, so that compiling and distributing see a single call.

In: the tensors of a batch. Out: `Sums`, not means: batches differ in the number of their decisions and fills, so the
sums of several processes (or of several batches of one step) may only be divided by their common number.

    loss = λ_per · Σ pointer / Σ decisions + Σ infill / Σ fills        over all batches of a step
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from permend.config import ModelConfig
from permend.model.network import PointerInfiller
from permend.training.batches import Batch, Tensors
from permend.training.losses import infill_loss, pointer_loss
from permend.training.recipe import Optimisation


class Sums(NamedTuple):
    """Sums over the decisions and fills of a batch."""

    pointer: Tensor
    """−log p of the plans, weighted."""
    infill: Tensor
    """−log p of the fills, weighted by λ₀ and 1 − λ₀ over the two passes."""
    pointer_right: Tensor
    """Decisions whose most probable outcome is right; no gradient."""
    infill_right: Tensor
    """Fills whose most probable token is right; no gradient."""


class Objective(nn.Module):
    """The network and its loss."""

    def __init__(self, network: PointerInfiller, options: Optimisation, in_bfloat16: bool) -> None:
        """Wrap the network."""
        super().__init__()
        self.network = network
        self.lambda_0 = options.lambda_0
        self.edit_weight = options.edit_weight
        self.source_dropout = options.source_dropout
        self.in_bfloat16 = in_bfloat16

    def forward(self, tensors: Tensors) -> Sums:
        """Return the sums of a batch."""
        with _autocast(tensors.ids.device.type, self.in_bfloat16):
            return step_loss(self.network, tensors, self.lambda_0, self.edit_weight, self.source_dropout)


def step_loss(
    network: PointerInfiller, batch: Tensors, lambda_0: float, edit_weight: float, source_dropout: float = 0.0
) -> Sums:
    """Run the network over a batch by teacher forcing."""
    ids = mask_some(batch.ids, network.config, source_dropout) if source_dropout else batch.ids
    memory, scores = network.encode(ids, batch.mask)
    pointer = pointer_loss(scores, batch.mask, batch.lengths, batch.order, batch.order_mask, edit_weight)
    looked_at, look_mask = memory[batch.template_row], batch.mask[batch.template_row]  # (D, L, d), (D, L)

    def decode(template_ids: Tensor) -> Tensor:  # (D, T) → (F, V)
        return network.decode(
            looked_at,
            look_mask,
            template_ids,
            batch.template_source,
            batch.coordinates,
            batch.template_mask,
            batch.fill_index,
        )

    infill = infill_loss(decode, batch.template_ids, batch.fill_index, batch.fill_targets, batch.fill_weight, lambda_0)
    decisions, fills = batch.order_mask[:, 1:].sum(), batch.fill_weight.sum()
    return Sums(pointer.total, infill.total, pointer.accuracy * decisions, infill.accuracy * fills)


def mask_some(ids: Tensor, config: ModelConfig, share: float) -> Tensor:
    """Replace a share of the tokens of `ids` (B, L) by masks, never special ones or slots."""
    special = torch.tensor([config.start_id, config.end_id, config.pad_id], device=ids.device)
    hidden = (torch.rand(ids.shape, device=ids.device) < share) & (ids < config.vocab_size)
    return torch.where(hidden & ~torch.isin(ids, special), config.mask_id, ids)


def pointer_weight(batch: Batch, options: Optimisation) -> float:
    """Return what the pointer's sum is divided by, for one batch."""
    return batch.decisions + (options.edit_weight - 1) * batch.edits


def _autocast(device: str, on: bool) -> AbstractContextManager[Any]:
    return torch.autocast(device, dtype=torch.bfloat16) if on else nullcontext()
