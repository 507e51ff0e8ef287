"""torch's Muon, with all matrices of one shape updated at once.

`torch.optim.Muon` makes one update after the other orthogonal: a thousand small products a step, between which a GPU
waits for Python. Here the updates of one shape are stacked and go through the same iteration together. A weight that
holds several matrices (queries, keys and values; the two halves of a gated layer) is taken apart first: `parts` of its
group says into how many. With one part everywhere, the result is torch's own.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import torch
from torch import Tensor
from torch.optim import Muon


class BatchedMuon(Muon):
    """Muon whose groups may have a key ``parts``; state and options are those of `torch.optim.Muon`."""

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        """Update all weights that have a gradient."""
        if closure is not None:
            raise ValueError("a closure is not supported")
        for group in self.param_groups:
            same_shape: defaultdict[tuple[Any, ...], list[tuple[Tensor, Tensor]]] = defaultdict(list)
            for weight, update in self._momentum(group):
                for matrix, part in zip(_matrices(weight, group), _matrices(update, group), strict=True):
                    same_shape[matrix.shape, matrix.device].append((matrix, part))
            for (shape, _), pairs in same_shape.items():
                matrices, parts = [list(each) for each in zip(*pairs, strict=True)]
                updates = _orthogonal(torch.stack(parts), group).to(matrices[0].dtype)
                torch._foreach_mul_(matrices, 1 - group["lr"] * group["weight_decay"])
                rate = group["lr"] * max(1.0, shape[0] / shape[1]) ** 0.5
                torch._foreach_add_(matrices, list(updates), alpha=-rate)

    def _momentum(self, group: dict[str, Any]) -> list[tuple[Tensor, Tensor]]:
        """Move the momentum of a group's weights; return each weight with its update."""
        weights = [weight for weight in group["params"] if weight.grad is not None]
        gradients = [weight.grad for weight in weights]
        for weight in weights:
            if "momentum_buffer" not in self.state[weight]:
                self.state[weight]["momentum_buffer"] = torch.zeros_like(weight)
        buffers = [self.state[weight]["momentum_buffer"] for weight in weights]
        if not weights:
            return []
        torch._foreach_lerp_(buffers, gradients, 1 - group["momentum"])
        updates = torch._foreach_lerp(gradients, buffers, group["momentum"]) if group["nesterov"] else buffers
        return list(zip(weights, updates, strict=True))


def _matrices(matrix: Tensor, group: dict[str, Any]) -> tuple[Tensor, ...]:
    return matrix.chunk(group.get("parts", 1))


def _orthogonal(updates: Tensor, group: dict[str, Any]) -> Tensor:
    """Run the Newton-Schulz iteration on updates (k, m, n), in bfloat16."""
    a, b, c = group["ns_coefficients"]
    x = updates.bfloat16()
    tall = x.shape[1] > x.shape[2]
    x = x.mT if tall else x
    x = x / x.norm(dim=(1, 2), keepdim=True).clamp(min=group["eps"])
    for _ in range(group["ns_steps"]):
        gram = x @ x.mT  # (k, m, m)
        x = torch.baddbmm(x, torch.baddbmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x.mT if tall else x
