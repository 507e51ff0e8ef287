"""``patch`` and ``git apply`` make of every file, byte for byte, what ``permend correct`` makes of it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from permend.cli.main import main

pytestmark = pytest.mark.usefixtures("by_hand")

PATCHES = (("patch", "-p1"), ("patch", "-p1", "--binary"), ("git", "apply", "-"))
CONTENTS = {
    "a mark before the line that changes": b"\xef\xbb\xbfI was busy.\nAll is well.\n",
    "a mark before a line that stays": b"\xef\xbb\xbfAll is well.\n\nI was busy.\n",
    "a mark far away": b"\xef\xbb\xbf" + b"All is well.\n\n" * 9 + b"I was busy.\n",
    "a mark and nothing else around": b"\xef\xbb\xbfI was busy.",
    "windows lines": b"All is well.\r\n\r\nI was busy.\r\n\r\nAll is well.\r\n",
    "mixed lines": b"All is well.\r\n\nI was busy.\n\r\nAll is well.\n\r\rI was late.\r\n",
    "old mac lines": b"All is well.\r\rI was busy.\r\rAll is well.\r",
    "no end": b"All is well.\n\nI was busy.",
    "no end, further down": b"I was busy.\n\nAll is well.",
    "other line ends": "All\u2028is\u2029well.\x85I was busy.\x0b\x0cAll is well.\x1c\n\x0c\nI was late.\n".encode(),
    "lines like a diff": b"--- a/x.txt\n+++ b/x.txt\n@@ -1 +1 @@\n\n-- I was busy.\n\n+ All is well.\n\\ No newline\n",
    "blank lines": b"\n\n \n\t\nI was busy.\n\n\n   \n",
    "an escape": b"\x1b[31mAll is well.\n\nI was busy.\n",
    "far apart": b"I was busy.\n\n" + b"All is well.\n\n" * 30 + b"I was late.\n",
}
NAMES = (
    "a.txt", "my letter.txt", " a.txt", "a .txt", "a\tb.txt", "a\nb.txt", 'a"b.txt', "a\\b.txt", "é ü.txt", "日本.txt",
    "a\x1bb\x7f.txt", "bad\udcff.txt", "-a.txt", "deep er/it's.txt", "é\t.txt", "2024-01-01 10:00:00.txt",
    "a\u2028b.txt",
)  # fmt: skip


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["correct", *map(str, arguments)])


@pytest.fixture(params=PATCHES, ids=" ".join)
def apply(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a program and its options, with an empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return " ".join(request.param)


def carry_out(command: str, diff: bytes) -> None:
    done = subprocess.run(command.split(), input=diff, capture_output=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr, diff)


def agrees(apply: str, path: Path, *options: str, name: str | None = None) -> None:
    """Correct a file in both ways."""
    wanted = run(*options, name or path)
    assert wanted.exit_code == 0, wanted.output
    before = path.read_bytes()
    assert wanted.stdout_bytes != before
    diff = run("--diff", *options, name or path)
    assert (diff.exit_code, path.read_bytes()) == (0, before)
    carry_out(apply, diff.stdout_bytes)
    assert path.read_bytes() == wanted.stdout_bytes


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS)
def test_whatever_the_lines_are(apply: str, content: bytes) -> None:
    path = Path("a.txt")
    path.write_bytes(content)
    agrees(apply, path)


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_whatever_the_name_is(apply: str, name: str) -> None:
    path = Path(name)
    path.parent.mkdir(exist_ok=True)
    path.write_text("All is well.\n\nI was busy.\n")
    agrees(apply, path, "--", name=name)


def test_however_a_file_is_named(apply: str, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "link.txt").symlink_to("docs/a.txt")
    (tmp_path / "papers").symlink_to("docs")
    path = Path("docs/a.txt")
    for name in ("./docs/a.txt", "docs/../docs//a.txt", str(tmp_path / path), "link.txt", "papers/a.txt"):
        path.write_text("I was busy.\n")
        agrees(apply, path, name=name)
    path.write_text("I was busy.\n")
    agrees(apply, path, name="./docs")


def test_a_file_outside_the_working_folder_has_its_full_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    path = tmp_path / "my letter.txt"
    for command in ("patch -d / -p1", "git -C / apply -"):
        path.write_text("I was busy.\n")
        agrees(command, path, name="../my letter.txt")


def test_a_diff_has_the_bytes_of_the_files_encoding(apply: str) -> None:
    path = Path("a.txt")
    for encoding in ("windows-1252", "iso-8859-15", "utf-8"):
        text = "Café, naïve.\n\nIn the café I was busy.\n"
        path.write_bytes(text.encode(encoding))
        agrees(apply, path, "--encoding", encoding)
    for encoding in ("shift_jis", "iso2022_jp", "gb18030"):
        path.write_bytes("日本です。\n\nI was busy 日本.\n".encode(encoding))
        agrees(apply, path, "--encoding", encoding)


def test_many_files_are_one_diff(apply: str, tmp_path: Path) -> None:
    for number, content in enumerate(CONTENTS.values()):
        Path(f"{number} x.txt").write_bytes(content)
    wanted = {path.name: run(path).stdout_bytes for path in tmp_path.iterdir()}
    carry_out(apply, run("--diff", ".").stdout_bytes)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == wanted


def test_a_diff_from_a_folder_of_a_repository_is_carried_out_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs").mkdir()
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path / "docs")
    path = Path("a.txt")
    for command in ("git apply -", "patch -p1"):
        path.write_text("I was busy.\n")
        agrees(command, path)


def test_there_is_no_diff_of_wide_characters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for encoding in ("utf-16", "utf-32"):
        Path("wide.txt").write_bytes("I was busy.\n".encode(encoding))
        Path("z.txt").write_bytes(b"I was busy.\n")
        before = Path("wide.txt").read_bytes()
        result = run("--diff", "wide.txt", "z.txt")
        assert result.exit_code == 2
        [error] = [line for line in result.stderr.splitlines() if line.startswith("Error:")]
        assert error.startswith(f"Error: wide.txt: a diff cannot hold text in {encoding.upper()}-")
        assert result.stdout.startswith("--- a/z.txt\n"), "the others go on"
        assert "wide" not in result.stdout
        assert Path("wide.txt").read_bytes() == before
    Path("ebcdic.txt").write_bytes("I was busy.\n".encode("cp037"))
    assert run("--diff", "--encoding", "cp037", "ebcdic.txt").exit_code == 2


def test_standard_input_is_carried_out_on_a_named_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("I was busy.\n")
    diff = CliRunner().invoke(main, ["correct", "--diff", "-"], input="I was busy.\n").stdout_bytes
    carry_out(f"patch {os.curdir}/a.txt", diff)
    assert Path("a.txt").read_text() == "I am busy.\n"


def test_a_pipe_has_the_name_that_it_was_given() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"I was busy.\n")
    os.close(writing)
    try:
        assert run("--diff", f"/dev/fd/{reading}").stdout.startswith(f"--- /dev/fd/{reading}\n")
    finally:
        os.close(reading)
