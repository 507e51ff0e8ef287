"""A file that is changed in place keeps all but its wrong words; what cannot be kept safe is left as it is."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from permend.cli.main import main
from permend.documents import Document
from permend.documents.checker import CheckedBlock, Checker
from permend.documents.dictionary import PersonalDictionary

pytestmark = pytest.mark.usefixtures("by_hand")

WRONG = "I was busy.\n"
RIGHT = "I am busy.\n"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["correct", *map(str, arguments)])


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    path = tmp_path / "letter.txt"
    path.write_text(WRONG)
    return path


def test_a_file_with_several_names_is_left_as_it_is(letter: Path) -> None:
    other, good = letter.parent / "other.txt", letter.parent / "sound.txt"
    os.link(letter, other)
    good.write_text(WRONG)
    result = run("--in-place", "--backup", ".bak", letter, good)
    assert result.exit_code == 2
    assert "letter.txt: has 2 names (hard links)" in result.stderr
    assert len(result.stderr.splitlines()) == 2
    assert letter.samefile(other)
    assert (letter.read_text(), good.read_text()) == (WRONG, RIGHT)
    assert names(letter.parent) == ["letter.txt", "other.txt", "sound.txt", "sound.txt.bak"]
    assert run(letter).stdout == RIGHT, "it can be read"


def test_a_pipe_or_a_device_is_refused_without_waiting_for_it(letter: Path) -> None:
    pipe = letter.parent / "pipe.txt"
    os.mkfifo(pipe)
    for name in (pipe, Path(os.devnull)):
        result = run("--in-place", "--format-in", "plain", name, letter)
        assert result.exit_code == 2
        assert f"{name}: is a pipe or a device" in result.stderr
        assert letter.read_text() == RIGHT
        assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_link_stays_and_what_it_leads_to_is_changed(letter: Path) -> None:
    (letter.parent / "deep").mkdir()
    link = letter.parent / "deep" / "link.txt"
    link.symlink_to(letter)
    assert run("--in-place", "--backup", ".bak", link).exit_code == 0
    assert (link.is_symlink(), letter.read_text()) == (True, RIGHT)
    assert names(letter.parent) == ["deep", "letter.txt", "letter.txt.bak"]
    assert names(link.parent) == ["link.txt"]


def test_rights_owner_and_attributes_are_kept(letter: Path) -> None:
    letter.chmod(0o604)
    attributes = {}
    if os.geteuid() == 0:
        os.chown(letter, 1234, 4321)
    if hasattr(os, "setxattr"):
        try:
            os.setxattr(letter, "user.note", b"mine")
            attributes = {"user.note": b"mine"}
        except OSError:  # not every file system has them
            pass
    os.utime(letter, (1, 1))
    before = letter.stat()
    assert run("--in-place", "--backup", ".bak", letter).exit_code == 0
    assert (letter.read_text(), letter.stat().st_mtime > 1) == (RIGHT, True)
    for path in (letter, letter.parent / "letter.txt.bak"):
        now = path.stat()
        assert (now.st_mode, now.st_uid, now.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
        assert {key: os.getxattr(path, key) for key in attributes} == attributes
    assert (letter.parent / "letter.txt.bak").stat().st_mtime == 1, "the backup is as old as what it keeps"


def test_a_file_that_a_new_one_could_not_stand_for_is_left(letter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: Any) -> None:
        raise PermissionError(1, "Operation not permitted")

    if os.geteuid() != 0:
        pytest.skip("only root can make a file of somebody else")
    os.chown(letter, 1234, 4321)
    monkeypatch.setattr("permend.documents.saving.os.chown", refuse)
    result = run("--in-place", "--backup", ".bak", letter)
    assert result.exit_code == 2
    assert "belongs to another user or group" in result.stderr
    assert (letter.read_text(), names(letter.parent)) == (WRONG, ["letter.txt"])


def test_no_backup_takes_the_place_of_another_file(letter: Path) -> None:
    (letter.parent / "letter.txt.bak.2").symlink_to("nowhere")
    texts = [f"I was busy {number}.\n" for number in range(4)]
    for text in texts:
        letter.write_text(text)
        assert run("--in-place", "--backup", ".bak", letter).exit_code == 0
    endings = ("", ".1", ".3", ".4")
    assert [(letter.parent / f"letter.txt.bak{ending}").read_text() for ending in endings] == texts
    assert (letter.parent / "letter.txt.bak.2").is_symlink()
    assert not (letter.parent / "nowhere").exists()
    assert letter.read_text() == "I am busy 3.\n"


def test_backups_outlast_the_program(letter: Path) -> None:
    letter.write_text("He go to school.\n")
    for _ in range(2):
        command = [sys.executable, "-m", "permend", "correct", "--in-place", "--backup", ".bak", str(letter)]
        assert subprocess.run(command, capture_output=True).returncode == 0
    assert names(letter.parent) == ["letter.txt", "letter.txt.bak"]
    assert (letter.parent / "letter.txt.bak").read_text() == "He go to school.\n"


def test_backups_are_no_documents(letter: Path) -> None:
    for _ in range(2):
        letter.write_text(WRONG)
        assert run("--in-place", "--backup", ".bak", letter.parent).exit_code == 0
    assert [(letter.parent / f"letter.txt.bak{ending}").read_text() for ending in ("", ".1")] == [WRONG, WRONG]
    for ending in (".txt", ".orig.md"):
        result = run("--in-place", "--backup", ending, letter)
        assert result.exit_code == 2
        assert "an ending that no document has" in result.stderr


def test_a_backup_that_cannot_be_written_leaves_the_file(letter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("permend.documents.saving.shutil.copyfileobj", full)
    result = run("--in-place", "--backup", ".bak", letter)
    assert result.exit_code == 2
    assert "letter.txt: cannot be written: No space left on device" in result.stderr
    assert (letter.read_text(), names(letter.parent)) == (WRONG, ["letter.txt"])


def test_a_file_replaced_while_it_is_opened_is_left(letter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check = Checker.check

    def late(self: Checker, document: Document, words: PersonalDictionary) -> Iterator[CheckedBlock]:
        new = letter.with_name("new")
        new.write_text("I was the next version.\n")
        new.replace(letter)
        return check(self, document, words)

    monkeypatch.setattr(Checker, "check", late)
    result = run("--in-place", letter)
    assert result.exit_code == 2
    assert "was changed by somebody else meanwhile" in result.stderr
    assert letter.read_text() == "I was the next version.\n"


def test_output_goes_into_a_pipe_and_parts_no_other_name_from_its_text(letter: Path) -> None:
    pipe, copy, other = (letter.parent / name for name in ("pipe", "copy.txt", "other.txt"))
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    assert run("--output", pipe, letter).exit_code == 0
    reader.join(60)
    assert read == [RIGHT]
    copy.write_text("What stood there.\n")
    os.link(copy, other)
    assert run("--output", copy, letter).exit_code == 0
    assert (copy.read_text(), other.read_text()) == (RIGHT, "What stood there.\n")
