"""Checkpoints: all that is needed to go on as if nothing had happened, in one file.

In: a `State`. Out: `checkpoint.pt`, which is always whole: it is written beside the old one and takes its place in a
single move, as model folders do. Random numbers have no state (see `step`), and batches follow from their positions.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import torch

from permend.errors import InputError, PermendError
from permend.model.torch.network import PointerInfiller
from permend.training.correction.recipe import Recipe, changed_keys, make_recipe

S = TypeVar("S")
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
    write_checkpoint({field.name: getattr(state, field.name) for field in fields(State)}, folder)


def write_checkpoint(values: Mapping[str, Any], folder: Path) -> None:
    """Write the values of a checkpoint, which takes the place of the old one when it is whole."""
    folder.mkdir(parents=True, exist_ok=True)
    new = folder / f".{FILE}.new"
    with new.open("wb") as file:
        torch.save(dict(values), file)
        file.flush()
        os.fsync(file.fileno())
    new.replace(folder / FILE)


def read_checkpoint(folder: Path, kind: type[S]) -> S:
    """Read a checkpoint as a dataclass of that kind."""
    path = folder / FILE
    if not path.exists():
        raise InputError("there is no checkpoint to resume from", path)
    try:
        return kind(**torch.load(path, map_location="cpu", weights_only=True))
    except Exception as error:  # torch.load raises whatever the bytes lead it to
        raise InputError(f"the checkpoint cannot be read ({error.__class__.__name__})", path) from error


def load_state(folder: Path, recipe: Recipe, streams: int) -> State:
    """Read the checkpoint of a run, if it is one of this recipe."""
    path, state = folder / FILE, read_checkpoint(folder, State)
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
    replace_folder(folder, lambda new: network.save_pretrained(new, notes))


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
