"""Checkpoints: all that is needed to go on as if nothing had happened, in one file.

In: a `State`. Out: `checkpoint.pt`, which is always whole: it is written beside the old one and takes its place in a
single move, as model folders do. Random numbers have no state (see `step`), and batches follow from their positions.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import torch

from permend.errors import InputError, PermendError
from permend.model.network import PointerInfiller
from permend.training.recipe import Recipe
from permend.training.recipe_file import changed_keys, make_recipe

FILE = "checkpoint.pt"
_FREE = {"data.workers"}
"""Keys of data and model that may change without another course of training."""
_FIXED = {f"optimisation.{name}" for name in ("optimizer", "tokens_per_batch", "seed", "ema")}
"""Keys of the optimisation that may not."""


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
    positions: list[tuple[int, int, int]]
    """Where each stream of batches stands, over all processes."""
    network: dict[str, Any]
    optimizers: list[dict[str, Any]]
    average: dict[str, Any] | None


def save_state(state: State, folder: Path) -> None:
    """Write the checkpoint of a run."""
    folder.mkdir(parents=True, exist_ok=True)
    new = folder / f".{FILE}.new"
    with new.open("wb") as file:
        torch.save({field.name: getattr(state, field.name) for field in fields(State)}, file)
        file.flush()
        os.fsync(file.fileno())
    new.replace(folder / FILE)


def load_state(folder: Path, recipe: Recipe, streams: int) -> State:
    """Read the checkpoint of a run, if it is one of this recipe."""
    path = folder / FILE
    if not path.exists():
        raise InputError("there is no checkpoint to resume from", path)
    try:
        state = State(**torch.load(path, map_location="cpu", weights_only=True))
    except Exception as error:  # torch.load raises whatever the bytes lead it to
        raise InputError(f"the checkpoint cannot be read ({error.__class__.__name__})", path) from error
    changed = [
        key
        for key in changed_keys(recipe, make_recipe(state.recipe), ("data", "model", "optimisation"))
        if key in _FIXED or (key not in _FREE and not key.startswith("optimisation."))
    ]
    if changed:
        raise InputError(f"the checkpoint is of another recipe: {', '.join(changed)} differ", path)
    if len(state.positions) != streams:
        raise InputError(
            f"the checkpoint is of a run with {len(state.positions)} streams of batches (processes × accumulate), "
            f"this one has {streams}",
            path,
        )
    return state


def refuse_overwriting(folder: Path) -> None:
    """Refuse to begin a run in the folder of another one."""
    if (folder / FILE).exists():
        raise PermendError(f"{folder} holds a run already: resume it (--resume), or set output.folder to another place")


def write_model(network: PointerInfiller, folder: Path, notes: str = "") -> None:
    """Write a model folder, or replace the one that is there."""
    new, old = folder.with_name(f".{folder.name}.new"), folder.with_name(f".{folder.name}.old")
    for rest in (new, old):
        shutil.rmtree(rest, ignore_errors=True)
    network.save_pretrained(new, notes)
    if folder.exists():
        folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old, ignore_errors=True)
