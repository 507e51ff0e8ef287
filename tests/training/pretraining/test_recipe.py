"""Pretraining recipes: every mistake is one sentence that names the key."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from permend.errors import PermendError
from permend.training.pretraining.masked import estimate_memory
from permend.training.pretraining.recipe import make_recipe, read_recipe, write_recipe

RECIPES = Path(__file__).parents[3] / "experiments" / "recipes"
TEXT = {"data": {"text": ["news.txt"]}, "encoder": {"config": {"hidden_size": 64}}, "optimisation": {"steps": 1}}


def test_a_written_recipe_is_the_recipe() -> None:
    recipe = make_recipe(TEXT, ["masking.share=0.25", "data.text_shares=0.5"])
    assert make_recipe(tomllib.loads(write_recipe(recipe))) == recipe


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("optimisation.row=8", "unknown recipe key 'optimisation.row': did you mean"),
        ("masking.share=1.5", r"masking.share must lie in \[0, 1\), not 1.5"),
        ("masking.other=0.5", "must be shares that add up to at most 1"),
        ("optimisation.accumulate=3", "optimisation.accumulate=3 does not divide 2048 rows"),
        ("tokenizer.vocabulary=100", "tokenizer.vocabulary must be at least 261, not 100"),
        ("data.row=long", "data.row must be a whole number, not 'long'"),
    ],
)
def test_values_that_cannot_be_used_are_named(change: str, message: str) -> None:
    with pytest.raises(PermendError, match=message):
        make_recipe(TEXT, [change])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("data.text=", "has text to learn from"),
        ("data.text_shares=0.5,0.5", "2 shares for 1 texts"),
        ("optimisation.steps=none", "a recipe says when to stop"),
    ],
)
def test_values_that_do_not_fit_together_are_named(change: str, message: str) -> None:
    with pytest.raises(PermendError, match=message):
        make_recipe(TEXT, [change]).check()


def test_an_encoder_has_one_beginning_and_one_tokenizer() -> None:
    with pytest.raises(PermendError, match=r"set encoder.config or encoder.start"):
        make_recipe({**TEXT, "encoder": {}}).check()
    with pytest.raises(PermendError, match=r"encoder.start brings its own tokenizer"):
        make_recipe(TEXT, ["encoder.start=base", "tokenizer.path=tokenizer.json"]).check()


def test_the_english_recipe_makes_an_encoder_of_51_million_weights(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("Text.\n", encoding="utf-8")
    recipe = read_recipe(RECIPES / "pretrain-en.toml", [f"data.text={tmp_path / 'text.txt'}"])
    recipe.check()
    estimate = estimate_memory(recipe)
    assert round(estimate.parameters / 1e6, 1) == 51.4
    assert estimate.total < 100 * 2**30
