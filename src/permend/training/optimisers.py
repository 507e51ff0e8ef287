"""Optimisers, the schedule of their learning rates, and how much of a run is done.

In: a network and a recipe's optimisation. Out: one or two torch optimisers, AdamW for all weights (the paper) or Muon
for the matrices and AdamW for the rest; each group knows its peak learning rate, which `set_rates` scales by the
schedule's factor for the share of training that is done (by steps, epochs or the clock, whichever is furthest).

>>> options = OptimiserSettings(schedule="linear", warmup_steps=4, steps=100)
>>> [rate_factor(options, step, step / 100) for step in (0, 1, 4, 50)]
[0.25, 0.495, 0.96, 0.5]

Muon makes the update of a matrix orthogonal, which suits what maps hidden states to hidden states: the weights of
linear layers. Embeddings, which are the output layer as well, norms, biases and scalars are AdamW's.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import AdamW, Muon, Optimizer

from permend.training.settings import OptimiserSettings


def rate_factor(options: OptimiserSettings, step: int, share: float) -> float:
    """Return the factor for the step that is taken next, `step` being the number of those before it."""
    return min(1.0, (step + 1) / options.warmup_steps if options.warmup_steps else 1.0) * _course(options, share)


def _course(options: OptimiserSettings, share: float) -> float:
    left = 1.0 - min(1.0, max(0.0, share))
    match options.schedule:
        case "linear":
            return left
        case "cosine":
            return 0.5 - 0.5 * math.cos(math.pi * left)
        case "warmup-stable-decay":
            return min(1.0, left / options.decay_share)
        case "constant":
            return 1.0


def share_done(options: OptimiserSettings, steps: int, epochs: float, seconds: float) -> float:
    """Return how much of the training is done: 1 or more means that it is over."""
    shares = [0.0]
    if options.steps is not None:
        shares.append(steps / options.steps)
    if options.epochs is not None:
        shares.append(epochs / options.epochs)
    if options.minutes is not None:
        shares.append(seconds / (60 * options.minutes))
    return max(shares)


class BatchedMuon(Muon):
    """torch's Muon, with all matrices of one shape updated at once; state and options are those of `torch.optim.Muon`.

    `torch.optim.Muon` makes one update after the other orthogonal: a thousand small products a step, between which a
    GPU waits for Python. Here the updates of one shape are stacked and go through the same iteration together. A
    weight that holds several matrices (queries, keys and values; the two halves of a gated layer) is taken apart
    first: ``parts`` of its group says into how many. With one part everywhere, the result is torch's own.
    """

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


_PEAK = "peak"
_FUSED = {"Wqkv": 3, "qkv": 3, "kv": 2, "Wi": 2}
"""Matrices that one weight holds, by the layer's name: ModernBERT's and our own."""


def make_optimizers(network: nn.Module, options: OptimiserSettings) -> list[Optimizer]:
    """Return the optimisers of all weights that learn."""
    learning = [parameter for parameter in network.parameters() if parameter.requires_grad]
    matrices = linear_weights(network) if options.optimizer == "muon" else {}
    taken = {id(parameter) for group in matrices.values() for parameter in group}
    rest = [parameter for parameter in learning if id(parameter) not in taken]
    found: list[Optimizer] = [_adamw(rest, options)]
    if matrices:
        rate = options.matrix_learning_rate
        groups = [{"params": group, "parts": parts, _PEAK: rate} for parts, group in sorted(matrices.items())]
        found.append(BatchedMuon(groups, lr=rate, weight_decay=options.weight_decay, momentum=options.momentum))
    return found


def linear_weights(network: nn.Module) -> dict[int, list[Tensor]]:
    """Return the weights of linear layers that learn, by the number of matrices that each one holds.

    Weights shared with an embedding are left out.
    """
    taken = {id(module.weight) for module in network.modules() if isinstance(module, nn.Embedding)}
    found: dict[int, list[Tensor]] = {}
    for name, module in network.named_modules():
        if isinstance(module, nn.Linear) and module.weight.requires_grad and id(module.weight) not in taken:
            taken.add(id(module.weight))
            found.setdefault(_FUSED.get(name.rpartition(".")[2], 1), []).append(module.weight)
    return found


def set_rates(optimizers: Iterable[Optimizer], factor: float) -> None:
    """Set every learning rate to its peak times the factor."""
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            group["lr"] = group[_PEAK] * factor


def _adamw(parameters: list[nn.Parameter], options: OptimiserSettings) -> AdamW:
    """Decay matrices alone; fused where the weights are on a GPU."""
    groups: list[dict[str, Any]] = [
        {"params": [p for p in parameters if p.ndim >= 2], "weight_decay": options.weight_decay},
        {"params": [p for p in parameters if p.ndim < 2], "weight_decay": 0.0},
    ]
    return AdamW(
        [{**group, _PEAK: options.learning_rate} for group in groups if group["params"]],
        lr=options.learning_rate,
        betas=options.betas,
        eps=options.epsilon,
        fused=any(parameter.is_cuda for parameter in parameters),
    )
