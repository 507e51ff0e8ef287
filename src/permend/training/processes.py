"""Several processes as one: before every step they agree whether to go on, and what is due.

In: what each process has (batches or none, a signal or none), and what the first one's clock says. Out: the same
`StepDecision` everywhere, so that all follow the same schedule, save, validate and stop together. A single process
agrees with itself at no cost. `Interruption` notes SIGTERM and SIGINT until the step under way is finished.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Sequence
from types import FrameType, TracebackType
from typing import Any, NamedTuple

import torch
from accelerate import Accelerator, PartialState
from torch import Tensor


class LocalDecision(NamedTuple):
    """What one process has to say before a step."""

    exhausted: bool
    """It has too few batches for a step."""
    interrupted: bool
    """It was asked to stop."""
    tokens: int
    """Positions of its batches."""
    over: bool
    """The steps or the minutes are used up. This and what follows counts only where the first process says it."""
    save: bool
    """A checkpoint is due."""
    validate: bool
    """A validation is due."""
    share: float
    """Share of the training that is done."""


class StepDecision(NamedTuple):
    """What holds for all processes before a step."""

    ends: bool
    """There is no further step."""
    interrupted: bool
    """Some process was asked to stop."""
    tokens: int
    """Positions of all batches of the step."""
    save: bool
    validate: bool
    share: float


def decide(accelerator: Accelerator, local: LocalDecision) -> StepDecision:
    """Agree with the other processes."""
    if not accelerator.is_main_process:
        local = local._replace(over=False, save=False, validate=False, share=0.0)
    exhausted, interrupted, tokens, over, save, validate, share = add_up(accelerator, local)
    ends = exhausted + interrupted + over > 0
    return StepDecision(ends, interrupted > 0, int(tokens), save > 0, validate > 0, share)


def add_up(accelerator: Accelerator, values: Sequence[float]) -> list[float]:
    """Add up numbers over all processes."""
    numbers = [float(value) for value in values]
    if accelerator.num_processes == 1:
        return numbers
    summed: Tensor = accelerator.reduce(torch.tensor(numbers, device=accelerator.device), "sum")
    return [float(value) for value in summed.tolist()]


def join_processes() -> Accelerator:
    """Find out about the device and the other processes of this run, if there are any."""
    # Tasks see to the precision themselves; several processes without a GPU are only found when told so.
    return Accelerator(mixed_precision="no", cpu=not torch.accelerator.is_available())


def leave_processes() -> None:
    """Leave the other processes, if there are any; nothing can be trained after that."""
    PartialState().destroy_process_group()


class Interruption:
    """Notes SIGTERM and SIGINT while its `with` block runs; elsewhere than in the main thread it notes nothing.

    A second SIGINT raises KeyboardInterrupt.
    """

    def __init__(self) -> None:
        """Begin without a request."""
        self.requested = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Interruption:
        """Take over the two signals."""
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, signal.SIGINT):
                self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give them back."""
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.requested and number == signal.SIGINT:
            raise KeyboardInterrupt
        self.requested = True
