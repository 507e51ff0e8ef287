"""GLEU as JFLEG defines it: n-grams shared with a reference, less those wrongly kept from the source.

In: source, hypothesis and one or more references for each sentence, as tokens. Out: a `Gleu`. For n from 1 to 4 an
n-gram of the hypothesis counts for it when the reference has it, and against it when only the source has it; the rest
is as in BLEU, with a penalty for short hypotheses. With several references, 500 times one is drawn for every sentence
and the mean is the score (Napoles et al. 2015 and 2016, "GLEU without tuning").

>>> source, reference = "he go to school".split(), "he goes to school".split()
>>> score_gleu([source], [[reference]], [reference]).score
1.0
>>> round(score_gleu([source], [[reference]], ["he went to school".split()]).score, 4)  # no 3-gram is shared
0.0

The draws are those of the official script, which runs on Python 2: iteration i seeds the generator with 101 i and
takes ``int(random() * references)`` for one sentence after the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from permend.errors import InputError

ORDER = 4
ITERATIONS = 500

_NORMAL_95 = 1.959963984540054
"""Standard deviations to each side of the mean that hold 95% of a normal distribution."""

Ngrams = list[Counter[tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Gleu:
    """The score and what it was made from; counts that depend on the draw are means over the iterations."""

    score: float
    deviation: float
    """Standard deviation over the iterations; 0 with one reference."""
    interval: tuple[float, float]
    """Where 95% of the iterations lie, if they are normally distributed."""
    matches: tuple[float, ...]
    """Matching n-grams, less the wrongly kept ones, for n from 1."""
    ngrams: tuple[int, ...]
    """N-grams of the hypothesis, for n from 1."""
    hypothesis_length: int
    reference_length: float
    sentences: int
    references: int
    iterations: int


def score_gleu(
    sources: Iterable[Sequence[str]],
    references: Iterable[Sequence[Sequence[str]]],
    hypotheses: Iterable[Sequence[str]],
    iterations: int = ITERATIONS,
) -> Gleu:
    """Score hypotheses; each sentence has the same number of references."""
    rows = []
    for source, several, hypothesis in zip(sources, references, hypotheses, strict=True):
        rows.append(_statistics(source, several, hypothesis))
    if not rows or not rows[0]:
        raise InputError("GLEU needs at least one sentence with at least one reference")
    statistics = np.array(rows, np.int64)  # (sentences, references, 2 + 2 * ORDER)
    totals = _sample(statistics, iterations)  # (iterations, 2 + 2 * ORDER)
    scores = np.array([_combine(row) for row in totals])
    mean, deviation = float(scores.mean()), float(scores.std())
    behind = totals.mean(axis=0)
    return Gleu(
        score=mean,
        deviation=deviation,
        interval=(mean - _NORMAL_95 * deviation, mean + _NORMAL_95 * deviation),
        matches=tuple(behind[2 : 2 + ORDER].tolist()),
        ngrams=tuple(totals[0, 2 + ORDER :].tolist()),
        hypothesis_length=int(totals[0, 0]),
        reference_length=float(behind[1]),
        sentences=statistics.shape[0],
        references=statistics.shape[1],
        iterations=iterations,
    )


def _statistics(
    source: Sequence[str], references: Sequence[Sequence[str]], hypothesis: Sequence[str]
) -> list[list[int]]:
    """Count, for each reference: length of the hypothesis, of the reference, matches by n, n-grams by n."""
    theirs, ours = _ngrams(source), _ngrams(hypothesis)
    sizes = [max(len(hypothesis) + 1 - n, 0) for n in range(1, ORDER + 1)]
    rows = []
    for reference in references:
        matches = []
        for mine, kept, wanted in zip(ours, theirs, _ngrams(reference), strict=True):
            wrong = Counter({ngram: count for ngram, count in kept.items() if ngram not in wanted})
            matches.append(max((mine & wanted).total() - (mine & wrong).total(), 0))
        rows.append([len(hypothesis), len(reference), *matches, *sizes])
    return rows


def _ngrams(tokens: Sequence[str]) -> Ngrams:
    return [Counter(zip(*(tokens[k:] for k in range(n)), strict=False)) for n in range(1, ORDER + 1)]


def _sample(statistics: NDArray[np.int64], iterations: int) -> NDArray[np.int64]:
    """Sum the statistics over the sentences, each time with one reference drawn for every sentence."""
    count, references = statistics.shape[:2]
    sentences = np.arange(count)
    totals = []
    for iteration in range(iterations):
        draw = Random(iteration * 101).random
        chosen = [int(draw() * references) for _ in range(count)]
        totals.append(statistics[sentences, chosen].sum(axis=0))
    return np.array(totals)


def _combine(totals: NDArray[np.int64]) -> float:
    if not totals.all():
        return 0.0
    hypothesis_length, reference_length = totals[:2]
    precisions = np.log(totals[2 : 2 + ORDER] / totals[2 + ORDER :])
    return float(np.exp(min(0.0, 1.0 - reference_length / hypothesis_length) + precisions.mean()))
