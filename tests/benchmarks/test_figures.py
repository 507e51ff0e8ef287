"""The model's figures have one source, the card, made of what was measured: pages and `permend info` agree."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from permend.cli.main import main
from permend.model.options import NAMES

ROOT = Path(__file__).parents[2]
MODEL = Path(str(files("permend"))) / "data" / "model"
README = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
EVALUATION = " ".join((ROOT / "docs" / "evaluation.md").read_text(encoding="utf-8").split())
DEV, FCE, CLEAN = "W&I+LOCNESS dev (ERRANT)", "FCE test (ERRANT)", "clean text (taken as correct)"


@cache
def card(first: str, second: str) -> list[dict[str, str]]:
    """Return the rows of the card's table that begins with these columns; an empty cell repeats the one above."""
    rows: list[dict[str, str]] = []
    lines = iter((MODEL / "README.md").read_text(encoding="utf-8").splitlines())
    headers = next(cells for cells in map(_cells, lines) if cells[:2] == [first, second])
    next(lines)
    for cells in map(_cells, lines):
        if len(cells) != len(headers):
            break
        above = rows[-1][first] if rows else ""
        rows.append({**dict(zip(headers, cells, strict=True)), first: cells[0] or above})
    return rows


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def scores(name: str, system: str) -> dict[str, str]:
    [row] = [row for row in card("set", "system") if (row["set"], row["system"]) == (name, system)]
    return row


@cache
def info() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(CliRunner().invoke(main, ["info", "--json"]).stdout)
    return found


def readme_row(mode: str) -> list[str]:
    [row] = re.findall(rf"\| `--mode {mode}`[^|]*(\|[^|]+\|[^|]+\|[^|]+\|)", README)
    return _cells(row.replace("*", ""))


def clean(mode: str) -> str:
    text = (MODEL / "README.md").read_text(encoding="utf-8")
    return str(re.findall(rf"\| {mode} \| (\d+) of 1,500 ", text.partition("### Clean text")[2])[0])


@pytest.mark.parametrize("mode", NAMES)
def test_the_readme_has_the_figures_of_the_card(mode: str) -> None:
    row = scores(DEV, mode)
    figures, correct_changed, changed = readme_row(mode)
    assert figures == f"{row['P']} / {row['R']} / {row['F0.5']}"
    assert f"{correct_changed} of 1,528" == row["correct changed"]
    assert changed.split(":")[0] == clean(mode)


def test_the_readme_has_what_a_person_thought_of_the_changes() -> None:
    [row] = [row for row in card("mode", "harmless") if row["mode"] == "balanced"]
    assert f"{clean('balanced')}: {row['right']} were errors, {row['harmless']} changes harmless" in README


def test_the_text_of_the_readme_has_the_figures_of_the_card() -> None:
    thorough, balanced, precise = (scores(FCE, mode)["F0.5"] for mode in NAMES)
    assert f"{thorough}, {balanced} and {precise} (F0.5 of the three modes)" in README
    harper = scores(DEV, "Harper")
    assert f"Harper had {harper['P']} / {harper['R']} / {harper['F0.5']}" in EVALUATION
    speed = {row["system"]: round(float(row["sentences/s"])) for row in card("system", "sentences/s")}
    one, two = speed["permend, batches of 8"], speed["permend, batches of 8, thorough"]
    assert f"{one} sentences a second on one core (`thorough`: {two}) where Harper checks {speed['Harper']}" in README


@pytest.mark.parametrize("mode", NAMES)
def test_permend_info_shows_the_figures_of_the_card(mode: str) -> None:
    row, found = scores(DEV, mode), info()["modes"][mode]
    measured, options = found["measured"], found["options"]
    assert [f"{100 * measured[name]:.1f}" for name in ("precision", "recall", "f")] == [row["P"], row["R"], row["F0.5"]]
    assert f"{measured['correct_changed']} of {measured['correct']:,}" == row["correct changed"]
    [chosen] = [row for row in card("mode", "bias c") if row["mode"] == mode]
    assert list(chosen.values())[1:] == [
        f"{options['bias']:g}",
        f"{options['min_margin']:.3g}",
        f"{options['min_margin' if options['slip_margin'] is None else 'slip_margin']:.3g}",
        f"{options['min_confidence']:g}",
        str(options["beam"]),
        str(options["steps"]),
    ]


def test_the_facts_of_the_card_are_those_of_the_files() -> None:
    facts, config = info()["card"], info()["config"]
    assert facts["vocabulary"].startswith(f"{config['vocab_size']:,} tokens")
    assert facts["slots × masks"] == f"{config['slots']} × {config['masks']}"
    assert facts["decoder layers"] == str(config["decoder_layers"])
    assert facts["longest input"].startswith(f"{config['max_length']} positions")
    assert facts["encoder"].endswith(f"d = {config['d']}")
    size = sum(bytes_ for name, bytes_ in info()["sizes"].items() if name != "README.md")
    assert facts["files"].startswith(f"{size / 1e6:.1f} MB")
