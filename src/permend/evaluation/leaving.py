"""From which doubt on a mode may trust the head that lets sentences leave early.

In: a development set, what a mode makes of it when nobody leaves, and the head's doubts. Out: `Options.leave_below`,
the largest that costs no more than some points of F.

    doubts = find_doubts(corrector, devset.texts)
    choose_leaving(devset, corrected, doubts, cost=0.002)       # 0.0123

>>> from permend.corpora.pairs import Pair
>>> from permend.evaluation.devset import PairDevSet
>>> devset = PairDevSet("ours", [Pair("He go.", "He goes."), Pair("It rain.", "It rains."), Pair("Fine.", "Fine.")])
>>> corrected = [Corrected("He goes."), Corrected("It rain."), Corrected("Fines.")]
>>> round(choose_leaving(devset, corrected, [0.9, 0.4, 0.2], cost=0.0), 3)   # what is wrongly changed may well leave
0.9
"""

from __future__ import annotations

from collections.abc import Sequence

from permend.corrector.corrector import Corrector
from permend.evaluation.correcting import Corrected
from permend.evaluation.devset import DevSet
from permend.evaluation.score import Score
from permend.model.networks import parts_of, sentence_arrays
from permend.text.quotes import straighten

_BATCH = 16
_HAIR = 5e-7  # so that rounding makes no sentence leave that was to stay


def find_doubts(corrector: Corrector, texts: Sequence[str]) -> list[float]:
    """Return how much the head doubts each text; those that are too long to be read at once, entirely."""
    parts, config = parts_of(corrector.networks), corrector.networks.config
    doubts = [1.0] * len(texts)
    if parts is None:
        return doubts
    tokens = corrector.tokenizer.encode_batch([straighten(text).strip() for text in texts])
    fitting = [place for place, each in enumerate(tokens) if 0 < len(each.ids) <= config.max_length - config.slots]
    fitting.sort(key=lambda place: len(tokens[place].ids))
    for at in range(0, len(fitting), _BATCH):
        places = fitting[at : at + _BATCH]
        rows = [tokens[place].ids for place in places]
        _, found = parts.start(*sentence_arrays(rows, config.slots, config.slot_id(0), config.pad_id))
        for place, doubt in zip(places, found.tolist(), strict=True):
            doubts[place] = doubt
    return doubts


def choose_leaving(
    devset: DevSet, corrected: Sequence[Corrected], doubts: Sequence[float], cost: float, beta: float = 0.5
) -> float:
    """Return the largest threshold that loses at most `cost` of F, a share; every smaller one then does so, too."""
    sources = devset.texts
    changed = [place for place, each in enumerate(corrected) if devset.is_changed(place, each.text)]
    changed.sort(key=lambda place: doubts[place])
    score = devset.score([each.text for each in corrected])
    enough = score.f(beta) - cost
    for place in changed:  # the threshold above its doubt would lose this change
        kept, lost = devset.score_one(place, corrected[place].text), devset.score_one(place, sources[place])
        score = Score(score.tp - kept.tp + lost.tp, score.fp - kept.fp + lost.fp, score.fn - kept.fn + lost.fn)
        if score.f(beta) < enough:
            return round(doubts[place] - _HAIR, 6) if doubts[place] > _HAIR else 0.0
    return max((doubts[place] for place in changed), default=0.0)
