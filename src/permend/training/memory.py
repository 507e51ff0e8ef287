"""Whether a run fits into memory: an estimate before anything is loaded, and a trial before the first step.

In: a network on torch's meta device, or a run about to begin. Out: an `Estimate` in bytes, in which weights, gradients
and the optimisers' state are exact, and activations a rule of thumb that is right to a factor of two; or nothing, and
one sentence with advice where a batch is too large. The largest shapes come first, so that running out of memory fails
before training. Where the step is compiled, every shape is tried: that compiles it before the clock starts.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn

from permend.errors import PermendError
from permend.training.optimisers import linear_weights
from permend.training.settings import OptimiserSettings
from permend.training.step import Stepper
from permend.training.task import B

_KEPT_PER_BLOCK = 24
"""Numbers kept for each position and each unit of width in one block."""
_KEPT_PER_LOGIT = 12
"""Bytes kept for each logit: itself in float32, its log-softmax, its gradient."""


@dataclass(frozen=True)
class Estimate:
    """Bytes on one device."""

    parameters: int
    """Number of weights (not bytes)."""
    weights: int
    gradients: int
    optimizer: int
    average: int
    activations: int

    @property
    def total(self) -> int:
        """All together."""
        return self.weights + self.gradients + self.optimizer + self.average + self.activations


def estimate(network: nn.Module, options: OptimiserSettings, units: int, logits: int) -> Estimate:
    """Estimate what a run takes on a GPU.

    `units` is positions of a batch × width × blocks, `logits` how many a batch has.
    """
    parameters = sum(parameter.numel() for parameter in network.parameters())
    groups = linear_weights(network).values() if options.optimizer == "muon" else ()
    matrices = sum(weight.numel() for group in groups for weight in group)
    number = 4 if options.precision == "float32" else 2
    return Estimate(
        parameters=parameters,
        weights=4 * parameters,
        gradients=4 * parameters,
        optimizer=8 * (parameters - matrices) + 4 * matrices,
        average=4 * parameters if options.ema else 0,
        activations=units * _KEPT_PER_BLOCK * number + logits * _KEPT_PER_LOGIT,
    )


def probe(stepper: Stepper[B]) -> None:
    """Run forward and backward on the shapes that could be too large."""
    task, compiled = stepper.task, stepper.options.compile
    probes = task.probes(every_shape=compiled)
    if compiled:
        _allow_recompiling(len(probes))
    for tried in probes:
        try:
            stepper.gradients([tried.batch], [1.0] * len(task.terms), 0, tried.share)
        except torch.OutOfMemoryError as error:
            raise PermendError(task.advice(tried.batch)) from error
        for parameter in stepper.network.parameters():
            parameter.grad = None
    if not _has_room(stepper):
        raise PermendError(task.advice(probes[0].batch))


def _has_room(stepper: Stepper[B]) -> bool:
    """Whether the optimisers' state, which comes with the first step, will fit beside the largest batch."""
    device = stepper.accelerator.device
    if device.type != "cuda":
        return True
    peak = torch.cuda.max_memory_allocated(device)
    state = sum(8 * parameter.numel() for parameter in stepper.network.parameters())
    return bool(peak + state <= torch.cuda.get_device_properties(device).total_memory)


_KINDS_OF_LAYERS = 4
"""That share one function at most: `layers.Block` is the pointer's, the decoder's first and its last, which differ."""


def _allow_recompiling(shapes: int) -> None:
    """Raise the number of variants that torch.compile keeps of one function, by default eight."""
    import torch._dynamo

    limit = max(torch._dynamo.config.recompile_limit, _KINDS_OF_LAYERS * shapes)
    torch._dynamo.config.recompile_limit = limit
