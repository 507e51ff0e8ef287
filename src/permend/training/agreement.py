"""What the processes of a run agree on before every step.

In: what each of them has: batches or none, a signal or none; and what the first one's clock says. Out: the same
`Agreement` everywhere, so that all of them divide by the same numbers, follow the same schedule and stop together. A
single process agrees with itself at no cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from accelerate import Accelerator
from torch import Tensor

from permend.training.correction.batches import Batch
from permend.training.correction.loss import pointer_weight
from permend.training.correction.recipe import Optimisation
from permend.training.step import Counts


class Opinion(NamedTuple):
    """What the first process decides for all."""

    over: bool = False
    """The steps or the minutes are used up."""
    save: bool = False
    """A checkpoint is due."""
    validate: bool = False
    """A validation is due."""
    share: float = 0.0
    """Share of the training that is done."""


class Agreement(NamedTuple):
    """What all processes know."""

    counts: Counts
    """What the sums of the step are divided by."""
    tokens: int
    """Padded source positions of the step."""
    exhausted: bool
    """Some process has no more batches."""
    interrupted: bool
    """Some process was asked to stop."""
    over: bool
    save: bool
    validate: bool
    share: float

    @property
    def ends(self) -> bool:
        """Whether there is no further step."""
        return self.exhausted or self.interrupted or self.over


def agree(
    accelerator: Accelerator,
    batches: Sequence[Batch],
    wanted: int,
    interrupted: bool,
    opinion: Opinion,
    options: Optimisation,
) -> Agreement:
    """Add up what all processes have; `wanted` is the number of batches a step takes from each."""
    mine = [
        sum(pointer_weight(batch, options) for batch in batches),
        sum(batch.decisions for batch in batches),
        sum(batch.fills for batch in batches),
        sum(batch.shape.tokens for batch in batches),
        len(batches) < wanted,
        interrupted,
    ]
    decided = opinion if accelerator.is_main_process else Opinion()
    total = _summed(accelerator, [float(value) for value in (*mine, *decided)])
    exhausted, stopped, over, save, validate = (value > 0 for value in total[4:9])
    return Agreement(Counts(*total[:3]), int(total[3]), exhausted, stopped, over, save, validate, total[9])


def _summed(accelerator: Accelerator, values: list[float]) -> list[float]:
    if accelerator.num_processes == 1:
        return values
    summed: Tensor = accelerator.reduce(torch.tensor(values, device=accelerator.device), "sum")
    return [float(value) for value in summed.tolist()]
