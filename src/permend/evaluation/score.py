"""Counts of right, wrong and missed edits, what follows from them, and how thresholds change them.

In: three counts. Out of a `Score`: precision, recall and F. Both official scorers agree on the empty cases: a system
that proposes nothing is never wrong (precision 1), and where nothing is to be found nothing is missed (recall 1).

>>> score = Score(tp=6, fp=2, fn=6)
>>> score.precision, score.recall, round(score.f(0.5), 4)
(0.75, 0.5, 0.6818)

In: for each sentence how confident a system is that something is wrong, and its counts when it is changed and when it
is left alone. Out of `sweep`: a `Point` for every threshold on that confidence that makes a difference, from "change
nothing" downwards, in one pass instead of one run for each threshold.

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


@dataclass(frozen=True, slots=True)
class Score:
    """Edits that agree with the gold ones (tp), that do not (fp), and gold edits not found (fn)."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __add__(self, other: Score) -> Score:
        """Add up the counts of two sets of sentences."""
        return Score(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    def __sub__(self, other: Score) -> Score:
        """Return by how much the counts differ."""
        return Score(self.tp - other.tp, self.fp - other.fp, self.fn - other.fn)

    @property
    def precision(self) -> float:
        """Share of the proposed edits that are right."""
        return self.tp / (self.tp + self.fp) if self.tp + self.fp else 1.0

    @property
    def recall(self) -> float:
        """Share of the gold edits that were found."""
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else 1.0

    def f(self, beta: float = 0.5) -> float:
        """Weighted harmonic mean of precision and recall; beta below 1 favours precision."""
        precision, recall = self.precision, self.recall
        if not precision + recall:
            return 0.0
        return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


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
            total += each.changed - each.kept
        below = groups[place + 1][0] if place + 1 < len(groups) else min(0.0, margin)
        # Half-way to the next margin, so that the last digits of a margin decide nothing.
        threshold = (margin + below) / 2 if place + 1 < len(groups) else below
        points.append(Point(threshold, total, alarms))
    return points


def fewest_alarms(points: Sequence[Point], recall: float) -> Point | None:
    """Return the point that changes fewest correct sentences at a given recall; None where it is never reached."""
    reached = [point for point in points if point.score.recall >= recall]
    return min(reached, key=lambda point: (point.correct_changed, -point.score.precision), default=None)
