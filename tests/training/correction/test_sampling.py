"""The learned corrupter: what it draws, how often, and that nothing is lost."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner

from permend.cli.main import main
from permend.errors import PermendError
from permend.method.plan import Plan
from permend.method.search import score_plan
from permend.training.correction.recipe import Recipe
from permend.training.correction.run import train
from permend.training.correction.sampling import Sampler, draw_orders

Tiny = Callable[..., Recipe]
DRAWS = 20_000


@pytest.mark.parametrize(("length", "slots", "padding"), [(4, 1, 0), (4, 2, 1), (3, 1, 2)])
def test_plans_are_drawn_as_often_as_the_search_says(length: int, slots: int, padding: int) -> None:
    size = length + slots
    scores = torch.randn((size, size), generator=torch.Generator().manual_seed(length))
    padded = torch.nn.functional.pad(scores, (0, padding, 0, padding), value=9.0)
    drawn = draw_orders(
        padded.expand(DRAWS, -1, -1), torch.full((DRAWS,), length), slots, torch.Generator().manual_seed(1)
    )
    counts = Counter(tuple(place for place in row if place >= 0) for row in drawn.tolist())
    for order, count in counts.items():
        chance = math.exp(score_plan(scores.double().numpy(), Plan(order, length)).log_prob)
        assert abs(count / DRAWS - chance) < 5 * math.sqrt(chance / DRAWS) + 1e-9, order


@pytest.fixture
def corrupter(tiny: Tiny) -> Path:
    """A corrupter that has seen the toy's pairs for a moment."""
    recipe = tiny("data.reverse=true", "optimisation.steps=30")
    train(recipe)
    return Path(recipe.output.folder) / "last"


def test_the_same_seed_draws_the_same_errors_and_another_one_others(corrupter: Path) -> None:
    sentences = ["She goes to school.", "", "They are here today."] * 4
    first, again, other = (Sampler.from_pretrained(corrupter, seed=seed).sample(sentences) for seed in (1, 1, 2))
    assert first == again != other
    assert len(first) == len(sentences)


def test_a_sentence_that_is_too_long_stays_as_it_is(corrupter: Path) -> None:
    long = "She goes to school. " * 60
    assert Sampler.from_pretrained(corrupter).sample([long]) == [long]


def test_a_temperature_must_be_positive(corrupter: Path) -> None:
    with pytest.raises(PermendError, match="the temperature must be positive, not 0"):
        Sampler.from_pretrained(corrupter, temperature=0)


def test_parts_together_are_the_whole_text(corrupter: Path, tmp_path: Path) -> None:
    text = tmp_path / "sentences.txt"
    lines = [f"She goes to school {number}." for number in range(7)]
    text.write_text("\n".join(lines), encoding="utf-8")
    targets: list[str] = []
    for part in ("1/2", "2/2"):
        out = tmp_path / "pairs.tsv"
        done = CliRunner().invoke(
            main, ["synth", "sample", str(corrupter), str(text), "--part", part, "--batch", "2", "-o", str(out)]
        )
        assert done.exit_code == 0, done.output
        pairs = [line.split("\t") for line in out.read_text(encoding="utf-8").splitlines()]
        assert all(len(pair) == 2 for pair in pairs)
        targets += [target for _, target in pairs]
    assert set(targets) <= set(lines)
    assert len(targets) == len(set(targets)) >= 5  # a sentence of which nothing is left is left out
    done = CliRunner().invoke(main, ["synth", "sample", str(corrupter), str(text), "--part", "3/2"])
    assert done.exit_code == 2
    assert "--part is written I/N" in done.output
