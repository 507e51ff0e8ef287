"""Training on clean text: errors are made on the way, new ones every epoch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from permend.errors import PermendError
from permend.training.recipe import Recipe
from permend.training.run import make_source, train
from tests.synthesis.annotated import small_model

Tiny = Callable[..., Recipe]


@pytest.fixture
def text(tmp_path: Path) -> tuple[str, str]:
    """A text and an error model, as changes of a recipe."""
    small_model(tmp_path).save(tmp_path / "errors.json")
    lines = [f"She goes to the school every day with {count} dogs and likes it." for count in range(2, 60)]
    (tmp_path / "clean.txt").write_text("\n".join(lines), encoding="utf-8")
    return f"data.text={tmp_path / 'clean.txt'}", f"data.errors={tmp_path / 'errors.json'}"


def test_a_recipe_can_learn_from_text(tiny: Tiny, text: tuple[str, str]) -> None:
    recipe = tiny(*text, "data.train=", "optimisation.steps=3")
    assert train(recipe).step == 3


def test_every_epoch_has_new_errors_in_the_same_sentences(tiny: Tiny, text: tuple[str, str]) -> None:
    source = make_source(tiny(*text, "data.train=").data)
    epochs = [sorted(source.read(epoch, 1, 0, len(source)), key=lambda pair: pair.target) for epoch in (0, 1)]
    assert [pair.target for pair in epochs[0]] == [pair.target for pair in epochs[1]]
    assert epochs[0] != epochs[1]
    assert any(pair.source != pair.target for pair in epochs[0])


def test_text_and_pairs_together_or_text_alone_are_refused(tiny: Tiny, text: tuple[str, str]) -> None:
    with pytest.raises(PermendError, match="not from both"):
        tiny(*text, "optimisation.steps=1").check()
    with pytest.raises(PermendError, match=r"data\.text needs data\.errors"):
        tiny(text[0], "data.train=", "optimisation.steps=1").check()
