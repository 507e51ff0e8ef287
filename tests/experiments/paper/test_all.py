"""The whole comparison on made-up data: every table is written, and nothing is done twice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner, Result

from experiments.__main__ import main
from experiments.paper import published
from experiments.paper.contestants import comparison
from experiments.paper.settings import merged
from experiments.paper.tiny import tiny_settings
from experiments.paper.trainings import DONE, carry_out, choose, families, model_of, read_done
from experiments.rivals import SYSTEMS
from tests.training.listening import Stopping


def _call(*arguments: object) -> Result:
    threads = torch.get_num_threads()
    try:
        return CliRunner().invoke(main, [str(each) for each in arguments])
    finally:
        torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which everything was done once."""
    made = tmp_path_factory.mktemp("paper")
    done = _call("all", "--tiny", "--work", made / "work", "--out", made / "out", "--device", "cpu")
    assert done.exit_code == 0, done.output
    return made


def _values(folder: Path, table: str) -> dict[str, dict[str, object]]:
    values: dict[str, dict[str, object]] = json.loads((folder / "out" / f"{table}.json").read_text("utf-8"))["values"]
    return values


def _rows(folder: Path, table: str) -> Sequence[Sequence[str]]:
    lines = (folder / "out" / f"{table}.md").read_text("utf-8").splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]


def test_every_system_and_ablation_is_trained_once(folder: Path) -> None:
    done = [read_done(folder / "work", training) for training in choose([])]
    assert all(each is not None and each.steps == 20 for each in done)
    assert set(families()) >= {"permend", "permend-vanilla", *SYSTEMS}


def test_how_right_has_a_row_for_every_system(folder: Path) -> None:
    rows = {row[0]: row for row in _rows(folder, "table2")[1:]}
    assert {each.name for each in comparison()} <= set(rows)
    assert rows["permend, SUNDAE"][-1] == "72.9 / 53.2 / 67.9", "the published number beside ours"
    assert rows["AR(12+2), greedy"][1:3] == rows["AR(12+2), aggressive"][1:3]
    assert "T5-XXL, 11B parameters, as published" in rows
    for scores in _values(folder, "table2").values():
        assert {"options", "dev.tsv", "test.tsv"} == set(scores)


def test_the_ablation_has_every_row_of_the_paper(folder: Path) -> None:
    rows = _rows(folder, "table4")[1:]
    assert [row[0] for row in rows] == list(published.ABLATION)
    values = _values(folder, "table4")
    assert _f(values["Best of the first three by GLEU"]) >= _f(values["#1 hypothesis, no length normalisation"])
    for stage in ("II", "II, III"):
        for kind in ("Vanilla", "SUNDAE"):
            assert _f(values[f"{kind} {stage} + tweaks"]) >= _f(values[f"{kind} {stage}"]), "0 is among the biases"


def _f(row: dict[str, object]) -> float:
    return float(str(row["f"]))


def test_speed_is_over_greedy_decoding(folder: Path) -> None:
    rows = {row[0]: row for row in _rows(folder, "table3")[1:]}
    assert rows["AR(12+2), greedy"][1] == "1.00×"
    assert {each.name for each in comparison()} == set(rows)
    assert all(row[3].endswith("M") for name, row in rows.items() if "ships" not in name)


def test_data_and_latency_are_counted(folder: Path) -> None:
    ours = {row[0]: row[1:4] for row in _rows(folder, "table1")[1:] if row[0]}
    assert {name: row[2] for name, row in ours.items()} == {
        "one.tsv": "I",
        "two.tsv": "II",
        "three.tsv": "III",
        "dev.tsv": "Val",
        "test.tsv": "Test",
    }
    assert ours["one.tsv"][0] == "200"
    assert _rows(folder, "latency")[0][:2] == ["device", "ms a sentence"]
    for picture in ("table3.png", "latency.png"):
        assert (folder / "out" / picture).read_bytes().startswith(b"\x89PNG")


def test_nothing_is_done_twice(folder: Path) -> None:
    made = [file for file in (folder / "work").rglob("*") if file.is_file() and "data" not in file.parts]
    before = {file: file.stat().st_mtime_ns for file in made}
    tables = {file.name: file.read_bytes() for file in (folder / "out").iterdir() if file.suffix == ".md"}
    again = _call("all", "--tiny", "--work", folder / "work", "--out", folder / "out", "--device", "cpu")
    assert again.exit_code == 0, again.output
    assert {file: file.stat().st_mtime_ns for file in made} == before
    assert {name: (folder / "out" / name).read_bytes() for name in tables} == tables


def test_one_more_test_set_is_a_column(folder: Path) -> None:
    more = folder / "more.tsv"
    more.write_text("He see the film here.\tHe sees the film here.\n", encoding="utf-8")
    arguments = ("--tiny", "--work", folder / "work", "--out", folder / "more", "--device", "cpu")
    done = _call("table2", *arguments, "--test", more)
    assert done.exit_code == 0, done.output
    assert "more.tsv, P / R / F0.5" in (folder / "more" / "table2.md").read_text("utf-8")


@pytest.mark.parametrize("family", ["permend", "ar"])
def test_a_training_that_was_stopped_goes_on_where_it_was(family: str, tmp_path: Path) -> None:
    settings = tiny_settings(tmp_path / "data", steps=20)
    settings = settings.__class__(**{**vars(settings), "common": merged(settings.common, {"output": {"log_steps": 5}})})
    (first, *_) = families()[family]
    with pytest.raises(KeyboardInterrupt):
        carry_out(tmp_path / "stopped", settings, first, [Stopping(5)])
    assert not (tmp_path / "stopped" / first.name / DONE).exists()
    for work in ("stopped", "whole"):
        assert carry_out(tmp_path / work, settings, first).steps == 20
    stopped, whole = (model_of(tmp_path / work, first) / "model.safetensors" for work in ("stopped", "whole"))
    assert stopped.read_bytes() == whole.read_bytes()
