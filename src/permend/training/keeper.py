"""What a run keeps: its checkpoint, its best model, its last one; and when the next of them is due.

In: a run between two steps. Out: files in its folder. Every process calls in, the first one writes.

    runs/model/checkpoint.pt    to resume from        runs/model/best/    the model with the best validation score
    runs/model/recipe.toml      what is being run     runs/model/last/    the model at the end
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from accelerate.utils import gather_object

from permend.training.checkpoint import State, save_state, write_model
from permend.training.correction.recipe import Recipe, write_recipe
from permend.training.correction.stream import Position
from permend.training.correction.validation import Evaluate
from permend.training.log import Listener
from permend.training.step import Stepper


class Keeper:
    """Saves and validates."""

    def __init__(self, recipe: Recipe, stepper: Stepper, listener: Listener, evaluate: Evaluate | None) -> None:
        """Nothing is kept yet."""
        self.folder = Path(recipe.output.folder)
        self.best: float | None = None
        self.saved_step: int | None = None
        self._recipe, self._stepper, self._listener, self._evaluate = recipe, stepper, listener, evaluate
        self._saved_at = self._validated_at = 0.0
        self._validated_step = 0

    def begin(self, step: int, seconds: float, best: float | None) -> None:
        """Count from here on what is due when."""
        self._saved_at = self._validated_at = seconds
        self._validated_step, self.best = step, best
        self.saved_step = step or None
        if self._stepper.accelerator.is_main_process:
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / "recipe.toml").write_text(write_recipe(self._recipe), encoding="utf-8")

    def save_is_due(self, seconds: float) -> bool:
        """Whether it is time for a checkpoint."""
        return seconds - self._saved_at >= 60 * self._recipe.output.save_minutes

    def validation_is_due(self, step: int, seconds: float) -> bool:
        """Whether it is time for a validation."""
        often = self._recipe.validation
        by_steps = often.every_steps is not None and step - self._validated_step >= often.every_steps
        by_time = often.every_minutes is not None and seconds - self._validated_at >= 60 * often.every_minutes
        return self._evaluate is not None and (by_steps or by_time)

    def save(self, step: int, epochs: float, seconds: float, positions: list[Position]) -> None:
        """Write the checkpoint."""
        accelerator = self._stepper.accelerator
        places = [tuple(position) for position in positions]
        everywhere: list[Any] = gather_object(places) if accelerator.num_processes > 1 else places
        if accelerator.is_main_process:
            average = self._stepper.average
            state = State(
                recipe=asdict(self._recipe),
                step=step,
                epochs=epochs,
                seconds=seconds,
                best=self.best,
                positions=everywhere,
                network=self._stepper.network.state_dict(),
                optimizers=[optimizer.state_dict() for optimizer in self._stepper.optimizers],
                average=None if average is None else average.state_dict(),
            )
            save_state(state, self.folder)
        self._saved_at, self.saved_step = seconds, step

    def validate(self, step: int, seconds: float) -> None:
        """Score the network, and keep it if it is the best so far."""
        self._validated_at, self._validated_step = seconds, step
        if self._evaluate is None:
            return
        accelerator = self._stepper.accelerator
        if accelerator.is_main_process:
            self._listener.stage("validating")
            scores = self._evaluate(self._stepper.result)
            self._listener.validated(step, scores)
            if self.best is None or scores["score"] > self.best:
                self.best = scores["score"]
                write_model(self._stepper.result, self.folder / "best", self._notes(step))
            self._listener.stage("training")
        accelerator.wait_for_everyone()

    def validated(self, step: int) -> bool:
        """Whether the network has been validated at this step."""
        return step == self._validated_step

    def write_last(self, step: int) -> None:
        """Write the model as it is."""
        if self._stepper.accelerator.is_main_process:
            write_model(self._stepper.result, self.folder / "last", self._notes(step))

    def _notes(self, step: int) -> str:
        score = "" if self.best is None else f" Best validation score so far: F0.5 {self.best:.4f}."
        return f"Trained for {step:,} steps.{score}\n\n```toml\n{write_recipe(self._recipe)}```"
