"""Search: equal to brute force where that is possible, and lawful everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from permend.errors import PermendError
from permend.method.plan import Plan, PlanError
from permend.method.search import score_plan, search


def every_plan(length: int, slots: int) -> Iterator[Plan]:
    for size in range(2, length + slots + 1):
        for order in permutations(range(length + slots), size):
            if order[0] == 0 and order[-1] == length - 1:
                try:
                    yield Plan(order, length)
                except PlanError:
                    continue


def log_prob_by_the_book(scores: NDArray[np.float64], plan: Plan, bias: float) -> float:
    """Eq. 2 and the confidence bias, one step after the other, with nothing shared with the code under test."""
    total, used = 0.0, {0}
    for last, position in zip(plan.order, plan.order[1:], strict=False):
        slot_due = plan.length + sum(p >= plan.length for p in used)
        options = [
            j
            for j in range(len(scores))
            if j not in used and (j < plan.length or (j == slot_due and last < plan.length))
        ]
        row = np.exp(scores[last, options] - scores[last, options].max())
        chance = (1 - bias) * float(row[options.index(position)] / row.sum())
        right = next((j for j in range(last + 1, plan.length) if j not in used), None)
        total += float(np.log(chance + bias * (position == right)))
        used.add(position)
    return total


def random_scores(seed: int, size: int, spread: float = 2.0) -> NDArray[np.float64]:
    return np.random.default_rng(seed).normal(0, spread, (size, size))


@pytest.mark.parametrize(("length", "slots"), [(2, 0), (2, 2), (3, 1), (3, 3), (4, 2), (5, 1), (6, 0)])
@pytest.mark.parametrize("normalize", [True, False])
@pytest.mark.parametrize("bias", [0.0, 0.3])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=10)
def test_a_full_width_beam_equals_brute_force(length: int, slots: int, normalize: bool, bias: float, seed: int) -> None:
    scores = random_scores(seed, length + slots)
    plans = list(every_plan(length, slots))
    found = search([scores], [length], beam=len(plans), bias=bias, normalize=normalize)[0]
    assert {hypothesis.plan for hypothesis in found} == set(plans)
    for hypothesis in found:
        expected = log_prob_by_the_book(scores, hypothesis.plan, bias)
        assert hypothesis.log_prob == pytest.approx(expected)
        assert hypothesis.score == pytest.approx(expected / len(hypothesis.plan.order) if normalize else expected)
    ranked = [hypothesis.score for hypothesis in found]
    assert ranked == sorted(ranked, reverse=True)


@given(st.integers(0, 10_000), st.integers(2, 12), st.integers(0, 4), st.sampled_from([0.0, 0.2]))
def test_the_score_of_a_plan_is_the_searchs_own(seed: int, length: int, slots: int, bias: float) -> None:
    scores = random_scores(seed, length + slots)
    for hypothesis in search([scores], [length], beam=4, bias=bias)[0]:
        again = score_plan(scores, hypothesis.plan, bias=bias)
        assert again.log_prob == pytest.approx(hypothesis.log_prob)
        assert again.score == pytest.approx(hypothesis.score)


@given(st.integers(0, 10_000), st.lists(st.integers(2, 9), min_size=1, max_size=5))
def test_a_batch_gives_what_single_sentences_give(seed: int, lengths: list[int]) -> None:
    matrices = [random_scores(seed + i, length + 3).astype(np.float32) for i, length in enumerate(lengths)]
    together = search(matrices, lengths, beam=3, bias=0.1)
    alone = [search([matrix], [length], beam=3, bias=0.1)[0] for matrix, length in zip(matrices, lengths, strict=True)]
    assert [[h.plan for h in found] for found in together] == [[h.plan for h in found] for found in alone]


def test_equal_scores_always_give_the_same_list() -> None:
    flat = np.zeros((7, 7))
    lists = [search([flat, *[np.zeros((n, n))] * 2], [5, n, n], beam=5)[0] for n in (5, 9, 12)]
    assert lists[0] == lists[1] == lists[2]


def test_the_bias_favours_leaving_things_alone() -> None:
    scores = random_scores(3, 12)
    identity = Plan.identity(8)
    margins = [
        score_plan(scores, identity, bias=c).score - search([scores], [8], bias=c)[0][0].score for c in (0, 0.4, 1)
    ]
    assert margins == sorted(margins)
    assert search([scores], [8], bias=1)[0][0].plan == identity


def test_a_replacement_stays_reachable_under_a_bias() -> None:
    scores = np.full((6, 6), -9.0)
    for i, j in [(0, 1), (1, 5), (5, 3), (3, 4)]:
        scores[i, j] = 0.0
    assert search([scores], [5], bias=0.3)[0][0].plan.order == (0, 1, 5, 3, 4)


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_slots_can_be_limited(limit: int) -> None:
    scores = random_scores(1, 9)
    scores[:6, 6:] += 5
    found = search([scores], [6], beam=50, max_slots=limit)[0]
    assert max(hypothesis.plan.slots for hypothesis in found) == limit
    two_slots = Plan((0, 6, 1, 7, 2, 3, 4, 5), length=6)
    assert np.isneginf(score_plan(scores, two_slots, max_slots=limit).log_prob) == (limit < 2)


def test_certain_and_impossible_steps() -> None:
    scores = np.full((5, 5), -np.inf)
    for i in range(4):
        scores[i, i + 1] = 1e4
    [only] = search([scores], [5], beam=5)[0]
    assert only.plan.is_identity
    assert only.log_prob == 0.0


@pytest.mark.parametrize(
    ("scores", "length", "message"),
    [
        (np.zeros((3, 4)), 3, "do not fit"),
        (np.zeros((3, 3)), 4, "do not fit"),
        (np.full((3, 3), np.nan), 3, "NaN"),
    ],
)
def test_bad_scores_are_refused(scores: NDArray[np.float64], length: int, message: str) -> None:
    with pytest.raises(PermendError, match=message):
        search([scores], [length])


def test_bad_options_are_refused() -> None:
    with pytest.raises(PermendError, match="beam"):
        search([np.zeros((3, 3))], [3], beam=0)
    with pytest.raises(PermendError, match="bias"):
        search([np.zeros((3, 3))], [3], bias=1.5)


def test_no_sentences_no_hypotheses() -> None:
    assert search([], []) == []
