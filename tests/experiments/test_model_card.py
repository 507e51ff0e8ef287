"""A card is made of what was measured on this very model, and `permend info` reads it."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from benchmarks import results
from benchmarks.results import Measured, Report, fingerprint
from benchmarks.speed import Row, Speed
from experiments.model_card import TEMPLATE, main
from permend.cli.main import main as permend
from permend.evaluation.score import Score
from permend.model.folder import check_hashes
from permend.model.options import Mode, Modes, Options, write_modes
from tests.model.tiny import exported

MODES = Modes({"thorough": Mode(Options()), "balanced": Mode(Options(bias=0.3, min_margin=0.1))}, "dev.m2")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    shutil.copytree(exported()[1], tmp_path / "model")
    write_modes(tmp_path / "model", MODES)
    return tmp_path / "model"


def report(model: Path) -> Path:
    """Write numbers of our own for every kind of set."""
    edits = results.Result(10, 4, 5, 1, edits=Score(3, 1, 3), types={"SPELL": Score(2, 0, 1)})
    level = dataclasses.replace(edits, sentences=7)
    sets = [
        Measured(
            "Dev set",
            "errant",
            {name: dataclasses.replace(edits, parts={"A": level}) for name in MODES.modes},
            0.107,
            2,
        ),
        Measured("CoNLL", "m2", dict.fromkeys(MODES.modes, edits)),
        Measured("JFLEG", "gleu", {name: results.Result(10, 4, gleu=0.54321) for name in MODES.modes}),
        Measured("Clean", "clean", {"thorough": results.Result(9, 1, 9, 1), "balanced": results.Result(9, 0, 9, 0)}),
    ]
    Report("model", fingerprint(model), sets).write(model.parent / "report.json")
    speed = Speed(fingerprint(model), 500, "a processor", [Row("permend", 41.26, 210_000_000, 0.84)])
    (model.parent / "speed.json").write_text(json.dumps(dataclasses.asdict(speed)), encoding="utf-8")
    return model.parent / "report.json"


def run(model: Path, *options: str | Path) -> Result:
    return CliRunner().invoke(main, [str(model), str(report(model)), *map(str, options)])


def written(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def test_the_english_card_is_filled_and_shown_by_permend_info(model: Path, tmp_path: Path) -> None:
    template = written(tmp_path, "card.md", TEMPLATE.read_text(encoding="utf-8").replace("FILL", "told"))
    judged = written(tmp_path, "changes.tsv", "verdict\tmodes\tbefore\tafter\nright\tthorough\tI was.\tI am.\n")
    examples = written(tmp_path, "examples.txt", "# Agreement:\nHe go home.\nAll | is well.\n")
    options: list[str | Path] = [
        "--template",
        template,
        "--speed",
        tmp_path / "speed.json",
        "--judged",
        judged,
        "--examples",
        examples,
    ]
    result = run(model, *options)
    assert result.exit_code == 0, result.output
    card = (model / "README.md").read_text(encoding="utf-8")
    assert "non-commercial" in card[: card.index("\n| ")], "the terms come first"
    for row in (
        "| Dev set (ERRANT) | thorough | 75.0 | 50.0 | 68.2 | 1 of 5 | 100.0 / 66.7 |",
        "| JFLEG (GLEU) | thorough | 54.32 |",
        "| A | 7 | thorough | 75.0 |",
        "| SPELL | 3 | 100.0 / 66.7 / 90.9 |",
        "| balanced | 0.3 | 0.1 |",
        "| permend | 41.3 | 210 | 0.84 |",
        "| mode | right |",
        "All \\| is well.",
    ):
        assert row in card, row
    check_hashes(model)
    again = run(model, *options)
    assert (again.exit_code, (model / "README.md").read_text(encoding="utf-8")) == (0, card)
    facts = json.loads(CliRunner().invoke(permend, ["info", "--model", str(model), "--json"]).stdout)["card"]
    assert facts["terms"] == "non-commercial research and education"
    assert facts["parameters"].endswith("M")


def test_a_card_is_refused_for_what_was_not_measured_or_not_on_this_model(model: Path, tmp_path: Path) -> None:
    before = (model / "README.md").read_text(encoding="utf-8")
    unfinished = written(tmp_path, "unfinished.md", "# FILL name")
    assert "not complete: # FILL" in run(model, "--template", unfinished).output
    plain: list[str | Path] = ["--template", written(tmp_path, "card.md", "$scores $speed")]
    assert "wants $speed, which nothing given here holds" in run(model, *plain).output
    judged = written(tmp_path, "changes.tsv", "verdict\tmodes\tbefore\tafter\n")
    assert "0 changes in mode thorough, the report 1" in run(model, *plain, "--judged", judged).output
    old = report(model)
    write_modes(model, Modes())
    assert "another model" in CliRunner().invoke(main, [str(model), str(old)]).output
    assert (model / "README.md").read_text(encoding="utf-8") == before


def test_a_mode_whose_changes_nobody_judged_is_left_out(model: Path, tmp_path: Path) -> None:
    judged = written(tmp_path, "changes.tsv", "verdict\tmodes\tbefore\tafter\n\tthorough\tI was.\tI am.\n")
    template = written(tmp_path, "card.md", "$encoder $verdicts")
    done = run(model, "--template", template, "--judged", judged)
    assert done.exit_code == 0, done.output
    assert "thorough" not in (model / "README.md").read_text(encoding="utf-8")
