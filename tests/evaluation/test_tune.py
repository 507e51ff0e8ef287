"""All of tuning: what it stores is what a calibrated corrector then does."""

from __future__ import annotations

from permend.corpora.pairs import Pair
from permend.corrector.correction import ScoredEdit
from permend.corrector.corrector import Corrector, Options
from permend.evaluation.correcting import Corrected, correct_with
from permend.evaluation.devset import PairDevSet
from permend.evaluation.tuning import drop_edits, tune
from permend.model.options import Calibration
from tests.corrector.test_corrector import TOKENIZER, HandMade, replace_was

WORDS = "busy late here well glad fine".split()
PAIRS = [
    Pair(f"I was {a}, so he was {b}.", f"I am {a}, so he was {b}." if n % 3 else f"I was {a}, so he was {b}.")
    for n, (a, b) in enumerate((a, b) for a in WORDS for b in WORDS)
]
CALIBRATION = Calibration(0.0, 1.0, 1.0, 0.0, 0.2)


def test_what_is_chosen_is_what_a_calibrated_corrector_then_does() -> None:
    devset = PairDevSet("pairs", PAIRS)
    corrector = Corrector.of(HandMade(replace_was), TOKENIZER)
    tuned = tune(corrector, devset, [Options(), Options(bias=0.2)])
    assert tuned.calibration is not None
    for mode in tuned.modes.values():
        ready = Corrector.of(corrector.networks, TOKENIZER, mode.options, tuned.calibration)
        texts = [correction.text for correction in ready.correct_batch(devset.texts)]
        scores = [devset.score_one(place, text) for place, text in enumerate(texts)]
        assert mode.measured is not None
        found = sum(score.tp for score in scores), sum(score.fn for score in scores)
        assert mode.measured.recall == found[0] / sum(found)


def test_dropping_edits_here_is_what_the_corrector_does() -> None:
    texts = [pair.source for pair in PAIRS]
    corrector = Corrector.of(HandMade(replace_was), TOKENIZER)
    [corrected] = correct_with(corrector, texts, [Options()])
    calibrated = Corrector.of(corrector.networks, TOKENIZER, None, CALIBRATION).correct(texts[0])
    probabilities = sorted(edit.probability for edit in calibrated.edits)
    for least in (0.0, *probabilities, 1.0):
        options = Options(min_confidence=least)
        ready = Corrector.of(corrector.networks, TOKENIZER, options, CALIBRATION).correct_batch(texts)
        dropped = [drop_edits(text, each, options, CALIBRATION) for text, each in zip(texts, corrected, strict=True)]
        assert [each.text for each in dropped] == [each.text for each in ready]
        assert all(correction.probability >= least for each in ready for correction in each.edits)
    assert [each.text for each in ready] == texts, "nothing is certain"


def test_halves_of_a_move_are_dropped_together() -> None:
    source = "I often him see ."
    halves = (ScoredEdit(8, 12, "him ", "", 0.9, "U:PRON"), ScoredEdit(15, 15, "", " him", 0.9, "M:PRON"))
    unsure = Calibration(0.0, 0.0, 0.0, 0.0, types={"U:PRON": 2.0, "M:PRON": -2.0})
    corrected = Corrected("I often see him .", 4.0, halves)
    assert drop_edits(source, corrected, Options(min_confidence=0.5), unsure).text == source
    assert drop_edits(source, corrected, Options(min_confidence=0.1), unsure).text == corrected.text


def test_thorough_reads_twice_where_that_finds_more() -> None:
    texts = [f"I was {a}, I was {b} and I was here." for a in WORDS for b in WORDS]
    corrector = Corrector.of(HandMade(replace_was), TOKENIZER)
    for more, readings in ((True, 2), (False, 1)):
        wanted = [text.replace("was", "am") if more else text.replace("was", "am", 2) for text in texts]
        devset = PairDevSet("pairs", [Pair(*each) for each in zip(texts, wanted, strict=True)])
        modes = tune(corrector, devset, [Options()], readings=2).modes
        assert modes["thorough"].options.readings == readings
        assert modes["thorough"].measured is not None
        assert modes["thorough"].measured.recall == 1
        assert modes["balanced"].options.readings == 1
