"""``permend explain`` from the outside: what it draws is what the corrector did."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len

from permend.cli.main import main
from permend.corrector.corrector import Corrector
from tests.corrector.test_corrector import TOKENIZER, HandMade, replace_was


@pytest.fixture(autouse=True)
def by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Load networks made by hand: *was* → *am*."""

    def load(*arguments: Any, **options: Any) -> Corrector:
        return Corrector.of(HandMade(replace_was), TOKENIZER)

    monkeypatch.setattr(Corrector, "from_pretrained", load)


def run(*arguments: str | Path, columns: int = 100) -> Result:
    return CliRunner(env={"COLUMNS": str(columns)}).invoke(main, ["explain", *map(str, arguments)])


def succeed(*arguments: str | Path, columns: int = 100) -> str:
    result = run(*arguments, columns=columns)
    assert result.exit_code == 0, result.output
    return result.stdout


def grid(output: str) -> dict[int, str]:
    """Return the rows of the drawn matrix by their numbers, cut into cells of three characters."""
    lines = [line[15:] for line in output.split("\n\n")[0].splitlines()[1:]]
    return {int(line[:2]): line[3:] for line in lines}


def test_the_path_the_plan_the_fill_and_the_runners_up_are_drawn() -> None:
    output = succeed("I was busy.")
    rows = grid(output)
    [chosen] = [each for each in json.loads(succeed("--json", "I was busy."))["hypotheses"] if each["chosen"]]
    steps = {(row, column // 3) for row, line in rows.items() for column, sign in enumerate(line) if sign == "◆"}
    assert steps == set(zip(chosen["plan"], chosen["plan"][1:], strict=False))
    assert "slot: am" in output
    assert "{+Ġam+}" in output
    assert "I [-was-]{+am+} busy." in output
    assert "Ġam 90%" in output
    assert "I was busy.  unchanged" in output


def test_json_has_all_that_is_drawn() -> None:
    document = json.loads(succeed("--json", "I was busy."))
    size = len(document["tokens"]) + document["slots"]
    assert (document["source"], document["text"]) == ("I was busy.", "I am busy.")
    for matrix in (document["scores"], document["chances"]):
        assert [len(row) for row in matrix] == [size] * size
    best, *others = document["hypotheses"]
    assert (best["text"], best["chosen"], best["fills"]) == ("I am busy.", True, [["Ġam"]])
    assert best["margin"] > 0
    assert best["score"] == pytest.approx((best["plan_log_prob"] + best["fill_log_prob"]) / len(best["plan"]), abs=1e-3)
    assert [each["margin"] for each in others if each["unchanged"]] == [0]


def test_more_alternatives_never_change_the_correction() -> None:
    few, many = (json.loads(succeed("--json", "--alternatives", number, "I was busy.")) for number in ("1", "9"))
    assert len(many["hypotheses"]) > len(few["hypotheses"])
    assert many["text"] == few["text"] == "I am busy."


@pytest.mark.parametrize("columns", [20, 60, 80])
@pytest.mark.parametrize("text", ["I was busy.", "[bold]was[/] $1 \t ][ 你好 😀", "was " * 12])
def test_any_text_fits_any_terminal(columns: int, text: str) -> None:
    output = succeed(text, columns=columns)
    assert all(cell_len(line) <= columns for line in output.splitlines())
    assert "All hypotheses" in " ".join(output.split())


def test_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for text in ("I was busy.", "was $x^$ 你好"):
        succeed(text, "--png", tmp_path / "map.png")
        assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")


def test_mistakes_are_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments, message in (
        ([" "], "there is nothing to read"),
        (["caf\udce9"], "not valid UTF-8"),
        (["was " * 100], "too long to be read at once"),
        (["I was.", "--png", tmp_path / "no" / "map.png"], "cannot be written"),
        (["I was.", "--png", tmp_path / "map.odd"], "cannot be written"),
    ):
        result = run(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert message in result.stderr
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    result = run("I was busy.", "--png", tmp_path / "map.png")
    assert result.exit_code == 2
    assert "pip install '.[plot]'" in result.stderr
