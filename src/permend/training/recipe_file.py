"""Training recipes as TOML files, with changes from the command line.

In: the path of a TOML file and ``key=value`` texts with dotted keys. Out: a checked `Recipe`, or one sentence that
names the key at fault. `write_recipe` is the inverse: the resolved recipe as TOML.

>>> recipe = make_recipe({"data": {"train": ["pairs.tsv"]}}, ["optimisation.steps=100", "data.max_length=40"])
>>> recipe.optimisation.steps, recipe.data.max_length
(100, 40)
>>> make_recipe({}, ["model.inti=encoder"])
Traceback (most recent call last):
permend.errors.PermendError: unknown recipe key 'model.inti': did you mean 'model.init'?
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from permend.training.recipe import INSTALLED, Recipe
from permend.training.recipe_form import Named, RecipeForm


def _files(recipe: Recipe) -> Named:
    named: list[tuple[str, str | None]] = [("data.train", path) for path in recipe.data.train]
    named += [("data.text", path) for path in recipe.data.text]
    named += [("data.misspellings", path) for path in recipe.data.misspellings]
    named += [("data.errors", recipe.data.errors)]
    named += [("data.validation", recipe.data.validation), ("model.tokenizer", recipe.model.tokenizer)]
    named += [("model.start", recipe.model.start)] if recipe.model.start != INSTALLED else []
    return named


_FORM = RecipeForm(Recipe, _files)


def read_recipe(path: str | Path, changes: Sequence[str] = ()) -> Recipe:
    """Read a recipe file, carry out the changes, check every value and that the files it names are there."""
    return _FORM.read(path, changes)


def make_recipe(values: Mapping[str, Any], changes: Sequence[str] = ()) -> Recipe:
    """Build a recipe from nested values and ``key=value`` changes."""
    return _FORM.make(values, changes)


def write_recipe(recipe: Recipe) -> str:
    """Return the recipe as TOML; values that are not set are comments."""
    return _FORM.write(recipe)


def changed_keys(recipe: object, other: object, sections: Sequence[str]) -> list[str]:
    """Return the keys of the sections in which two recipes differ."""
    return [
        f"{name}.{field.name}"
        for name in sections
        for field in dataclasses.fields(getattr(recipe, name))
        if getattr(getattr(recipe, name), field.name) != getattr(getattr(other, name), field.name)
    ]
