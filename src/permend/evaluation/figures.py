"""Two pictures of a tuned model: precision over recall, and how often edits of each probability are right.

In: curves and the modes chosen on them, or the bins of a `Reliability`; and a path. Out: a picture (PNG, or what the
ending says). Needs matplotlib (the ``plot`` extra).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from permend.errors import InputError, MissingExtraError
from permend.evaluation.calibrate import Bin
from permend.evaluation.tuning import Curve
from permend.model.options import Mode, Options


def draw_curves(curves: Sequence[Curve], modes: Mapping[str, Mode], path: str | Path) -> None:
    """Draw precision over recall for every setting, and the modes."""
    with _picture(path) as figure:
        axes = figure.add_subplot(xlabel="recall (%)", ylabel="precision (%)", title="Every threshold of every setting")
        chosen = [replace(mode.options, min_margin=0.0) for mode in modes.values()]
        plain = Options().min_confidence, Options().slip_margin
        for curve in curves:
            if (curve.options.min_confidence, curve.options.slip_margin) != plain and curve.options not in chosen:
                continue
            points = curve.points[1:]  # the first one changes nothing and has no precision
            recalls, precisions = ([100 * getattr(p.score, name) for p in points] for name in ("recall", "precision"))
            label = f"bias {curve.options.bias:g}, {curve.options.steps} steps, p ≥ {curve.options.min_confidence:g}"
            if curve.options.slip_margin is not None:
                label += f", slips from {curve.options.slip_margin:g}"
            axes.plot(recalls, precisions, label=label, linewidth=1)
        for name, mode in modes.items():
            if mode.measured is not None:
                place = 100 * mode.measured.recall, 100 * mode.measured.precision
                axes.plot(*place, "k.")
                axes.annotate(name, place, textcoords="offset points", xytext=(5, 5))
        axes.legend(fontsize="small")
        axes.grid(alpha=0.3)


def draw_reliability(before: Sequence[Bin], after: Sequence[Bin], path: str | Path) -> None:
    """Draw the share of right edits over the probability that they were given."""
    with _picture(path) as figure:
        axes = figure.add_subplot(
            xlabel="probability of an edit", ylabel="share of right edits", title="Bins with equally many edits"
        )
        axes.plot([0, 1], [0, 1], color="grey", linestyle=":", linewidth=1)
        for bins, label, color in ((before, "share of the hypotheses", "#e0873c"), (after, "calibrated", "#4878a8")):
            axes.plot([b.said for b in bins], [b.right for b in bins], "o-", label=label, color=color, markersize=4)
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        axes.set_aspect("equal")
        axes.legend()
        axes.grid(alpha=0.3)


@contextmanager
def _picture(path: str | Path) -> Iterator[Any]:
    """Give a figure to draw on, and write it when it is done."""
    try:
        figure_module: Any = import_module("matplotlib.figure")
    except ImportError:
        raise MissingExtraError("The picture (matplotlib)", "plot") from None
    figure = figure_module.Figure(figsize=(7, 5.5), layout="constrained")
    yield figure
    try:
        figure.savefig(path, dpi=120)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be written: {error}", path) from None
