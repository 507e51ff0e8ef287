"""Validation: correct a file of pairs and score the corrections, while training goes on.

In: a network. Out: precision, recall and the score F0.5 that decides which model is kept. An edit is right when the
reference has the same one. Edits are ERRANT's where it is installed, else edits of words.

    validate = Validator(pairs, tokenizer)
    validate(network)       # {'precision': 0.59, 'recall': 0.31, 'score': 0.5}
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from permend.corpora.pairs import Pair
from permend.evaluation.devset import PairDevSet
from permend.evaluation.errant import has_errant
from permend.model.torch.network import PointerInfiller
from permend.text.tokens import Tokenizer

Evaluate = Callable[[PointerInfiller], dict[str, float]]
"""What the loop calls: the key `score` is the one to be high."""

BATCH = 128


class Validator:
    """Corrects the same pairs again and again."""

    def __init__(
        self, pairs: Sequence[Pair], tokenizer: Tokenizer, score: Literal["auto", "errant", "edits"] = "auto"
    ) -> None:
        """Choose the way to score."""
        by_errant = score == "errant" or (score == "auto" and has_errant())
        self._devset = PairDevSet("validation", pairs, "errant" if by_errant else "edits")
        self._tokenizer = tokenizer

    def __call__(self, network: PointerInfiller) -> dict[str, float]:
        """Correct and score."""
        from permend.corrector.corrector import Corrector
        from permend.model.torch.networks import TorchNetworks

        corrector = Corrector.of(TorchNetworks(network), self._tokenizer)
        corrections = corrector.correct_batch(self._devset.texts, BATCH)
        result = self._devset.score([correction.text for correction in corrections])
        return {"precision": result.precision, "recall": result.recall, "score": result.f(0.5)}
