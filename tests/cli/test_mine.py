"""``permend synth mine`` as its user meets it."""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from permend.cli.main import main
from permend.corpora.pairs import read_pairs
from permend.training.correction.data import make_source
from permend.training.correction.recipe import read_recipe
from tests.synthesis.mining.committed import commit, git, make_repository

RECIPE = Path(__file__).parent.parent.parent / "experiments" / "recipes" / "fine-tune.toml"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["synth", "mine", *map(str, arguments)])


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    folder = make_repository(tmp_path / "handbook")
    commit(folder, {"a.md": "The keys is in the drawer.\n\nYou do not need it.\n"})
    commit(folder, {"a.md": "The keys are in the drawer.\n\nYou don't need it.\n"}, "Fix typos")
    return folder


def test_pairs_are_read_by_align_and_by_the_recipe_for_fine_tuning(handbook: Path, tmp_path: Path) -> None:
    output = tmp_path / "pairs.jsonl"
    result = run(handbook, "--no-judge", "-o", output, "--left-out", tmp_path / "rest.jsonl.xz")
    assert result.exit_code == 0, result.output
    assert "2 changed sentences" in result.stderr
    assert "contraction" in result.stderr
    [line] = output.read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["repository"] == "handbook"
    [pair] = read_pairs(output)
    assert (pair.source, pair.target) == ("The keys is in the drawer.", "The keys are in the drawer.")
    aligned = CliRunner().invoke(main, ["align", "--pairs", str(output)])
    assert "1 pairs" in aligned.stdout
    source = make_source(read_recipe(RECIPE, [f"data.train={output}"]).data)
    assert list(source.read(0, 0, 0, len(source))) == [pair]
    rest = lzma.decompress((tmp_path / "rest.jsonl.xz").read_bytes())
    assert json.loads(rest)["reason"] == "contraction"


def test_reasons_can_be_waived(handbook: Path) -> None:
    assert len(run(handbook, "--no-judge", "--keep", "contraction").stdout.splitlines()) == 2
    assert "'reasons'" in run(handbook, "--keep", "reasons").stderr


def test_the_model_says_how_much_is_gained(handbook: Path, by_hand: Callable[..., None]) -> None:
    [line] = run(handbook, "--keep", "gain", "--keep", "target").stdout.splitlines()
    assert isinstance(json.loads(line)["gain"], float)


def test_what_is_wrong_with_one_repository_is_said_and_the_others_go_on(handbook: Path, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    program = make_repository(tmp_path / "program")
    commit(program, {"main.c": "int x;\n"})
    result = run(tmp_path / "plain", program, tmp_path / "nowhere", handbook, "--no-judge", "-o", tmp_path / "p.jsonl")
    assert result.exit_code == 2
    told = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert [line.partition(": ")[2].partition(": ")[2] for line in told] == [
        "this folder is in no git repository",
        "no commit of this repository changes prose (.md, .rst, .txt and their like)",
        "there is no such folder",
    ]
    assert len(list(read_pairs(tmp_path / "p.jsonl"))) == 1


def test_a_shallow_clone_gives_what_it_has_and_is_named(handbook: Path, tmp_path: Path) -> None:
    commit(handbook, {"a.md": "The keys are in a drawer.\n"})
    git(tmp_path, "clone", "-q", "--depth", "2", f"file://{handbook}", "shallow")
    result = run(tmp_path / "shallow", "--no-judge")
    assert result.exit_code == 2
    assert "this is a shallow clone: its history ends after 2 commits" in result.stderr
    assert "git fetch --unshallow" in result.stderr
    assert len(result.stdout.splitlines()) == 1


def test_without_git_or_a_place_to_write_there_is_one_sentence(
    handbook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = run(handbook, "--no-judge", "-o", tmp_path / "no" / "pairs.jsonl")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "cannot be written" in result.stderr
    monkeypatch.setenv("PATH", "")
    result = run(handbook, "--no-judge")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "git is not installed" in result.stderr


def test_repositories_called_alike_are_told_apart(tmp_path: Path) -> None:
    for team, word in (("red", "cats"), ("blue", "dogs")):
        folder = make_repository(tmp_path / team / "docs")
        commit(folder, {"a.md": f"The {word} is in the garden."})
        commit(folder, {"a.md": f"The {word} are in the garden."})
    result = run(tmp_path / "red" / "docs", tmp_path / "blue" / "docs", "--no-judge")
    assert [json.loads(line)["repository"] for line in result.stdout.splitlines()] == ["red/docs", "blue/docs"]
