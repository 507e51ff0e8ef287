"""One step: the gradients of all batches of all processes, then the update.

In: this process's batches, and the terms' counts over all processes. Out: the terms' sums, on the device, so that
nobody waits for them. Two processes with a batch each take the same step as one process with both: sums are divided by
the counts of all batches (`task.loss_of`), and gradients are summed.

Random numbers (dropout, sampling, masks) depend on the seed, the step and the feed that a batch comes from, on nothing
else: there is no state of a generator to save, and a validation in between changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Generic

import numpy as np
import torch
from accelerate import Accelerator
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from permend.training.optimisers import make_optimizers, set_rates
from permend.training.task import B, Task, loss_of


class Stepper(Generic[B]):
    """Network, loss and optimisers; `step` does one update."""

    def __init__(self, task: Task[B], accelerator: Accelerator) -> None:
        """Put the network on its device, compiled and distributed as wanted."""
        self.task, self.accelerator = task, accelerator
        self.options = task.recipe.optimisation
        self.network = task.network.to(accelerator.device).train()
        objective = task.objective()
        if self.options.compile:
            for module in task.compiled(objective):
                module.compile(dynamic=False)
        self.objective: nn.Module = accelerator.prepare_model(objective)
        self.optimizers: list[Optimizer] = make_optimizers(self.network, self.options)
        self.average = _averaged(self.network, self.options.ema) if self.options.ema else None

    @property
    def result(self) -> nn.Module:
        """The network to validate and keep: the moving average of its weights where there is one."""
        return self.network if self.average is None else self.average.module

    def step(self, batches: Sequence[B], counts: Sequence[float], number: int, factor: float, share: float) -> Tensor:
        """Update the weights; return the terms' sums over all processes and the gradient's norm (terms + 1,)."""
        set_rates(self.optimizers, factor)
        sums = self.gradients(batches, counts, number, share)
        limit = self.options.clip_norm or float("inf")
        norm = torch.nn.utils.clip_grad_norm_(self.network.parameters(), limit)
        for optimizer in self.optimizers:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        if self.average is not None:
            self.average.update_parameters(self.network)
        return torch.cat([sums, norm.detach().float()[None]])

    def gradients(self, batches: Sequence[B], counts: Sequence[float], number: int, share: float = 0.0) -> Tensor:
        """Add up the gradients of the batches; return the terms' sums (terms,) over all processes."""
        processes = self.accelerator.num_processes
        first = self.accelerator.process_index * len(batches)
        total = torch.zeros(len(self.task.terms), device=self.accelerator.device)
        for place, batch in enumerate(batches):
            seed = step_seed(self.options.seed, number, first + place)
            inputs = self.task.inputs(batch, share, seed)
            torch.manual_seed(seed)
            last = place == len(batches) - 1
            with nullcontext() if last else self.accelerator.no_sync(self.objective):
                found = self.objective(*inputs)
                # Processes' gradients are averaged on the way, though they should be summed.
                self.accelerator.backward(loss_of(self.task.terms, found, counts) * processes)
            total += torch.stack([part.detach().float() for part in found])
        reduced: Tensor = self.accelerator.reduce(total, "sum") if processes > 1 else total
        return reduced


def _averaged(network: nn.Module, decay: float) -> AveragedModel:
    return AveragedModel(network, multi_avg_fn=get_ema_multi_avg_fn(decay))  # type: ignore[no-untyped-call]


def step_seed(seed: int, step: int, feed: int) -> int:
    """Return the seed of one batch of a step."""
    return int(np.random.SeedSequence([seed, step, feed]).generate_state(1)[0])
