"""Personal words and dismissed findings: what they hold back, and files that stay a person's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from permend.documents.dictionary import PersonalDictionary, project_folder, user_folder
from permend.errors import InputError, PermendError
from permend.text.edits import Edit, diff


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have the user's folder inside a temporary one."""
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "permend"


def allowed(words: PersonalDictionary, source: str, target: str) -> list[bool]:
    return [words.allows(source, edit) for edit in diff(source, target)]


@pytest.mark.parametrize(
    ("listed", "source", "target", "expected"),
    [
        ("Kubernets", "I like Kubernets .", "I like Kubernetes .", False),
        ("Kubernets", "I like kubernets .", "I like Kubernetes .", True),
        ("permend", "Permend is nice.", "Pretend is nice.", False),
        ("permend", "PERMEND is nice.", "PRETEND is nice.", False),
        ("permend", "permends are nice.", "pretends are nice.", True),
        ("Foo", "Foo's car is red.", "Foos car is red.", False),
        ("Foo", "Foo’s car is red.", "Fools car is red.", False),
        ("de facto", "It is de facto done.", "It is in fact done.", False),
        ("de facto", "It is de luxe.", "It is the luxe.", True),
        ("C++", "I write C++ .", "I write C .", False),
        ("node.js", "Use node.js now.", "Use Node. JS now.", False),
        ("Foo", "See Foo car.", "See the Foo car.", True),
        ("Foo", "See Foo car.", "See Foo cars.", True),
        ("Foo", "See Foo car.", "See foo-bar car.", False),
    ],
)
def test_a_protected_word_is_not_touched_and_its_neighbours_are(
    listed: str, source: str, target: str, expected: bool
) -> None:
    assert all(allowed(PersonalDictionary([listed]), source, target)) == expected


def test_a_dismissed_finding_stays_so_when_the_sentence_changes_elsewhere(tmp_path: Path) -> None:
    words = PersonalDictionary.load(tmp_path)
    source = "Yesterday he  go to school early ."
    [edit] = diff(source, source.replace("go", "went"))
    assert words.allows(source, edit)
    assert words.ignore(source, edit)
    assert not words.allows(source, edit)
    assert not words.ignore(source, edit), "once is enough"
    again = PersonalDictionary.load(tmp_path)
    for same in (
        source,
        "Yesterday he go to school early, I think.",
        "Well, yesterday: Yesterday he go to school now.",
    ):
        assert allowed(again, same, same.replace("go", "went")) == [False]
    for other in ("She go to school early.", "Yesterday he go home."):
        assert allowed(again, other, other.replace("go", "went")) == [True]
    assert allowed(again, source, source.replace("go", "goes")) == [True]


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("I went to school.", "I went to the school."),
        ("I went to the school.", "I went to school."),
        ("# go now", "# went now"),
        ("a [b] → c d", "a [e] → c d"),
        ("go", "went"),
        ("He say : yes", "He say: yes"),
    ],
)
def test_any_finding_can_be_dismissed(tmp_path: Path, source: str, target: str) -> None:
    words = PersonalDictionary.load(tmp_path)
    [edit] = diff(source, target)
    assert words.ignore(source, edit, project=True)
    assert not PersonalDictionary.load(tmp_path).allows(source, edit)
    assert PersonalDictionary.load(tmp_path).allows("Something else.", Edit(0, 9, "Something", "Anything"))


def test_a_dismissed_finding_can_be_restored_and_comments_stay(tmp_path: Path) -> None:
    words = PersonalDictionary.load(tmp_path)
    [edit] = diff("He go home.", "He goes home.")
    words.ignore("He go home.", edit, project=True)
    file = tmp_path / ".permend" / "ignored.txt"
    file.write_text("# his dialect\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
    assert words.ignored(project=True) == ["He [go → goes] home."]
    assert not words.restore("# his dialect", project=True), "a comment is no finding"
    assert not words.restore("He [go → goes] home."), "it is not in the user's file"
    assert words.restore(" He  [go → goes] home. ", project=True)
    assert words.allows("He go home.", edit)
    assert file.read_text(encoding="utf-8") == "# his dialect\n"


def test_lines_can_be_written_by_hand() -> None:
    words = PersonalDictionary(ignored=["go → goes", "  he   [was → were]  ", "# she [is → was]", ""])
    assert allowed(words, "Whoever go there.", "Whoever goes there.") == [False]
    assert allowed(words, "So he was here.", "So he were here.") == [False]
    assert allowed(words, "So she is here.", "So she was here.") == [True]


def test_files_keep_what_a_person_wrote_in_them(tmp_path: Path) -> None:
    file = tmp_path / ".permend" / "words.txt"
    file.parent.mkdir()
    file.write_text("# our names\nFoo   # the product\n\nC#", encoding="utf-8")
    words = PersonalDictionary.load(tmp_path)
    assert words.words(project=True) == ["Foo", "C#"]
    assert words.add("Bar", project=True)
    assert not words.add(" Foo ", project=True)
    assert file.read_text(encoding="utf-8") == "# our names\nFoo   # the product\n\nC#\nBar\n"
    assert words.remove("Foo", project=True)
    assert not words.remove("Foo", project=True)
    assert file.read_text(encoding="utf-8") == "# our names\n\nC#\nBar\n"
    assert allowed(words, "See Foo, Bar.", "See Fool, Bar.") == [True]
    assert [each.name for each in file.parent.iterdir()] == ["words.txt"]


def test_the_project_is_found_upwards_and_both_lists_hold(tmp_path: Path, home: Path) -> None:
    deep = tmp_path / "docs" / "chapters"
    deep.mkdir(parents=True)
    assert project_folder(deep) == deep / ".permend"
    PersonalDictionary.load(tmp_path).add("Foo", project=True)
    assert project_folder(deep) == tmp_path / ".permend"
    PersonalDictionary.load().add("Bar")
    assert (home / "words.txt").read_text(encoding="utf-8") == "Bar\n"
    words = PersonalDictionary.load(deep)
    assert (words.words(), words.words(project=True)) == (["Bar"], ["Foo"])
    assert allowed(words, "A Foo here.", "A Fool here.") == allowed(words, "A Bar here.", "A Car here.") == [False]


def test_nothing_is_written_until_something_is_added(tmp_path: Path, home: Path) -> None:
    words = PersonalDictionary.load(tmp_path)
    assert words.words() == words.words(project=True) == []
    assert not words.remove("Foo")
    assert not home.exists()
    assert not (tmp_path / ".permend").exists()


def test_settings_lie_where_each_system_keeps_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CONFIG_HOME")
    assert user_folder() == Path.home() / ".config" / "permend"
    monkeypatch.setattr("sys.platform", "darwin")
    assert user_folder() == Path.home() / "Library" / "Application Support" / "permend"
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setenv("APPDATA", "/roaming")
    assert user_folder() == Path("/roaming/permend")


def test_mistakes_are_told_in_a_sentence(tmp_path: Path) -> None:
    for no_word in ("", "  ", "# foo"):
        with pytest.raises(PermendError, match="is no word"):
            PersonalDictionary.load(tmp_path).add(no_word)
    with pytest.raises(PermendError, match="no folder to keep words in"):
        PersonalDictionary.load().add("Foo", project=True)
    (tmp_path / ".permend").mkdir()
    (tmp_path / ".permend" / "words.txt").write_bytes(b"caf\xe9\n")
    with pytest.raises(InputError, match=r"words.txt: this is no UTF-8 text"):
        PersonalDictionary.load(tmp_path)
    (tmp_path / ".permend" / "words.txt").unlink()
    (tmp_path / ".permend" / "words.txt").mkdir()
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        PersonalDictionary.load(tmp_path)
