"""All of tuning: validation sentences in, modes and a calibration out.

tuned = tune(Corrector.from_pretrained("model"), read_sentences("dev.m2"), [Options(bias=0.0), Options(bias=0.3)])
tuned.modes["balanced"].measured    # precision, recall, correct sentences changed
tuned.confidence.calibration        # from the edits of all settings, before any threshold
tuned.confidence.after.error        # how far probabilities are off, on the edits of the default mode's setting
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from permend.calibration import Calibration
from permend.correction import level
from permend.corrector import Corrector, Options
from permend.modes import DEFAULT, THOROUGH, Measured, Mode
from permend.text.edits import apply
from permend.tuning.confidence import Confidence, check, evidence, judge_edits, learn
from permend.tuning.correcting import correct_with
from permend.tuning.curves import Curve, choose, find_curves
from permend.tuning.sentences import Corrected, Sentences, Tracked, silently

LEAST = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7)
"""Probabilities below which edits are dropped, to be tried beside none."""


@dataclass(frozen=True)
class Tuned:
    """What tuning found."""

    modes: Mapping[str, Mode]
    curves: list[Curve]
    calibration: Calibration | None
    """None where too few edits are made to learn from."""
    confidence: Confidence | None


def tune(
    corrector: Corrector,
    sentences: Sentences,
    settings: Sequence[Options],
    beta: float = 0.5,
    give: float = 0.0,
    readings: int = 1,
    tracked: Tracked = silently,
) -> Tuned:
    """Try settings, none of which has a threshold, on sentences; choose modes and learn a calibration.

    A mode may `give` up so much of its best F, a share, for more recall. `thorough` reads what it changes as often as
    `readings` says, where that is better. What is measured of a mode is what it does as it stands.
    """
    bare = Corrector(corrector.networks, corrector.tokenizer)  # without the calibration that it may have
    results = correct_with(bare, sentences.texts, settings, tracked)
    judged = [
        judge_edits(sentences, corrected, options.bias, tracked)
        for options, corrected in zip(settings, results, strict=True)
    ]
    calibration = learn(judged)
    curves = find_curves(sentences, settings, results, tracked)
    if calibration is not None:
        for least in LEAST:
            fewer = [replace(options, min_confidence=least) for options in settings]
            kept = [
                [drop_edits(*each, options, calibration) for each in zip(sentences.texts, corrected, strict=True)]
                for options, corrected in zip(fewer, results, strict=True)
            ]
            curves += find_curves(sentences, fewer, kept, tracked)
    modes = choose(curves, sum(sentences.correct), beta, give)
    final = Corrector(corrector.networks, corrector.tokenizer, calibration=calibration)
    eager = replace(modes[THOROUGH].options, readings=readings)
    candidates = [mode.options for mode in modes.values()] + [eager] * (readings > 1)
    measured = [
        _measure(sentences, corrected, tracked)  # a curve judges texts that were split by the margin of the whole
        for corrected in correct_with(final, sentences.texts, candidates, tracked)
    ]
    modes = {name: Mode(*each) for name, each in zip(modes, zip(candidates, measured, strict=True), strict=False)}
    if readings > 1 and measured[-1].f_beta(beta) > measured[list(modes).index(THOROUGH)].f_beta(beta):
        modes[THOROUGH] = Mode(eager, measured[-1])
    shown = settings.index(replace(modes[DEFAULT].options, min_margin=0.0, min_confidence=0.0))
    return Tuned(modes, curves, calibration, check(judged, shown) if calibration and judged[shown] else None)


def _measure(sentences: Sentences, corrected: Sequence[Corrected], tracked: Tracked) -> Measured:
    """Count what a setting does as it stands."""
    judged, score = sentences.judge(corrected, tracked)
    for each in judged:
        score += each.changed
    alarms = sum(each.correct for each in judged)
    return Measured(score.precision, score.recall, score.f(), alarms, sum(sentences.correct))


def drop_edits(source: str, corrected: Corrected, options: Options, calibration: Calibration) -> Corrected:
    """Return a correction without the edits that are not probable enough, as a calibrated corrector drops them."""
    sure = [replace(edit, probability=calibration(evidence(edit, corrected, options.bias))) for edit in corrected.edits]
    kept = tuple(edit for edit in level(sure) if edit.probability >= options.min_confidence)
    return replace(corrected, text=apply(source, kept), edits=kept)
