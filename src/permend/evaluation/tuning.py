"""Tuning: a development set in, the three modes of a model and a calibration out.

    tuned = tune(Corrector.from_pretrained("model"), read_devset("dev.m2"), [Options(bias=0.0), Options(bias=0.3)])
    tuned.modes["balanced"].measured    # precision, recall, correct sentences changed
    tuned.calibration                   # from the edits of all settings, before any threshold
    tuned.confidence.after.error        # how far probabilities are off, on the edits of the default mode's setting

`find_curves` makes a `Curve` for each setting, with every threshold on the margin, and `choose` picks the modes: each
is the point with the best F among those that change few enough of the correct sentences, `thorough` any number of them,
`balanced` at most 1.5%, `precise` 0.3%. Slips may have a margin of their own in `balanced` (`find_slip_curves`). Of
settings of which some share fills (`Options.shared`), `thorough` takes one that does not, the others one that does. F
changes little around its best, so a mode may `give` up some of it for recall: of all points that are good enough, the
one that finds most. No mode keeps an edit that a more eager one would drop as too improbable. Where no sentence is
correct nothing is known of false alarms, and the three are the same.

A text that is too long for the network and was split counts on a curve with the margin of the whole, though each part
decides for itself; of benchmark sentences that is next to none.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from permend.corrector.corrector import Corrector, Options
from permend.corrector.explaining.language import Language
from permend.corrector.scoring import equalise_moved_halves
from permend.corrector.slips import mend_slips
from permend.evaluation.calibrate import Confidence, check, evidence, judge_edits, learn
from permend.evaluation.correcting import Corrected, Tracked, correct_with, silently
from permend.evaluation.devset import DevSet
from permend.evaluation.leaving import choose_leaving, find_doubts
from permend.evaluation.score import Judged, Point, Score, sweep
from permend.model.networks import parts_of
from permend.model.options import DEFAULT, THOROUGH, Calibration, Measured, Mode
from permend.text.edits import apply

ALARMS = {"thorough": 1.0, "balanced": 0.015, "precise": 0.003}
"""Share of the correct sentences that a mode may change."""


@dataclass(frozen=True)
class Curve:
    """All thresholds of one setting."""

    options: Options
    points: list[Point]


def find_curves(
    devset: DevSet,
    settings: Sequence[Options],
    results: Sequence[Sequence[Corrected]],
    tracked: Tracked = silently,
) -> list[Curve]:
    """Sweep the threshold of each setting over what it makes of the sentences without one."""
    judged = (devset.judge(corrected, tracked) for corrected in results)
    return [Curve(options, sweep(*each)) for options, each in zip(settings, judged, strict=True)]


def find_slip_curves(
    devset: DevSet,
    settings: Sequence[Options],
    results: Sequence[Sequence[Corrected]],
    margin: float,
    language: Language,
) -> list[Curve]:
    """Sweep the threshold above which more than slips is mended; slips are from a margin of their own."""
    curves = []
    for options, corrected in zip(settings, results, strict=True):
        slips = [_only_slips(*each, margin, language) for each in zip(devset.texts, corrected, strict=True)]
        curves.append(Curve(replace(options, slip_margin=margin), sweep(*_judge_both(devset, corrected, slips))))
    return curves


def _only_slips(source: str, corrected: Corrected, margin: float, language: Language) -> Corrected:
    edits = mend_slips(source, corrected.edits, language) if corrected.margin >= margin else []
    return replace(corrected, text=apply(source, edits), edits=tuple(edits))


def _judge_both(devset: DevSet, whole: Sequence[Corrected], slips: Sequence[Corrected]) -> tuple[list[Judged], Score]:
    """Judge slips, which are mended at any threshold, and by themselves what a low enough threshold adds to them."""
    always, rest = devset.judge(slips)
    judged = [replace(each, margin=math.inf) for each in always]
    for place, (all_, some) in enumerate(zip(whole, slips, strict=True)):
        if all_.text != some.text:
            added = devset.score_one(place, all_.text) - devset.score_one(place, some.text)
            alarm = devset.correct[place] and not devset.is_changed(place, some.text)
            judged.append(Judged(all_.margin, added, Score(), alarm and devset.is_changed(place, all_.text)))
    return judged, rest


def choose(curves: Sequence[Curve], correct: int, beta: float = 0.5, give: float = 0.0) -> dict[str, Mode]:
    """Choose the modes among all points of all curves; `correct` counts the sentences without an error."""
    points = [(curve.options, point) for curve in curves for point in curve.points]
    modes: dict[str, Mode] = {}
    least = 0.0
    sharing = {options.shared for options, _ in points}
    for name, share in ALARMS.items():
        shared = max(sharing) if name != THOROUGH else min(sharing)
        allowed = [each for each in points if each[0].shared == shared]
        allowed = [each for each in allowed if each[1].correct_changed <= share * correct]
        allowed = [each for each in allowed if each[0].min_confidence >= least]
        for_slips = [each for each in allowed if each[0].slip_margin is not None]
        allowed = (
            for_slips if name == DEFAULT and for_slips else [each for each in allowed if each[0].slip_margin is None]
        )
        enough = max(point.score.f(beta) for _, point in allowed) - give
        good = [each for each in allowed if each[1].score.f(beta) >= enough]
        modes[name] = _mode(*max(good, key=lambda each: (each[1].score.recall, each[1].score.f(beta))), correct)
        least = modes[name].options.min_confidence
    return modes


def _mode(options: Options, point: Point, correct: int) -> Mode:
    score = point.score
    measured = Measured(score.precision, score.recall, score.f(), point.correct_changed, correct)
    threshold = min(point.threshold, 1e6)  # JSON has no infinity; nothing is that confident
    return Mode(replace(options, min_margin=round(threshold, 6)), measured)


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
    devset: DevSet,
    settings: Sequence[Options],
    beta: float = 0.5,
    give: float = 0.0,
    readings: int = 1,
    tracked: Tracked = silently,
    leaving: float = 0.0,
    slips: float | None = None,
) -> Tuned:
    """Try settings, none of which has a threshold, on sentences; choose modes and learn a calibration.

    A mode may `give` up so much of its best F, a share, for more recall. `thorough` reads what it changes as often as
    `readings` says, where that is better; `balanced` mends `slips` from that margin on; in all modes but
    `thorough` sentences may leave early, where the model has a head and that costs no more F than `leaving`. What is
    measured of a mode is what it does as it stands.
    """
    bare = Corrector.of(corrector.networks, corrector.tokenizer)  # without the calibration that it may have
    results = correct_with(bare, devset.texts, settings, tracked)
    judged = [
        judge_edits(devset, corrected, options.bias, tracked)
        for options, corrected in zip(settings, results, strict=True)
    ]
    calibration = learn(judged)
    curves = find_curves(devset, settings, results, tracked)
    if calibration is not None:
        for least in LEAST:
            fewer = [replace(options, min_confidence=least) for options in settings]
            kept = [
                [drop_edits(*each, options, calibration) for each in zip(devset.texts, corrected, strict=True)]
                for options, corrected in zip(fewer, results, strict=True)
            ]
            curves += find_curves(devset, fewer, kept, tracked)
            if slips is not None:
                curves += find_slip_curves(devset, fewer, kept, slips, corrector.language)
    modes = choose(curves, sum(devset.correct), beta, give)
    final = Corrector.of(corrector.networks, corrector.tokenizer, calibration=calibration)
    eager = replace(modes[THOROUGH].options, readings=readings)
    candidates = [mode.options for mode in modes.values()] + [eager] * (readings > 1)
    found = correct_with(final, devset.texts, candidates, tracked)
    measured = [
        _measure(devset, corrected, tracked)  # a curve judges texts that were split by the margin of the whole
        for corrected in found
    ]
    modes = {name: Mode(*each) for name, each in zip(modes, zip(candidates, measured, strict=True), strict=False)}
    if readings > 1 and measured[-1].f_beta(beta) > measured[list(modes).index(THOROUGH)].f_beta(beta):
        modes[THOROUGH] = Mode(eager, measured[-1])
    shown = settings.index(replace(modes[DEFAULT].options, min_margin=0.0, min_confidence=0.0, slip_margin=None))
    if leaving > 0 and parts_of(corrector.networks) is not None:
        plain = dict(zip(modes, found, strict=False))
        modes = _with_leaving(final, devset, modes, plain, leaving, beta, tracked)
    return Tuned(modes, curves, calibration, check(judged, shown) if calibration and judged[shown] else None)


def _with_leaving(
    corrector: Corrector,
    devset: DevSet,
    modes: Mapping[str, Mode],
    corrected: Mapping[str, Sequence[Corrected]],
    cost: float,
    beta: float,
    tracked: Tracked,
) -> dict[str, Mode]:
    """Return the modes with the threshold below which sentences leave early; `thorough` reads all of them."""
    doubts = find_doubts(corrector, devset.texts)
    others = [name for name in modes if name != THOROUGH]
    settings = [
        replace(modes[name].options, leave_below=choose_leaving(devset, corrected[name], doubts, cost, beta))
        for name in others
    ]
    found = correct_with(corrector, devset.texts, settings, tracked)
    measured = [_measure(devset, each, tracked) for each in found]
    leaving = {name: Mode(*each) for name, each in zip(others, zip(settings, measured, strict=True), strict=True)}
    return {name: leaving.get(name, mode) for name, mode in modes.items()}


def _measure(devset: DevSet, corrected: Sequence[Corrected], tracked: Tracked) -> Measured:
    """Count what a setting does as it stands."""
    judged, score = devset.judge(corrected, tracked)
    for each in judged:
        score += each.changed
    alarms = sum(each.correct for each in judged)
    return Measured(score.precision, score.recall, score.f(), alarms, sum(devset.correct))


def drop_edits(source: str, corrected: Corrected, options: Options, calibration: Calibration) -> Corrected:
    """Return a correction without the edits that are not probable enough, as a calibrated corrector drops them."""
    sure = [replace(edit, probability=calibration(evidence(edit, corrected, options.bias))) for edit in corrected.edits]
    kept = tuple(edit for edit in equalise_moved_halves(sure) if edit.probability >= options.min_confidence)
    return replace(corrected, text=apply(source, kept), edits=kept)
