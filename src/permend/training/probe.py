"""Trying the batches before the first step: running out of memory happens now or never.

In: the shapes of all batches. Out: nothing, or one sentence with advice. An empty batch of the right shape takes as
much memory as a full one, and its gradients are zero. A compiled step is tried on every shape, which compiles it for
all of them before the clock starts; otherwise the largest shapes do.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch

from permend.errors import PermendError
from permend.training.correction.batches import Shape, empty_batch
from permend.training.step import Counts, Stepper


def probe(stepper: Stepper, shapes: Iterable[Shape]) -> None:
    """Run forward and backward on the shapes that could be too large."""
    everything = sorted(shapes, key=lambda shape: -shape.width)
    if stepper.options.compile:
        _allow_recompiling(len(everything))
        tried = everything
    else:
        tried = list(dict.fromkeys([everything[0], max(everything, key=lambda shape: shape.fills)]))
    for shape in tried:
        try:
            stepper.gradients([empty_batch(shape, stepper.network.config)], Counts(1, 1, 1), 0)
        except torch.OutOfMemoryError as error:
            raise PermendError(_advice(shape, stepper)) from error
        for parameter in stepper.network.parameters():
            parameter.grad = None
    _check_room(stepper, tried[0])


def _check_room(stepper: Stepper, shape: Shape) -> None:
    """Refuse when the optimisers' state, which comes with the first step, will not fit beside the largest batch."""
    device = stepper.accelerator.device
    if device.type != "cuda":
        return
    peak = torch.cuda.max_memory_allocated(device)
    state = sum(8 * parameter.numel() for parameter in stepper.network.parameters())
    if peak + state > torch.cuda.get_device_properties(device).total_memory:
        raise PermendError(_advice(shape, stepper))


def _advice(shape: Shape, stepper: Stepper) -> str:
    tokens = stepper.options.tokens_per_batch
    return (
        f"batches of {tokens} tokens do not fit into the device's memory ({shape.rows} rows of {shape.width}): "
        f"set optimisation.tokens_per_batch={max(1, tokens // 2)} and "
        f"optimisation.accumulate={2 * stepper.options.accumulate} for the same steps"
    )


def _allow_recompiling(shapes: int) -> None:
    """Raise the number of variants that torch.compile keeps of one function, by default eight."""
    import torch._dynamo

    torch._dynamo.config.recompile_limit = max(torch._dynamo.config.recompile_limit, 2 * shapes)
