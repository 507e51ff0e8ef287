"""How right answers are, and what could be chosen among hypotheses (Section 5.4).

In: a development set and answers. Out: `Scored`: precision, recall and F0.5 by ERRANT, or by shared edits where the set
is no M2 file. Every sentence and correction is judged once, whatever asks for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from experiments.paper.answers import Answer, Guessed, read_answers, texts_of
from experiments.paper.contestants import OptionValues
from permend.evaluation.devset import DevSet, M2DevSet
from permend.evaluation.score import Score


@dataclass(frozen=True)
class Scored:
    """A row's score."""

    score: Score
    options: OptionValues = field(default_factory=dict, hash=False)
    """What was chosen on the development set, among others."""
    sentences: int = 0

    @property
    def percent(self) -> tuple[float, float, float]:
        """Precision, recall and F0.5 in per cent."""
        return 100 * self.score.precision, 100 * self.score.recall, 100 * self.score.f(0.5)


def best_of(devset: DevSet, files: Mapping[Path, OptionValues]) -> tuple[Path, Scored]:
    """Return the answers with the best F0.5, and their score; the first of equal ones."""
    scored = {file: score_texts(devset, texts_of(read_answers(file)), options) for file, options in files.items()}
    best = max(scored, key=lambda file: scored[file].score.f(0.5))
    return best, scored[best]


def score_texts(devset: DevSet, texts: Sequence[str], options: OptionValues | None = None) -> Scored:
    """Score corrected sentences."""
    return Scored(devset.score(texts), options or {}, len(texts))


Ranking = Callable[[Guessed], float]
"""What hypotheses are ordered by, the largest first."""


def by_plan(each: Guessed) -> float:
    """Rank by log p(π): no length normalisation."""
    return each.plan


def by_length(each: Guessed) -> float:
    """Rank by log p(π) / length."""
    return each.plan / each.length


def rescored(weight: float) -> Ranking:
    """Rank by λ·log p(π) + (1 − λ)·log p(y | π)."""
    return lambda each: weight * each.plan + (1 - weight) * each.fill


def ranked(answer: Answer, ranking: Ranking, among: int) -> list[str]:
    """Return the texts of the first hypotheses of the search, in another order; the correction if there are none."""
    first = sorted(answer.hypotheses, key=lambda each: -by_plan(each))[:among]
    return [each.text for each in sorted(first, key=lambda each: -ranking(each))] or [answer.text]


def nth(answers: Iterable[Answer], ranking: Ranking, place: int, among: int) -> list[str]:
    """Return each sentence's hypothesis at a place; the last one where there are fewer."""
    lists = [ranked(answer, ranking, among) for answer in answers]
    return [texts[min(place, len(texts) - 1)] for texts in lists]


def oracle(devset: DevSet, answers: Sequence[Answer], among: int) -> list[str]:
    """Return each sentence's hypothesis with the best GLEU against the reference, among the first."""
    references = _references(devset)
    found = []
    for place, answer in enumerate(answers):
        texts = ranked(answer, by_plan, among)
        tokens = [_tokens(devset, place, text) for text in texts]
        scores = [max(gleu(each, reference) for reference in references[place]) for each in tokens]
        found.append(texts[max(range(len(texts)), key=scores.__getitem__)])
    return found


def gleu(hypothesis: Sequence[str], reference: Sequence[str], order: int = 4) -> float:
    """Return the GLEU of one sentence (Wu et al. 2016): the n-grams that both have, as a share of the longer's.

    >>> wanted = "he goes home".split()
    >>> gleu(wanted, wanted), round(gleu("he go home".split(), wanted), 3)
    (1.0, 0.333)
    """
    shared = ours = theirs = 0
    for n in range(1, order + 1):
        one, two = (Counter(zip(*(side[k:] for k in range(n)), strict=False)) for side in (hypothesis, reference))
        shared, ours, theirs = shared + (one & two).total(), ours + one.total(), theirs + two.total()
    return shared / max(ours, theirs, 1)


def _references(devset: DevSet) -> list[list[list[str]]]:
    """Return the references of each sentence as tokens."""
    if isinstance(devset, M2DevSet):
        return [[each.corrected(name) for name in each.annotations] for each in devset.sentences]
    pairs = getattr(devset, "pairs", ())
    return [[pair.target.split()] for pair in pairs]


def _tokens(devset: DevSet, place: int, text: str) -> list[str]:
    if isinstance(devset, M2DevSet):
        return list(devset.tokens(place, text))
    return text.split()
