"""Edits find their way back to the document, or are dropped."""

from __future__ import annotations

import pytest

from permend.corrector.correction import ScoredEdit
from permend.documents import Document
from permend.text.edits import Edit, diff
from tests.documents.reading import sentences


def corrected(text: str, prose: str, format_: str = "markdown") -> str:
    """Return a document of one sentence after a corrector has rewritten its prose."""
    [block] = Document.from_text(text, format_)
    [sentence] = block.sentences
    return block.apply(sentence.map_edits(diff(sentence.prose, prose)))


@pytest.mark.parametrize(
    ("text", "prose", "expected"),
    [
        ("He **go** to [the school](x).", "He goes to a school.", "He **goes** to [a school](x)."),
        ("The **dog** however is *big*", "The dog, however, is big.", "The **dog**, however, is *big.*"),
        ("I *saw* the the `cat` there.", "I saw the Python there.", "I *saw* the `cat` there."),
        ("See `x` it is.", "See Python, it is.", "See `x`, it is."),
        ("I like\nthe the time.", "I like the time.", "I like\nthe time."),
        ("I am *go*\nhome now.", "I am going to the home now.", "I am *going to the*\nhome now."),
        ("> I **goes\n> at** home.", "I went to home.", "> I **went\n> to** home."),
    ],
)
def test_a_correction_is_carried_out_around_markup(text: str, prose: str, expected: str) -> None:
    assert corrected(text, prose) == expected


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("Use `x` now.", "Use Java now."),  # code
        ("Use `x` now.", "Use now."),
        ("Use now `x` soon.", "Use Python now soon."),  # moved: neither half may be done
        ("I **saw** him today.", "I him today saw."),
        ("He **go to** school.", "He school."),  # would leave empty markup
        ("He *go* home.", "He _go_ home."),  # brings in markup
        ("He go home.", "He go\nhome."),
        ("# A heading", "A heading."),  # no full stop is missing
        ("- an item", "an item!"),
        ("Ask @ann now.", "Ask Ann now."),
        ("wo**rd**s here", "wo, rds here"),
        ("Some words", ""),  # would leave nothing
        ("Go home now.", "1. Go home now."),  # would become a list
    ],
)
def test_what_would_alter_anything_protected_is_dropped(text: str, prose: str) -> None:
    assert corrected(text, prose) == text


@pytest.mark.parametrize(
    ("text", "prose", "format_"),
    [
        ("One < two is so.", "One <! two is so.", "html"),
        ("One <- two is so.", "One <?- two is so.", "markdown"),
    ],
)
def test_no_comment_or_instruction_begins_that_would_hide_what_follows(text: str, prose: str, format_: str) -> None:
    assert corrected(text, prose, format_) == text


@pytest.mark.parametrize(
    ("text", "prose", "expected"),
    [
        (r"\noindent(he) go.", "he goes.", r"\noindent(he goes."),
        (r"\item-like it go.", "like it goes.", r"\item-like it goes."),
        (r"\noindent (he) go.", "he goes.", r"\noindent he goes."),
    ],
)
def test_no_letter_comes_to_stand_behind_the_name_of_a_command(text: str, prose: str, expected: str) -> None:
    assert corrected(text, prose, "latex") == expected


def test_an_edit_keeps_its_probability() -> None:
    [sentence] = sentences("**He** go.", "markdown")
    [edit] = sentence.map_edits([ScoredEdit(3, 5, "go", "goes", 0.9)])
    assert edit == ScoredEdit(7, 9, "go", "goes", 0.9)


def test_ranges_are_found_and_protected_ones_are_not() -> None:
    [sentence] = sentences("See the `cat` now.", "markdown")
    assert sentence.prose == "See the Python now."
    assert sentence.map_range(4, 7) == (4, 7)
    assert sentence.map_range(15, 18) == (14, 17)
    assert sentence.map_range(8, 14) is None
    assert sentence.map_range(4, 18) is None
    assert (sentence.start, sentence.end, sentence.protected) == (0, 18, [(8, 13)])


def test_after_an_article_a_stand_in_begins_as_the_article_wants() -> None:
    assert [each.prose for each in sentences("It is an `x` and a `y`.", "markdown")] == ["It is an Excel and a Python."]


def test_edits_of_one_sentence_leave_the_others_alone() -> None:
    [block] = Document.from_text("He go. He go.", "plain")
    [_, second] = block.sentences
    edits = second.map_edits([Edit(3, 5, "go", "goes")])
    assert edits == [Edit(10, 12, "go", "goes")]
    assert block.apply(edits) == "He go. He goes."
