"""Counts of right, wrong and missed edits, and what follows from them.

In: three counts. Out: precision, recall and F. Both official scorers agree on the empty cases: a system that proposes
nothing is never wrong (precision 1), and where nothing is to be found nothing is missed (recall 1).

>>> score = Score(tp=6, fp=2, fn=6)
>>> score.precision, score.recall, round(score.f(0.5), 4)
(0.75, 0.5, 0.6818)
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Score:
    """Edits that agree with the gold ones (tp), that do not (fp), and gold edits not found (fn)."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __add__(self, other: Score) -> Score:
        """Add up the counts of two sets of sentences."""
        return Score(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

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
