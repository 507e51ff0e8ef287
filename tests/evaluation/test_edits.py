"""Right, wrong and missed edits of corrected texts."""

from __future__ import annotations

import pytest

from permend.corpora.pairs import Pair
from permend.evaluation.devset import Extract, errant_edits, score_edits, word_edits

PAIRS = [
    Pair("She go to school .", "She goes to school ."),
    Pair("It is fine .", "It is fine ."),
    Pair("He have two brother .", "He has two brothers ."),
]


@pytest.mark.parametrize("extract", [word_edits, errant_edits])
def test_edits_are_counted(extract: Extract) -> None:
    if extract is errant_edits:
        pytest.importorskip("errant")
    hypotheses = ["She goes to school .", "It was fine .", "He has two brother ."]
    score = score_edits(PAIRS, hypotheses, extract)
    assert (score.tp, score.fp, score.fn) == (2, 1, 1)
    perfect = score_edits(PAIRS, [pair.target for pair in PAIRS], extract)
    assert perfect.f(0.5) == 1.0
