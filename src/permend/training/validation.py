"""Validation: correct a file of pairs and score the corrections, while training goes on.

In: a network. Out: precision, recall and the score F0.5 that decides which model is kept. An edit is right when the
reference has the same one. Edits are ERRANT's where it is installed, else the word edits of `text.edits`.

>>> pairs = [Pair("He go to school", "He goes to school"), Pair("I am here", "I am here")]
>>> score_edits(pairs, ["He goes to school", "I was here"], word_edits)
Score(tp=1, fp=1, fn=0)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from importlib.util import find_spec
from typing import Literal

from permend.corpora.pairs import Pair
from permend.evaluation.score import Score
from permend.model.network import PointerInfiller
from permend.text.edits import diff
from permend.text.tokens import Tokenizer

Evaluate = Callable[[PointerInfiller], dict[str, float]]
"""What the loop calls: the key `score` is the one to be high."""
Extract = Callable[[str, str], Sequence[Hashable]]
"""From a source and a target to comparable edits."""

BATCH = 128


class Validator:
    """Corrects the same pairs again and again."""

    def __init__(
        self, pairs: Sequence[Pair], tokenizer: Tokenizer, score: Literal["auto", "errant", "edits"] = "auto"
    ) -> None:
        """Choose the way to score."""
        self._pairs = pairs
        self._tokenizer = tokenizer
        by_errant = score == "errant" or (score == "auto" and find_spec("errant") is not None)
        self._extract: Extract = errant_edits if by_errant else word_edits

    def __call__(self, network: PointerInfiller) -> dict[str, float]:
        """Correct and score."""
        from permend.corrector import Corrector
        from permend.model.torch_networks import TorchNetworks

        corrector = Corrector(TorchNetworks(network), self._tokenizer)
        corrections = corrector.correct_batch([pair.source for pair in self._pairs], BATCH)
        result = score_edits(self._pairs, [correction.text for correction in corrections], self._extract)
        return {"precision": result.precision, "recall": result.recall, "score": result.f(0.5)}


def score_edits(pairs: Sequence[Pair], hypotheses: Sequence[str], extract: Extract) -> Score:
    """Count the edits that hypothesis and reference share, and those of one alone."""
    total = Score()
    for pair, hypothesis in zip(pairs, hypotheses, strict=True):
        proposed, wanted = Counter(extract(pair.source, hypothesis)), Counter(extract(pair.source, pair.target))
        right = (proposed & wanted).total()
        total += Score(right, proposed.total() - right, wanted.total() - right)
    return total


def word_edits(source: str, target: str) -> Sequence[Hashable]:
    """Return the edits of words between two texts."""
    return diff(source, target)


def errant_edits(source: str, target: str) -> Sequence[Hashable]:
    """Return ERRANT's edits between two texts, each as its tokens and its correction."""
    if source == target:
        return ()
    from permend.evaluation.errant import load_annotator

    annotator = load_annotator()
    old, new = annotator.parse(source, tokenise=True), annotator.parse(target, tokenise=True)
    return [(edit.o_start, edit.o_end, edit.c_str) for edit in annotator.annotate(old, new)]
