"""A sweep over thresholds gives what running at each of them would."""

from __future__ import annotations

from math import inf

from hypothesis import given
from hypothesis import strategies as st

from permend.evaluation.score import Judged, Score, best_f, fewest_alarms, most_recall, sweep

SCORE = st.builds(Score, *[st.integers(0, 3)] * 3)
JUDGED = st.builds(Judged, st.sampled_from([0.0, 0.1, 0.25, 0.5, 2.0]), SCORE, SCORE, st.booleans())


@given(st.lists(JUDGED, max_size=8), SCORE)
def test_every_point_is_what_its_threshold_gives(judged: list[Judged], rest: Score) -> None:
    points = sweep(judged, rest)
    assert len(points) == 1 + len({each.margin for each in judged})
    assert points[0].threshold == inf
    for point in points:
        total = rest
        for each in judged:
            total += each.changed if each.margin >= point.threshold else each.kept
        assert point.score == total
        assert point.correct_changed == sum(each.correct for each in judged if each.margin >= point.threshold)


@given(st.lists(JUDGED, max_size=8), st.integers(0, 8))
def test_the_chosen_points_are_the_best(judged: list[Judged], budget: int) -> None:
    points = sweep(judged)
    assert best_f(points).score.f() == max(point.score.f() for point in points)
    within = most_recall(points, budget)
    assert within.correct_changed <= budget
    assert all(point.score.tp <= within.score.tp for point in points if point.correct_changed <= budget)
    again = fewest_alarms(points, within.score.recall)
    assert again is not None
    assert again.correct_changed <= within.correct_changed
    assert fewest_alarms(points, 1.1) is None
