"""What ``.gitignore`` leaves out is what git leaves out, without git and its programs."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from permend.documents.files import DocumentFinder, is_ignored, make_rules
from permend.errors import PermendError

FILES = (
    "a.md", "b.txt", "build/a.md", "build/keep.md", "build/docs/b.txt", "docs/a.md", "docs/x y.md", "docs/build/b.txt",
    "docs/deep/er/a.md", "docs/deep/er/c.txt", "docs/deep/keep.md", "er/a.md",
)  # fmt: skip
LISTS = (".git/info/exclude", ".gitignore", "docs/.gitignore", "docs/deep/.gitignore")

NAMES = st.sampled_from(
    r"* ** a.md *.md docs build deep er ?.txt [ab].* [!a].md [^b].md k*p.md \a.md x?y.md x* *a* a**d keep.md".split()
)
PATTERNS = st.builds(
    lambda *parts: "".join(parts),
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(NAMES, min_size=1, max_size=3).map("/".join),
    st.sampled_from(["", "", "/"]),
    st.sampled_from(["", " ", "\r"]),
)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    git(folder, "init", "--quiet")
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("All is well.\n")
    return folder


def git(folder: Path, *arguments: str) -> str:
    alone = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    run = subprocess.run(["git", *arguments], cwd=folder, env=alone, check=True, capture_output=True, text=True)
    return run.stdout


def found_in(folder: Path, exclude: tuple[str, ...] = ()) -> list[str]:
    told: list[PermendError] = []
    paths = list(DocumentFinder(told.append, exclude).find([str(folder)]))
    assert len(told) == (not paths)
    return sorted(os.path.relpath(path, folder) for path in paths)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(PATTERNS, max_size=3), min_size=len(LISTS), max_size=len(LISTS)))
def test_the_same_files_are_left_out_as_by_git(repository: Path, lists: list[list[str]]) -> None:
    for name, lines in zip(LISTS, lists, strict=True):
        (repository / name).write_text("".join(f"{line}\n" for line in lines), newline="")
    wanted = git(repository, "ls-files", "--others", "--exclude-standard", "-z").split("\0")
    assert found_in(repository) == sorted(name for name in wanted if name in FILES)


def test_a_folder_inside_a_repository_is_read_by_the_rules_of_the_whole(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    for name in ("docs/a.md", "docs/draft.md", "docs/out/b.md", "out/c.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("All is well.\n")
    (tmp_path / ".gitignore").write_text("draft.md\nout/\n")
    assert found_in(tmp_path / "docs") == ["a.md"]
    assert found_in(tmp_path / "out") == ["c.md"], "who names an ignored folder wants it"
    (tmp_path / ".gitignore").unlink()
    assert found_in(tmp_path / "docs") == ["a.md", "draft.md", "out/b.md"]


def test_a_second_working_tree_shares_the_repositorys_list(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    one, two = tmp_path / "one", tmp_path / "two"
    git(one, "init", "--quiet")
    git(one, "-c", "user.name=n", "-c", "user.email=e", "commit", "--quiet", "--allow-empty", "-m", "first")
    git(one, "worktree", "add", "--quiet", "../two")
    (one / ".git" / "info" / "exclude").write_text("b.md\n")
    for name in ("a.md", "b.md"):
        (two / name).write_text("All is well.\n")
    assert found_in(two) == ["a.md"]


def test_rules_hold_without_a_repository_but_not_those_outside_the_folder(tmp_path: Path) -> None:
    for name in ("in/a.md", "in/b.md", "in/deep/b.md", "in/deep/c.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("All is well.\n")
    (tmp_path / ".gitignore").write_text("*\n")
    (tmp_path / "in" / ".gitignore").write_bytes(b"\xef\xbb\xbfb.md\n# c.md\n\n/c.md\n")
    (tmp_path / "in" / "deep" / ".gitignore").write_text("!b.md\n")
    assert found_in(tmp_path / "in") == ["a.md", "deep/b.md", "deep/c.md"]
    assert found_in(tmp_path / "in", ("/deep/*", "!/deep/c.md")) == ["a.md", "deep/c.md"]
    assert found_in(tmp_path / "in", ("!b.md",)) == ["a.md", "b.md", "deep/b.md", "deep/c.md"], (
        "excludes have the last word"
    )


def test_no_program_of_a_repository_is_run(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    trap, sprung = tmp_path / "trap", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch '{sprung}'\n")
    trap.chmod(0o755)
    git(tmp_path, "config", "core.fsmonitor", str(trap))
    git(tmp_path, "config", "core.hooksPath", str(tmp_path))
    (tmp_path / "a.md").write_text("All is well.\n")
    assert found_in(tmp_path) == ["a.md"]
    assert not sprung.exists()


@pytest.mark.parametrize(
    "pattern", ["*a" * 40 + "b", "**/a/" * 12 + "b", "[z-a]", "[", "a\\", "(a+)+b", "!", "/", "[]"]
)
def test_no_pattern_stops_or_breaks_the_search(pattern: str) -> None:
    rules = make_rules([pattern], "/x")
    assert not is_ignored(rules, "/x/" + "a" * 200)
    assert not is_ignored(rules, "/x" + "/a" * 200)


def test_a_list_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.md").write_text("All is well.\n")
    (tmp_path / ".gitignore").write_text("a.md\n")

    def refuse(*arguments: object, **options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("permend.documents.files.open", refuse, raising=False)
    told: list[PermendError] = []
    assert list(DocumentFinder(told.append).find([str(tmp_path)]))
    assert [str(error) for error in told] == [f"{tmp_path / '.gitignore'}: cannot be read: Permission denied"]
