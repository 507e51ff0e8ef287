"""What every threshold on a confidence would give: one pass over judged sentences instead of one run for each.

In: for each sentence how confident the system is that something is wrong, and its counts when it is changed and when it
is left alone. Out of `sweep`: a `Point` for every threshold that makes a difference, from "change nothing" downwards.

>>> wrong = Judged(0.9, Score(tp=1), Score(fn=1), correct=False)
>>> alarm = Judged(0.2, Score(fp=1), Score(), correct=True)
>>> for point in sweep([alarm, wrong]):
...     print(round(point.threshold, 2), point.score.precision, point.score.recall, point.correct_changed)
inf 1.0 0.0 0
0.55 1.0 1.0 0
0.0 0.5 1.0 1
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import inf

from permend.evaluation.score import Score


@dataclass(frozen=True, slots=True)
class Judged:
    """A sentence that a system would change."""

    margin: float
    """The system's confidence."""
    changed: Score
    """Counts when the change is made."""
    kept: Score
    """Counts when the sentence is left alone."""
    correct: bool
    """Whether the sentence has no error, so that any change is a false alarm."""


@dataclass(frozen=True, slots=True)
class Point:
    """What comes of changing sentences whose margin is at least `threshold`."""

    threshold: float
    score: Score
    correct_changed: int
    """Sentences without an error that are changed."""


def sweep(judged: Iterable[Judged], rest: Score | None = None) -> list[Point]:
    """Return the points of all thresholds, the highest first; `rest` counts sentences that are never changed."""
    ranked = sorted(judged, key=lambda each: -each.margin)
    groups = [(margin, list(group)) for margin, group in groupby(ranked, lambda each: each.margin)]
    total = rest or Score()
    for each in ranked:
        total += each.kept
    points = [Point(inf, total, 0)]
    for place, (margin, group) in enumerate(groups):
        alarms = points[-1].correct_changed + sum(each.correct for each in group)
        for each in group:
            total += _difference(each.changed, each.kept)
        below = groups[place + 1][0] if place + 1 < len(groups) else min(0.0, margin)
        # Half-way to the next margin, so that the last digits of a margin decide nothing.
        threshold = (margin + below) / 2 if place + 1 < len(groups) else below
        points.append(Point(threshold, total, alarms))
    return points


def best_f(points: Sequence[Point], beta: float = 0.5) -> Point:
    """Return the point with the best F."""
    return max(points, key=lambda point: point.score.f(beta))


def most_recall(points: Sequence[Point], alarms: float) -> Point:
    """Return the point that finds most while it changes at most so many correct sentences."""
    allowed = [point for point in points if point.correct_changed <= alarms]
    return max(allowed, key=lambda point: (point.score.tp, point.score.precision))


def fewest_alarms(points: Sequence[Point], recall: float) -> Point | None:
    """Return the point that changes fewest correct sentences at a given recall; None where it is never reached."""
    reached = [point for point in points if point.score.recall >= recall]
    return min(reached, key=lambda point: (point.correct_changed, -point.score.precision), default=None)


def _difference(new: Score, old: Score) -> Score:
    return Score(new.tp - old.tp, new.fp - old.fp, new.fn - old.fn)
