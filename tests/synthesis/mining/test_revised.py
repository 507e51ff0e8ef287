"""Sentences that became others: of every format, aligned in order, without what is just new."""

from __future__ import annotations

import pytest

from permend.synthesis.mining.revised import is_revision, read_prose, revised


def between(before: str, behind: str, format_: str = "markdown") -> list[tuple[str, str]]:
    return revised(read_prose(before, format_), read_prose(behind, format_))


@pytest.mark.parametrize(
    ("format_", "before", "behind"),
    [
        (
            "markdown",
            "# A\n\nHe **go** to\nthe [park](x.md) daily.\n",
            "# A\n\nHe **goes**\nto the [park](y.md) daily.\n",
        ),
        ("rst", "A\n=\n\nHe *go* to the park daily.\n", "A\n=\n\nHe *goes* to\nthe park daily.\n"),
        ("html", "<p>He <b>go</b> to the park daily.</p>", "<div><p>He <b>goes</b> to the park daily.</p></div>"),
        ("latex", "He \\emph{go} to the park daily. % x", "He \\emph{goes} to the park daily."),
        ("asciidoc", "= A\n\nHe *go* to the park daily.\n", "= A\n\nHe *goes* to the park daily.\n"),
        ("plain", "He go to the park daily.\n", "He goes to the park\ndaily.\n"),
    ],
)
def test_markup_and_line_ends_do_not_count(format_: str, before: str, behind: str) -> None:
    assert between(before, behind, format_) == [("He go to the park daily.", "He goes to the park daily.")]


def test_code_that_changes_is_no_correction() -> None:
    assert between("Run `make all` to build it.", "Run `make` to build it.") == []


def test_sentences_are_matched_past_new_ones() -> None:
    before = "It rain all day. We stayed at home then. Nobody were bored."
    behind = "It rained all day. This is quite another thing. We stayed at home then. Nobody was bored."
    assert between(before, behind) == [
        ("It rain all day.", "It rained all day."),
        ("Nobody were bored.", "Nobody was bored."),
    ]


def test_two_sentences_may_become_one_and_one_two() -> None:
    one, two = "It was raining all day, we stayed at home then.", "It was raining all day. We stayed at home then."
    assert between(one, two) == [(one, two)]
    assert between(two, one) == [(two, one)]


def test_a_chapter_written_anew_is_passed_over() -> None:
    before = " ".join(f"This is the sentence with the number {n} in it." for n in range(60))
    assert between(before, before.replace("the sentence", "a sentence")) == []


def test_lines_only_added_or_only_taken_away_need_no_reading() -> None:
    assert not is_revision("a\nb\n", "a\nx\nb\n")
    assert not is_revision("a\nx\nb\n", "a\nb\n")
    assert is_revision("a\nb\n", "a\nc\n")
