"""How much more right a sentence looks to the model than the one before it.

In: pairs. Out: of each, the log-probability that the target is left as it is, and the `gain`: that less the
log-probability that the source is. One pass of the encoder a side; no search, nothing filled.

    judge = Judgement(Corrector())
    judge.weigh([("He go home.", "He goes home.")])        # [Weighed(target=-0.1, gain=4.2)]

Corrections gain, changes of content do not, and the kinds that are often matters of taste have to gain more:

>>> least_gain(["R:SPELL"], mending=False), least_gain(["M:PUNCT"], mending=True), least_gain(["R:NOUN"], mending=False)
(-0.2, 0.15, 1.3)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from permend.corrector.corrector import Corrector
from permend.method.label import Labeler
from permend.method.plan import Plan
from permend.method.search import score_plan
from permend.model.networks import sentence_arrays
from permend.text.quotes import straighten

LEAST_RIGHT = -2.5
"""Log-probability that a target is left alone, below which it looks wrong itself."""
_TASTE = ("PUNCT", "ORTH")
CONTENT = ("ADJ", "ADV", "NOUN", "OTHER", "VERB")
"""Types of edits that may well say something else."""
_BATCH = 8


class Weighed(NamedTuple):
    """What the model says of a pair."""

    target: float
    """The log-probability that the target is left as it is."""
    gain: float


class Judgement:
    """Asks a corrector about pairs."""

    def __init__(self, corrector: Corrector) -> None:
        """Take the model."""
        self._networks, self._tokenizer = corrector.networks, corrector.tokenizer
        config = self._networks.config
        self._longest = config.max_length - config.slots
        self._labeler = Labeler(self._tokenizer, slots=config.slots, masks=config.masks)

    def can_express(self, source: str, target: str) -> bool:
        """Whether the label scheme has a label for a pair, and the encoder room for both sides."""
        tokens = [self._tokenizer.encode(straighten(side)) for side in (source, target)]
        if any(len(each.ids) > self._longest for each in tokens):
            return False
        return self._labeler.label_tokens(*tokens).alignment.losses.exact

    def weigh(self, pairs: Sequence[tuple[str, str]]) -> list[Weighed]:
        """Return what the model says of each."""
        sides = [straighten(side) for pair in pairs for side in pair]
        order = sorted(range(len(sides)), key=lambda place: len(sides[place]))
        left: dict[int, float] = {}
        for at in range(0, len(order), _BATCH):
            some = order[at : at + _BATCH]
            left |= dict(zip(some, self._leave([sides[place] for place in some]), strict=True))
        return [
            Weighed(left[2 * number + 1], round(left[2 * number + 1] - left[2 * number], 2))
            for number in range(len(pairs))
        ]

    def _leave(self, texts: Sequence[str]) -> list[float]:
        """Return the log-probability that each text is left alone."""
        config = self._networks.config
        tokens = [self._tokenizer.encode(text) for text in texts]
        ids, mask = sentence_arrays([each.ids for each in tokens], config.slots, config.slot_id(0), self._tokenizer.pad)
        _, scores = self._networks.encode(ids, mask)
        found = []
        for row, each in zip(scores, tokens, strict=True):
            length = len(each.ids)
            matrix = row[: length + config.slots, : length + config.slots]
            found.append(score_plan(matrix, Plan.identity(length)).log_prob)
        return found


def least_gain(types: Sequence[str], mending: bool) -> float:
    """Return how much a pair must gain; less where the commit says that it mends, or a word is misspelled."""
    names = [each.partition(":")[2] for each in types]
    if any(name in CONTENT for name in names):
        return 0.8 if mending else 1.3
    if any(name in _TASTE for name in names):
        return 0.15 if mending else 0.4
    return -0.2 if mending or "SPELL" in names else 0.1
