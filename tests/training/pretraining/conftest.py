"""A pretraining recipe small enough to run in a test: the toy's text, an encoder of 15,000 weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch

from permend.training.pretraining.recipe import Recipe, read_recipe

RECIPES = Path(__file__).parents[3] / "experiments" / "recipes"
TINY = (
    "encoder.config.hidden_size=32",
    "encoder.config.num_hidden_layers=1",
    "encoder.config.num_attention_heads=2",
    "encoder.config.intermediate_size=32",
    "output.log_steps=1",
)


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """Tiny products are slower with several threads, and much slower on a busy machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Recipe]:
    """Return a maker of tiny recipes with the given changes; runs go to ``tmp_path / "run"``."""
    monkeypatch.chdir(RECIPES.parents[1])  # where the toy's paths lead from

    def make(*changes: str) -> Recipe:
        return read_recipe(RECIPES / "pretrain-toy.toml", [*TINY, f"output.folder={tmp_path / 'run'}", *changes])

    return make
