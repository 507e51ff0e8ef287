"""Exit codes mean one thing each, bugs do not look like findings, and nothing in a text or a name steers a terminal."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from permend.cli.loading import load_checker, load_corrector
from permend.cli.main import main
from permend.corrector.corrector import Corrector
from permend.documents import Document
from permend.documents.checker import CheckedBlock, Checker
from permend.documents.dictionary import PersonalDictionary
from permend.errors import InputError

pytestmark = pytest.mark.usefixtures("by_hand")

ROOT = Path(__file__).parents[2]
BY_HAND = """
from permend.__main__ import main
from permend.corrector.corrector import Corrector
from tests.corrector.test_corrector import TOKENIZER, HandMade, replace_was

Corrector.from_pretrained = lambda *_, **__: Corrector.of(HandMade(replace_was), TOKENIZER)
main()
"""


def run(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)), input=stdin)


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Have the check of documents that hold “fail” end with an error; there is one, and one that does not."""
    (tmp_path / "a.txt").write_text("Please fail.\n")
    (tmp_path / "b.txt").write_text("I was busy.\n")
    check = Checker.check

    def fail_with(error: BaseException) -> None:
        def failing_check(self: Checker, document: Document, words: PersonalDictionary) -> Iterator[CheckedBlock]:
            for checked in check(self, document, words):
                if "fail" in checked.text:
                    raise error
                yield checked

        monkeypatch.setattr(Checker, "check", failing_check)

    return fail_with


def test_a_bug_is_no_finding(failing: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(KeyError("a\nb"))
    result = run("check", tmp_path)
    assert result.exit_code == 70
    assert result.stderr.startswith("Error: permend has failed: KeyError: 'a\\nb' (this is a bug; ")
    assert len(result.stderr.splitlines()) == 1
    monkeypatch.setenv("PERMEND_DEBUG", "1")
    result = run("check", tmp_path)
    assert result.exit_code == 70
    assert result.stderr.startswith("Traceback")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (RecursionError(), "a.txt: this is nested too deeply"),
        (MemoryError(), "a.txt: there is not enough memory"),
        (OSError(5, "Input/output error"), "a.txt: Input/output error"),
        (PermissionError(13, "Permission denied", "c.txt"), "c.txt: Permission denied"),
        (InputError("no such file", "c.txt"), "c.txt: no such file"),
    ],
)
def test_trouble_with_a_document_is_one_sentence_and_the_next_one_follows(
    failing: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    failing(error)
    result = run("check", "a.txt", "b.txt")
    assert result.exit_code == 2
    assert result.stderr.splitlines()[0] == f"Error: {message}"
    assert "b.txt:1:3: " in result.stdout


def test_a_command_without_its_command_shows_the_help() -> None:
    for arguments in ((), ("dict",), ("synth",)):
        assert run(*arguments).output == run(*arguments, "--help").output


def test_ctrl_c_is_told_from_all_else(failing: Any, tmp_path: Path) -> None:
    failing(KeyboardInterrupt())
    assert run("check", tmp_path).exit_code == 130
    failing(SystemExit(143))
    assert run("check", tmp_path).exit_code == 143


@pytest.mark.parametrize("name", ["a\nb.md:1:1: R:ORTH forged", "a\x1b[2Jb", "a\u202eb", "a\rb", "a\x9bb", "a\u2028b"])
def test_no_name_and_no_text_steers_the_terminal(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"{name}.txt").write_text("I was \x1b]0;mine\x07\u202ebusy.\n")
    (tmp_path / f"{name}.md").write_bytes(b"I was \0.\n")
    result = run("check", *sorted(path.name for path in tmp_path.iterdir()), f"{name}, gone.txt")
    assert result.exit_code == 2
    shown = [*result.stdout.split("\n"), *result.stderr.split("\n")]
    assert len(shown) == 6, "a finding, two errors, the summary, and what is behind the last line ends"
    assert all(line.isprintable() for line in shown)
    assert not any("\u202e" in line for line in shown)
    result = run("align", "--pairs", name)
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.strip().isprintable()
    result = run("correct", f"--{name}")
    assert all(line.isprintable() for line in result.stderr.split("\n"))


def test_drawings_show_what_would_steer_the_terminal() -> None:
    result = run("align", "I \x1b[2J[bold]be\u202e", "I am")
    assert result.exit_code == 0
    assert "\\x1b[2J[bold]be\\u202e" in result.stdout.replace("\n", "")
    assert not {"\x1b", "\u202e"} & set(result.stdout)


def test_corrected_text_is_written_as_it_is(tmp_path: Path) -> None:
    text = "I was \x1b]0;mine\x07\u202ebusy.\r\n"
    (tmp_path / "a.txt").write_bytes(text.encode())
    assert run("correct", tmp_path / "a.txt").stdout_bytes == text.replace("was", "am").encode()


@pytest.mark.skipif(sys.platform == "win32", reason="needs terminals of its own")
@pytest.mark.parametrize(
    "report", [[], ["--lines"], *([f"--{name}"] for name in "diff json jsonl m2 sarif lt".split())]
)
def test_nothing_that_is_shown_in_a_terminal_steers_it(report: list[str], tmp_path: Path) -> None:
    hostile = "\x1b[2J\x9b31m\u202e\x07"
    (tmp_path / f"{hostile}.txt").write_text(f"I was {hostile} busy.\n")
    shown = show([sys.executable, "-c", BY_HAND, "correct", *report, str(tmp_path / f"{hostile}.txt")], ROOT)
    assert "am" in shown
    assert all(line.replace("\t", "").isprintable() for line in shown.split("\n")), ascii(shown)


@pytest.mark.skipif(sys.platform == "win32", reason="needs terminals of its own")
def test_lists_of_a_project_do_not_steer_the_terminal(tmp_path: Path) -> None:
    (tmp_path / ".permend").mkdir()
    (tmp_path / ".permend" / "words.txt").write_text("Kuber\x1b[2J\x9bnetes\n")
    (tmp_path / ".permend" / "ignored.txt").write_text("He [go\x1b[2J → goes] to\n")
    command = [sys.executable, "-m", "permend", "dict"]
    assert show([*command, "list"], tmp_path) == "Kuber\\x1b[2J\\x9bnetes\n"
    assert show([*command, "ignored"], tmp_path) == "He [go\\x1b[2J → goes] to\n"


def show(command: list[str], folder: Path) -> str:
    """Return what a command shows in a terminal, without colours."""
    ours, theirs = os.openpty()
    environment = os.environ | {"NO_COLOR": "1"}
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(command, stdout=theirs, stderr=errors, env=environment, cwd=folder) as process,
    ):
        os.close(theirs)
        shown = b"".join(_read(ours))
        assert process.wait() == 0
        errors.seek(0)
        assert errors.read() == b""
    return shown.decode().replace("\r\n", "\n")


def _read(terminal: int) -> Iterator[bytes]:
    """Yield what is written to a terminal until nobody has it open any more."""
    with suppress(OSError):
        while some := os.read(terminal, 65_536):
            yield some
    os.close(terminal)


def test_json_gives_back_to_programs_what_is_escaped(tmp_path: Path) -> None:
    text = "I was \x1b[2J\x9b\u202e\u2028 busy."
    (tmp_path / "a.txt").write_text(f"{text}\n")
    for option in ("--json", "--jsonl", "--sarif", "--lt"):
        written = run("correct", option, tmp_path / "a.txt").stdout
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2028]", written)
    assert json.loads(run("correct", "--json", text).stdout)["source"] == text


def test_threads_are_at_most_those_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("permend.cli.loading.count_cores", lambda: 4)
    assert load_checker(None, None, 999).workers == 4
    assert load_checker(None, None, 3).workers == 3
    asked: list[int | None] = []
    load = Corrector.from_pretrained

    def remember(*arguments: Any, threads: int | None, **options: Any) -> Corrector:
        asked.append(threads)
        return load()

    monkeypatch.setattr(Corrector, "from_pretrained", remember)
    for threads in (999, 2, None):
        load_corrector(None, None, threads)
    assert asked == [4, 2, None]


@pytest.mark.parametrize("name", ["x.docx", "notes/x.md", "x.unknown", "missing.txt", "notes/", "/notes"])
def test_a_file_that_is_not_there_is_no_sentence(name: str) -> None:
    result = run("correct", name)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"Error: {name}: no such file\n")


@pytest.mark.parametrize("text", ["He was at example.com.", "Hello world.txt was here", "example.com", "Was?"])
def test_a_sentence_with_the_name_of_a_file_stays_a_sentence(text: str) -> None:
    assert run("correct", text).exit_code == 0


@pytest.mark.parametrize("command", ["correct", "check"])
def test_of_two_files_one_of_which_is_missing_the_other_is_done(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("I was busy.\n")
    result = run(command, "a.txt", "missing.txt")
    assert result.exit_code == 2
    assert "Error: missing.txt: no such file\n" in result.stderr
    assert "am" in result.stdout
