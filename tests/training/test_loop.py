"""The loop: it learns, stops, saves and resumes as if nothing had happened, and fails with a sentence."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from permend.errors import PermendError
from permend.model.torch.network import PointerInfiller
from permend.training import probe as probe_module
from permend.training.correction.loss import Objective
from permend.training.correction.recipe import Recipe
from permend.training.correction.run import train
from permend.training.log import Report, read_log
from permend.training.step import Stepper
from tests.training.listening import Memory

Tiny = Callable[..., Recipe]


def _train(recipe: Recipe, **options: Any) -> tuple[Memory, Any]:
    memory = Memory()
    outcome = train(recipe, [memory], **options)
    return memory, outcome


def test_the_loss_falls_and_the_folder_has_everything(tiny: Tiny, tmp_path: Path) -> None:
    memory, outcome = _train(tiny("optimisation.steps=40", "optimisation.learning_rate=1e-2", "output.log_steps=5"))
    assert memory.losses[-1] < 0.8 * memory.losses[0]
    assert (outcome.step, outcome.interrupted) == (40, False)
    assert outcome.tokens_per_second > 0
    assert 0 <= outcome.busy <= 1
    run = tmp_path / "run"
    assert sorted(path.name for path in run.iterdir()) == [
        "checkpoint.pt",
        "last",
        "log.csv",
        "loss.png",
        "recipe.toml",
    ]
    assert [row["step"] for row in read_log(run / "log.csv")] == [5, 10, 15, 20, 25, 30, 35, 40]
    network = PointerInfiller.from_pretrained(run / "last")
    assert network.tokenizer_json is not None


@pytest.mark.parametrize(
    "changes",
    [
        ("optimisation.lambda_0=0.25", "model.dropout=0.1"),
        ("optimisation.optimizer=muon", "optimisation.ema=0.9", "optimisation.accumulate=2"),
        ("optimisation.schedule=cosine", "data.workers=1"),
    ],
)
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # Python 3.12 on forking beside threads
def test_a_resumed_run_has_the_same_losses(tiny: Tiny, tmp_path: Path, changes: tuple[str, ...]) -> None:
    whole, _ = _train(tiny("optimisation.steps=9", *changes))
    in_parts = (f"output.folder={tmp_path / 'parts'}", "output.save_minutes=1e-9", *changes)
    stopped = Stopping(after=4)
    train(tiny("optimisation.steps=9", *in_parts), [stopped])
    assert stopped.losses == whole.losses[: len(stopped.losses)]
    resumed, outcome = _train(tiny("optimisation.steps=9", *in_parts), resume=True)
    assert stopped.losses + resumed.losses == whole.losses
    assert outcome.step == 9
    ours, theirs = (PointerInfiller.from_pretrained(tmp_path / name / "last").state_dict() for name in ("run", "parts"))
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)
    rows = read_log(tmp_path / "parts" / "log.csv")
    assert [row["step"] for row in rows] == list(range(1, 10))


class Stopping(Memory):
    """Sends a signal to this very process after so many steps."""

    def __init__(self, after: int, number: int = signal.SIGTERM) -> None:
        super().__init__()
        self.after, self.number = after, number

    def progress(self, report: Report) -> None:
        super().progress(report)
        if report.step == self.after:
            os.kill(os.getpid(), self.number)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_saves_and_ends_the_run(tiny: Tiny, tmp_path: Path, number: int) -> None:
    before = signal.getsignal(number)
    outcome = train(tiny("optimisation.steps=1000"), [Stopping(3, number)])
    assert outcome.interrupted
    assert 3 <= outcome.step <= 5
    assert (tmp_path / "run" / "checkpoint.pt").exists()
    assert not (tmp_path / "run" / "last").exists()
    assert signal.getsignal(number) is before


def test_epochs_and_minutes_end_a_run(tiny: Tiny, tmp_path: Path) -> None:
    memory, outcome = _train(tiny("optimisation.epochs=2"))
    assert outcome.tally.pairs == 2 * 64
    assert memory.reports[-1].share == 1.0
    _, outcome = _train(tiny("optimisation.minutes=0.01", f"output.folder={tmp_path / 'timed'}"))
    assert 0.6 <= outcome.seconds < 10


def test_a_loss_that_is_no_number_stops_the_run(tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The batch is written down, and the checkpoint from before stays as it was."""
    _train(tiny("optimisation.steps=2"))
    checkpoint = (tmp_path / "run" / "checkpoint.pt").read_bytes()
    forward, calls = Objective.forward, []

    def broken(self: Objective, tensors: Any) -> Any:
        sums = forward(self, tensors)
        calls.append(1)
        return sums._replace(infill=sums.infill * float("nan")) if len(calls) == 5 else sums

    monkeypatch.setattr(Objective, "forward", broken)  # two calls are the probe's
    with pytest.raises(PermendError, match="step 5 has the loss nan") as caught:
        _train(tiny("optimisation.steps=9"), resume=True)
    assert "checkpoint.pt is from step 2 and good" in str(caught.value)
    assert (tmp_path / "run" / "checkpoint.pt").read_bytes() == checkpoint
    lines = (tmp_path / "run" / "bad-batch-5-0.tsv").read_text(encoding="utf-8").splitlines()
    toy = Path("experiments/recipes/toy/pairs.tsv").read_text(encoding="utf-8").splitlines()
    assert lines
    assert set(lines) <= set(toy)


def test_running_out_of_memory_comes_first_and_with_advice(
    tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Objective, tensors: Any) -> Any:
        raise torch.OutOfMemoryError("no")

    monkeypatch.setattr(Objective, "forward", full)
    with pytest.raises(PermendError, match=r"tokens_per_batch=128 and optimisation\.accumulate=2"):
        _train(tiny("optimisation.steps=1"))
    assert not (tmp_path / "run" / "checkpoint.pt").exists()


def test_the_best_model_is_kept(tiny: Tiny, tmp_path: Path) -> None:
    scores = iter([0.2, 0.5, 0.4])
    seen: list[dict[str, Tensor]] = []

    def evaluate(network: PointerInfiller) -> dict[str, float]:
        seen.append({name: value.clone() for name, value in network.state_dict().items()})
        return {"score": next(scores), "precision": 0.5, "recall": 0.5}

    memory, outcome = _train(tiny("optimisation.steps=6", "validation.every_steps=2"), evaluate=evaluate)
    assert [step for step, _ in memory.scores] == [2, 4, 6]
    assert outcome.best == 0.5
    best = PointerInfiller.from_pretrained(tmp_path / "run" / "best").state_dict()
    assert all(torch.equal(best[name], seen[1][name]) for name in best)


def test_a_validation_in_between_changes_no_loss(tiny: Tiny, tmp_path: Path) -> None:
    def evaluate(network: PointerInfiller) -> dict[str, float]:
        torch.rand(7)
        return {"score": 0.0}

    plain, _ = _train(tiny("optimisation.steps=4", "model.dropout=0.1"))
    other = tiny("optimisation.steps=4", "model.dropout=0.1", "validation.every_steps=1", f"output.folder={tmp_path}/b")
    validated, _ = _train(other, evaluate=evaluate)
    assert validated.losses == plain.losses


def test_a_run_is_neither_overwritten_nor_resumed_by_another_recipe(tiny: Tiny, tmp_path: Path) -> None:
    with pytest.raises(PermendError, match="no checkpoint to resume from"):
        _train(tiny("optimisation.steps=2"), resume=True)
    _train(tiny("optimisation.steps=2"))
    with pytest.raises(PermendError, match="holds a run already"):
        _train(tiny("optimisation.steps=2"))
    with pytest.raises(
        PermendError, match=r"another recipe: data\.max_length, model\.dropout, optimisation\.seed differ"
    ):
        _train(
            tiny("optimisation.seed=2", "model.dropout=0.5", "data.max_length=9", "optimisation.steps=3"), resume=True
        )
    with pytest.raises(PermendError, match=r"a run with 1 streams of batches .* this one has 2"):
        _train(tiny("optimisation.accumulate=2", "optimisation.steps=3"), resume=True)
    (tmp_path / "run" / "checkpoint.pt").write_bytes(b"rubbish")
    with pytest.raises(PermendError, match="the checkpoint cannot be read"):
        _train(tiny("optimisation.steps=3"), resume=True)


def test_sentences_longer_than_the_encoder_takes_are_refused_early(tiny: Tiny) -> None:
    with pytest.raises(PermendError, match=r"the encoder has 64: set data\.max_length=58 or less"):
        _train(tiny("optimisation.steps=1", "data.max_length=80"))


def test_a_compiled_step_is_tried_on_every_shape(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling itself takes too long for a test: only what is asked of it is looked at."""
    asked: list[str] = []
    widths: list[int] = []
    monkeypatch.setattr(nn.Module, "compile", lambda self, **options: asked.append(type(self).__name__))
    gradients = Stepper.gradients

    def noted(self: Stepper, batches: Any, counts: Any, number: int) -> Tensor:
        widths.append(batches[0].shape.width)
        return gradients(self, batches, counts, number)

    monkeypatch.setattr(Stepper, "gradients", noted)
    memory, _ = _train(tiny("optimisation.steps=1", "optimisation.compile=true"))
    assert {"Block", "ModernBertEncoderLayer"} == set(asked)
    assert widths[:-1] == [40, 32, 24, 16, 8]
    assert "compiling" in memory.stages
    assert probe_module.torch._dynamo.config.recompile_limit >= 10  # type: ignore[attr-defined]


def test_a_models_card_bears_its_name(tiny: Tiny, tmp_path: Path) -> None:
    _train(tiny("optimisation.steps=1"))
    card = (tmp_path / "run" / "last" / "README.md").read_text(encoding="utf-8")
    assert "# last\n" in card
    assert 'from_pretrained("last")' in card
    assert not list((tmp_path / "run").glob(".*"))
