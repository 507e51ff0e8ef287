"""The folder of a run: what is kept in it, when the next of it is due, and how a run goes on from it.

In: a run between two steps. Out: files; every process calls in, the first one writes. A file or folder is written
beside the old one and takes its place in a single move, so it is always whole.

    runs/model/checkpoint.pt    to resume from        runs/model/best/    the network with the best validation score
    runs/model/recipe.toml      what is being run     runs/model/last/    the network at the end

A checkpoint is all that is needed to go on as if nothing had happened. Random numbers have no state (see `step`), and
batches follow from the positions of their feeds.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import torch
from accelerate.utils import gather_object

from permend.errors import InputError, PermendError
from permend.training.log import Listener
from permend.training.recipe_form import RecipeForm
from permend.training.step import Stepper
from permend.training.task import B, Scores, Standing

R = TypeVar("R")
FILE = "checkpoint.pt"


@dataclass(frozen=True)
class State:
    """A run between two steps."""

    recipe: dict[str, Any]
    step: int
    """Steps done."""
    epochs: float
    seconds: float
    """Time spent on steps."""
    best: float | None
    """Best validation score so far."""
    positions: list[tuple[int, ...]]
    """Where each feed stands, over all processes."""
    network: dict[str, Any]
    optimizers: list[dict[str, Any]]
    average: dict[str, Any] | None


def read_checkpoint(folder: Path, form: RecipeForm[R], recipe: R) -> dict[str, Any]:
    """Read the values of a run's checkpoint, if it is one of this recipe."""
    path = folder / FILE
    if not path.exists():
        raise InputError("there is no checkpoint to resume from", path)
    try:
        values: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
        before = form.make(values["recipe"])
    except Exception as error:  # torch.load raises whatever the bytes lead it to
        raise InputError(f"the checkpoint cannot be read ({error.__class__.__name__})", path) from error
    changed = form.differences(recipe, before)
    if changed:
        raise InputError(f"the checkpoint is of another recipe: {', '.join(changed)} differ", path)
    return values


def as_state(values: dict[str, Any], folder: Path, feeds: int) -> State:
    """Return the values of a checkpoint as a state of a run with so many feeds."""
    try:
        state = State(**values)
    except TypeError as error:
        raise InputError("the checkpoint cannot be read (TypeError)", folder / FILE) from error
    if len(state.positions) != feeds:
        raise InputError(
            f"the checkpoint is of a run with {len(state.positions)} streams of batches (processes × accumulate), "
            f"this one has {feeds}",
            folder / FILE,
        )
    return state


def refuse_overwriting(folder: Path) -> None:
    """Refuse to begin a run in the folder of another one."""
    if (folder / FILE).exists():
        raise PermendError(f"{folder} holds a run already: resume it (--resume), or set output.folder to another place")


class RunFolder(Generic[B]):
    """Saves, validates and keeps networks."""

    def __init__(self, stepper: Stepper[B], listener: Listener, recipe_text: str) -> None:
        """Begin with nothing kept; `recipe_text` becomes recipe.toml."""
        self.recipe = stepper.task.recipe
        self.path = Path(self.recipe.output.folder)
        self.best: float | None = None
        self.scores: Scores | None = None
        self.saved_step: int | None = None
        self._stepper, self._task, self._listener, self._text = stepper, stepper.task, listener, recipe_text
        self._saved_at = self._validated_at = 0.0
        self._validated_step = 0  # from which the next one counts
        self._validated_last: int | None = None  # since the start or the resume

    @property
    def _is_first(self) -> bool:
        return bool(self._stepper.accelerator.is_main_process)

    def begin(self, step: int, seconds: float, best: float | None) -> None:
        """Count from here on what is due when."""
        self._saved_at = self._validated_at = seconds
        self._validated_step, self.best = step, best
        self.saved_step = step or None
        if self._is_first:
            self.path.mkdir(parents=True, exist_ok=True)
            (self.path / "recipe.toml").write_text(self._text, encoding="utf-8")

    def save_is_due(self, seconds: float) -> bool:
        """Whether it is time for a checkpoint."""
        return seconds - self._saved_at >= 60 * self.recipe.output.save_minutes

    def validation_is_due(self, step: int, seconds: float) -> bool:
        """Whether it is time for a validation."""
        often = self.recipe.validation
        by_steps = often.every_steps is not None and step - self._validated_step >= often.every_steps
        by_time = often.every_minutes is not None and seconds - self._validated_at >= 60 * often.every_minutes
        return self._task.validates and (by_steps or by_time)

    def save(self, step: int, epochs: float, seconds: float, positions: Sequence[tuple[int, ...]]) -> None:
        """Write the checkpoint."""
        stepper, places = self._stepper, [tuple(position) for position in positions]
        everywhere: list[Any] = gather_object(places) if stepper.accelerator.num_processes > 1 else places
        if self._is_first:
            state = State(
                recipe=asdict(self.recipe),  # type: ignore[call-overload]  # a dataclass, as every recipe is
                step=step,
                epochs=epochs,
                seconds=seconds,
                best=self.best,
                positions=everywhere,
                network=stepper.network.state_dict(),
                optimizers=[optimizer.state_dict() for optimizer in stepper.optimizers],
                average=None if stepper.average is None else stepper.average.state_dict(),
            )
            _write_checkpoint(vars(state), self.path)
        self._saved_at, self.saved_step = seconds, step

    def validate(self, step: int, epochs: float, seconds: float) -> None:
        """Score the network, and keep it if it is the best so far."""
        self._validated_at, self._validated_step, self._validated_last = seconds, step, step
        if self._is_first:
            self._listener.stage("validating")
            self.scores = self._task.validate(self._stepper.result)
            self._listener.validated(step, self.scores)
            goal = self._task.log.goal
            score = self.scores.values[goal.column]
            if goal.is_better(score, self.best):
                self.best = score
                if self._task.keeps_best:
                    self.write("best", step, epochs)
            self._listener.stage(self._task.doing)
        self._stepper.accelerator.wait_for_everyone()

    def lacks_validation(self, step: int) -> bool:
        """Whether there is a validation of this step to be done, at the end of a run."""
        return self._task.validates and self._validated_last != step

    def write(self, name: str, step: int, epochs: float) -> None:
        """Write the network as a folder."""
        if self._is_first:
            standing = Standing(step, epochs, self.best, self.scores)
            replace_folder(self.path / name, lambda new: self._task.write(self._stepper.result, new, standing))


def _write_checkpoint(values: Mapping[str, Any], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    new = folder / f".{FILE}.new"
    with new.open("wb") as file:
        torch.save(dict(values), file)
        file.flush()
        os.fsync(file.fileno())
    new.replace(folder / FILE)


def replace_folder(folder: Path, write: Callable[[Path], None]) -> None:
    """Have a folder written out of sight, under its own name, and take its place when it is whole."""
    aside, old = folder.with_name(f".{folder.name}.new"), folder.with_name(f".{folder.name}.old")
    for rest in (aside, old):
        shutil.rmtree(rest, ignore_errors=True)
    new = aside / folder.name
    write(new)
    if folder.exists():
        folder.rename(old)
    new.rename(folder)
    for rest in (aside, old):
        shutil.rmtree(rest, ignore_errors=True)
