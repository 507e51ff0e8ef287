"""``permend tune`` from the outside, with a tiny model."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from permend.cli.main import main
from permend.model.folder import check_hashes
from permend.model.options import read_calibration, read_modes
from tests.model.tiny import exported, texts


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """Return the folder of a model, and beside it pairs.tsv, of which every second sentence is correct."""
    shutil.copytree(exported()[1], tmp_path / "model")
    sources = texts(60)
    pairs = [(text, text if n % 2 else text.replace("w7", "w8") + " w9") for n, text in enumerate(sources)]
    (tmp_path / "pairs.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in pairs), encoding="utf-8")
    return tmp_path / "model"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["tune", *map(str, arguments)])


def test_the_choice_is_stored_with_the_model(model: Path, tmp_path: Path) -> None:
    pictures = tmp_path / "curves.png", tmp_path / "reliability.png"
    options = ("--bias", "0", "--bias", "0.2", "--steps", "1", "--plot", pictures[0], "--reliability", pictures[1])
    result = run(model, tmp_path / "pairs.tsv", *options, "--shared", "--json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert (report["sentences"], report["correct"], report["metric"]) == (60, 30, "edits of words")
    modes = read_modes(model)
    assert list(modes.modes) == ["thorough", "balanced", "precise"] == list(report["modes"])
    assert {mode.options.steps for mode in modes.modes.values()} == {1}
    assert [mode.options.shared for mode in modes.modes.values()] == [False, True, True]
    assert modes.chosen_on == "60 sentences of pairs.tsv"
    assert read_calibration(model) is not None, "random networks make plenty of edits"
    check_hashes(model)
    assert all(picture.read_bytes().startswith(b"\x89PNG") for picture in pictures)
    precise = modes.modes["precise"].measured
    assert precise is not None
    assert precise.correct_changed == 0


def test_a_dry_run_leaves_the_folder_alone_and_people_get_a_table(model: Path, tmp_path: Path) -> None:
    before = sorted((file.name, file.read_bytes()) for file in model.iterdir())
    result = run(
        model, tmp_path / "pairs.tsv", "--bias", "0.1", "--steps", "2", "--limit", "20", "--dry-run", "--beta", "2"
    )
    assert result.exit_code == 0, result.output
    for words in ("20 sentences of pairs.tsv, edits of words", "thorough", "balanced", "F0.5", "F2", "of 10"):
        assert words in result.stdout
    assert sorted((file.name, file.read_bytes()) for file in model.iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("model", "none.m2"), "none.m2"),
        (("no-model", "pairs.tsv"), "no such model folder"),
        (("model", "pairs.tsv", "--beta", "0"), "--beta must be a number above 0"),
        (("model", "pairs.tsv", "--bias", "2"), "--bias"),
        (("model", "pairs.tsv", "--limit", "9", "--steps", "1", "--plot", "no/where.png"), "cannot be written"),
    ],
)
def test_mistakes_are_one_sentence(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_a_margin_of_slips_that_is_no_number_is_told_before_anything_is_corrected(model: Path, tmp_path: Path) -> None:
    result = run(model, tmp_path / "pairs.tsv", "--slips", "nan")
    assert result.exit_code == 2
    assert "--slips must be a number" in result.output
