"""What is no prose is never changed, and only what is meant is read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from permend.cli.main import main

pytestmark = pytest.mark.usefixtures("by_hand")

WRONG = "I was busy.\n"
RIGHT = "I am busy.\n"


def run(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)], input=stdin)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(*names: str) -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(WRONG)


def corrected(folder: Path) -> list[str]:
    """Return the names of all files in which something was corrected."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sorted(path.relative_to(folder).as_posix() for path in files if path.read_text() == RIGHT)


@pytest.mark.parametrize(
    "name", ["data.json", "main.py", "a.YAML", "a.csv", "Makefile", "requirements.txt", ".env", "b.po"]
)
def test_code_and_data_are_refused_in_one_sentence(folder: Path, name: str) -> None:
    write(name, "a.txt")
    for command in (("correct",), ("correct", "--in-place"), ("correct", "--json"), ("check",)):
        result = run(*command, name, "a.txt")
        assert result.exit_code == 2
        [error] = [line for line in result.stderr.splitlines() if line.startswith("Error:")]
        assert error.startswith(f"Error: {name}: this is code or data by its name")
        assert "--format-in plain" in error
        assert name not in result.stdout
    assert corrected(folder) == ["a.txt"], "the others go on"
    assert run("correct", "--format-in", "plain", name).stdout == RIGHT
    assert run("check", "--format-in", "plain", name).exit_code == 1
    assert run("correct", "--in-place", "--format-in", "plain", name).exit_code == 0
    assert corrected(folder) == sorted([name, "a.txt"])


@pytest.mark.parametrize("name", ["README", "notes.xyz", "a.txt.bak", "a.txt~"])
def test_what_has_no_known_ending_is_read_but_not_changed(folder: Path, name: str) -> None:
    write(name, "a.txt")
    assert run("correct", name).stdout == RIGHT
    assert run("check", name).exit_code == 1
    result = run("correct", "--in-place", name, "a.txt")
    assert result.exit_code == 2
    assert f"Error: {name}: its name does not say what it is" in result.stderr
    assert "--format-in" in result.stderr
    assert corrected(folder) == ["a.txt"]
    assert run("correct", "--in-place", "--format-in", "plain", name).exit_code == 0
    assert corrected(folder) == sorted(["a.txt", name])


def test_a_link_with_the_name_of_prose_does_not_hide_code(folder: Path) -> None:
    write("data.json")
    (folder / "notes.txt").symlink_to("data.json")
    result = run("correct", "--in-place", "notes.txt")
    assert (result.exit_code, corrected(folder)) == (2, [])
    assert "notes.txt: this is code or data" in result.stderr


def test_standard_input_is_always_read() -> None:
    assert run("correct", "-", stdin=WRONG).stdout == RIGHT
    assert run("correct", stdin=WRONG).stdout == RIGHT


def test_lines_may_come_from_any_file(folder: Path) -> None:
    write("dev.tsv")
    assert run("correct", "--lines", "dev.tsv").stdout == RIGHT


def test_a_missing_file_is_named_and_the_others_are_corrected(folder: Path) -> None:
    write("a.txt", "z.txt")
    for missing in ("missing.txt", "x.docx", "main.py", "docs/letter", "scan.pdf"):
        result = run("correct", "a.txt", missing, "z.txt")
        assert (result.exit_code, result.stdout) == (2, RIGHT + RIGHT)
        assert result.stderr == f"Error: {missing}: no such file\n"
        assert run("correct", missing).stdout == "", "it is no sentence"
    result = run("correct", "--in-place", "missing.txt", "a.txt")
    assert (result.exit_code, corrected(folder)) == (2, ["a.txt"])
    result = run("correct", "--lines", "z.txt", "missing.txt")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "Error: missing.txt: no such file\n"


def test_words_with_dots_are_sentences() -> None:
    for word in ("Hello.", "e.g.", "example.com", "it.so", "Ph.D"):
        result = run("correct", word)
        assert (result.exit_code, result.stdout) == (0, f"{word}\n")


def test_a_walk_passes_by_what_nobody_wrote(folder: Path) -> None:
    write("a.txt", "deep/b.md", "src/main.py", "CMakeLists.txt", "requirements-dev.txt", "notes", "c.txt.bak")
    write(
        ".hidden.txt",
        ".permend/notes.txt",
        "node_modules/x/readme.md",
        "__pycache__/x.txt",
        "lib/site-packages/x/y.txt",
    )
    write("env/pyvenv.cfg", "env/docs/x.txt", "ignored/x.txt", "deep/ignored.md")
    (folder / ".gitignore").write_text("/ignored/\nignored.md\n")
    assert run("correct", "--in-place", ".").exit_code == 0
    assert corrected(folder) == ["a.txt", "deep/b.md"]
    assert run("correct", "--in-place", "deep/ignored.md", "ignored", "env/docs/x.txt").exit_code == 0
    assert corrected(folder) == ["a.txt", "deep/b.md", "deep/ignored.md", "env/docs/x.txt", "ignored/x.txt"]


def test_a_folder_of_which_all_is_ignored_is_told(folder: Path) -> None:
    write("a.txt")
    (folder / ".gitignore").write_text("*.txt\n")
    result = run("check", ".")
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
    assert "no documents in this folder" in result.stderr
    assert "ignored" in result.stderr


def test_links_do_not_lead_out_of_a_folder(folder: Path) -> None:
    write("outside/secret.txt", "in/a.txt", "in/deep/b.txt", "in/.hidden/c.txt")
    (folder / "in" / "away.txt").symlink_to(folder / "outside" / "secret.txt")
    (folder / "in" / "away").symlink_to(folder / "outside")
    (folder / "in" / "same.txt").symlink_to("a.txt")
    (folder / "in" / "first.txt").symlink_to("deep/b.txt")
    (folder / "in" / "seen.txt").symlink_to(".hidden/c.txt")
    (folder / "in" / "loop").symlink_to(".")
    found = [json.loads(line)["path"] for line in run("correct", "--json", "in").stdout.splitlines()]
    assert found == [os.path.join("in", "a.txt"), os.path.join("in", "deep", "b.txt")], "each once, by its own name"
    assert run("correct", "--in-place", "in").exit_code == 0
    assert corrected(folder) == ["in/a.txt", "in/deep/b.txt"]
    (folder / "there").symlink_to("outside")
    assert run("correct", "--in-place", "there", "in/seen.txt").exit_code == 0, "a link that is named is followed"
    assert corrected(folder) == ["in/.hidden/c.txt", "in/a.txt", "in/deep/b.txt", "outside/secret.txt"]


def test_patterns_exclude_files_and_folders(folder: Path) -> None:
    write("docs/a.md", "docs/CHANGELOG.md", "docs/old/b.md", "docs/deep/old/c.md", "d.md", "other/e.md")
    arguments = ("--exclude", "CHANGELOG.md", "--exclude", "/old/")
    assert run("check", *arguments, "docs").stdout.count("was → am") == 2
    assert run("correct", *arguments, "--in-place", "docs").exit_code == 0
    assert corrected(folder) == ["docs/a.md", "docs/deep/old/c.md"]
    names = ("--in-place", "docs/CHANGELOG.md", "d.md", "other/e.md", "other")
    assert run("correct", *arguments, "--exclude", "other", *names).exit_code == 0, "named files can be excluded, too"
    assert corrected(folder) == ["d.md", "docs/a.md", "docs/deep/old/c.md"]
    result = run("check", "--exclude", "*", ".")
    assert (result.exit_code, "no documents" in result.stderr) == (2, True)
    assert run("check", "--exclude", "*.md", "d.md").exit_code == 0
    assert run("check", "--exclude", "*", "-", stdin=WRONG).exit_code == 1
    assert run("check", "--exclude", "docs/*", folder.parent / folder.name / "d.md").exit_code == 0
