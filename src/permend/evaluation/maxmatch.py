"""MaxMatch, the M2 scorer: a hypothesis against M2 annotations, with the official scorer's numbers.

In: sentences with gold edits and one hypothesis for each, as tokens. Out: a `Score`. A hypothesis does not say where
its edits begin and end, so it gets the benefit of the doubt: of all ways to cut the difference to the source into
edits, the one counts that agrees with most gold edits (Dahlmeier and Ng 2012, "Better Evaluation for Grammatical Error
Correction"). Of several annotators the one counts that gives the best F over all sentences so far.

>>> from permend.corpora.m2 import M2Edit, M2Sentence
>>> gold = (M2Edit(1, 2, "R:VERB", ("goes",), 0), M2Edit(3, 4, "U:PREP", ("",), 0))
>>> sentence = M2Sentence(("He", "go", "to", "to", "school"), {0: gold})
>>> score_maxmatch([sentence], ["He goes to the school".split()])  # one "to" went, as it should, but "the" came
Score(tp=2, fp=1, fn=0)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from permend.corpora.m2 import M2Edit, M2Sentence
from permend.errors import InputError
from permend.evaluation.arcs import TooManyArcsError, merge_arcs
from permend.evaluation.lattice import Lattice, LatticeTooLargeError, find_lattice
from permend.evaluation.paths import best_path, written
from permend.evaluation.score import Score
from permend.evaluation.wide import best_path_unlisted


def score_maxmatch(
    sentences: Iterable[M2Sentence],
    hypotheses: Iterable[Sequence[str]],
    beta: float = 0.5,
) -> Score:
    """Score hypotheses against their sentences, one for each; both may be read while they are scored."""
    total = Score()
    for sentence, hypothesis in zip(sentences, hypotheses, strict=True):
        total = _best(total, match(sentence, hypothesis), beta)
    return total


def match(sentence: M2Sentence, hypothesis: Sequence[str]) -> dict[int, Score]:
    """Count right, wrong and missed edits of one hypothesis, for each annotator."""
    if tuple(hypothesis) == sentence.tokens:
        return {annotator: Score(fn=len(gold)) for annotator, gold in sentence.annotations.items()}
    try:
        lattice = find_lattice(sentence.tokens, hypothesis)
    except LatticeTooLargeError:
        message = f"the hypothesis for this sentence of {len(sentence.tokens)} tokens differs too much to be scored"
        raise InputError(message, sentence.path, sentence.line) from None
    paths = _best_paths(lattice, hypothesis, sentence.annotations)
    return {annotator: _count(lattice, hypothesis, *path) for annotator, path in paths.items()}


def _best_paths(
    lattice: Lattice, hypothesis: Sequence[str], annotations: dict[int, tuple[M2Edit, ...]]
) -> dict[int, tuple[list[tuple[int, int]], tuple[M2Edit, ...]]]:
    """Pair each annotator's edits with those of the hypothesis' best path for them."""
    try:
        arcs = merge_arcs(lattice)
    except TooManyArcsError:
        return {who: (best_path_unlisted(lattice, hypothesis, gold), gold) for who, gold in annotations.items()}
    return {who: (best_path(lattice, arcs, hypothesis, gold), gold) for who, gold in annotations.items()}


def _count(lattice: Lattice, hypothesis: Sequence[str], path: list[tuple[int, int]], gold: Sequence[M2Edit]) -> Score:
    """Match the edits of a path with gold edits from left to right; a gold edit listed twice matches twice."""
    right = 0
    passed = 0
    for span in path:
        start, end = lattice.rows[span[0]], lattice.rows[span[1]]
        text = written(lattice, hypothesis, span)
        for place in range(passed, len(gold)):
            edit = gold[place]
            if (edit.start, edit.end) == (start, end) and text in edit.corrections:
                right += 1
                passed = place + 1
    return Score(right, len(path) - right, len(gold) - right)


def _best(total: Score, candidates: dict[int, Score], beta: float) -> Score:
    """Add the annotator that serves the total best: by F, then right edits, then fewest edits on both sides."""

    def merit(annotator: int) -> tuple[float, int, float]:
        score = total + candidates[annotator]
        edits = (score.tp + score.fp) + beta**2 * (score.tp + score.fn)
        return ((1 + beta**2) * score.tp / edits if edits else 1.0), score.tp, -edits

    return total + candidates[max(sorted(candidates), key=merit)]
