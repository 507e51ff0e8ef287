"""The training loop: steps until the recipe says enough, with reports, validations and checkpoints on the way.

In: a recipe, and how to make its `Task`. Out: an `Outcome`, and what the `RunFolder` keeps. A step's loss is looked at
only when the next step is under way, so that a GPU always has work; a loss that is not a number is thus seen one step
late, but before anything is saved. The loop knows no kind of network or data: all that is special is the task's.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, NoReturn, TypeVar

import torch
from accelerate import Accelerator
from torch import Tensor

from permend.errors import PermendError
from permend.training.checkpoint import FILE, RunFolder, State, as_state, read_checkpoint, refuse_overwriting
from permend.training.log import Clock, Listener, Listeners, Meter, RunLog, StepResult
from permend.training.memory import probe
from permend.training.optimisers import rate_factor, share_done
from permend.training.processes import Interruption, LocalDecision, StepDecision, add_up, decide, join_processes
from permend.training.recipe_form import RecipeForm
from permend.training.step import Stepper
from permend.training.task import B, Delivery, RunRecipe, Scores, Task

R = TypeVar("R", bound=RunRecipe)


@dataclass(frozen=True)
class Outcome:
    """What came of a run."""

    step: int
    """Steps done, those before a resume included."""
    taken: int
    """Steps taken since the start or the resume; so are the numbers that follow."""
    epochs: float
    """Passes over the data, those before a resume included."""
    seconds: float
    """Time spent on steps."""
    tokens: int
    """Positions of the batches, padding included, over all processes."""
    waited: float
    """Seconds spent waiting for batches."""
    best: float | None
    """Best validation score, those before a resume included."""
    scores: Scores | None
    """The last validation."""
    tally: Counter[str]
    """What became of the data that this process read."""
    interrupted: bool
    """Whether a signal ended the run early."""

    @property
    def tokens_per_second(self) -> float:
        """Positions a second."""
        return self.tokens / max(self.seconds, 1e-9)

    @property
    def busy(self) -> float:
        """Share of the time in which the device had work, at least: waiting for a batch may overlap with a step."""
        return 1 - min(1.0, self.waited / max(self.seconds, 1e-9))


def run(
    recipe: R,
    form: RecipeForm[R],
    make_task: Callable[[Accelerator, Listener], Task[Any]],
    listeners: Sequence[Listener] = (),
    *,
    resume: bool = False,
) -> Outcome:
    """Run a recipe, from its beginning or from the checkpoint in its folder; the first process's listeners are told."""
    accelerator = join_processes()
    torch.set_float32_matmul_precision("high")
    told = listeners if accelerator.is_main_process else ()
    folder = Path(recipe.output.folder)
    values = read_checkpoint(folder, form, recipe) if resume else None
    if not resume:
        refuse_overwriting(folder)
        accelerator.wait_for_everyone()
    task = make_task(accelerator, Listeners(told))
    feeds = accelerator.num_processes * len(task.feeds)
    state = None if values is None else as_state(task.upgraded(values), folder, feeds)
    stepper = Stepper(task, accelerator)
    log = RunLog(folder, task.log, 0 if state is None else state.step) if accelerator.is_main_process else None
    listener = Listeners([log, *told] if log else [])
    loop = Loop(stepper, RunFolder(stepper, listener, form.write(recipe)), listener)
    if state is not None:
        loop.restore(state)
    try:
        return loop.run()
    finally:
        if log:
            log.draw()


class _Pending(NamedTuple):
    """A step whose result nobody has looked at yet."""

    sums: Tensor
    counts: Sequence[float]
    deliveries: Sequence[Delivery[Any]]


class Loop(Generic[B]):
    """A run under way."""

    def __init__(self, stepper: Stepper[B], folder: RunFolder[B], listener: Listener) -> None:
        """Put a run together; `restore` lets it begin where another one was saved."""
        self.task, self.stepper, self.folder, self.listener = stepper.task, stepper, folder, listener
        self.options, self.output = stepper.options, stepper.task.recipe.output
        self.step, self.epochs = 0, 0.0
        self.clock, self.meter = Clock(), Meter(self.task.terms)
        self.positions: list[tuple[int, ...]] = [() for _ in self.task.feeds]
        self._best: float | None = None
        self._factor = self._share = 0.0
        self._pending: _Pending | None = None

    def restore(self, state: State) -> None:
        """Go back to a checkpoint."""
        self.step, self.epochs, self._best = state.step, state.epochs, state.best
        self.clock = Clock(state.seconds)
        self.meter = Meter(self.task.terms, begun=state.seconds)
        self.positions = [tuple(state.positions[feed.number]) for feed in self.task.feeds]
        self.stepper.network.load_state_dict(state.network)
        for optimizer, saved in zip(self.stepper.optimizers, state.optimizers, strict=True):
            optimizer.load_state_dict(saved)
        if self.stepper.average is not None and state.average is not None:
            self.stepper.average.load_state_dict(state.average)

    def run(self) -> Outcome:
        """Train until the recipe, the data or a signal ends it."""
        begun, first = self.clock.seconds, self.step
        self.folder.begin(self.step, begun, self._best)
        feeds: list[Any] = [feed.open(place) for feed, place in zip(self.task.feeds, self.positions, strict=True)]
        try:
            self.listener.stage("compiling" if self.options.compile else "trying the largest batch")
            probe(self.stepper)
            deliveries = [next(feed, None) for feed in feeds]
            self.listener.stage(self.task.doing)
            with Interruption() as interruption:
                interrupted = self._train(feeds, deliveries, interruption)
                self._finish(interrupted)
        finally:
            for feed in feeds:
                feed.close()
        return Outcome(
            step=self.step,
            taken=self.step - first,
            epochs=self.epochs,
            seconds=self.clock.seconds - begun,
            tokens=self.meter.tokens,
            waited=self.meter.waited,
            best=self.folder.best,
            scores=self.folder.scores,
            tally=self.meter.tally,
            interrupted=interrupted,
        )

    def _train(
        self,
        feeds: Sequence[Iterator[Delivery[B]]],
        deliveries: list[Delivery[B] | None],
        interruption: Interruption,
    ) -> bool:
        """Take steps until there is a reason to stop; return whether it is a signal."""
        self.clock.start()
        while True:
            here = [delivery for delivery in deliveries if delivery is not None]
            decision = decide(self.stepper.accelerator, self._decision(here, interruption.requested))
            if decision.ends:
                self._settle()
                self.clock.stop()
                return decision.interrupted
            self._advance(decision, here)
            began = time.perf_counter()
            deliveries = [next(feed, None) for feed in feeds]
            self.meter.waited += time.perf_counter() - began

    def _decision(self, deliveries: Sequence[Delivery[B]], interrupted: bool) -> LocalDecision:
        seconds = self.clock.seconds
        return LocalDecision(
            exhausted=len(deliveries) < len(self.positions),
            interrupted=interrupted,
            tokens=sum(delivery.tokens for delivery in deliveries),
            # Epochs end when the batches do.
            over=share_done(self.options, self.step, 0.0, seconds) >= 1,
            save=self.folder.save_is_due(seconds),
            validate=self.folder.validation_is_due(self.step, seconds),
            share=share_done(self.options, self.step, self.epochs, seconds),
        )

    def _advance(self, decision: StepDecision, deliveries: Sequence[Delivery[B]]) -> None:
        """Do what is due, take a step, then look at the one before."""
        if decision.save or decision.validate:
            self._pause(decision)
        self._factor, self._share = rate_factor(self.options, self.step, decision.share), decision.share
        batches = [delivery.batch for delivery in deliveries]
        counts = self._count(batches)
        sums = self.stepper.step(batches, counts, self.step, self._factor, self._share)
        self._settle()
        self._pending = _Pending(sums, counts, deliveries)
        self.step += 1
        self.positions = [delivery.after for delivery in deliveries]
        self.epochs = max(delivery.epochs for delivery in deliveries)
        self.meter.tokens += decision.tokens

    def _count(self, batches: Sequence[B]) -> list[float]:
        """Return the terms' counts over all batches of all processes."""
        each = [self.task.counts(batch, self._share) for batch in batches]
        return add_up(self.stepper.accelerator, [sum(values) for values in zip(*each, strict=True)])

    def _pause(self, decision: StepDecision) -> None:
        """Save or validate, off the clock."""
        self._settle()
        self.clock.stop()
        if decision.save:
            self._save()
        if decision.validate:
            self.folder.validate(self.step, self.epochs, self.clock.seconds)
        self.clock.start()

    def _finish(self, interrupted: bool) -> None:
        """Leave everything in the folder; an interrupted run leaves its checkpoint.

        The network is written before the last validation, which may take long, and again with its scores.
        """
        if self.meter.steps:
            self._report()
        self._save()
        if interrupted:
            return
        self.folder.write("last", self.step, self.epochs)
        if self.folder.lacks_validation(self.step):
            self.folder.validate(self.step, self.epochs, self.clock.seconds)
            self._save()
            self.folder.write("last", self.step, self.epochs)

    def _save(self) -> None:
        self.folder.save(self.step, self.epochs, self.clock.seconds, self.positions)

    def _settle(self) -> None:
        """Look at the step that is pending: this waits for the device."""
        if self._pending is None:
            return
        pending, self._pending = self._pending, None
        *sums, norm = pending.sums.tolist()
        result = StepResult(sums, pending.counts, norm)
        loss = self.meter.loss(result)
        if not (math.isfinite(loss) and math.isfinite(norm)):
            self._give_up(pending, loss, norm)
        self.meter.add(result)
        for delivery in pending.deliveries:
            self.meter.tally.update(delivery.tally)
        if self.meter.steps >= self.output.log_steps:
            self._report()

    def _report(self) -> None:
        seconds, rate = self.clock.seconds, self.options.learning_rate * self._factor
        share = min(1.0, share_done(self.options, self.step, self.epochs, seconds))
        details = self.task.details(self._share, self.epochs)
        self.listener.progress(self.meter.report(self.step, share, self.epochs, seconds, rate, details))

    def _give_up(self, pending: _Pending, loss: float, norm: float) -> NoReturn:
        """Stop at a loss that is not a number: the batches are written down, the checkpoint is from before."""
        files = []
        for feed, delivery in zip(self.task.feeds, pending.deliveries, strict=True):
            files.append(self.folder.path / f"bad-batch-{self.step}-{feed.number}{self.task.batch_suffix}")
            files[-1].write_text(self.task.describe(delivery.batch), encoding="utf-8")
        saved = self.folder.saved_step
        kept = "there is no checkpoint yet" if saved is None else f"{FILE} is from step {saved} and good"
        raise PermendError(
            f"step {self.step} has the loss {loss} and a gradient of {norm}: its batch is in "
            f"{', '.join(map(str, files))}, {kept}; "
            "a lower learning rate, more warm-up or optimisation.clip_norm=1 may help"
        )
