"""Optimisers: AdamW as in the paper, or Muon for the matrices and AdamW for the rest.

In: a network and the recipe's optimisation. Out: one or two torch optimisers; each group knows its peak learning rate,
which `set_rates` scales by the schedule's factor.

Muon makes the update of a matrix orthogonal, which suits what maps hidden states to hidden states: the weights of
linear layers. Embeddings, which are the output layer as well, norms, biases and scalars are AdamW's.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torch import Tensor, nn
from torch.optim import AdamW, Optimizer

from permend.training.course import Course
from permend.training.muon import BatchedMuon

_PEAK = "peak"
_FUSED = {"Wqkv": 3, "qkv": 3, "kv": 2, "Wi": 2}
"""Matrices that one weight holds, by the layer's name: ModernBERT's and our own."""


def make_optimizers(network: nn.Module, options: Course) -> list[Optimizer]:
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


def _adamw(parameters: list[nn.Parameter], options: Course) -> AdamW:
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
