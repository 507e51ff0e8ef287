"""Precision, recall and F from counts."""

from __future__ import annotations

import pytest

from permend.evaluation.score import Score


def test_shares() -> None:
    score = Score(tp=3, fp=1, fn=2)
    assert score.precision == 3 / 4
    assert score.recall == 3 / 5
    assert score.f(1) == pytest.approx(2 * 3 / (2 * 3 + 1 + 2))  # 6 / 9
    assert score.f(0.5) == pytest.approx(1.25 * 3 / (1.25 * 3 + 1 + 0.25 * 2))  # 3.75 / 5.25


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (Score(), (1.0, 1.0, 1.0)),
        (Score(fn=5), (1.0, 0.0, 0.0)),
        (Score(fp=5), (0.0, 1.0, 0.0)),
        (Score(fp=1, fn=1), (0.0, 0.0, 0.0)),
    ],
)
def test_empty_cases_follow_the_official_scorers(score: Score, expected: tuple[float, float, float]) -> None:
    assert (score.precision, score.recall, score.f()) == expected


def test_scores_add_up() -> None:
    assert Score(1, 2, 3) + Score(10, 20, 30) == Score(11, 22, 33)
