"""Edits: minimal, non-overlapping, and the exact way from one text to the other."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permend.errors import PermendError
from permend.text.edits import Edit, apply, diff

texts = st.text(alphabet=st.characters(codec=None), max_size=40) | st.text(
    alphabet="ab ,.\n\r\t😀\u0301\u200d'", max_size=30
)


@given(texts, texts)
def test_apply_undoes_diff(source: str, target: str) -> None:
    assert apply(source, diff(source, target)) == target


@given(texts, texts)
def test_edits_are_ordered_apart_and_real(source: str, target: str) -> None:
    edits = diff(source, target)
    assert all(a.end <= b.start for a, b in pairwise(edits))
    assert all(edit.before != edit.after for edit in edits)
    assert all(source[edit.start : edit.end] == edit.before for edit in edits)


@given(texts)
def test_equal_texts_have_no_edits(text: str) -> None:
    assert diff(text, text) == []


@pytest.mark.parametrize(
    ("source", "target", "edits"),
    [
        ("He go home.", "He went home.", [Edit(3, 5, "go", "went")]),
        ("I am busy", "I am very busy", [Edit(4, 4, "", " very")]),
        ("I think so", "I think so.", [Edit(10, 10, "", ".")]),
        ("He is is ill", "He is ill", [Edit(5, 8, " is", "")]),
        (
            "dog barks",
            "The dog barks",
            [
                Edit(0, 0, "", "The "),
            ],
        ),
        ("It is  fine", "It is fine", [Edit(5, 7, "  ", " ")]),
        ("Yes , I do", "Yes, I do", [Edit(3, 4, " ", "")]),
        ("alot of", "a lot of", [Edit(0, 4, "alot", "a lot")]),
        ("we very like old films", "we like old films very", [Edit(2, 7, " very", ""), Edit(22, 22, "", " very")]),
    ],
)
def test_an_edit_is_what_a_reader_would_mark(source: str, target: str, edits: list[Edit]) -> None:
    assert diff(source, target) == edits


@pytest.mark.parametrize(
    "edits",
    [
        [Edit(0, 2, "ab", "x"), Edit(1, 3, "bc", "y")],
        [Edit(0, 1, "z", "x")],
        [Edit(2, 9, "c", "")],
        [Edit(2, 1, "", "x")],
    ],
)
def test_edits_that_do_not_fit_are_refused(edits: list[Edit]) -> None:
    with pytest.raises(PermendError):
        apply("abc", edits)


def test_what_is_put_in_at_one_place_keeps_its_order() -> None:
    for first, second in (("a", "b"), ("b", "a")):
        assert apply("x.Go", [Edit(2, 2, "", first), Edit(2, 2, "", second)]) == f"x.{first}{second}Go"
