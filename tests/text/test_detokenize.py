"""Detokenised text reads as it was typed, and not a token is lost on the way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permend.text.tokenized import detokenize, detokenize_pair

SIGNS = ['"', "'", ",", ".", "...", "(", ")", "-", "/", "n't", "'s", "''", "``", "$", "%", "?", "—", "’s", "&", ":"]
TOKENS = st.lists(
    st.one_of(st.sampled_from([*SIGNS, "do", "students", "5", "I", "well", "known"]), st.text("abXY9é字", min_size=1))
)


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("I do n't know , but it 's late .", "I don't know, but it's late."),
        ("It costs $ 5 ( about € 4 ) or 3 % more !", "It costs $5 (about €4) or 3% more!"),
        ('He said , " Come in . " and left .', 'He said, "Come in." and left.'),
        ("`` Quite so , '' she said .", "``Quite so,'' she said."),
        ("a part - time job for an 11-year - old boy", "a part-time job for an 11-year-old boy"),
        ("My mother - in - law came - it was late .", "My mother-in-law came - it was late."),
        ("The students ' books and the dog 's tail", "The students' books and the dog's tail"),
        ("Call it ' home ' and / or a house .", "Call it 'home' and/or a house."),
        ("- First , wait ...", "- First, wait..."),
        ("it ' s mine", "it's mine"),
        ("“ Yes ” , he said ; no .", "“Yes”, he said; no."),
    ],
)
def test_text_is_spaced_as_a_writer_spaces_it(tokens: str, text: str) -> None:
    assert detokenize(tokens.split()).text == text


@given(TOKENS)
def test_no_token_is_lost(tokens: list[str]) -> None:
    found = detokenize(tokens)
    assert list(found.tokens) == tokens
    assert found.text.replace(" ", "") == "".join(tokens)
    assert "  " not in found.text
    assert found.text == found.text.strip()


@given(TOKENS, TOKENS)
def test_both_sides_of_a_pair_come_back(source: list[str], target: list[str]) -> None:
    first, second = detokenize_pair(source, target)
    assert (list(first.tokens), list(second.tokens)) == (source, target)


@given(TOKENS)
def test_equal_sides_are_spaced_alike(tokens: list[str]) -> None:
    first, second = detokenize_pair(tokens, tokens)
    assert first == second == detokenize(tokens)


def test_what_neither_side_changed_is_spaced_alike() -> None:
    source, target = detokenize_pair('he say " yes " ok'.split(), '" he says " yes " ok'.split())
    assert target.text == '"he says" yes "ok'
    assert source.text.endswith('" yes "ok')


@given(TOKENS, st.data())
def test_places_of_tokens_and_characters_turn_into_each_other(tokens: list[str], data: st.DataObject) -> None:
    found = detokenize(tokens)
    start = data.draw(st.integers(0, len(tokens)))
    end = data.draw(st.integers(start, len(tokens)))
    first, last = found.characters(start, end)
    assert found.text[first:last].replace(" ", "") == "".join(tokens[start:end])
    assert found.token_range(first, last) == (start, end)
