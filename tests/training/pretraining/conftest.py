"""A pretraining recipe small enough to run in a test: the toy's text, an encoder of 15,000 weights."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from permend.training.pretraining.recipe import Recipe, read_recipe
from tests.training.conftest import RECIPES, TINY_ENCODER


@pytest.fixture
def tiny(tmp_path: Path, _at_the_root: None) -> Callable[..., Recipe]:
    """Return a maker of tiny recipes with the given changes; runs go to ``tmp_path / "run"``."""

    def make(*changes: str) -> Recipe:
        folder = f"output.folder={tmp_path / 'run'}"
        return read_recipe(RECIPES / "pretrain-toy.toml", [*TINY_ENCODER, folder, *changes])

    return make
