"""Comments of source code and commit messages on the command line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from permend.cli.main import main
from permend.documents import document
from permend.documents.comments.grammars import load_grammar

pytestmark = pytest.mark.usefixtures("by_hand")

PYTHON = 'was = "I was busy."  # I was late.\n\n\ndef f():\n    """I was busy."""\n'
RUST = '/// I was busy.\nfn was() -> &str { "// I was" }\n'


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)))


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_bytes(PYTHON.replace("\n", "\r\n").encode())
    (tmp_path / "src" / "b.rs").write_text(RUST)
    (tmp_path / "src" / "c.md").write_text("I was late.\n")
    (tmp_path / "src" / "d.json").write_text('{"a": "I was late."}\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def without_grammars(monkeypatch: pytest.MonkeyPatch) -> None:
    load_grammar.cache_clear()
    monkeypatch.setitem(sys.modules, "tree_sitter", None)


def test_source_code_is_refused_unless_somebody_asks_for_its_comments(program: Path) -> None:
    result = run("check", "src/a.py")
    assert result.exit_code == 2
    assert "src/a.py: this is code or data by its name, not prose; --comments reads its comments" in result.stderr
    assert "1 finding in 1 of 1 document" in run("check", "src").stderr
    assert "2 findings in 1 of 1 document" in run("check", "--comments", "src/a.py").stderr


def test_comments_of_a_folder_are_read_by_the_endings_of_its_files(program: Path) -> None:
    result = run("check", "--comments", "src")
    assert [line.split(" ")[0] for line in result.stdout.splitlines()] == [
        "src/a.py:1:26:", "src/a.py:5:10:", "src/b.rs:1:7:", "src/c.md:1:3:",
    ]  # fmt: skip
    assert result.exit_code == 1


def test_only_comments_change_in_place(program: Path) -> None:
    assert run("correct", "--in-place", "--comments", "src").exit_code == 0
    python = PYTHON.replace("# I was", "# I am").replace('"""I was', '"""I am').replace("\n", "\r\n")
    assert (program / "src" / "a.py").read_bytes() == python.encode()
    assert (program / "src" / "b.rs").read_text() == RUST.replace("/// I was", "/// I am")
    assert "was" in (program / "src" / "d.json").read_text()


def test_a_language_may_be_named(program: Path) -> None:
    (program / "script").write_text("x='I was'  # I was late.\n")
    result = run("correct", "--format-in", "shell", "script")
    assert result.stdout == "x='I was'  # I am late.\n"
    both = run("check", "--comments", "--format-in", "python", "src/a.py")
    assert (both.exit_code, "--comments and --format-in exclude each other" in both.stderr) == (2, True)


def test_messages_of_git_are_known_by_their_name(program: Path) -> None:
    (program / "COMMIT_EDITMSG").write_text("feat(was): I was late\n\n# I was a comment.\n")
    assert run("correct", "COMMIT_EDITMSG").stdout == "feat(was): I am late\n\n# I was a comment.\n"


@pytest.mark.usefixtures("without_grammars")
def test_a_missing_extra_is_named_in_one_sentence(program: Path) -> None:
    for arguments in (("--format-in", "rust", "src/b.rs"), ("--comments", "src/b.rs", "src/b.rs")):
        result = run("check", *arguments)
        assert result.exit_code == 2
        assert result.stderr.count("pip install '.[code]' in permend's folder") == 1, result.stderr
    assert run("check", "--format-in", "python", "src/a.py").exit_code == 1, "Python needs none"
    result = run("check", "--comments", "src")
    assert (result.exit_code, "src/a.py:1:26" in result.stdout) == (2, True), "the others are checked all the same"


def test_a_program_that_is_too_long_is_named(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "LONGEST", 10)
    result = run("check", "--comments", "src")
    assert result.exit_code == 2
    assert "src/a.py: source code is read up to 10 characters, and this is longer" in result.stderr
