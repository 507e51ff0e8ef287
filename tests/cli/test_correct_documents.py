"""``permend correct`` for documents: only wrong words change, files are whole, and every trouble is one sentence."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from permend.cli import correct as command
from permend.corrector.corrector import Correction, Corrector
from permend.documents import FORMATS, Document
from permend.documents import stream as document_stream
from permend.documents.checker import CheckedBlock, Checker
from permend.documents.dictionary import PersonalDictionary
from permend.text.edits import Edit, apply
from tests.cli.test_correct import run, succeed

pytestmark = pytest.mark.usefixtures("by_hand")

PAGE = "# As I was\n\nI **was** busy, and `I was` code. All is well.\n\n- I was late.\n"
CORRECTED = "# As I am\n\nI **am** busy, and `I was` code. All is well.\n\n- I am late.\n"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.md"
    path.write_bytes(PAGE.encode())
    return path


def test_a_document_is_read_by_its_ending_or_as_said(page: Path) -> None:
    assert succeed(page).decode() == CORRECTED
    assert succeed("--format-in", "markdown", stdin=PAGE).decode() == CORRECTED
    assert succeed("--format-in", "markdown", "I **was** `was`.") == b"I **am** `was`.\n"
    assert b"`I am`" in succeed("--format-in", "plain", page)


def test_standard_input_is_a_document() -> None:
    wrapped = (
        "This paragraph was wrapped by an editor at forty\r\ncolumns or so, as I was told. All is well.\r\n\r\n\tI was"
    )
    assert succeed(stdin=wrapped) == wrapped.replace("was", "am").encode()
    assert succeed("-", stdin="I was busy. I was late.") == b"I am busy. I am late."


ODD = (
    "\ufeffMark first\r\n\r\n\n   \n\tindented , oddly  spaced \r\nbell\x07 esc\x1b[0m \x0c form feed\r return\n"
    "Привет, мир! 你好，世界。 שלום 😀\u2028 separator\n" + "x" * 70_000 + "\n" + "word " * 5_000 + "\nno end"
).encode()


def test_untouched_text_is_byte_identical_however_odd(tmp_path: Path) -> None:
    assert succeed(stdin=ODD) == ODD
    for encoding in ("utf-8-sig", "utf-16", "utf-32"):
        file = tmp_path / f"{encoding}.txt"
        file.write_bytes("All is well, 😀.\r\n\r\nI was busy.\n".encode(encoding))
        assert succeed(file) == "All is well, 😀.\r\n\r\nI am busy.\n".encode(encoding)


TEXTS = st.lists(
    st.one_of(st.sampled_from(["I was busy.", "\n\n", "was", "😀 ", "\r\n", "`", "- "]), st.text(max_size=6)),
    max_size=12,
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, st.sampled_from(FORMATS))
def test_findings_are_all_that_changes_in_any_text(parts: list[str], form: str) -> None:
    text = "".join(parts).replace("\0", "").encode("utf-8", "ignore").decode().lstrip("\ufeff")
    found = json.loads(succeed("--json", "--format-in", form, stdin=text.encode()))["findings"]
    edits = [Edit(each["start"], each["end"], each["before"], each["after"]) for each in found]
    assert succeed("--format-in", form, stdin=text.encode()).decode() == apply(text, edits)


def test_folders_are_searched_by_ending_and_never_in_circles(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / ".hidden").mkdir()
    for name in ("b.txt", "deep/a.md", "deep/er/c.html", "d.tex", ".hidden/e.txt", ".f.txt", "g.py", "h.jpg"):
        (tmp_path / name).write_text("I was busy.\n")
    (tmp_path / "deep" / "loop").symlink_to(tmp_path)
    (tmp_path / "gone.txt").symlink_to(tmp_path / "nowhere")
    (tmp_path / "same.txt").symlink_to(tmp_path / "b.txt")
    found = [json.loads(line) for line in succeed("--json", tmp_path, tmp_path / "b.txt").splitlines()]
    assert [os.path.relpath(each["path"], tmp_path) for each in found] == [
        "b.txt",
        "d.tex",
        "deep/a.md",
        "deep/er/c.html",
    ]
    assert [each["format"] for each in found] == ["plain", "latex", "markdown", "html"]


def test_in_place_changes_the_words_and_nothing_else_about_a_file(page: Path) -> None:
    page.chmod(0o640)
    link, good = page.parent / "link.md", page.parent / "good.md"
    link.symlink_to(page)
    good.write_text("All is well.\n")
    os.utime(good, (1, 1))
    result = run("--in-place", link, good)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "3 corrections in 1 of 2 documents\n"
    assert page.read_text() == CORRECTED
    assert page.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()
    assert good.stat().st_mtime == 1, "what needs no correction is not written"
    assert names(page.parent) == ["good.md", "link.md", "page.md"]


def test_in_place_keeps_a_backup_on_request(page: Path) -> None:
    succeed("--in-place", "--backup", ".bak", page)
    assert page.read_text() == CORRECTED
    assert (page.parent / "page.md.bak").read_text() == PAGE
    succeed("--in-place", "--backup", ".bak", page)
    assert (page.parent / "page.md.bak").read_text() == PAGE, "there was nothing to keep the second time"


@pytest.mark.parametrize("report", ["--in-place", "--output=new.md"])
def test_ctrl_c_leaves_no_half_written_file(page: Path, report: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"I was busy with {number}.\n\n" for number in range(4_000))
    page.write_text(text)
    check = Checker.check

    def interrupted(self: Checker, document: Document, words: PersonalDictionary) -> Iterator[CheckedBlock]:
        yield next(check(self, document, words))
        raise KeyboardInterrupt

    monkeypatch.chdir(page.parent)
    monkeypatch.setattr(Checker, "check", interrupted)
    monkeypatch.setattr(Corrector, "correct_batch", lambda self, texts, *_: [Correction.blank(each) for each in texts])
    result = run(report, page)
    assert result.exit_code == 130
    assert "Aborted!" in result.stderr
    assert page.read_text() == text
    assert names(page.parent) == ["page.md"]


SLOW = """
import sys, time
from permend.__main__ import main
from permend.corrector.corrector import Corrector
from tests.corrector.test_corrector import TOKENIZER, HandMade, replace_was

class Slow(HandMade):
    def encode(self, ids, mask):
        time.sleep(60)

Corrector.from_pretrained = lambda *_, **__: Corrector.of(Slow(replace_was), TOKENIZER)
main()
"""


def test_a_request_to_end_leaves_no_half_written_file(page: Path) -> None:
    command = [sys.executable, "-c", SLOW, "correct", "--threads", "1", "--in-place", str(page)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, cwd=Path(__file__).parents[2]) as process:
        deadline = time.monotonic() + 60
        while len(names(page.parent)) == 1 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        assert len(names(page.parent)) == 2, "it has begun to write"
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 128 + signal.SIGTERM
    assert names(page.parent) == ["page.md"]
    assert page.read_text() == PAGE


def test_a_file_that_somebody_else_changes_meanwhile_is_left_alone(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check = Checker.check

    def slow(self: Checker, document: Document, words: PersonalDictionary) -> Iterator[CheckedBlock]:
        yield from check(self, document, words)
        page.write_text("What the writer has just saved.\n")

    monkeypatch.setattr(Checker, "check", slow)
    result = run("--in-place", page)
    assert result.exit_code == 2
    assert "was changed by somebody else meanwhile" in result.stderr
    assert "0 corrections in 0 of 1 document" in result.stderr
    assert page.read_text() == "What the writer has just saved.\n"
    assert names(page.parent) == ["page.md"]


def test_output_appears_when_all_is_done(page: Path) -> None:
    new = page.parent / "new.md"
    assert succeed("--output", new, page) == b""
    assert new.read_text() == CORRECTED
    umask = os.umask(0)
    os.umask(umask)
    assert new.stat().st_mode & 0o777 == 0o666 & ~umask
    succeed("--output", page, page)
    assert page.read_text() == CORRECTED, "a file may be read and written at once"
    succeed("--output", new, "--lines", "--json", stdin="I was busy.\n")
    assert json.loads(new.read_text())["text"] == "I am busy."
    result = run("--output", page.parent / "no" / "folder.md", page)
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
    assert "folder.md: cannot be written: No such file or directory" in result.stderr


def test_one_bad_file_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"I was busy.\n")
    (tmp_path / "binary.txt").write_bytes(b"I was\0\1\2")
    (tmp_path / "late.txt").write_bytes(b"I was busy.\n\n" * 9_000 + b"caf\xe9 was open.\n")
    (tmp_path / "packed.md").write_bytes(b"\x1f\x8b rest")
    (tmp_path / "void.txt").touch()
    (tmp_path / "z.txt").write_bytes(b"I was late.\n")
    result = run(*sorted(tmp_path.iterdir()), tmp_path / "z.txt")
    assert result.exit_code == 2
    assert result.stdout_bytes == b"I am busy.\nI am late.\n", "no half of a file"
    errors = result.stderr.splitlines()
    assert len(errors) == 3
    for error, wanted in zip(
        errors, ("binary file", "UTF-8 (byte 117004); it looks like iso-8859-1", "gzip"), strict=True
    ):
        assert wanted in error
    result = run("--in-place", tmp_path)
    assert result.exit_code == 2
    assert (tmp_path / "z.txt").read_bytes() == b"I am late.\n"
    assert (tmp_path / "late.txt").read_bytes().count(b"was") == 9_001


def test_a_path_that_leads_nowhere_does_not_stop_the_others(page: Path) -> None:
    for names in (("gone.md", page), (page, "gone.md")):
        result = run(*names)
        assert (result.exit_code, result.stdout) == (2, CORRECTED)
        assert result.stderr == "Error: gone.md: no such file\n"
    result = run("--in-place", "gone.md", page)
    assert (result.exit_code, page.read_text()) == (2, CORRECTED)
    result = run("--lines", page, "gone.md")
    assert (result.exit_code, result.stdout) == (2, ""), "lines are counted by whoever reads them"


def test_a_report_may_be_asked_for_twice(page: Path) -> None:
    assert succeed("--json", "--json", page) == succeed("--json", page)


def test_an_encoding_that_is_named_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes("In the café I was busy – “really”.\n".encode("cp1252"))
    assert run(file).stderr.endswith("; it looks like windows-1252: read it with --encoding windows-1252\n")
    assert succeed("--encoding", "windows-1252", file).decode("cp1252") == "In the café I am busy – “really”.\n"
    for wrong in ("utf-16", "utf-16-le", "utf-8", "utf-7"):
        result = run("--encoding", wrong, file)
        assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1), wrong
        assert file.name in result.stderr
    for bad in ("klingon", "hex"):
        result = run("--encoding", bad, file)
        assert result.exit_code == 2
        assert "is no encoding that Python knows" in result.stderr


def test_what_an_encoding_cannot_write_is_not_corrected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"I was busy.\n")
    monkeypatch.setattr("permend.documents.Encoding.can_write", lambda self, text: "am" not in text)
    assert succeed("--encoding", "ascii", file) == b"I was busy.\n"


def test_a_file_that_may_not_be_read_or_written_is_named(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("permend.documents.saving.os.access", lambda path, mode: False)
    result = run("--in-place", page)
    assert (result.exit_code, page.read_text()) == (2, PAGE)
    assert "page.md: cannot be written: Permission denied" in result.stderr

    def refuse(*arguments: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("permend.documents.stream.open", refuse, raising=False)
    result = run(page)
    assert result.exit_code == 2
    assert "page.md: cannot be read: Permission denied" in result.stderr


def test_reports_of_documents(page: Path) -> None:
    document = json.loads(succeed("--json", page))
    assert [each["after"] for each in document["findings"]] == ["am", "am", "am"]
    findings = [json.loads(line) for line in succeed("--jsonl", page).splitlines()]
    assert [(each["line"], each["column"]) for each in findings] == [(1, 8), (3, 5), (5, 5)]
    assert {each["path"] for each in findings} == {str(page)}
    assert len(json.loads(succeed("--sarif", page))["runs"][0]["results"]) == 3
    assert len(json.loads(succeed("--lt", page))["matches"]) == 3
    assert succeed("--m2", page).count(b"|||am|||") == 3
    assert b"\x1b" not in succeed("--diff", page), "no colours where nobody looks"
    assert len(json.loads(succeed("--lt", "I was busy."))["matches"]) == 1


def test_m2_of_lines_keeps_their_tokens() -> None:
    wanted = b"S I was n't busy .\nA 1 2|||R:VERB:TENSE|||am|||REQUIRED|||-NONE-|||0\n\n"
    assert succeed("--tokenized", "--m2", stdin="I was n't busy .\n") == wanted
    assert b"A -1 -1|||noop|||" in succeed("--lines", "--m2", stdin="All is well.\n")


def test_personal_words_stay(page: Path, nobodys_words: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (page.parent / ".permend").mkdir()
    (page.parent / ".permend" / "ignored.txt").write_text("[was → am] late\n")
    assert succeed(page).decode() == CORRECTED.replace("am late", "was late"), "the words of the file's own project"
    assert succeed("I was late.") == b"I am late.\n"
    monkeypatch.chdir(page.parent)
    assert succeed("I was late.") == b"I was late.\n"
    assert json.loads(succeed("--json", "I was late."))["edits"] == []
    (nobodys_words / "permend").mkdir()
    (nobodys_words / "permend" / "words.txt").write_text("was\n")
    assert succeed(page).decode() == PAGE
    assert succeed("--tokenized", "--lines", stdin="I was late .\n") == b"I am late .\n", "a benchmark is no writer"


def test_input_is_read_as_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A document of any size takes the same memory: little is read ahead of what is written."""
    ahead = []

    class Endless:
        read_so_far = 0

        def read(self, size: int) -> bytes:
            self.read_so_far += size
            return (b"All is well, " * 40 + b"\n\n") * (size // 522) if self.read_so_far < 1_500_000 else b""

    stdin = Endless()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stdin, isatty=lambda: False))
    checker = Checker(Corrector.from_pretrained())
    stream = document_stream.DocumentStream(checker)
    written = 0
    for piece in command.write_documents(stream.check(["-"]), None, False, False):
        written += len(piece)
        ahead.append(stdin.read_so_far - written)
    assert written > 1_400_000
    assert max(ahead) < 300_000


def test_what_contradicts_itself_is_refused(page: Path) -> None:
    (page.parent / "link").symlink_to("link")
    for arguments, message in (
        (("I was busy.", page), "not both"),
        (("--file", page, page), "not both"),
        (("--in-place",), "--in-place needs files"),
        (("--in-place", "I was busy."), "--in-place needs files"),
        (("--in-place", page, "-"), "--in-place needs files"),
        (("--backup", ".bak", page), "--backup needs --in-place"),
        (("--in-place", "--backup", "", page), "--backup needs --in-place, and an ending"),
        (("--lines", "--sarif", page), "the other ways are for documents"),
        (("--tokenized", "--in-place", page), "the other ways are for documents"),
        (("--in-place", "--output", "new.md", page), "--in-place and --output exclude each other"),
        (("--in-place", "--diff", page), "--in-place and --diff exclude each other"),
        (("--in-place", "--lines", page), "--lines and --in-place exclude each other"),
        (("--json", "--sarif", page), "--json and --sarif exclude each other"),
        (("--m2", "--diff", "I was busy."), "--diff and --m2 exclude each other"),
        (("--alternatives", "3", "--sarif", page), "--alternatives and --sarif exclude each other"),
        (("--tokenized", "--format-in", "markdown", page), "--tokenized and --format-in exclude each other"),
        (("--file", page, "--encoding", "latin-1"), "--file and --encoding exclude each other"),
        (("lettr.txt",), "lettr.txt: no such file"),
        (("docs/letter",), "docs/letter: no such file"),
        ((page.parent / "link",), "link: no such file"),
    ):
        result = run(*arguments)
        assert result.exit_code == 2, arguments
        assert message in result.stderr
        assert "Traceback" not in result.stderr
    assert page.read_text() == PAGE
