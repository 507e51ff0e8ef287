"""Corrected texts against the texts that they should be, edit by edit, for references without annotated edits.

In: pairs, what a system makes of their sources, and a way to cut a change into edits. Out: a `Score`. An edit is right
when the reference has the same one.

>>> pairs = [Pair("He go to school", "He goes to school"), Pair("I am here", "I am here")]
>>> score_edits(pairs, ["He goes to school", "I was here"], word_edits)
Score(tp=1, fp=1, fn=0)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence

from permend.corpora.pairs import Pair
from permend.evaluation.errant import load_annotator
from permend.evaluation.score import Score
from permend.text.edits import diff

Extract = Callable[[str, str], Sequence[Hashable]]
"""From a source and a target to comparable edits."""


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
    annotator = load_annotator()
    old, new = annotator.parse(source, tokenise=True), annotator.parse(target, tokenise=True)
    return [(edit.o_start, edit.o_end, edit.c_str) for edit in annotator.annotate(old, new)]
