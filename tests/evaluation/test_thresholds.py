"""A sweep over thresholds gives what running at each of them would."""

from __future__ import annotations

from math import inf

from hypothesis import given
from hypothesis import strategies as st

from permend.evaluation.score import Judged, Score, fewest_alarms, sweep

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


@given(st.lists(JUDGED, max_size=8), st.floats(0, 1))
def test_the_fewest_alarms_at_a_recall_are_the_fewest(judged: list[Judged], recall: float) -> None:
    points = sweep(judged)
    reached = [point.correct_changed for point in points if point.score.recall >= recall]
    found = fewest_alarms(points, recall)
    assert (found is None) == (not reached)
    if found is not None:
        assert found.score.recall >= recall
        assert found.correct_changed == min(reached)
    assert fewest_alarms(points, 1.1) is None
