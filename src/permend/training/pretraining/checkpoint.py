"""The checkpoint of a pretraining run: weights and optimisers; rows and masks follow from the step.

In: a run between two steps. Out: one file, always whole, that a run of the same recipe can go on from.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from permend.errors import InputError
from permend.training.checkpoint import FILE, read_checkpoint, write_checkpoint
from permend.training.correction.recipe import changed_keys
from permend.training.pretraining.recipe import Recipe, make_recipe
from permend.training.pretraining.step import Stepper

_SECTIONS = ("data", "tokenizer", "encoder", "masking", "optimisation")
_FREE = {"data.cache"}
_FIXED = {f"optimisation.{name}" for name in ("optimizer", "rows", "accumulate", "seed")}


@dataclass(frozen=True)
class State:
    """A run between two steps."""

    recipe: dict[str, Any]
    step: int
    """Steps done."""
    seconds: float
    """Time spent on steps."""
    network: dict[str, Any]
    optimizers: list[dict[str, Any]]


def save(recipe: Recipe, stepper: Stepper, step: int, seconds: float, folder: Path) -> None:
    """Write the checkpoint of a run."""
    optimizers = [optimizer.state_dict() for optimizer in stepper.optimizers]
    state = State(asdict(recipe), step, seconds, stepper.network.state_dict(), optimizers)
    write_checkpoint(vars(state), folder)


def load(folder: Path, recipe: Recipe) -> State:
    """Read the checkpoint of a run, if it is one of this recipe."""
    state = read_checkpoint(folder, State)
    changed = [
        key
        for key in changed_keys(recipe, make_recipe(state.recipe), _SECTIONS)
        if key in _FIXED or (key not in _FREE and not key.startswith("optimisation."))
    ]
    if changed:
        raise InputError(f"the checkpoint is of another recipe: {', '.join(changed)} differ", folder / FILE)
    return state


def restore(stepper: Stepper, state: State) -> None:
    """Give a run the weights of a checkpoint."""
    stepper.network.load_state_dict(state.network)
    for optimizer, saved in zip(stepper.optimizers, state.optimizers, strict=True):
        optimizer.load_state_dict(saved)
