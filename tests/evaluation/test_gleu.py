"""GLEU against values worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permend.errors import InputError
from permend.evaluation.gleu import score_gleu

SOURCE = "we has a big red dog".split()
REFERENCE = "we have a big red dog".split()


def test_a_perfect_hypothesis_scores_one() -> None:
    result = score_gleu([SOURCE], [[REFERENCE]], [REFERENCE])
    assert result.score == 1.0
    assert [*result.matches] == [*result.ngrams] == [6, 5, 4, 3]


def test_an_unchanged_source_loses_what_it_should_have_changed() -> None:
    result = score_gleu([SOURCE], [[REFERENCE]], [SOURCE])
    # n-grams shared with the reference, less those that only the source has ("has" and all around it):
    # n=1: 5 - 1; n=2: 3 - 2; n=3: 2 - 2; n=4: 1 - 2, but never below 0. One zero makes the score zero.
    assert [*result.matches] == [4, 1, 0, 0]
    assert result.score == 0.0


def test_geometric_mean_and_length_penalty() -> None:
    source, reference = "a b c d e f g h".split(), "a b c d e f g h i".split()
    result = score_gleu([source], [[reference]], [source])
    # All 8, 7, 6, 5 n-grams match; 8 tokens against 9 cost exp(1 - 9/8).
    assert [*result.matches] == [8, 7, 6, 5]
    assert result.score == pytest.approx(math.exp(1 - 9 / 8))
    longer = "a b c d e f g h i j".split()
    # 9 of 10, 8 of 9, 7 of 8, 6 of 7; too long costs nothing more.
    expected = (9 / 10 * 8 / 9 * 7 / 8 * 6 / 7) ** 0.25
    assert score_gleu([source], [[reference]], [longer]).score == pytest.approx(expected)


def test_repeated_ngrams_count_as_often_as_both_sides_have_them() -> None:
    result = score_gleu([["b"]], [["a a b b c".split()]], ["a a a b c".split()])
    # n=1: a twice, b, c; n=2: "a a", "b c"; and "a b" once; n=3: "a a b"; n=4: none
    assert [*result.matches] == [4, 3, 1, 0]


def test_several_references_are_drawn() -> None:
    other = "we have a large red dog".split()
    result = score_gleu([SOURCE], [[REFERENCE, other]], [REFERENCE])
    # Against the second reference: n=1: 5 ("big" is only in the source: -1) = 4 of 6; n=2: 3 - 2 = 1 of 5; n=3: 1 - 3,
    # so 0; the score of such a draw is 0 and that of the other draw 1.
    assert 0.4 < result.score < 0.6
    share = result.score
    assert result.deviation == pytest.approx(math.sqrt(share * (1 - share)))
    assert result.interval == pytest.approx(
        (share - 1.96 * result.deviation, share + 1.96 * result.deviation), abs=1e-4
    )
    assert (result.sentences, result.references, result.iterations) == (1, 2, 500)


def test_the_same_draws_every_time() -> None:
    # Iteration i draws with seed 101 i: seed 0 gives 0.844, the second reference of two; seed 101 gives 0.581.
    references = [[REFERENCE, SOURCE]]
    assert score_gleu([SOURCE], references, [SOURCE], iterations=1).score == 1.0
    assert score_gleu([SOURCE], references, [REFERENCE], iterations=2).matches == (5, 3, 2, 1)


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=6), min_size=1, max_size=4), st.data())
def test_scores_are_shares(sources: list[list[str]], data: st.DataObject) -> None:
    words = st.lists(st.sampled_from("abc"), max_size=6)
    references = [[data.draw(words), data.draw(words)] for _ in sources]
    result = score_gleu(sources, references, [data.draw(words) for _ in sources], iterations=5)
    assert 0 <= result.score <= 1


def test_nothing_to_score_is_refused() -> None:
    with pytest.raises(InputError, match="at least one sentence"):
        score_gleu([], [], [])
    with pytest.raises(InputError, match="at least one reference"):
        score_gleu([SOURCE], [[]], [SOURCE])
