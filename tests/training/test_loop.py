"""The loop, for every kind of training: it learns, stops, saves and resumes as if nothing had happened."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from permend.errors import PermendError
from permend.training import memory as memory_module
from permend.training.log import read_log
from tests.training.conftest import Kind
from tests.training.listening import Memory, Stopping

Scripted = Callable[[Callable[[nn.Module], float]], Kind]


def _weights(folder: Path) -> dict[str, Tensor]:
    state = torch.load(folder / "checkpoint.pt", weights_only=True)
    return {**state["network"], **{f"average.{name}": value for name, value in (state["average"] or {}).items()}}


def _same(ours: dict[str, Tensor], theirs: dict[str, Tensor]) -> bool:
    return ours.keys() == theirs.keys() and all(torch.equal(ours[name], theirs[name]) for name in ours)


def test_the_loss_falls_and_the_folder_has_everything(kind: Kind) -> None:
    memory, outcome = kind.run("optimisation.steps=40", "optimisation.learning_rate=1e-2", "output.log_steps=5")
    assert memory.losses[-1] < kind.learns * memory.losses[0]
    assert (outcome.step, outcome.taken, outcome.interrupted) == (40, 40, False)
    assert outcome.tokens_per_second > 0
    assert 0 <= outcome.busy <= 1
    usual = {"checkpoint.pt", "last", "log.csv", "loss.png", "recipe.toml"}
    assert {path.name for path in kind.folder.iterdir()} == usual | kind.leaves
    rows = [row for row in read_log(kind.folder / "log.csv") if "loss" in row]
    assert [row["step"] for row in rows] == [5, 10, 15, 20, 25, 30, 35, 40]
    assert memory.stages[-1] == kind.doing


@pytest.mark.parametrize(
    "changes",
    [
        ("optimisation.optimizer=muon", "optimisation.ema=0.9", "optimisation.accumulate=2"),
        ("optimisation.schedule=cosine", "dropout"),
    ],
)
def test_a_resumed_run_has_the_same_losses(kind: Kind, tmp_path: Path, changes: tuple[str, ...]) -> None:
    chosen = [part for change in changes for part in (kind.dropout if change == "dropout" else (change,))]
    whole, _ = kind.run("optimisation.steps=9", *chosen)
    in_parts = (f"output.folder={tmp_path / 'parts'}", "output.save_minutes=1e-9", "optimisation.steps=9", *chosen)
    stopped, _ = kind.run(*in_parts, memory=Stopping(after=4))
    assert stopped.losses == whole.losses[: len(stopped.losses)]
    resumed, outcome = kind.run(*in_parts, resume=True)
    assert stopped.losses + resumed.losses == whole.losses
    assert (outcome.step, outcome.taken) == (9, 9 - len(stopped.losses))
    assert _same(_weights(kind.folder), _weights(tmp_path / "parts"))
    rows = read_log(tmp_path / "parts" / "log.csv")
    assert [row["step"] for row in rows if "loss" in row] == list(range(1, 10))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_saves_and_ends_the_run(kind: Kind, number: int) -> None:
    before = signal.getsignal(number)
    _, outcome = kind.run("optimisation.steps=1000", memory=Stopping(3, number))
    assert outcome.interrupted
    assert 3 <= outcome.step <= 5
    assert (kind.folder / "checkpoint.pt").exists()
    assert not (kind.folder / "last").exists()
    assert signal.getsignal(number) is before


def test_epochs_and_minutes_end_a_run(kind: Kind, tmp_path: Path) -> None:
    memory, outcome = kind.run("optimisation.epochs=2")
    assert 2 <= outcome.epochs < 2 + 1 / 4
    assert memory.reports[-1].share == 1.0
    _, outcome = kind.run("optimisation.minutes=0.01", f"output.folder={tmp_path / 'timed'}")
    assert 0.6 <= outcome.seconds < 10


def test_a_finished_run_has_nothing_left_to_do(kind: Kind) -> None:
    kind.run("optimisation.steps=3")
    weights = _weights(kind.folder)
    memory, outcome = kind.run("optimisation.steps=3", resume=True)
    assert (outcome.step, outcome.taken, outcome.interrupted, memory.losses) == (3, 0, False, [])
    assert (outcome.tokens, sum(outcome.tally.values())) == (0, 0)
    assert _same(_weights(kind.folder), weights)


def test_a_loss_that_is_no_number_stops_the_run(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    """The batch is written down, and the checkpoint from before stays as it was."""
    kind.run("optimisation.steps=2")
    checkpoint = (kind.folder / "checkpoint.pt").read_bytes()
    memory, calls, forward = Memory(), [], kind.objective.forward

    def broken(self: nn.Module, *inputs: Any) -> tuple[Tensor, ...]:
        first, *others = forward(self, *inputs)
        calls.extend([1] if memory.stages[-1] == kind.doing else [])  # those of the probe do not count
        return (first * float("nan") if len(calls) == 3 else first, *others)

    monkeypatch.setattr(kind.objective, "forward", broken)
    with pytest.raises(PermendError, match="step 5 has the loss nan") as caught:
        kind.run("optimisation.steps=9", resume=True, memory=memory)
    assert "checkpoint.pt is from step 2 and good" in str(caught.value)
    assert (kind.folder / "checkpoint.pt").read_bytes() == checkpoint
    assert (kind.folder / f"bad-batch-5-0{kind.suffix}").read_text(encoding="utf-8").strip()


def test_running_out_of_memory_comes_first_and_with_advice(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: nn.Module, *inputs: Any) -> Any:
        raise torch.OutOfMemoryError("no")

    monkeypatch.setattr(kind.objective, "forward", full)
    with pytest.raises(PermendError, match=r"not fit into the device's memory"):
        kind.run("optimisation.steps=1")
    assert not (kind.folder / "checkpoint.pt").exists()


def test_the_best_network_is_kept(scripted: Scripted) -> None:
    seen: list[dict[str, Tensor]] = []
    scores: Iterator[float] = iter(())

    def score(network: nn.Module) -> float:
        seen.append({name: value.clone() for name, value in network.state_dict().items()})
        return next(scores)

    kind = scripted(score)
    scores = iter([0.2, 0.5, 0.4] if kind.high else [0.4, 0.1, 0.2])
    changes = ["data.held_out_share=0.1"] if kind.name == "pretraining" else []
    memory, outcome = kind.run("optimisation.steps=6", "validation.every_steps=2", *changes)
    assert [step for step, _ in memory.scores] == [2, 4, 6]
    assert outcome.best == (0.5 if kind.high else 0.1)
    assert outcome.scores == memory.scores[-1][1]
    assert [row[kind.score] for row in read_log(kind.folder / "log.csv") if kind.score in row] == pytest.approx(
        [found.values[kind.score] for _, found in memory.scores]
    )
    assert (kind.folder / "best").exists() == kind.keeps_best
    assert _same(_weights(kind.folder), seen[2])
    if kind.name == "regression":
        assert _same(torch.load(kind.folder / "best" / "weights.pt", weights_only=True), seen[1])


def test_a_validation_in_between_changes_no_loss(scripted: Scripted, tmp_path: Path) -> None:
    kind = scripted(lambda network: float(torch.rand(7)[0]))
    changes = ["data.held_out_share=0.1"] if kind.name == "pretraining" else []
    plain, _ = kind.run("optimisation.steps=4", *kind.dropout, *changes)
    often = ("validation.every_steps=1", f"output.folder={tmp_path}/b")
    validated, _ = kind.run("optimisation.steps=4", *kind.dropout, *changes, *often)
    assert len(validated.scores) == 4
    assert validated.losses == plain.losses


def test_a_run_is_neither_overwritten_nor_resumed_by_another_recipe(kind: Kind) -> None:
    with pytest.raises(PermendError, match="no checkpoint to resume from"):
        kind.run("optimisation.steps=2", resume=True)
    kind.run("optimisation.steps=2")
    with pytest.raises(PermendError, match="holds a run already"):
        kind.run("optimisation.steps=2")
    with pytest.raises(PermendError, match=r"another recipe: optimisation\.seed differ"):
        kind.run("optimisation.seed=2", "optimisation.steps=3", resume=True)
    with pytest.raises(PermendError, match=r"a run with 1 streams of batches .* this one has 2"):
        kind.run("optimisation.accumulate=2", "optimisation.steps=3", resume=True)
    (kind.folder / "checkpoint.pt").write_bytes(b"rubbish")
    with pytest.raises(PermendError, match="the checkpoint cannot be read"):
        kind.run("optimisation.steps=3", resume=True)


def test_a_compiled_step_is_tried_on_every_shape(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling itself takes too long for a test: only what is asked of it is looked at."""
    asked: list[str] = []
    shapes: list[tuple[Any, ...]] = []
    monkeypatch.setattr(nn.Module, "compile", lambda self, **options: asked.append(type(self).__name__))
    forward = kind.objective.forward

    def noted(self: nn.Module, *inputs: Any) -> Any:
        flat = inputs[0] if isinstance(inputs[0], tuple) else inputs
        shapes.append(tuple(tuple(tensor.shape) for tensor in flat))
        return forward(self, *inputs)

    monkeypatch.setattr(kind.objective, "forward", noted)
    memory, _ = kind.run("optimisation.steps=4", "optimisation.compile=true")
    assert set(asked) == kind.compiles
    tried = {"correction": 5, "pretraining": 2, "regression": 1}[kind.name]
    assert set(shapes[tried:]) <= set(shapes[:tried])
    assert len(set(shapes[:tried])) == tried
    assert "compiling" in memory.stages
    assert memory_module.torch._dynamo.config.recompile_limit >= 3 * tried  # type: ignore[attr-defined]


def test_bfloat16_is_nearly_float32(kind: Kind, tmp_path: Path) -> None:
    if kind.name == "regression":
        pytest.skip("it computes in float32 alone")
    exact, _ = kind.run("optimisation.steps=3", "optimisation.precision=float32")
    half, _ = kind.run("optimisation.steps=3", "optimisation.precision=bfloat16", f"output.folder={tmp_path / 'half'}")
    assert half.losses != exact.losses
    assert half.losses == pytest.approx(exact.losses, rel=0.02)
    assert {value.dtype for value in _weights(tmp_path / "half").values()} == {torch.float32}


def test_what_is_written_at_the_end_is_whole(kind: Kind) -> None:
    kind.run("optimisation.steps=1")
    assert not list(kind.folder.glob(".*"))
