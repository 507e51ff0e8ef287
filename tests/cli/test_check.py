"""``permend check``: lines to jump to, and an exit code that continuous integration understands."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from permend.cli.main import main

pytestmark = pytest.mark.usefixtures("by_hand")


def run(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["check", *map(str, arguments)], input=stdin)


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "notes.md").write_text("# Notes\n\nAll is well. I was `busy` 😀.\n")
    (tmp_path / "good.txt").write_text("All is well.\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_findings_are_printed_as_compilers_do(notes: Path) -> None:
    result = run(".")
    assert result.exit_code == 1
    assert re.fullmatch(r"notes\.md:3:16: R:VERB:\w+ was → am  .*“am”.*\. \[[0-9a-f]{10}\]\n", result.stdout)
    assert result.stderr == "1 finding in 1 of 2 documents\n"
    assert "I was" in (notes / "notes.md").read_text(), "nothing is changed"


def test_exit_codes_say_whether_there_is_something_to_do(notes: Path) -> None:
    assert (run("good.txt").exit_code, run("good.txt").output) == (0, "")
    assert run("notes.md").exit_code == 1
    assert run("--min-margin", "99", "notes.md").exit_code == 0
    trouble = run("notes.md", "gone.txt")
    assert trouble.exit_code == 2
    assert "gone.txt: no such file" in trouble.stderr
    assert "was → am" in trouble.stdout, "the others are checked all the same"
    (notes / "empty").mkdir()
    assert (run("empty").exit_code, "no documents" in run("empty").stderr) == (2, True)
    assert run().exit_code == 2


def test_a_folder_that_cannot_be_read_is_told_once(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(folder: str, onerror: Callable[[OSError], None]) -> Iterator[None]:
        onerror(PermissionError(13, "Permission denied", folder))
        return iter(())

    monkeypatch.setattr("os.walk", refused)
    result = run(".")
    assert (result.exit_code, result.stderr) == (2, "Error: .: cannot be read: Permission denied\n")


def test_standard_input_is_a_dash() -> None:
    result = run("-", stdin="I was busy.\n")
    assert result.exit_code == 1
    assert result.stdout.startswith("-:1:3: ")
    assert run("--format-in", "markdown", "-", stdin="`I was busy.`\n").exit_code == 0


@pytest.mark.usefixtures("notes")
def test_other_formats_are_for_programs() -> None:
    for form in ("json", "sarif", "lt"):
        result = run("--format", form, "notes.md")
        assert (result.exit_code, result.stderr) == (1, "")
        assert "R:VERB" in result.stdout or "VERB" in result.stdout
        json.loads(result.stdout)
    assert json.loads(run("--format", "sarif", "good.txt").stdout)["runs"][0]["results"] == []


def test_the_hook_runs_this_command() -> None:
    hooks = (Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    assert "- id: permend\n" in hooks
    assert "entry: permend check\n" in hooks
    exclude = re.search(r"exclude: (.*)", hooks)
    assert exclude
    for name, out in (("requirements-dev.txt", True), ("a/LICENSE", True), ("notes.txt", False), ("docs/a.md", False)):
        assert bool(re.search(exclude[1], name)) is out


@pytest.mark.parametrize("form", ["text", "json", "sarif", "lt"])
def test_what_a_comment_dismisses_is_in_no_report(notes: Path, form: str) -> None:
    (notes / "notes.md").write_text("<!-- permend-ignore -->\nI was busy.\n\nI was `busy`. <!-- permend-ignore -->\n")
    result = run("--format", form, "notes.md")
    assert result.exit_code == 0
    assert "→" not in result.stdout
    assert '"am"' not in result.stdout
