"""Invalid plans cannot be made."""

from __future__ import annotations

from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permend.method.plan import Plan, PlanError


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ((), "leads from 0 to 4"),
        ((0,), "leads from 0 to 4"),
        ((1, 2, 4), "leads from 0 to 4"),
        ((0, 1, 2, 3), "leads from 0 to 4"),
        ((0, 1, 1, 4), "position 1 is visited twice"),
        ((0, 4, 1, 4), "position 4 is visited twice"),
        ((0, -1, 4), "position -1 is negative"),
        ((0, 6, 1, 4), "slot 6 stands where 5 is due"),
        ((0, 5, 6, 4), "slots 5 and 6 stand next to each other"),
    ],
)
def test_an_order_that_breaks_a_rule_is_refused(order: tuple[int, ...], message: str) -> None:
    with pytest.raises(PlanError, match=message):
        Plan(order, length=5)


def is_plan(order: tuple[int, ...], length: int) -> bool:
    """State the rules once more, directly."""
    slots = [position for position in order if position >= length]
    return (
        order[0] == 0
        and order[-1] == length - 1
        and slots == list(range(length, length + len(slots)))
        and not any(a >= length and b >= length for a, b in pairwise(order))
    )


def test_exactly_the_lawful_orders_are_plans() -> None:
    length, slots = 4, 2
    for size in range(2, length + slots + 1):
        for order in permutations(range(length + slots), size):
            try:
                Plan(order, length)
                made = True
            except PlanError:
                made = False
            assert made == is_plan(order, length), order


@given(st.integers(2, 50))
def test_the_identity_changes_nothing(length: int) -> None:
    plan = Plan.identity(length)
    assert plan.is_identity
    assert plan.slots == plan.moved == len(plan.deleted) == 0
    assert list(plan.runs()) == [(0, length - 1)]


def test_a_plan_tells_what_it_does() -> None:
    plan = Plan((0, 3, 4, 7, 1, 6), length=7)
    assert (plan.slots, plan.deleted, plan.moved) == (1, (2, 5), 1)
    assert list(plan.runs()) == [(0, 0), (3, 4), (7, 7), (1, 1), (6, 6)]
    assert not plan.is_identity
    assert not Plan((0, 2), length=3).is_identity
