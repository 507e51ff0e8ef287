"""``permend pretrain`` from the outside."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from permend.cli.main import main

TOY = "experiments/recipes/pretrain-toy.toml"


pytestmark = pytest.mark.usefixtures("at_the_root")


def _invoke(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["pretrain", *arguments])


def test_a_dry_run_prints_a_recipe_that_can_be_run_again(tmp_path: Path) -> None:
    result = _invoke(TOY, "--dry-run", "optimisation.steps=7", f"output.folder={tmp_path / 'run'}")
    assert result.exit_code == 0, result.output
    assert tomllib.loads(result.output)["optimisation"]["steps"] == 7
    assert "0.1M parameters; memory on each device" in result.output
    assert not (tmp_path / "run").exists()
    again = tmp_path / "again.toml"
    again.write_text(result.output, encoding="utf-8")
    assert _invoke(str(again), "--dry-run").output == result.output


def test_a_run_ends_with_its_numbers_and_can_be_resumed(tmp_path: Path) -> None:
    folder = f"output.folder={tmp_path / 'run'}"
    result = _invoke(TOY, folder, "optimisation.steps=3")
    assert result.exit_code == 0, result.output
    assert "tokens/s, held-out loss" in result.output
    assert f"The encoder is in {tmp_path / 'run' / 'last'}" in result.output
    assert "step 3: held-out loss" in result.stderr
    resumed = _invoke(TOY, folder, "optimisation.steps=5", "--resume")
    assert resumed.exit_code == 0, resumed.output
    assert "5 steps" in resumed.output
    again = _invoke(TOY, folder, "optimisation.steps=5", "--resume")
    assert again.exit_code == 0, again.output
    assert "passes, all of them done before, held-out loss" in again.stdout
    assert "tokens/s" not in again.stdout


def test_mistakes_are_one_sentence(tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.touch()
    folder = f"output.folder={tmp_path / 'run'}"
    for arguments, message in (
        (("missing.toml",), "missing.toml: the recipe cannot be read: No such file or directory"),
        ((TOY, "optimisation.rate=1"), "unknown recipe key 'optimisation.rate'"),
        ((TOY, "data.text=gone.txt"), "gone.txt: no such file (the recipe names it in data.text)"),
        ((TOY, "tokenizer.path=gone"), "gone: no such file (the recipe names it in tokenizer.path)"),
        ((TOY, folder, f"data.text={empty}"), "empty.txt: this file holds no text"),
        ((TOY, folder, f"tokenizer.path={empty}"), "this is not a tokenizer that can be read"),
        ((TOY, "optimisation.steps=none"), "a recipe says when to stop"),
    ):
        result = _invoke(*arguments)
        assert result.exit_code == 2, result.output
        assert message in result.stderr
        assert len(result.stderr.splitlines()) == 1
