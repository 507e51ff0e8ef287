"""What a corrector minimises: λ_per · pointer loss + infill loss (Eq. 2, Eq. 3, Section 3.2).

In: the tensors of a batch. Out: `Sums`, not means: batches differ in the number of their decisions and fills, so the
sums of all batches of a step are divided by their common number (`task.loss_of`). `Objective` is a module around the
network, so that compiling and distributing see a single call.

Pointer. The decision for π^i reads row π^{i-1} of A; a column is open when it is valid, not visited before, and,
for a slot, when it is the next slot in order and π^{i-1} is not a slot itself. With n = 5 and two slots (5, 6) the plan
0 1 5 3 4 is four decisions:

    row 0 → 1    open 1 2 3 4 5        row 5 → 3    open 2 3 4      (6 would be a second slot in a row)
    row 1 → 5    open 2 3 4 5          row 3 → 4    open 2 4 6

All masks are made at once from the step at which each column is visited. Infill. SUNDAE with T = 2: the first pass
sees masks, the second sees a sample of the first pass at the fill positions; no gradient goes through sampling.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from permend.model.config import ModelConfig
from permend.model.torch.network import PointerInfiller
from permend.training.correction.batches import Batch, Tensors
from permend.training.correction.recipe import Optimisation


class Part(NamedTuple):
    """One part of the loss, over a batch."""

    loss: Tensor
    """Weighted mean of −log p over the decisions; `total / weight`."""
    total: Tensor
    """Weighted sum of −log p."""
    weight: Tensor
    """Sum of the decisions' weights (their number, where all weigh 1)."""
    accuracy: Tensor
    """Share of decisions, unweighted, whose most probable outcome is the target; no gradient."""


def pointer_loss(
    scores: Tensor,
    mask: Tensor,
    lengths: Tensor,
    order: Tensor,
    order_mask: Tensor,
    edit_weight: float = 1.0,
) -> Part:
    """Return −log p(π | A) by teacher forcing, averaged over all decisions of the batch.

    `scores` (B, L, L), `mask` (B, L) of valid positions, `lengths` (B,) the n of each sentence (its slots stand
    at n, n + 1, …), `order` (B, P) the plans with `order_mask` (B, P). Decisions that leave the source's own
    order (π^i ≠ π^{i-1} + 1) weigh `edit_weight`.
    """
    rows, targets, made = order[:, :-1], order[:, 1:], order_mask[:, 1:]  # (B, P-1) each
    chosen = _row_log_probs(scores, rows, open_columns(mask, lengths, order, order_mask))  # (B, P-1, L)
    log_probs = chosen.gather(2, targets[:, :, None])[:, :, 0]  # (B, P-1)
    weights = torch.where(targets == rows + 1, 1.0, edit_weight) * made
    right = chosen.detach().argmax(2) == targets
    return _part(log_probs, weights, right, made)


def open_columns(mask: Tensor, lengths: Tensor, order: Tensor, order_mask: Tensor) -> Tensor:
    """Return (B, P-1, L): True where the decision at that step may point to that column."""
    steps = order.shape[1]
    step = torch.arange(steps, device=order.device)  # (P,)
    column = torch.arange(mask.shape[1], device=order.device)  # (L,)
    seen_at = torch.where(order_mask, step, steps)  # (B, P)
    never = torch.full_like(mask, steps, dtype=torch.long)
    visit = never.scatter_reduce(1, order, seen_at, "amin")  # (B, L): step at which a column is visited
    free = visit[:, None, :] > step[:-1, None]  # (B, P-1, L): not among π^1 … π^{i-1}
    slot_step = (order >= lengths[:, None]) & order_mask  # (B, P): the plan uses a slot here
    next_slot = lengths[:, None] + slot_step.cumsum(1)[:, :-1]  # (B, P-1): the only slot that may come
    slot_open = (column == next_slot[:, :, None]) & ~slot_step[:, :-1, None]  # (B, P-1, L)
    is_slot = column >= lengths[:, None]  # (B, L)
    return free & mask[:, None, :] & (slot_open | ~is_slot[:, None, :])


def infill_loss(
    decode: Callable[[Tensor], Tensor],
    template_ids: Tensor,
    fill_index: Tensor,
    targets: Tensor,
    weight: Tensor,
    lambda_0: float = 0.25,
) -> Part:
    """Return λ₀·L₁ + (1 − λ₀)·L₂, both means over the masks of the batch; λ₀ = 1 skips the second pass.

    `decode` maps template ids (B, T) to logits (F, V) at `fill_index` (F,), places among the B·T elements; `targets`
    (F,) hold the fills, `<pad>` where a mask stays empty; `weight` (F,) is 0 for fills that only fill up the shape and
    for tokens that the network can never predict. The accuracy is that of the last pass.
    """
    logits = decode(template_ids)
    first = _fill_part(logits, targets, weight)
    if lambda_0 == 1.0:
        return first
    sampled = sample(logits.detach())  # (F,)
    second = _fill_part(decode(put(template_ids, fill_index, weight, sampled)), targets, weight)
    total = lambda_0 * first.total + (1 - lambda_0) * second.total
    return Part(total / _at_least_one(first.weight), total, first.weight, second.accuracy)


def sample(logits: Tensor) -> Tensor:
    """Draw one token per position from softmax(logits), by adding Gumbel noise and taking the largest."""
    noise = -torch.log(-torch.log(torch.rand_like(logits, dtype=torch.float32)))
    return (logits.float() + noise).argmax(-1)


def put(template_ids: Tensor, fill_index: Tensor, weight: Tensor, tokens: Tensor) -> Tensor:
    """Return the templates (B, T) with `tokens` (F,) where the fills stand; fills without weight change nothing."""
    flat = template_ids.flatten()
    return flat.scatter(0, fill_index, torch.where(weight > 0, tokens, flat[fill_index])).view_as(template_ids)


def _fill_part(logits: Tensor, targets: Tensor, weight: Tensor) -> Part:
    log_probs = functional.log_softmax(logits.float(), dim=-1)  # (F, V)
    picked = log_probs.gather(1, targets[:, None])[:, 0]  # (F,)
    return _part(picked, weight, logits.detach().argmax(-1) == targets, weight > 0)


def _row_log_probs(scores: Tensor, rows: Tensor, is_open: Tensor) -> Tensor:
    """Return log-probabilities (B, P-1, L) over the open columns of the rows (B, P-1) of A."""
    picked = scores.float().gather(1, rows[:, :, None].expand(-1, -1, scores.shape[2]))
    return functional.log_softmax(picked.masked_fill(~is_open, -1e9), dim=-1)


def _part(log_probs: Tensor, weights: Tensor, right: Tensor, counted: Tensor) -> Part:
    """Sum up log-probabilities of any shape; what weighs nothing may be anything, infinite too."""
    total = -(log_probs.masked_fill(weights == 0, 0.0) * weights).sum()
    weight = weights.sum()
    accuracy = (right & counted).sum() / _at_least_one(counted.sum())
    return Part(total / _at_least_one(weight), total, weight, accuracy)


def _at_least_one(count: Tensor) -> Tensor:
    return count.clamp(min=1)


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


def counts(batch: Batch, edit_weight: float) -> tuple[float, float, float, float]:
    """Return what the `Sums` of a batch are divided by."""
    weight = batch.decisions + (edit_weight - 1) * batch.edits
    return weight, batch.fills, batch.decisions, batch.fills


def layers_of(network: PointerInfiller) -> list[nn.Module]:
    """Return the layers to compile: layers of one kind share their code, and nearly all the time is spent in them.

    Compiling each kind once a shape takes a fraction of the time that the whole step does.
    """
    stacks = [module for module in network.modules() if isinstance(module, nn.ModuleList)]
    return [network.pointer.block, *(layer for stack in stacks for layer in stack)]


def _autocast(device: str, on: bool) -> AbstractContextManager[Any]:
    return torch.autocast(device, dtype=torch.bfloat16) if on else nullcontext()
