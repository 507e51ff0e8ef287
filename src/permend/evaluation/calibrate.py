"""Probabilities that mean something: a calibration learned from judged edits, and how far it can be trusted.

In: a development set and what a corrector makes of them. Out of `judge_edits`: each edit with the evidence for it
and whether it is right, that is whether it alone is a right edit to the judge and no wrong one. Out of `learn`: a
calibration. Out of `check`: how reliable probabilities are without and with it.

    judged = [judge_edits(devset, corrected, options.bias) for options, corrected in settings]
    learn(judged)
    check(judged, shown=0).after.error      # expected calibration error, ten bins with equally many edits

All settings teach the calibration, and the edits of one of them, the default, show what it is worth: each gets its
probability from what four fifths of the sentences teach, its own not among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from permend.corrector.correction import ScoredEdit
from permend.evaluation.correcting import Corrected, Tracked, silently
from permend.evaluation.devset import DevSet
from permend.model.options import Calibration, Evidence, features
from permend.text.edits import apply, move_together

BINS = 10
FOLDS = 5
FEWEST = 50
"""Edits below which nothing is learned."""
RIDGE = 1e-3
"""Keeps weights finite where all edits are right."""
TYPE_RIDGE = 1.0
"""Keeps the weight of a rare type near 0."""

Floats = NDArray[np.float64]


class JudgedEdit(NamedTuple):
    """An edit that a corrector makes."""

    place: int
    """The sentence that it stands in."""
    evidence: Evidence
    right: bool


class Bin(NamedTuple):
    """Edits of about the same probability."""

    said: float
    """Their mean probability."""
    right: float
    """The share of them that is right."""
    edits: int


@dataclass(frozen=True)
class Reliability:
    """How far probabilities can be trusted."""

    bins: list[Bin]
    error: float
    """Expected calibration error: how far probability and share of right edits are apart, on average."""
    log_loss: float


@dataclass(frozen=True)
class Confidence:
    """What a calibration is worth."""

    edits: int
    before: Reliability
    """Of the hypotheses' share as it is."""
    after: Reliability
    """Of calibrated probabilities, by cross-validation."""


def judge_edits(
    devset: DevSet, corrected: Sequence[Corrected], bias: float, tracked: Tracked = silently
) -> list[JudgedEdit]:
    """Judge every edit by itself, but halves of a move together: a corrector makes both or none.

    Edits that the judge does not see, such as spaces to ERRANT, are left out.
    """
    judged = []
    texts = devset.texts
    for place, each in tracked(list(enumerate(corrected)), "judging edits"):
        for edit in each.edits:
            whole = [other for other in each.edits if other is edit or move_together(edit, other)]
            alone = devset.score_one(place, apply(texts[place], whole))
            if alone.tp + alone.fp:
                judged.append(JudgedEdit(place, evidence(edit, each, bias), not alone.fp))
    return judged


def evidence(edit: ScoredEdit, corrected: Corrected, bias: float) -> Evidence:
    """Return what is known of one of a correction's edits."""
    margin = corrected.margin / len(corrected.edits)
    return Evidence(edit.probability, corrected.fill, bias, margin, edit.type)


def learn(settings: Sequence[Sequence[JudgedEdit]]) -> Calibration | None:
    """Learn a calibration from the edits of all settings; None where there are too few."""
    edits = [edit for setting in settings for edit in setting]
    if len(edits) < FEWEST:
        return None
    types = _types(edits)
    intercept, share, fill, bias, margin, *others = (round(float(w), 4) for w in _fit(edits, types))
    return Calibration(intercept, share, fill, bias, margin, dict(zip(types, others, strict=True)))


def check(settings: Sequence[Sequence[JudgedEdit]], shown: int) -> Confidence:
    """Measure, on the edits of one setting, what the edits of all settings but in other sentences teach."""
    edits, ours = [edit for setting in settings for edit in setting], settings[shown]
    types = _types(edits)
    inputs, right, folds = _inputs(ours, types), _right(ours), _folds(ours)
    said = np.zeros(len(ours))
    for fold in range(FOLDS):
        elsewhere = [edit for edit in edits if edit.place % FOLDS != fold]
        said[folds == fold] = _logistic(inputs[folds == fold] @ _fit(elsewhere, types))
    shares = np.array([edit.evidence.share for edit in ours])
    return Confidence(len(ours), reliability(shares, right), reliability(said, right))


def reliability(said: Floats, right: Floats) -> Reliability:
    """Compare probabilities with what came true, in bins of equally many edits."""
    groups = np.array_split(np.argsort(said, kind="stable"), min(BINS, len(said)))
    bins = [Bin(float(said[group].mean()), float(right[group].mean()), len(group)) for group in groups]
    error = sum(abs(each.said - each.right) * each.edits for each in bins) / len(said)
    inner = np.clip(said, 1e-6, 1 - 1e-6)
    log_loss = -float(np.mean(right * np.log(inner) + (1 - right) * np.log(1 - inner)))
    return Reliability(bins, error, log_loss)


def _inputs(edits: Sequence[JudgedEdit], types: Sequence[str]) -> Floats:
    """Return a row for each edit: its features, and a 1 under its type."""
    common = np.array([features(edit.evidence) for edit in edits])
    typed = np.array([[edit.evidence.type == name for name in types] for edit in edits], np.float64)
    return np.hstack([common, typed])


def _right(edits: Sequence[JudgedEdit]) -> Floats:
    return np.array([edit.right for edit in edits], np.float64)


def _folds(edits: Sequence[JudgedEdit]) -> NDArray[np.intp]:
    """Return the part of the sentences that each edit belongs to; neighbours, often by one writer, are dealt out."""
    return np.array([edit.place % FOLDS for edit in edits], np.intp)


def _types(edits: Sequence[JudgedEdit]) -> list[str]:
    return sorted({edit.evidence.type for edit in edits})


def _fit(edits: Sequence[JudgedEdit], types: Sequence[str]) -> Floats:
    """Return the weights of a logistic regression, by Newton's method; the last ones belong to types."""
    inputs, right = _inputs(edits, types), _right(edits)
    weights = np.zeros(inputs.shape[1])
    ridge = np.full(len(weights), RIDGE)
    ridge[len(weights) - len(types) :] = TYPE_RIDGE
    for _ in range(50):
        said = _logistic(inputs @ weights)
        slope = inputs.T @ (said - right) + ridge * weights
        curvature = (inputs * (said * (1 - said))[:, None]).T @ inputs + np.diag(ridge)
        step = np.linalg.solve(curvature, slope)
        weights -= step
        if np.abs(step).max() < 1e-9:
            break
    return weights


def _logistic(values: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-values)))
