"""Words have their places, and edits leave the spacing as a writer would."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permend.synthesis.words import split_words
from permend.text.edits import apply

TEXTS = st.text(st.sampled_from("ab Zé9'’.,-\"()?n t\u0301字"), max_size=40)


@given(TEXTS)
def test_tokens_cover_all_that_is_no_space(text: str) -> None:
    words = split_words(text)
    assert "".join(words.tokens) == "".join(text.split())
    assert all(text[a:b] == token for a, b, token in zip(words.starts, words.ends, words.tokens, strict=True))


@given(TEXTS, st.lists(st.sampled_from(["the", ",", "n't", "-", "x"]), max_size=3), st.data())
def test_a_splice_puts_exactly_the_new_tokens_in_place(text: str, new: list[str], data: st.DataObject) -> None:
    words = split_words(text)
    start = data.draw(st.integers(0, len(words.tokens)))
    end = data.draw(st.integers(start, len(words.tokens)))
    edit = words.splice(start, end, new)
    result = text if edit is None else apply(text, [edit])
    expected = [*words.tokens[:start], *new, *words.tokens[end:]]
    assert "".join(result.split()) == "".join(expected)


@pytest.mark.parametrize(
    ("place", "new", "result"),
    [
        ((0, 1), [], "met Ann's well-known friend, (a doctor)."),
        ((1, 2), ["have", "met"], "We have met Ann's well-known friend, (a doctor)."),
        ((3, 4), [], "We met Ann well-known friend, (a doctor)."),
        ((5, 6), [], "We met Ann's well known friend, (a doctor)."),
        ((8, 9), [], "We met Ann's well-known friend (a doctor)."),
        ((8, 9), ["and"], "We met Ann's well-known friend and (a doctor)."),
        ((13, 14), ["!"], "We met Ann's well-known friend, (a doctor)!"),
        ((2, 2), [","], "We met, Ann's well-known friend, (a doctor)."),
        ((10, 10), ["only"], "We met Ann's well-known friend, (only a doctor)."),
    ],
)
def test_spaces_come_out_right(place: tuple[int, int], new: list[str], result: str) -> None:
    text = "We met Ann's well-known friend, (a doctor)."
    edit = split_words(text).splice(*place, new)
    assert edit is not None
    assert apply(text, [edit]) == result
