"""Operating points: every threshold of every setting, and the three modes among them.

In: validation sentences, settings, and what each makes of the sentences. Out of `find_curves`: a `Curve` for each
setting. Out of `choose`: the modes, each the point with the best F among those that change few enough of the correct
sentences: `thorough` any number of them, `balanced` at most 1.5%, `precise` 0.3%. F changes little around its best, so
a mode may `give` up some of it for recall: of all points that are good enough, the one that finds most. No mode keeps
an edit that a more eager one would drop as too improbable. Where no sentence is correct nothing is known of false
alarms, and the three are the same.

    results = correct_with(corrector, sentences.texts, settings)
    modes = choose(find_curves(sentences, settings, results), sum(sentences.correct))

A text that is too long for the network and was split counts with the margin of the whole, though each part decides for
itself; of benchmark sentences that is next to none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from permend.corrector import Options
from permend.evaluation.thresholds import Point, sweep
from permend.modes import Measured, Mode
from permend.tuning.sentences import Corrected, Sentences, Tracked, silently

ALARMS = {"thorough": 1.0, "balanced": 0.015, "precise": 0.003}
"""Share of the correct sentences that a mode may change."""


@dataclass(frozen=True)
class Curve:
    """All thresholds of one setting."""

    options: Options
    points: list[Point]


def find_curves(
    sentences: Sentences,
    settings: Sequence[Options],
    results: Sequence[Sequence[Corrected]],
    tracked: Tracked = silently,
) -> list[Curve]:
    """Sweep the threshold of each setting over what it makes of the sentences without one."""
    judged = (sentences.judge(corrected, tracked) for corrected in results)
    return [Curve(options, sweep(*each)) for options, each in zip(settings, judged, strict=True)]


def choose(curves: Sequence[Curve], correct: int, beta: float = 0.5, give: float = 0.0) -> dict[str, Mode]:
    """Choose the modes among all points of all curves; `correct` counts the sentences without an error."""
    points = [(curve.options, point) for curve in curves for point in curve.points]
    modes: dict[str, Mode] = {}
    least = 0.0
    for name, share in ALARMS.items():
        allowed = [each for each in points if each[1].correct_changed <= share * correct]
        allowed = [each for each in allowed if each[0].min_confidence >= least]
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
