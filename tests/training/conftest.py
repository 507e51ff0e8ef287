"""A recipe small enough to run in a test: the toy's tokenizer and pairs, a network of 20,000 weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch

from permend.training.correction.recipe import Recipe, read_recipe

RECIPES = Path(__file__).parents[2] / "experiments" / "recipes"
TINY = (
    "model.encoder_config.hidden_size=16",
    "model.encoder_config.num_hidden_layers=1",
    "model.encoder_config.num_attention_heads=2",
    "model.encoder_config.intermediate_size=16",
    "model.decoder_layers=1",
    "optimisation.tokens_per_batch=256",
    "optimisation.epochs=none",
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
        return read_recipe(RECIPES / "toy.toml", [*TINY, f"output.folder={tmp_path / 'run'}", *changes])

    return make
