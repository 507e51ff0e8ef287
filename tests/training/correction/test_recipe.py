"""Recipes: what a user writes is what is run, and a slip is named."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from permend.errors import PermendError
from permend.training.correction.recipe import Recipe, make_recipe, read_recipe, write_recipe

RECIPES = Path(__file__).parents[3] / "experiments" / "recipes"


def _write(folder: Path, text: str, name: str = "recipe.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_written_recipe_reads_back_as_it_was() -> None:
    recipe = make_recipe(
        {
            "data": {"train": ["a.tsv", "b.m2"], "rates": {"R:SPELL": 2.0}},
            "model": {"encoder_config": {"model_type": "bert", "sizes": [1, 2]}},
        },
        ["model.next_bonus=4", "optimisation.betas=0.8,0.9", "optimisation.minutes=1.5", "optimisation.compile=true"],
    )
    assert recipe.model.next_bonus == 4.0
    assert recipe.optimisation.betas == (0.8, 0.9)
    assert make_recipe(tomllib.loads(write_recipe(recipe))) == recipe


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("optimisation.step=1", "unknown recipe key 'optimisation.step': did you mean 'optimisation.steps'"),
        ("steps=1", "unknown recipe key 'steps': did you mean 'optimisation.steps'"),
        ("optimization.seed=1", "did you mean 'optimisation.seed'"),
        ("xyzzy=1", "unknown recipe key 'xyzzy'; sections: data, model, optimisation, validation, output"),
        ("data.max_length=long", "data.max_length must be a whole number, not 'long'"),
        ("data.max_length=1.5", "data.max_length must be a whole number, not 1.5"),
        ("data.max_length=true", "data.max_length must be a whole number, not True"),
        ("optimisation.compile=1", "optimisation.compile must be true or false, not 1"),
        ("optimisation.optimizer=sgd", "optimisation.optimizer must be one of adamw, muon, not 'sgd'"),
        ("optimisation.betas=0.9", "optimisation.betas must be a list of numbers, not [0.9]"),
        ("optimisation.lambda_0=2", "optimisation.lambda_0 must lie between 0 and 1, not 2.0"),
        ("optimisation.epochs=0", "optimisation.epochs must be at least 1, not 0"),
        ("model.dropout=nan", "model.dropout must lie in [0, 1), not nan"),
        ("optimisation.steps", "a change of the recipe is key=value, not 'optimisation.steps'"),
    ],
)
def test_a_wrong_change_is_one_sentence_that_names_the_key(change: str, message: str) -> None:
    with pytest.raises(PermendError) as caught:
        make_recipe({}, [change])
    assert message in str(caught.value)


def test_none_unsets_and_bare_words_are_texts() -> None:
    recipe = make_recipe({"optimisation": {"epochs": 3}}, ["optimisation.epochs=none", "output.folder=2024"])
    assert recipe.optimisation.epochs is None
    assert recipe.output.folder == "2024"


def test_a_base_is_changed_section_by_section(tmp_path: Path) -> None:
    _write(tmp_path, '[data]\nmax_length = 30\nbucket = 4\n[output]\nfolder = "a"\n', "base.toml")
    path = _write(tmp_path, 'base = "base.toml"\n[data]\nmax_length = 40\n')
    recipe = read_recipe(path)
    assert (recipe.data.max_length, recipe.data.bucket, recipe.output.folder) == (40, 4, "a")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('base = "recipe.toml"\n', "its own base"),
        ("base = 1\n", "base is the path"),
        ('base = "missing.toml"\n', "missing.toml: the recipe cannot be read"),
        ("[data\n", "this is not TOML"),
        ("[data]\nbatch = 1\n", "recipe.toml: unknown recipe key 'data.batch'"),
        ('[data]\ntrain = ["gone.tsv"]\n', "gone.tsv: no such file (the recipe names it in data.train)"),
        ("seed = 1\n", "unknown recipe key 'seed': did you mean 'optimisation.seed'"),
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(PermendError) as caught:
        read_recipe(_write(tmp_path, text))
    assert message in str(caught.value)


def test_a_recipe_needs_a_beginning_and_an_end() -> None:
    with pytest.raises(PermendError, match="this one has none of them"):
        Recipe().check()
    with pytest.raises(PermendError, match="this one has encoder and start"):
        make_recipe({}, ["model.encoder=a", "model.start=b"]).check()
    with pytest.raises(PermendError, match="when to stop"):
        make_recipe({}, ["model.encoder=a"]).check()


@pytest.mark.parametrize(("stage", "rate", "warmup"), [(1, 3e-5, 500), (2, 3e-5, 500), (3, 1e-5, 0)])
def test_the_papers_stages_have_its_hyperparameters(stage: int, rate: float, warmup: int) -> None:
    """Section 4.3."""
    values = _resolved(RECIPES / f"paper-stage-{stage}.toml")
    recipe = make_recipe(values)
    recipe.check()
    how = recipe.optimisation
    assert (how.optimizer, how.betas, how.epsilon, how.weight_decay) == ("adamw", (0.9, 0.999), 1e-8, 0.01)
    assert (how.learning_rate, how.schedule, how.warmup_steps) == (rate, "constant", warmup)
    assert (how.tokens_per_batch, how.lambda_per, how.lambda_0) == (3000, 5.0, 0.25)
    assert how.epochs in (2, 3, 4)
    assert (recipe.data.max_length, recipe.data.max_len, recipe.model.slots) == (70, 2, 8)
    assert recipe.model.dropout == 0.1


def _resolved(path: Path) -> dict[str, dict[str, object]]:
    """Read a recipe with its bases, without looking for the files that it names."""
    values = tomllib.loads(path.read_text(encoding="utf-8"))
    base = values.pop("base", None)
    merged = _resolved(path.parent / base) if base else {}
    return {name: {**merged.get(name, {}), **values.get(name, {})} for name in {*merged, *values}}
