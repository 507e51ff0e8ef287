"""Validation: right, wrong and missed edits, and a network that is left as it was."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from permend.corpora.pairs import Pair
from permend.training.recipe import Recipe
from permend.training.start import make_network, tokenizer_of
from permend.training.validation import Validator, errant_edits, score_edits, word_edits

PAIRS = [
    Pair("She go to school .", "She goes to school ."),
    Pair("It is fine .", "It is fine ."),
    Pair("He have two brother .", "He has two brothers ."),
]


@pytest.mark.parametrize("extract", [word_edits, errant_edits])
def test_edits_are_counted(extract: Callable[[str, str], list[object]]) -> None:
    if extract is errant_edits:
        pytest.importorskip("errant")
    hypotheses = ["She goes to school .", "It was fine .", "He has two brother ."]
    score = score_edits(PAIRS, hypotheses, extract)
    assert (score.tp, score.fp, score.fn) == (2, 1, 1)
    perfect = score_edits(PAIRS, [pair.target for pair in PAIRS], extract)
    assert perfect.f(0.5) == 1.0


def test_a_network_is_scored_and_goes_on_training(tiny: Callable[..., Recipe]) -> None:
    network = make_network(tiny("optimisation.steps=1").model, seed=1)
    scores = Validator(PAIRS, tokenizer_of(network), "edits")(network)
    assert set(scores) == {"precision", "recall", "score"}
    assert all(0 <= value <= 1 for value in scores.values())
    assert network.training
