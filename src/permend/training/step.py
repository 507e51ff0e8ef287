"""One step: the gradients of all batches of all processes, then the update.

In: this process's batches, and what their sums are divided by over all processes. Out: the sums, on the device, so that
nobody waits for them. Two processes with a batch each take the same step as one process with both:

    loss of a batch = (λ_per · Σ pointer / all decisions + Σ infill / all fills)     gradients are summed

Random numbers (dropout, sampling) depend on the seed, the step and the stream that a batch comes from, on nothing else:
there is no state of a generator to save, and a validation in between changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import NamedTuple, cast

import numpy as np
import torch
from accelerate import Accelerator
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from permend.model.torch.network import PointerInfiller
from permend.training.correction.batches import Batch
from permend.training.correction.loss import Objective
from permend.training.correction.recipe import Optimisation
from permend.training.optimisers import make_optimizers, set_rates
from permend.training.settings import Course


class Counts(NamedTuple):
    """What sums are divided by, over all batches of a step in all processes."""

    pointer_weight: float
    decisions: float
    fills: float


class Stepper:
    """The network with all that changes it."""

    def __init__(self, network: PointerInfiller, options: Optimisation, accelerator: Accelerator) -> None:
        """Put the network on its device, compiled and distributed as wanted."""
        self.network = network.to(accelerator.device).train()
        self.options = options
        self.accelerator = accelerator
        objective = Objective(network, options, in_bfloat16(options, accelerator.device))
        if options.compile:
            compile_layers(network)
        self.objective: nn.Module = accelerator.prepare_model(objective)
        self.optimizers: list[Optimizer] = make_optimizers(network, options)
        self.average = _averaged(network, options.ema) if options.ema else None

    @property
    def result(self) -> PointerInfiller:
        """The network that counts: the average of its course where there is one."""
        return self.network if self.average is None else cast(PointerInfiller, self.average.module)

    def step(self, batches: Sequence[Batch], counts: Counts, number: int, factor: float) -> Tensor:
        """Update the weights; return the sums over all processes and the gradient's norm (5,)."""
        set_rates(self.optimizers, factor)
        sums = self.gradients(batches, counts, number)
        limit = self.options.clip_norm or float("inf")
        norm = torch.nn.utils.clip_grad_norm_(self.network.parameters(), limit)
        for optimizer in self.optimizers:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        if self.average is not None:
            self.average.update_parameters(self.network)
        return torch.cat([sums, norm.float()[None]])

    def gradients(self, batches: Sequence[Batch], counts: Counts, number: int) -> Tensor:
        """Add up the gradients of the batches; return the sums (4,) over all processes."""
        processes = self.accelerator.num_processes
        first = self.accelerator.process_index * len(batches)
        total = torch.zeros(4, device=self.accelerator.device)
        for place, batch in enumerate(batches):
            torch.manual_seed(step_seed(self.options.seed, number, first + place))
            last = place == len(batches) - 1
            with nullcontext() if last else self.accelerator.no_sync(self.objective):
                found = self.objective(batch.tensors.to(self.accelerator.device))
                loss = self.options.lambda_per * found.pointer / max(counts.pointer_weight, 1e-9)
                loss = loss + found.infill / max(counts.fills, 1.0)
                # Processes' gradients are averaged on the way, though they should be summed.
                self.accelerator.backward(loss * processes)
            total += torch.stack([part.detach().float() for part in found])
        reduced: Tensor = self.accelerator.reduce(total, "sum") if processes > 1 else total
        return reduced


def compile_layers(network: PointerInfiller) -> None:
    """Compile each kind of layer once a shape, not the whole step: a fraction of the time.

    Layers of one kind share their code, whatever their weights; nearly all the time is spent in them.
    """
    stacks = [module for module in network.modules() if isinstance(module, nn.ModuleList)]
    for layer in [network.pointer.block, *(layer for stack in stacks for layer in stack)]:
        layer.compile(dynamic=False)


def in_bfloat16(options: Course, device: torch.device) -> bool:
    """Whether the network computes in bfloat16 on a device."""
    return options.precision == "bfloat16" or (options.precision == "auto" and device.type == "cuda")


def _averaged(network: PointerInfiller, decay: float) -> AveragedModel:
    return AveragedModel(network, multi_avg_fn=get_ema_multi_avg_fn(decay))  # type: ignore[no-untyped-call]


def step_seed(seed: int, step: int, stream: int) -> int:
    """Return the seed of one batch of a step."""
    return int(np.random.SeedSequence([seed, step, stream]).generate_state(1)[0])
