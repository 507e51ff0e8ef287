"""The permutation network: from memory H to the pointer scores A (Section 3.1, Eq. 2).

In: memory (B, L, d), the valid positions and which of them are source tokens (not slots). Out: A (B, L, L) in
float32; row i scores what comes after position i. Keys are a linear map of H, queries one transformer block
on it, and A = q·k / √d. Which columns a plan may still point to is not decided here: see `training.correction.loss`
and the search.

Two extras, both off by default: a learned constant on the next source token (row i, column i + 1), which spares the
network from learning that text mostly runs on; and Sinkhorn steps, an ablation of the paper's.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from permend.model.torch.layers import Block, BlockShape, index_rotation, linear, norm

_NOWHERE = -1e9  # a score whose exponential is zero, and which stays finite when subtracted


class Pointer(nn.Module):
    """Scores of every continuation of every position."""

    def __init__(self, shape: BlockShape, next_bonus: float | None = None, sinkhorn_steps: int = 0) -> None:
        """Make the key layer and the query block; `next_bonus` is the bonus to start from."""
        super().__init__()
        self.shape = shape
        self.sinkhorn_steps = sinkhorn_steps
        self.key = linear(shape.width, shape.width, shape.bias)
        self.block = Block(shape)
        self.norm = norm(shape)
        self.next_bonus = None if next_bonus is None else nn.Parameter(torch.tensor(float(next_bonus)))

    def forward(self, memory: Tensor, mask: Tensor, source: Tensor) -> Tensor:
        """Return A (B, L, L); `mask` (B, L) marks valid positions, `source` (B, L) those that are tokens."""
        angles = index_rotation(memory.shape[1], self.shape, memory.device)
        q = self.norm(self.block(memory, angles, mask))  # (B, L, d)
        k = self.key(memory)  # (B, L, d)
        with torch.autocast(memory.device.type, enabled=False):  # bfloat16 would round scores by whole percents
            scores = q.float() @ k.float().transpose(1, 2) * self.shape.width**-0.5  # (B, L, L)
        if self.next_bonus is not None:
            scores = scores + self.next_bonus * _runs_on(source)
        return sinkhorn(scores, mask, self.sinkhorn_steps) if self.sinkhorn_steps else scores


def _runs_on(source: Tensor) -> Tensor:
    """Return (B, L, L) ones at (i, i + 1) where both are source tokens, zeros elsewhere."""
    index = torch.arange(source.shape[1], device=source.device)
    follows = index[None, :] == index[:, None] + 1  # (L, L)
    return (follows & source[:, :, None] & source[:, None, :]).float()


def sinkhorn(scores: Tensor, mask: Tensor, steps: int) -> Tensor:
    """Normalise columns, then rows, `steps` times in the log domain over the valid positions.

    Invalid rows and columns come out as zeros; nothing reads them.
    """
    valid = mask[:, :, None] & mask[:, None, :]  # (B, L, L)
    for _ in range(steps):
        for dim in (1, 2):
            total = scores.masked_fill(~valid, _NOWHERE).logsumexp(dim, keepdim=True)
            scores = (scores - total).masked_fill(~valid, 0.0)
    return scores
