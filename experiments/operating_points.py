"""Choose a model's modes on annotated sentences and write them into its folder.

Run: python -m experiments.operating_points MODEL GOLD.m2 [--bias 0 --bias 0.3 …] [--plot FILE.png]

Every bias is searched once; over all thresholds on the margin that follow, `thorough` is the point with the best F0.5,
`balanced` the one that finds most while it changes at most 1.5% of the correct sentences, `precise` the same with 0.3%.
A text that is too long for the network and was split counts with the margin of the whole, though each part decides for
itself; of benchmark sentences that is next to none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from benchmarks.annotated import Annotated, correct_with
from permend.corrector import Corrector, Options
from permend.evaluation.thresholds import Point, best_f, most_recall, sweep
from permend.modes import Measured, Mode, Modes, write_modes

BIASES = (0.0, 0.1, 0.2, 0.3, 0.4)
ALARMS = {"balanced": 0.015, "precise": 0.003}
"""Share of the correct sentences that a mode may change."""


@dataclass(frozen=True)
class Curve:
    """All thresholds of one setting."""

    options: Options
    points: list[Point]


def curves(annotated: Annotated, corrector: Corrector, settings: Sequence[Options]) -> list[Curve]:
    """Correct once with each setting, and sweep the threshold."""
    results = correct_with(corrector, annotated.texts, settings)
    return [Curve(o, sweep(*annotated.judge(each))) for o, each in zip(settings, results, strict=True)]


def choose(found: Sequence[Curve], correct: int) -> dict[str, Mode]:
    """Choose the modes among all points of all curves."""
    thorough = [(curve.options, best_f(curve.points)) for curve in found]
    modes = {"thorough": _mode(*max(thorough, key=lambda each: each[1].score.f()), correct)}
    for name, share in ALARMS.items():
        candidates = [(curve.options, most_recall(curve.points, share * correct)) for curve in found]
        modes[name] = _mode(*max(candidates, key=lambda each: (each[1].score.tp, each[1].score.precision)), correct)
    return modes


def _mode(options: Options, point: Point, correct: int) -> Mode:
    score = point.score
    measured = Measured(score.precision, score.recall, score.f(), point.correct_changed, correct)
    threshold = min(point.threshold, 1e6)  # JSON has no infinity; nothing is that confident
    return Mode(replace(options, min_confidence=round(threshold, 6)), measured)


def plot(found: Sequence[Curve], modes: dict[str, Mode], path: str) -> None:
    """Draw precision over recall for every bias, and the modes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 5), layout="constrained")
    axes = figure.add_subplot(xlabel="recall (%)", ylabel="precision (%)", title="Thresholds on the margin, by bias c")
    for curve in found:
        points = curve.points[1:]  # the first one changes nothing and has no precision
        recalls, precisions = ([100 * getattr(p.score, name) for p in points] for name in ("recall", "precision"))
        axes.plot(recalls, precisions, label=f"c = {curve.options.bias:g}", linewidth=1)
    for name, mode in modes.items():
        if mode.measured is not None:
            place = 100 * mode.measured.recall, 100 * mode.measured.precision
            axes.plot(*place, "k.")
            axes.annotate(name, place, textcoords="offset points", xytext=(5, 5))
    axes.legend()
    figure.savefig(path, dpi=150)


@click.command()
@click.argument("model")
@click.argument("gold")
@click.option("--bias", "biases", type=float, multiple=True, default=BIASES, show_default=True)
@click.option("--beam", default=Options().beam, show_default=True)
@click.option("--steps", default=Options().steps, show_default=True)
@click.option("--limit", type=int, help="Only the first sentences.")
@click.option("--plot", "picture", help="Draw the curves into this file.")
@click.option("--dry-run", is_flag=True, help="Leave the model's folder as it is.")
def main(
    model: str,
    gold: str,
    biases: tuple[float, ...],
    beam: int,
    steps: int,
    limit: int | None,
    picture: str | None,
    dry_run: bool,
) -> None:
    """Print the modes and write them into the model's folder."""
    annotated = Annotated.read(gold, limit)
    settings = [Options(bias=bias, beam=beam, alternatives=beam, steps=steps) for bias in biases]
    found = curves(annotated, Corrector.from_pretrained(model, threads=1), settings)
    modes = choose(found, sum(annotated.correct))
    table = Table("mode", "bias", "margin", "P", "R", "F0.5", "correct changed", title=f"{annotated.name}, ERRANT")
    for name, mode in modes.items():
        assert mode.measured is not None
        shares = (mode.measured.precision, mode.measured.recall, mode.measured.f)
        alarms = f"{mode.measured.correct_changed} of {mode.measured.correct:,}"
        numbers = f"{mode.options.bias:g}", f"{mode.options.min_confidence:.4f}"
        table.add_row(name, *numbers, *(f"{100 * share:.2f}" for share in shares), alarms)
    Console().print(table)
    if not dry_run:
        write_modes(model, Modes(modes, f"{len(annotated.sentences):,} sentences of {Path(gold).name}"))
    if picture is not None:
        plot(found, modes, picture)


if __name__ == "__main__":
    main()
