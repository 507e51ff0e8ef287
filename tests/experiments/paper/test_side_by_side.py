"""Trainings side by side begin stages together, one that fails holds nobody up, minutes of a device count once."""

from __future__ import annotations

import threading
from contextlib import nullcontext
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner

from experiments.__main__ import SETTINGS, _aside, _Run, _side_by_side, main
from experiments.paper.spent import Spent, minutes, read_spent, spending
from experiments.paper.together import Together, begin, failed
from experiments.paper.trainings import choose, read_done
from permend.errors import PermendError
from permend.training.task import Task


def _begins(work: Path, family: str, others: list[str]) -> threading.Thread:
    """Let a training's first stage begin, in a thread that ends when it may."""
    training = choose([family])[0]
    thread = threading.Thread(target=Together(work, training, [family, *others]).stage, args=(Task.doing,), daemon=True)
    thread.start()
    return thread


def test_a_stage_begins_when_all_are_ready(tmp_path: Path) -> None:
    begin(tmp_path)
    first = _begins(tmp_path, "permend", ["ar"])
    first.join(0.5)
    assert first.is_alive(), "it waits for the other one"
    _begins(tmp_path, "ar", ["permend"]).join(5)
    first.join(5)
    assert not first.is_alive()


def test_nobody_waits_for_one_that_failed(tmp_path: Path) -> None:
    failed(tmp_path, "ar")
    waiting = _begins(tmp_path, "permend", ["ar"])
    waiting.join(5)
    assert not waiting.is_alive()


def test_a_second_run_forgets_who_was_ready(tmp_path: Path) -> None:
    failed(tmp_path, "ar")
    begin(tmp_path)
    waiting = _begins(tmp_path, "permend", ["ar"])
    waiting.join(0.5)
    assert waiting.is_alive()
    failed(tmp_path, "ar")
    waiting.join(5)


def test_other_news_hold_nothing_up(tmp_path: Path) -> None:
    Together(tmp_path, choose(["permend"])[0], ["permend", "ar"]).stage("compiling")


def test_two_systems_train_side_by_side(tmp_path: Path) -> None:
    arguments = ("--tiny", "--work", str(tmp_path), "--device", "cpu", "--jobs", "2")
    done = CliRunner().invoke(main, ["train", "permend", "gector", *arguments])
    assert done.exit_code == 0, done.output
    assert all(read_done(tmp_path, training) for training in choose(["permend", "gector"]))
    pieces = {each.what: each for each in read_spent(tmp_path)}
    for stage in ("I", "II", "III"):
        one, other = pieces[f"train permend-{stage}"], pieces[f"train gector-{stage}"]
        assert one.begun < other.ended, "they run at the same time"
        assert other.begun < one.ended
    assert minutes(pieces.values()) < sum(each.ended - each.begun for each in pieces.values()) / 60


def test_minutes_of_what_was_stopped_count(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), spending(tmp_path, "train permend-I"):
        raise KeyboardInterrupt
    [piece] = read_spent(tmp_path)
    assert piece.what == "train permend-I"
    assert piece.device == ("CPU" if not torch.cuda.is_available() else torch.cuda.get_device_name())


def test_minutes_are_those_in_which_anything_ran() -> None:
    assert minutes([]) == 0
    assert minutes([Spent("b", 60, 120, ""), Spent("a", 0, 600, ""), Spent("c", 630, 660, "")]) == 10.5


def test_a_damaged_record_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "spent.jsonl").write_text("half a li", encoding="utf-8")
    with pytest.raises(PermendError, match="says not how long"):
        read_spent(tmp_path)


def test_what_is_done_beside_the_trainings_must_work_out(tmp_path: Path) -> None:
    run = _Run(SETTINGS, (), str(tmp_path), str(tmp_path), "cpu", 1, tiny=True)
    with pytest.raises(PermendError, match="beside the trainings"), _aside(run, [["ask", "nobody"]]):
        pass
    with _aside(run, []):
        pass


@pytest.mark.parametrize(("codes", "begun", "works_out"), [([-6, 0], 2, True), ([1, -6], 2, False), ([2], 1, False)])
def test_a_training_that_dies_is_begun_again_once(
    codes: list[int], begun: int, works_out: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = []

    class Process:
        def __init__(self, command: list[str]) -> None:
            commands.append(command)
            self.returncode = codes[len(commands) - 1]

        def poll(self) -> int:
            return self.returncode

    monkeypatch.setattr("experiments.__main__.subprocess.Popen", Process)
    run = _Run(SETTINGS, (), str(tmp_path), str(tmp_path), "cpu", 1, tiny=True)
    with nullcontext() if works_out else pytest.raises(PermendError, match="the training failed of ar"):
        _side_by_side(run, ["ar"], 2)
    assert len(commands) == begun, "what is refused in one sentence would be refused again"
