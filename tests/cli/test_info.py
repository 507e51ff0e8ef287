"""``permend info`` from the outside."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from permend.cli.main import main
from permend.model import pretrained
from permend.model.config import FORMAT
from permend.model.folder import write_hashes
from permend.model.options import Measured, Mode, Modes, Options, write_modes
from tests.model.tiny import exported

MODES = Modes({"precise": Mode(Options(bias=0.4, min_margin=0.08), Measured(0.614, 0.108, 0.317, 2, 1528))}, "dev.m2")


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["info", *map(str, arguments)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(exported()[1], tmp_path / "data" / "model")
    return tmp_path / "data" / "model"


def test_people_see_names_sizes_and_scores(folder: Path) -> None:
    write_modes(folder, MODES)
    result = run("--model", folder)
    assert result.exit_code == 0, result.output
    words = "modernbert-none parameters modernbert encoder.onnx MB exported precise dev.m2 61.4 10.8 0.08"
    for word in [*words.split(), "2 of 1,528"]:
        assert word in " ".join(result.stdout.split()), result.stdout


def test_programs_see_the_same(folder: Path) -> None:
    write_modes(folder, MODES)
    document = json.loads(run("--model", folder, "--json").stdout)
    assert (document["name"], document["format"], document["hashes"]) == ("modernbert-none", FORMAT, "right")
    assert document["card"]["decoder layers"] == "1"
    assert document["config"]["slots"] == 3
    assert document["sizes"]["encoder.onnx"] == (folder / "encoder.onnx").stat().st_size
    assert document["chosen_on"] == "dev.m2"
    assert document["modes"]["precise"]["measured"]["correct_changed"] == 2


def test_a_folder_without_card_hashes_and_modes_will_do(folder: Path) -> None:
    for name in ("README.md", "hashes.json"):
        (folder / name).unlink()
    result = run("--model", folder)
    assert result.exit_code == 0, result.output
    assert "nothing to compare with" in " ".join(result.stdout.split())
    assert json.loads(run("--model", folder, "--json").stdout)["hashes"] == "none"


def test_the_installed_model_is_the_default(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pretrained, "files", lambda name: folder.parent.parent)
    assert json.loads(run("--json").stdout)["folder"] == str(folder)
    (folder / "tokenizer.json").unlink()
    result = run()
    assert result.exit_code == 2
    assert "tokenizer.json is missing; install permend again" in result.stderr


def test_damage_and_newer_formats_are_told_in_a_sentence(folder: Path, tmp_path: Path) -> None:
    (folder / "encoder.onnx").write_bytes(b"")
    result = run("--model", folder)
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
    assert "encoder.onnx is not the file that was exported" in result.stderr
    values = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps({**values, "format": FORMAT + 1}), encoding="utf-8")
    write_hashes(folder)
    assert f"reads up to {FORMAT}: upgrade permend" in run("--model", folder).stderr
    assert "no such model folder" in run("--model", tmp_path / "gone").stderr
