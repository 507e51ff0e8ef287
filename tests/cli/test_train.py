"""``permend train`` from the outside."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from permend.cli.main import main
from tests.corpora.invented import hold_out_invented

ROOT = Path(__file__).parents[2]
TOY = "experiments/recipes/toy.toml"
TINY = (
    "model.encoder_config.hidden_size=16",
    "model.encoder_config.num_hidden_layers=1",
    "model.encoder_config.num_attention_heads=2",
    "optimisation.tokens_per_batch=256",
    "optimisation.epochs=1",
)


pytestmark = pytest.mark.usefixtures("at_the_root")


def _invoke(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["train", *arguments])


def test_a_dry_run_prints_a_recipe_that_can_be_run_again(tmp_path: Path) -> None:
    result = _invoke(TOY, *TINY, "--dry-run", f"output.folder={tmp_path / 'run'}")
    assert result.exit_code == 0, result.output
    values = tomllib.loads(result.output)
    assert values["optimisation"]["epochs"] == 1
    assert values["model"]["encoder_config"]["hidden_size"] == 16
    assert "parameters; memory on each device" in result.output
    assert not (tmp_path / "run").exists()
    again = tmp_path / "again.toml"
    again.write_text(result.output, encoding="utf-8")
    assert _invoke(str(again), "--dry-run").output == result.output


def test_a_run_ends_with_its_throughput_and_can_be_resumed(tmp_path: Path) -> None:
    folder = f"output.folder={tmp_path / 'run'}"
    result = _invoke(TOY, *TINY, folder)
    assert result.exit_code == 0, result.output
    assert "padded source tokens/s; waiting for batches" in result.output
    assert f"The model is in {tmp_path / 'run' / 'last'}" in result.output
    resumed = _invoke(TOY, *TINY, folder, "optimisation.epochs=2", "--resume")
    assert resumed.exit_code == 0, resumed.output
    assert "64 pairs read" in resumed.output


def test_resuming_a_finished_run_says_so_and_no_rates(tmp_path: Path) -> None:
    folder = f"output.folder={tmp_path / 'run'}"
    steps = _invoke(TOY, *TINY, folder).stdout.split()[0]
    again = _invoke(TOY, *TINY, folder, "--resume")
    assert again.exit_code == 0, again.output
    model = tmp_path / "run" / "last"
    assert again.stdout == f"{steps} steps, all of them done before\nThe model is in {model}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("missing.toml",), "missing.toml: the recipe cannot be read: No such file or directory"),
        ((TOY, "optimisation.rate=1"), "unknown recipe key 'optimisation.rate'"),
        ((TOY, "data.train=gone.tsv"), "gone.tsv: no such file (the recipe names it in data.train)"),
        ((TOY, "optimisation.epochs=none"), "a recipe says when to stop"),
    ],
)
def test_a_mistake_is_one_sentence(arguments: tuple[str, ...], message: str) -> None:
    result = _invoke(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("dry", [(), ("--dry-run",)])
def test_a_held_out_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dry: tuple[str, ...]) -> None:
    path = hold_out_invented(tmp_path, monkeypatch)
    result = _invoke(TOY, *TINY, *dry, f"data.train={path}", f"output.folder={tmp_path / 'run'}")
    assert result.exit_code == 2
    assert f"{path}: this is the lamps dev set, which is for validation only" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not (tmp_path / "run").exists()


def test_a_dry_run_counts_leaks() -> None:
    toy = _invoke(TOY, *TINY, "--dry-run")
    assert "# 0 of the first 64 pairs or paragraphs have a held-out sentence and will be left out" in toy.output


@pytest.mark.parametrize("command", ["train", "pretrain"])
def test_help_teaches_without_torch(command: str) -> None:
    code = (
        "import sys\nfrom click.testing import CliRunner\nfrom permend.cli.main import main\n"
        f"result = CliRunner().invoke(main, ['{command}', '--help'])\n"
        "assert 'Examples' in result.output and '--resume' in result.output\n"
        "assert not {'torch', 'transformers', 'accelerate', 'matplotlib'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


@pytest.mark.parametrize("command", ["train", "pretrain"])
def test_a_missing_extra_is_named(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("permend.cli.train.find_spec", lambda name: None)
    result = CliRunner().invoke(main, [command, TOY])
    assert result.exit_code == 2
    what = f"{command.capitalize()}ing"
    assert (
        result.stderr.strip() == f"Error: {what} needs an optional part: run pip install '.[train]' in permend's folder"
    )
