"""What comes out of a corrector: a sentence, its correction, and what else it could be.

    correction.text           # 'He went to school yesterday.'
    correction.edits          # (ScoredEdit(start=3, end=5, before='go', after='went', probability=0.93),)
    correction.alternatives   # ranked whole sentences, the unchanged one always among them

`score_edits` gives edits their probabilities; `join` puts the corrections of a split text together again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from permend.text.edits import Edit, diff


@dataclass(frozen=True)
class ScoredEdit(Edit):
    """An edit and how much of the hypotheses' probability agrees with it."""

    probability: float


@dataclass(frozen=True)
class Alternative:
    """A whole corrected sentence and what the networks think of it."""

    text: str
    plan_log_prob: float
    """log p(π)"""
    fill_log_prob: float
    """log p(y | π); 0 where nothing is inserted."""
    length: int
    """Positions of the plan, by which scores are divided."""
    score: float
    """What alternatives are ranked by."""
    unchanged: bool
    """Whether this is the source as it stands."""

    @property
    def log_prob(self) -> float:
        """Return log p(π) + log p(y | π)."""
        return self.plan_log_prob + self.fill_log_prob


@dataclass(frozen=True)
class Correction:
    """A sentence, its correction, and the runners-up."""

    source: str
    text: str
    edits: tuple[ScoredEdit, ...]
    """What changed, from left to right."""
    alternatives: tuple[Alternative, ...]
    """Best first; the unchanged sentence is always among them."""
    margin: float
    """Score of the best alternative minus that of the unchanged sentence: the confidence that something is wrong."""

    @classmethod
    def blank(cls, source: str) -> Correction:
        """Return the correction of a text without a single character to read: itself."""
        return cls(source, source, (), (Alternative(source, 0.0, 0.0, 2, 0.0, True),), 0.0)  # <s> and </s>

    def framed(self, before: str, after: str) -> Correction:
        """Return the same correction of a longer text: with something in front and behind that stays as it is."""
        if not before and not after:
            return self
        at = len(before)
        return Correction(
            before + self.source + after,
            before + self.text + after,
            tuple(replace(edit, start=edit.start + at, end=edit.end + at) for edit in self.edits),
            tuple(replace(each, text=before + each.text + after) for each in self.alternatives),
            self.margin,
        )


def distinct(ranked: Iterable[Alternative]) -> list[Alternative]:
    """Keep the first of alternatives that read the same."""
    first: dict[str, Alternative] = {}
    for each in ranked:
        first.setdefault(each.text, each)
    return list(first.values())


def score_edits(source: str, text: str, ranked: Sequence[Alternative]) -> tuple[ScoredEdit, ...]:
    """Return the edits from source to text, each with the share of the alternatives' probability that contains it."""
    wanted = diff(source, text)
    if not wanted:
        return ()
    log_probs = np.array([each.log_prob for each in ranked])
    shares = np.exp(log_probs - log_probs.max())
    shares /= shares.sum()
    contents = [frozenset(diff(source, each.text)) for each in ranked]
    return tuple(
        ScoredEdit(
            edit.start,
            edit.end,
            edit.before,
            edit.after,
            float(sum(share for share, edits in zip(shares, contents, strict=True) if edit in edits)),
        )
        for edit in wanted
    )


def join(parts: Sequence[Correction]) -> Correction:
    """Put the corrections of a split text together: its best whole, and itself unchanged."""
    if len(parts) == 1:
        return parts[0]
    edits: list[ScoredEdit] = []
    at = 0
    for part in parts:
        edits += [replace(edit, start=edit.start + at, end=edit.end + at) for edit in part.edits]
        at += len(part.source)
    source, text = "".join(part.source for part in parts), "".join(part.text for part in parts)
    chosen = [next(each for each in part.alternatives if each.text == part.text) for part in parts]
    same = [next(each for each in part.alternatives if each.unchanged) for part in parts]
    wholes = distinct([_whole(chosen), _whole(same)])
    return Correction(source, text, tuple(edits), tuple(wholes), wholes[0].score - _whole(same).score)


def _whole(parts: Sequence[Alternative]) -> Alternative:
    length = sum(part.length for part in parts)
    return Alternative(
        "".join(part.text for part in parts),
        sum(part.plan_log_prob for part in parts),
        sum(part.fill_log_prob for part in parts),
        length,
        sum(part.score * part.length for part in parts) / length,
        all(part.unchanged for part in parts),
    )
