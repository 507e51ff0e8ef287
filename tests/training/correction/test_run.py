"""From pairs to a model: what the loop's tests do not say of correction."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from permend.errors import PermendError
from permend.model.torch.network import PointerInfiller
from permend.training.correction.loss import Objective
from permend.training.correction.recipe import Recipe
from permend.training.correction.run import train
from tests.training.listening import Memory, Stopping

Tiny = Callable[..., Recipe]


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # Python 3.12 on forking beside threads
def test_a_run_with_workers_resumes_as_one_without(tiny: Tiny, tmp_path: Path) -> None:
    whole, resumed = Memory(), Memory()
    train(tiny("optimisation.steps=9"), [whole])
    in_parts = ("optimisation.steps=9", f"output.folder={tmp_path / 'parts'}")
    stopped = Stopping(after=4)
    train(tiny(*in_parts, "data.workers=1"), [stopped])
    train(tiny(*in_parts, "data.workers=1"), [resumed], resume=True)
    assert stopped.losses + resumed.losses == whole.losses
    ours, theirs = (PointerInfiller.from_pretrained(tmp_path / name / "last") for name in ("run", "parts"))
    assert all(torch.equal(weight, theirs.state_dict()[name]) for name, weight in ours.state_dict().items())
    assert ours.tokenizer_json is not None


def test_every_pair_of_an_epoch_is_counted(tiny: Tiny) -> None:
    assert train(tiny("optimisation.epochs=2")).tally["pairs"] == 2 * 64


def test_the_model_with_the_best_score_is_kept(tiny: Tiny, tmp_path: Path) -> None:
    scores = iter([0.2, 0.5, 0.4])
    seen: list[dict[str, Tensor]] = []

    def evaluate(network: PointerInfiller) -> dict[str, float]:
        seen.append({name: value.clone() for name, value in network.state_dict().items()})
        return {"score": next(scores), "precision": 0.5, "recall": 0.5}

    recipe = tiny("optimisation.steps=6", "validation.every_steps=2", "optimisation.ema=0.5")
    assert train(recipe, evaluate=evaluate).best == 0.5
    best, last = (PointerInfiller.from_pretrained(tmp_path / "run" / name).state_dict() for name in ("best", "last"))
    assert all(torch.equal(best[name], seen[1][name]) for name in best)
    assert all(torch.equal(last[name], seen[2][name]) for name in last)


def test_the_pairs_of_a_bad_batch_are_those_it_was_made_of(
    tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forward = Objective.forward

    def broken(self: Objective, tensors: Any) -> Any:
        sums = forward(self, tensors)
        return sums._replace(infill=sums.infill * float("nan"))

    monkeypatch.setattr(Objective, "forward", broken)
    with pytest.raises(PermendError, match="there is no checkpoint yet"):
        train(tiny("optimisation.steps=9"))
    lines = (tmp_path / "run" / "bad-batch-1-0.tsv").read_text(encoding="utf-8").splitlines()
    toy = Path("experiments/recipes/toy/pairs.tsv").read_text(encoding="utf-8").splitlines()
    assert lines
    assert set(lines) <= set(toy)


def test_smaller_batches_and_more_of_them_save_memory(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Objective, tensors: Any) -> Any:
        raise torch.OutOfMemoryError("no")

    monkeypatch.setattr(Objective, "forward", full)
    with pytest.raises(PermendError, match=r"tokens_per_batch=128 and optimisation\.accumulate=2"):
        train(tiny("optimisation.steps=1"))


def test_a_compiled_step_is_tried_on_every_width_the_largest_first(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    widths: list[int] = []
    monkeypatch.setattr(nn.Module, "compile", lambda self, **options: None)
    forward = Objective.forward

    def noted(self: Objective, tensors: Any) -> Any:
        widths.append(tensors.ids.shape[1])
        return forward(self, tensors)

    monkeypatch.setattr(Objective, "forward", noted)
    train(tiny("optimisation.steps=1", "optimisation.compile=true"))
    assert widths[:-1] == [40, 32, 24, 16, 8]


def test_a_checkpoint_is_of_its_data_and_its_model(tiny: Tiny) -> None:
    train(tiny("optimisation.steps=2"))
    other = tiny("optimisation.seed=2", "model.dropout=0.5", "data.max_length=9", "optimisation.steps=3")
    with pytest.raises(
        PermendError, match=r"another recipe: data\.max_length, model\.dropout, optimisation\.seed differ"
    ):
        train(other, resume=True)


def test_sentences_longer_than_the_encoder_takes_are_refused_early(tiny: Tiny) -> None:
    with pytest.raises(PermendError, match=r"the encoder has 64: set data\.max_length=58 or less"):
        train(tiny("optimisation.steps=1", "data.max_length=80"))


def test_a_models_card_bears_its_name_and_its_score(tiny: Tiny, tmp_path: Path) -> None:
    train(tiny("optimisation.steps=1"), evaluate=lambda network: {"score": 0.25})
    card = (tmp_path / "run" / "last" / "README.md").read_text(encoding="utf-8")
    assert "# last\n" in card
    assert 'from_pretrained("last")' in card
    assert "Trained for 1 steps. Best validation score so far: F0.5 0.2500." in card
