"""The training loop: steps until the recipe says enough, with reports, validations and checkpoints on the way.

In: a network in a `Stepper`, streams of batches, a recipe. Out: an `Outcome`, and what the `Keeper` keeps. A step's
loss is looked at only when the next step is under way, so that a GPU always has work; a loss that is not a number is
thus seen one step late, but before anything is saved.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

from torch import Tensor

from permend.errors import PermendError
from permend.text.tokens import Tokenizer
from permend.training.agreement import Agreement, Opinion, agree
from permend.training.checkpoint import FILE, State
from permend.training.correction.batches import write_batch
from permend.training.correction.examples import Tally
from permend.training.correction.recipe import Recipe
from permend.training.correction.stream import Delivery, Position, Stream
from permend.training.keeper import Keeper
from permend.training.log import Clock, Finding, Listener, Meter
from permend.training.optimisers import rate_factor, share_done
from permend.training.probe import probe
from permend.training.signals import Interruption
from permend.training.step import Counts, Stepper


@dataclass(frozen=True)
class Outcome:
    """What came of a run."""

    step: int
    """Steps done, those before a resume included."""
    seconds: float
    """Time spent on steps since the start or the resume."""
    tokens: int
    """Padded source positions in that time, over all processes."""
    waited: float
    """Seconds of it spent waiting for batches."""
    best: float | None
    """Best validation score."""
    tally: Tally
    """What became of the pairs that this process read."""
    interrupted: bool
    """Whether a signal ended the run early."""

    @property
    def tokens_per_second(self) -> float:
        """Padded source positions a second."""
        return self.tokens / max(self.seconds, 1e-9)

    @property
    def busy(self) -> float:
        """Share of the time in which the device had work, at least: waiting for a batch may overlap with a step."""
        return 1 - min(1.0, self.waited / max(self.seconds, 1e-9))


class _Pending(NamedTuple):
    """A step whose result nobody has looked at yet."""

    sums: Tensor
    counts: Counts
    deliveries: Sequence[Delivery]


class Loop:
    """A run under way."""

    def __init__(
        self,
        recipe: Recipe,
        stepper: Stepper,
        streams: Sequence[Stream],
        tokenizer: Tokenizer,
        keeper: Keeper,
        listener: Listener,
    ) -> None:
        """Put a run together; `restore` lets it begin where another one was saved."""
        self.recipe, self.options = recipe, recipe.optimisation
        self.stepper, self.streams, self.keeper = stepper, streams, keeper
        self.tokenizer, self.listener = tokenizer, listener
        self.step, self.epochs = 0, 0.0
        self.clock, self.meter = Clock(), Meter(self.options.lambda_per)
        self.positions = [Position() for _ in streams]
        self._best: float | None = None
        self._factor = 0.0
        self._pending: _Pending | None = None

    def restore(self, state: State) -> None:
        """Go back to a checkpoint."""
        self.step, self.epochs, self._best = state.step, state.epochs, state.best
        self.clock = Clock(state.seconds)
        self.meter = Meter(self.options.lambda_per, begun=state.seconds)
        self.positions = [Position(*state.positions[stream.number]) for stream in self.streams]
        self.stepper.network.load_state_dict(state.network)
        for optimizer, saved in zip(self.stepper.optimizers, state.optimizers, strict=True):
            optimizer.load_state_dict(saved)
        if self.stepper.average is not None and state.average is not None:
            self.stepper.average.load_state_dict(state.average)

    def run(self) -> Outcome:
        """Train until the recipe, the data or a signal ends it."""
        begun = self.clock.seconds
        self.keeper.begin(self.step, begun, self._best)
        feeds: list[Any] = [stream.open(place) for stream, place in zip(self.streams, self.positions, strict=True)]
        try:
            self.listener.stage("compiling" if self.options.compile else "trying the largest batch")
            probe(self.stepper, self.streams[0].shapes.values())
            deliveries = [next(feed, None) for feed in feeds]
            self.listener.stage("training")
            with Interruption() as interruption:
                interrupted = self._train(feeds, deliveries, interruption)
                self._finish(interrupted)
        finally:
            for feed in feeds:
                feed.close()
        meter, seconds = self.meter, self.clock.seconds - begun
        return Outcome(self.step, seconds, meter.tokens, meter.waited, self.keeper.best, meter.tally, interrupted)

    def _train(
        self, feeds: Sequence[Iterator[Delivery]], deliveries: list[Delivery | None], interruption: Interruption
    ) -> bool:
        """Take steps until there is a reason to stop; return whether it is a signal."""
        self.clock.start()
        while True:
            here = [delivery for delivery in deliveries if delivery is not None]
            batches = [delivery.batch for delivery in here]
            agreed = agree(
                self.stepper.accelerator, batches, len(feeds), interruption.requested, self._opinion(), self.options
            )
            if agreed.ends:
                self._settle()
                self.clock.stop()
                return agreed.interrupted
            self._advance(agreed, here)
            began = time.perf_counter()
            deliveries = [next(feed, None) for feed in feeds]
            self.meter.waited += time.perf_counter() - began

    def _opinion(self) -> Opinion:
        seconds = self.clock.seconds
        return Opinion(
            # Epochs end when the batches do.
            over=share_done(self.options, self.step, 0.0, seconds) >= 1,
            save=self.keeper.save_is_due(seconds),
            validate=self.keeper.validation_is_due(self.step, seconds),
            share=share_done(self.options, self.step, self.epochs, seconds),
        )

    def _advance(self, agreed: Agreement, deliveries: Sequence[Delivery]) -> None:
        """Do what is due, take a step, then look at the one before."""
        if agreed.save or agreed.validate:
            self._pause(agreed)
        self._factor = rate_factor(self.options, self.step, agreed.share)
        batches = [delivery.batch for delivery in deliveries]
        sums = self.stepper.step(batches, agreed.counts, self.step, self._factor)
        self._settle()
        self._pending = _Pending(sums, agreed.counts, deliveries)
        self.step += 1
        self.positions = [delivery.after for delivery in deliveries]
        self.epochs = max(delivery.epochs for delivery in deliveries)
        self.meter.tokens += agreed.tokens

    def _pause(self, agreed: Agreement) -> None:
        """Save or validate, off the clock."""
        self._settle()
        self.clock.stop()
        if agreed.save:
            self._save()
        if agreed.validate:
            self.keeper.validate(self.step, self.clock.seconds)
        self.clock.start()

    def _finish(self, interrupted: bool) -> None:
        """Leave everything in the folder, the last validation at the end; an interrupted run leaves its checkpoint."""
        if self.meter.steps:
            self._report()
        self._save()
        if interrupted:
            return
        self.keeper.write_last(self.step)
        if not self.keeper.validated(self.step):
            self.keeper.validate(self.step, self.clock.seconds)
            self._save()

    def _save(self) -> None:
        self.keeper.save(self.step, self.epochs, self.clock.seconds, self.positions)

    def _settle(self) -> None:
        """Look at the step that is pending: this waits for the device."""
        if self._pending is None:
            return
        pending, self._pending = self._pending, None
        pointer, infill, pointer_right, infill_right, norm = pending.sums.tolist()
        finding = Finding(pointer, infill, pointer_right, infill_right, *pending.counts, norm)
        loss = self.meter.loss(finding)
        if not (math.isfinite(loss) and math.isfinite(norm)):
            self._give_up(pending, loss)
        self.meter.add(finding)
        for delivery in pending.deliveries:
            self.meter.tally += delivery.tally
        if self.meter.steps >= self.recipe.output.log_steps:
            self._report()

    def _report(self) -> None:
        share = min(1.0, share_done(self.options, self.step, self.epochs, self.clock.seconds))
        rate = self.options.learning_rate * self._factor
        self.listener.progress(self.meter.report(self.step, share, self.epochs, self.clock.seconds, rate))

    def _give_up(self, pending: _Pending, loss: float) -> NoReturn:
        """Stop at a loss that is not a number: the pairs are written down, the checkpoint is from before."""
        files = []
        for place, delivery in enumerate(pending.deliveries):
            stream = self.streams[place].number
            files.append(self.keeper.folder / f"bad-batch-{self.step}-{stream}.tsv")
            write_batch(delivery.batch, self.tokenizer, files[-1])
        saved = self.keeper.saved_step
        kept = "there is no checkpoint yet" if saved is None else f"{FILE} is from step {saved} and good"
        raise PermendError(
            f"step {self.step} has the loss {loss}: its pairs are in {', '.join(map(str, files))}, {kept}; "
            "a lower learning rate, more warm-up or optimisation.clip_norm=1 may help"
        )
