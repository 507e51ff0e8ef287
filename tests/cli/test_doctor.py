"""``permend doctor`` from the outside: it says what is well and what is not, and never fails itself."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import metadata
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from permend import __version__
from permend.cli import doctor as diagnosis
from permend.cli.doctor import _draw
from permend.cli.main import main
from tests.model.tiny import exported


@pytest.fixture(autouse=True)
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORT_DISABLE_TELEMETRY", "1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(exported()[1], tmp_path / "model")
    return tmp_path / "model"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["doctor", *map(str, arguments)])


def found(*arguments: str | Path) -> dict[str, Any]:
    result = run("--json", *arguments)
    document: dict[str, Any] = json.loads(result.stdout)
    assert result.exit_code == (0 if document["well"] else 1)
    assert document["well"] == (not document["troubles"])
    return document


def test_all_is_well_with_the_installed_model() -> None:
    result = run()
    assert result.exit_code == 0, result.output
    for line in (
        f"permend: {__version__}",
        f"onnxruntime: {metadata.version('onnxruntime')}",
        "name: permend-en-5",
        "terms: non-commercial research and education",
        "weights.bin: as exported",
        "corrected: He went to school yesterday.",
        "onnxruntime: is told not to report usage",
        "All is well.",
    ):
        assert line in result.stdout, line
    assert "\x1b" not in result.stdout, "plain when it is piped"


def test_programs_see_the_same_and_dictionaries_are_counted(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / ".permend").mkdir()
    (tmp_path / ".permend" / "words.txt").write_text("Foo\nBar # secret\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "docs")
    CliRunner().invoke(main, ["dict", "ignore", "--user", "We was robbed!", "We were robbed!"])
    document = found("--model", folder)
    assert document["troubles"] == []
    assert document["dictionaries"]["the project's"] == "2 words, 0 dismissed findings in .permend, 1 up from here"
    assert document["dictionaries"]["yours"].startswith("0 words, 1 dismissed findings in ~")
    assert document["model"]["encoder.onnx"] == "as exported"
    assert document["optional parts"]["train"] == "installed"
    assert "corrected" in document["self-test"]
    assert "Foo" not in json.dumps(document)
    assert "robbed" not in json.dumps(document)


def test_nobody_learns_who_the_user_is(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = folder.parent / "anna"
    home.mkdir()
    shutil.move(folder, home / "model")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    (home / "model" / "config.json").write_text("{", encoding="utf-8")
    output = run("--model", home / "model").stdout + run("--json", "--model", home / "model").stdout
    assert "anna" not in output
    assert "hf_secret" not in output
    assert "folder: ~/model" in output


def _unlink(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_unlink("tokenizer.json"), "model: tokenizer.json: is missing"),
        (lambda folder: (folder / "weights.bin").write_bytes(b""), "weights.bin: is not the file that was exported"),
        (lambda folder: (folder / "hashes.json").write_text("["), "hashes.json cannot be read"),
        (shutil.rmtree, "no such model folder"),
        (lambda folder: [file.unlink() for file in folder.iterdir()], "neither an exported model"),
    ],
)
def test_what_is_wrong_with_a_model_is_told_and_the_rest_still_shown(
    folder: Path, damage: Callable[[Path], object], message: str
) -> None:
    damage(folder)
    document = found("--model", folder)
    assert message in " ".join(document["troubles"])
    assert document["versions"]["permend"] == __version__
    assert document["machine"]["cores"] == str(os.cpu_count())
    plain = run("--model", folder)
    assert plain.exit_code == 1
    assert "WRONG: " in plain.stdout
    assert plain.stdout.rstrip().endswith("wrong.")


def test_a_section_that_fails_in_any_way_leaves_the_others_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("never seen before")

    monkeypatch.setattr("permend.documents.dictionary.Words.load", fail)
    monkeypatch.setattr("platform.release", fail)
    document = found("--model", folder)
    assert document["troubles"] == [
        "versions: wrong: ZeroDivisionError: never seen before",
        "dictionaries: wrong: ZeroDivisionError: never seen before",
    ]
    assert document["model"]["encoder.onnx"] == "as exported"


def test_an_onnxruntime_that_may_report_usage_is_wrong(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORT_DISABLE_TELEMETRY", "0")
    assert found("--model", folder)["troubles"] == ["connections: onnxruntime: may report usage to its maker"]


def test_a_missing_package_is_wrong_and_a_missing_extra_is_not(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    version = metadata.version

    def without(name: str) -> str:
        if name in ("rich", "torch"):
            raise metadata.PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr("importlib.metadata.version", without)
    document = found("--model", folder)
    assert document["troubles"] == ["versions: rich: is not installed"]
    assert document["optional parts"]["train"] == "not installed (torch missing)"


def test_people_see_marks_and_colours_in_a_terminal() -> None:
    out = StringIO()
    facts = [diagnosis.Fact("[name]", "as [/exported]"), diagnosis.Fact("that", "is missing", True)]
    _draw([diagnosis.Section("model", facts)], Console(file=out, force_terminal=True, width=60, highlight=False), 1)
    for part in ("✓", "✗", "[name]", "[/exported]", "1 thing is wrong.", "\x1b["):
        assert part in out.getvalue()


@pytest.mark.parametrize("encoding", ["ascii", "utf-8", "cp1252"])
def test_any_encoding_and_a_user_without_a_home_will_do(folder: Path, encoding: str) -> None:
    (folder / "README.md").write_text("# modèle ✓ 模型\n", encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name not in ("HOME", "XDG_CONFIG_HOME")}
    done = subprocess.run(
        [sys.executable, "-m", "permend", "doctor", "--model", str(folder)],
        env={**environment, "PYTHONIOENCODING": encoding, "LC_ALL": "C"},
        capture_output=True,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert "mod" in done.stdout.decode(encoding)
