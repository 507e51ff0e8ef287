"""The pretraining loop: steps until the recipe's time is up, the loss of each looked at while the next one runs.

In: a `Stepper`, the rows and the held-out text. Out: an `Outcome`. The clock runs from the first step on, and stands
still while the run measures or saves. A loss that is not a number is seen one step late, but before anything is saved.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from torch import Tensor

from permend.errors import PermendError
from permend.training.log import Clock
from permend.training.optimisers import rate_factor, share_done
from permend.training.pretraining import checkpoint
from permend.training.pretraining.masked import HeldOut, Measured
from permend.training.pretraining.progress import Listener, Report
from permend.training.pretraining.recipe import Recipe
from permend.training.pretraining.step import Stepper
from permend.training.pretraining.text import Rows
from permend.training.signals import Interruption


@dataclass(frozen=True)
class Outcome:
    """What came of a run."""

    step: int
    """Steps done, those before a resume included."""
    seconds: float
    """Time spent on steps since the start or the resume."""
    tokens: int
    """Tokens of the rows in that time."""
    passes: float
    """Passes over the text."""
    measured: Measured | None
    """The last measurement on held-out text."""
    interrupted: bool
    """Whether a signal ended the run early."""

    @property
    def tokens_per_second(self) -> float:
        """Tokens of the rows a second."""
        return self.tokens / max(self.seconds, 1e-9)


class Loop:
    """A run under way."""

    def __init__(
        self, recipe: Recipe, stepper: Stepper, rows: Rows, held_out: HeldOut | None, listeners: Sequence[Listener]
    ) -> None:
        """Put a run together; `restore` lets it begin where another one was saved."""
        self.recipe, self.options, self.folder = recipe, recipe.optimisation, Path(recipe.output.folder)
        self.stepper, self.rows, self.held_out, self.listeners = stepper, rows, held_out, listeners
        self.step, self.begun, self.clock = 0, 0, Clock()
        self._found: list[list[float]] = []  # of the steps since the last report
        self._pending: Tensor | None = None
        self._factor = self._masked = 0.0
        self._saved_at = self._measured_at = self._reported_at = 0.0
        self._measured_step = 0
        self._measured: Measured | None = None

    def restore(self, state: checkpoint.State) -> None:
        """Go back to a checkpoint."""
        checkpoint.restore(self.stepper, state)
        self.step = self.begun = self._measured_step = state.step
        self.clock = Clock(state.seconds)
        self._saved_at = self._measured_at = self._reported_at = state.seconds

    def run(self) -> Outcome:
        """Train until the recipe or a signal ends it."""
        began = self.clock.seconds
        self._stage("compiling" if self.options.compile else "trying a batch")
        self.stepper.rehearse(self.rows.batch(self.step))
        self._stage("pretraining")
        with Interruption() as interruption:
            self.clock.start()
            while not interruption.requested and self._done() < 1:
                self._pause_if_due()
                self._advance()
            interrupted = self._done() < 1
            self._settle()
            self.clock.stop()
            if self._found:
                self._report()
            checkpoint.save(self.recipe, self.stepper, self.step, self.clock.seconds, self.folder)
            if not interrupted and (self._measured is None or self._measured_step != self.step):
                self._measure()
        tokens = (self.step - self.begun) * self.options.rows * self.recipe.data.row
        passes = self.rows.passes(self.step)
        return Outcome(self.step, self.clock.seconds - began, tokens, passes, self._measured, interrupted)

    def _done(self) -> float:
        return share_done(self.options, self.step, self.rows.passes(self.step), self.clock.seconds)

    def _advance(self) -> None:
        """Take a step, then look at the one before."""
        done = self._done()
        self._factor = rate_factor(self.options, self.step, done)
        self._masked = self.stepper.masker.share(done)
        found = self.stepper.step(self.rows.batch(self.step), self.step, self._masked, self._factor)
        self._settle()
        self._pending = found
        self.step += 1

    def _pause_if_due(self) -> None:
        """Save or measure, off the clock."""
        seconds, often = self.clock.seconds, self.recipe.validation
        save = seconds - self._saved_at >= 60 * self.recipe.output.save_minutes
        by_steps = often.every_steps is not None and self.step - self._measured_step >= often.every_steps
        by_time = often.every_minutes is not None and seconds - self._measured_at >= 60 * often.every_minutes
        if not (save or by_steps or by_time):
            return
        self._settle()
        self.clock.stop()
        if save:
            self._saved_at = self.clock.seconds
            checkpoint.save(self.recipe, self.stepper, self.step, self.clock.seconds, self.folder)
        if by_steps or by_time:
            self._measure()
        self.clock.start()

    def _measure(self) -> None:
        self._measured_at, self._measured_step = self.clock.seconds, self.step
        if self.held_out is None:
            return
        found = self.held_out.measure(self.stepper.guesser, self.stepper.device, self.recipe.validation.samples)
        self._measured = found
        for listener in self.listeners:
            listener.measured(self.step, found)

    def _settle(self) -> None:
        """Look at the step that is pending: this waits for the device."""
        if self._pending is None:
            return
        found, self._pending = self._pending.tolist(), None
        if not all(map(math.isfinite, found)):
            raise PermendError(
                f"step {self.step} has the loss {found[0]} and a gradient of {found[2]}: "
                "a lower learning rate or more warm-up may help; a checkpoint, where there is one, is from before"
            )
        self._found.append(found)
        if len(self._found) >= self.recipe.output.log_steps:
            self._report()

    def _report(self) -> None:
        steps, seconds = len(self._found), self.clock.seconds
        loss, accuracy, gradient = (sum(column) / steps for column in zip(*self._found, strict=True))
        report = Report(
            step=self.step,
            share=min(1.0, self._done()),
            passes=self.rows.passes(self.step),
            minutes=seconds / 60,
            loss=loss,
            accuracy=accuracy,
            masked=self._masked,
            gradient=gradient,
            rate=self.options.learning_rate * self._factor,
            tokens_per_second=steps * self.options.rows * self.recipe.data.row / max(seconds - self._reported_at, 1e-9),
        )
        self._found, self._reported_at = [], seconds
        for listener in self.listeners:
            listener.progress(report)

    def _stage(self, text: str) -> None:
        for listener in self.listeners:
            listener.stage(text)
