"""A bar chart of made errors beside real ones.

In: a `Comparison` and a path. Out: a picture (PNG, or what the ending says). Needs matplotlib (the ``synth`` extra).
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from permend.errors import InputError, MissingExtraError
from permend.synthesis.comparison import MOST_SHOWN, Comparison, error_shares

_TYPES = 20
_REAL, _MADE = "#4878a8", "#e0873c"


def draw_chart(comparison: Comparison, path: str | Path) -> None:
    """Draw the shares of types, and the errors a sentence."""
    try:
        figure_module: Any = import_module("matplotlib.figure")
    except ImportError:
        raise MissingExtraError("The chart (matplotlib)", "synth") from None
    figure = figure_module.Figure(figsize=(11, 6), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    rows = comparison.rows()[:_TYPES]
    _bars(left, [row[0] for row in rows], [row[1] for row in rows], [row[3] for row in rows], upright=False)
    left.set_title("Types of errors")
    left.set_xlabel("share of all errors, %")
    names = [*map(str, range(MOST_SHOWN)), f"{MOST_SHOWN}+"]
    _bars(right, names, error_shares(comparison.annotated), error_shares(comparison.made), upright=True)
    right.set_title("Errors a sentence")
    right.set_ylabel("share of sentences, %")
    right.legend()
    try:
        figure.savefig(path, dpi=120)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be written: {error}", path) from None


def _bars(axes: Any, names: list[str], real: list[float], made: list[float], *, upright: bool) -> None:
    draw = axes.bar if upright else axes.barh
    size = {"width" if upright else "height": 0.4}
    places = range(len(names))
    draw([place - 0.2 for place in places], [100 * share for share in real], color=_REAL, label="real", **size)
    draw([place + 0.2 for place in places], [100 * share for share in made], color=_MADE, label="made", **size)
    (axes.set_xticks if upright else axes.set_yticks)(places, names)
    axes.grid(axis="y" if upright else "x", alpha=0.3)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    if not upright:
        axes.invert_yaxis()
