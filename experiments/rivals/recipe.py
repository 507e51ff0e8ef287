"""A recipe for training a rival: a corrector's recipe with one section more, which names the system.

    [system]
    name = "gector"
    options = { tags = 5000 }

All other sections are those of `permend.training.correction.recipe`, with the same meaning, as far as a rival has
such a thing: `model.slots` and `optimisation.lambda_per` are permend's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from experiments.rivals import find_system
from permend.training.correction.recipe import Recipe, named_files
from permend.training.recipe_form import RecipeForm


@dataclass(frozen=True)
class SystemChoice:
    """Which system, and what is special about it."""

    name: str = "ar"
    """Its name."""
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """What the system itself explains."""


@dataclass(frozen=True)
class RivalRecipe(Recipe):
    """A training run of a rival."""

    system: SystemChoice = field(default_factory=SystemChoice)

    def check(self) -> None:
        """Refuse a recipe that lacks something, or names a system that there is not."""
        super().check()
        find_system(self.system.name)


FORM = RecipeForm(
    RivalRecipe,
    named_files,
    free=["data.workers"],
    fixed=[f"optimisation.{name}" for name in ("optimizer", "tokens_per_batch", "seed", "ema")],
)
read_recipe, make_recipe, write_recipe = FORM.read, FORM.make, FORM.write
