"""Validation: a score, and a network that is left as it was."""

from __future__ import annotations

from collections.abc import Callable

from permend.corpora.pairs import Pair
from permend.training.correction.recipe import Recipe
from permend.training.correction.run import Validator
from permend.training.correction.start import make_network, tokenizer_of

PAIRS = [
    Pair("She go to school .", "She goes to school ."),
    Pair("It is fine .", "It is fine ."),
    Pair("He have two brother .", "He has two brothers ."),
]


def test_a_network_is_scored_and_goes_on_training(tiny: Callable[..., Recipe]) -> None:
    network = make_network(tiny("optimisation.steps=1").model, seed=1)
    scores = Validator(PAIRS, tokenizer_of(network), "edits")(network)
    assert set(scores) == {"precision", "recall", "score"}
    assert all(0 <= value <= 1 for value in scores.values())
    assert network.training
