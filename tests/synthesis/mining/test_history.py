"""Histories: every version of prose, in bounded memory, whatever is in the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from permend.errors import InputError, PermendError
from permend.synthesis.mining.history import LARGEST, History
from tests.synthesis.mining.committed import commit, git, make_repository


def changes(folder: Path) -> list[tuple[str, str | None, str | None]]:
    with History(folder) as history:
        return [
            (version.path, history.read(version.before), history.read(version.behind))
            for each in history.commits()
            for version in each.changes
        ]


def test_commits_come_with_their_messages_and_both_versions(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "notes")
    commit(folder, {"a.md": "One.\n", "code.py": "x = 1\n"})
    last = commit(folder, {"a.md": "Two.\n", "code.py": "x = 2\n"}, "Fix typo\n\nin the notes")
    with History(folder) as history:
        assert (history.name, history.is_shallow, history.count()) == ("notes", False, 2)
        first, *_ = history.commits()
    assert (first.id, first.message, len(first.changes)) == (last, "Fix typo\n\nin the notes", 1)
    assert changes(folder) == [("a.md", "One.\n", "Two.\n")]


def test_renamed_files_are_followed_and_merges_passed_over(tmp_path: Path) -> None:
    folder = make_repository(tmp_path)
    text = "".join(f"Line number {number} of this file.\n" for number in range(30))
    commit(folder, {"old name.md": text})
    git(folder, "checkout", "-q", "-b", "side")
    git(folder, "mv", "old name.md", "näw.md")
    commit(folder, {"näw.md": text.replace("number 7", "no. 7")}, "Rename")
    git(folder, "checkout", "-q", "main")
    commit(folder, {"other.txt": "Hello.\n"})
    git(folder, "merge", "-q", "--no-ff", "-m", "Merge", "side")
    [(path, before, behind)] = changes(folder)
    assert path == "näw.md"
    assert before == text
    assert behind is not None
    assert "no. 7" in behind


def test_what_is_no_text_is_passed_over(tmp_path: Path) -> None:
    folder = make_repository(tmp_path)
    commit(folder, {"latin.txt": "Caf\xe9".encode("latin-1"), "zero.txt": b"a\0b", "long.txt": "a " * LARGEST})
    commit(folder, {"latin.txt": "Café", "zero.txt": "ab", "long.txt": "b"})
    found = {path: (before, behind) for path, before, behind in changes(folder)}
    assert found == {"latin.txt": (None, "Café"), "zero.txt": (None, "ab"), "long.txt": (None, "b")}


def test_a_folder_in_a_repository_is_that_folder_alone(tmp_path: Path) -> None:
    folder = make_repository(tmp_path)
    commit(folder, {"docs/a.md": "One.\n", "b.md": "One.\n"})
    commit(folder, {"docs/a.md": "Two.\n", "b.md": "Two.\n"})
    assert [path for path, _, _ in changes(folder / "docs")] == ["docs/a.md"]


@pytest.mark.parametrize("bare", [False, True])
def test_bare_repositories_and_inherited_variables(tmp_path: Path, bare: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_repository(tmp_path / "work")
    commit(folder, {"a.md": "One.\n"})
    commit(folder, {"a.md": "Two.\n"})
    git(tmp_path, "clone", "-q", "--bare", "work", "kept.git")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert len(changes(tmp_path / "kept.git" if bare else folder)) == 1


def test_what_cannot_be_read_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="there is no such folder"):
        History(tmp_path / "nowhere")
    with pytest.raises(InputError, match="this folder is in no git repository"):
        History(tmp_path)
    folder = make_repository(tmp_path / "empty")
    with History(folder) as history, pytest.raises(InputError, match="this repository has no commits"):
        history.count()
    monkeypatch.setenv("PATH", "")
    with pytest.raises(PermendError, match="git is not installed"):
        History(folder)


def test_nothing_is_fetched_or_run(tmp_path: Path) -> None:
    origin = make_repository(tmp_path / "origin")
    commit(origin, {"a.md": "One.\n"})
    commit(origin, {"a.md": "Two.\n"})
    git(origin, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--bare", "--filter=blob:none", f"file://{origin}", "partial")
    trap = tmp_path / "trap"
    for name in ("core.fsmonitor", "core.sshCommand", "gpg.program", "core.pager", "diff.external"):
        git(tmp_path / "partial", "config", name, f"touch {trap}")
    git(tmp_path / "partial", "config", "log.showSignature", "true")
    assert changes(tmp_path / "partial") == [("a.md", None, None)]
    assert not trap.exists()
