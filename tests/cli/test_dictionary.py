"""``permend dict``: words and dismissed findings are plain files, the project's or one's own, and are left alone."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from permend.cli.main import main
from tests.documents.test_checker import move_far


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, [*arguments])


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_words_are_added_listed_and_removed(project: Path) -> None:
    assert run("dict", "list").output == ""
    assert run("dict", "add", "Kubernetes", "de facto").output == ""
    assert run("dict", "list").output == "Kubernetes\nde facto\n"
    assert (project / ".permend" / "words.txt").read_text() == "Kubernetes\nde facto\n"
    again = run("dict", "add", "Kubernetes")
    assert (again.exit_code, again.stderr) == (0, "Kubernetes is there already\n")
    assert run("dict", "remove", "Kubernetes").exit_code == 0
    gone = run("dict", "remove", "Kubernetes", "de facto")
    assert (gone.exit_code, gone.stderr) == (1, "Kubernetes is not there\n")
    assert run("dict", "list").output == ""


def test_ones_own_words_are_apart_from_the_projects(project: Path) -> None:
    run("dict", "add", "--user", "Yevheniia")
    assert run("dict", "list").output == ""
    assert run("dict", "list", "--user").output == "Yevheniia\n"
    assert not (project / ".permend").exists()


def test_a_folder_below_belongs_to_the_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("dict", "add", "Kubernetes")
    (project / "docs").mkdir()
    monkeypatch.chdir(project / "docs")
    assert run("dict", "list").output == "Kubernetes\n"


def test_what_is_no_word_is_refused() -> None:
    result = run("dict", "add", "  ")
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
    assert "is no word" in result.stderr
    assert run("dict", "add").exit_code == 2


@pytest.mark.parametrize("how", ["sentence", "lines", "document"])
def test_a_word_of_the_list_is_not_moved(how: str, project: Path, by_hand: Callable[..., None]) -> None:
    """A move is two edits, and neither is made: the word is not put in there without being taken out here."""
    by_hand(move_far)
    text = "was I am here\n"
    (project / "page.md").write_text(text, encoding="utf-8")
    arguments = {"sentence": [text.strip()], "lines": ["--lines", "page.md"], "document": ["page.md"]}[how]
    assert run("correct", *arguments).output == "I am was here\n"
    run("dict", "add", "was")
    assert run("correct", *arguments).output == text


@pytest.mark.usefixtures("by_hand")
def test_a_word_of_the_list_is_not_changed() -> None:
    assert run("correct", "I was busy.").output == "I am busy.\n"
    run("dict", "add", "was")
    assert run("correct", "I was busy.").output == "I was busy.\n"


@pytest.mark.usefixtures("by_hand")
def test_a_dismissed_finding_is_not_reported_until_it_is_restored(project: Path) -> None:
    (project / "note.txt").write_text("So it is: I was busy. Then I was tired.\n")
    assert run("dict", "ignore", "I was busy.", "I am busy.").output == ""
    assert run("dict", "ignored").output == "I [was → am] busy.\n"
    assert run("correct", "I was busy.").output == "I was busy.\n"
    assert run("check", "note.txt").output.count("was → am") == 1, "the other one stands among other words"
    assert run("dict", "ignore", "I was busy.", "I am busy.").stderr == "this is dismissed already\n"
    assert run("dict", "restore", "I [was → am] busy.").exit_code == 0
    assert run("dict", "ignored").output == ""
    assert run("correct", "I was busy.").output == "I am busy.\n"
    gone = run("dict", "restore", "I [was → am] busy.")
    assert (gone.exit_code, gone.stderr) == (1, "I [was → am] busy. is not there\n")


def test_of_several_findings_those_are_dismissed_that_the_correction_has() -> None:
    run("dict", "ignore", "--user", "We was robbed by he yesterday.", "We were robbed by he yesterday.")
    assert run("dict", "ignored").output == ""
    assert run("dict", "ignored", "--user").output == "We [was → were] robbed by\n"
    same = run("dict", "ignore", "We was robbed.", "We was robbed.")
    assert same.exit_code == 2
    assert "there is nothing to dismiss" in same.stderr


def test_a_folder_that_is_gone_has_no_project_and_stops_nobody(project: Path, by_hand: object) -> None:
    (project / "gone").mkdir()
    os.chdir(project / "gone")
    (project / "gone").rmdir()
    assert run("correct", "I was busy.").output == "I am busy.\n"
    result = run("dict", "add", "Foo")
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
    assert run("dict", "add", "--user", "Foo").exit_code == 0
