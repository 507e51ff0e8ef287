"""Files that several programs change at once: nothing is lost, nothing is left behind, and nobody waits for ever."""

from __future__ import annotations

import fcntl
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from permend.documents import shared_file
from permend.documents.dictionary import PersonalDictionary
from permend.documents.shared_file import change_lines, read_lines
from permend.errors import InputError, PermendError
from permend.text.edits import diff


def add(file: Path, line: str) -> bool:
    return change_lines(file, lambda lines: [*lines, line])


def test_sixteen_commands_at_a_time_keep_all_sixteen_words(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path / "config")}
    command = [sys.executable, "-m", "permend", "dict", "add"]
    started = [subprocess.Popen([*command, f"word{n}"], cwd=tmp_path, env=environment) for n in range(16)]
    assert [process.wait() for process in started] == [0] * 16
    assert sorted(read_lines(tmp_path / ".permend" / "words.txt")) == sorted(f"word{n}" for n in range(16))
    assert os.listdir(tmp_path / ".permend") == ["words.txt"]


def test_threads_that_add_remove_ignore_and_restore_lose_nothing(tmp_path: Path) -> None:
    project = tmp_path / ".permend"
    PersonalDictionary(project=project).add("old", project=True)

    def work(n: int) -> None:
        words = PersonalDictionary(project=project)
        words.add(f"word{n}", project=True)
        words.add(f"gone{n}", project=True)
        [edit] = diff(f"He go {n}.", f"He goes {n}.")
        words.ignore(f"He go {n}.", edit, project=True)
        words.remove(f"gone{n}", project=True)
        if n % 2:
            words.restore(f"He [go → goes] {n}.", project=True)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(24)))
    words = PersonalDictionary(project=project)
    assert sorted(words.words(project=True)) == sorted(["old", *(f"word{n}" for n in range(24))])
    assert sorted(words.ignored(project=True)) == sorted(f"He [go → goes] {n}." for n in range(0, 24, 2))
    assert sorted(os.listdir(project)) == ["ignored.txt", "words.txt"]


def test_a_file_keeps_its_permissions_its_line_ends_and_the_link_to_it(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    real, link = tmp_path / "dotfiles" / "mine.txt", tmp_path / "words.txt"
    real.write_bytes(b"# names\r\nFoo # a product\r\n")
    real.chmod(0o640)
    link.symlink_to(Path("dotfiles") / "mine.txt")
    assert add(link, "Bar")
    assert link.is_symlink()
    assert real.read_bytes() == b"# names\r\nFoo # a product\r\nBar\r\n"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert not change_lines(link, lambda lines: lines), "nothing to write"
    assert sorted(os.listdir(tmp_path)) == ["dotfiles", "words.txt"]
    assert os.listdir(tmp_path / "dotfiles") == ["mine.txt"]


def test_a_lock_that_a_dead_program_left_behind_is_no_lock(tmp_path: Path) -> None:
    (tmp_path / ".words.txt.lock").touch()
    assert add(tmp_path / "words.txt", "Foo")
    assert os.listdir(tmp_path) == ["words.txt"]


def test_who_holds_a_lock_for_too_long_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_file, "PATIENCE", 0.05)
    with (tmp_path / ".words.txt.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(InputError, match=r"words\.txt: cannot be written: another program is changing it"):
            add(tmp_path / "words.txt", "Foo")
    assert add(tmp_path / "words.txt", "Foo")


def test_a_change_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(tmp_path / "words.txt", "Foo")

    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match=r"words\.txt: cannot be written: No space left on device"):
        add(tmp_path / "words.txt", "Bar")
    assert (tmp_path / "words.txt").read_text() == "Foo\n"
    assert os.listdir(tmp_path) == ["words.txt"]


def test_what_cannot_be_written_or_read_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".permend").write_text("in the way", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be written: File exists"):
        add(tmp_path / ".permend" / "words.txt", "Foo")
    (tmp_path / "endless").symlink_to("/dev/zero")
    with pytest.raises(InputError, match="it is no regular file"):
        read_lines(tmp_path / "endless")
    add(tmp_path / "words.txt", "Foo")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(InputError, match="cannot be written: Permission denied"):
        add(tmp_path / "words.txt", "Bar")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_told_in_a_sentence(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    with pytest.raises(InputError, match="cannot be written: Permission denied"):
        add(tmp_path / "words.txt", "Foo")


def test_words_are_one_line_each_and_can_be_shown(tmp_path: Path) -> None:
    words = PersonalDictionary(project=tmp_path)
    for bad in ("Foo\x1b[31m", "Foo\x00", "Foo\udcff", "\x7f"):
        with pytest.raises(PermendError, match="control character"):
            words.add(bad, project=True)
    source = "He go \x1b[31mhome."
    [edit] = diff(source, source.replace("go", "goes"))
    with pytest.raises(PermendError, match="control character"):
        words.ignore(source, edit, project=True)
    assert words.add("Foo\nBar\u2028Baz\x0c!", project=True)
    assert words.words(project=True) == ["Foo Bar Baz !"]
    assert (tmp_path / "words.txt").read_text(encoding="utf-8") == "Foo Bar Baz !\n"
