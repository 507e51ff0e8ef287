"""The pointer's matrix as a picture, with the chosen path drawn through it.

In: a `Trace` and a path. Out: a picture (PNG, or what the ending says). Needs matplotlib (the ``plot`` extra).
"""

from __future__ import annotations

import warnings
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

from permend.cli.trace_view import names
from permend.errors import InputError, MissingExtraError
from permend.trace import Trace

_INCHES = 0.3  # a row
_PATH = "#e8590c"
_FAINT = "#6e7781"
_BRIGHT = 0.6  # chances from here on are dark, and their numbers white


def draw_heat_map(trace: Trace, path: str | Path) -> None:
    """Draw rows as "from", columns as "to", the path from cell to cell, and the chance of each of its steps."""
    try:
        figure_module: Any = import_module("matplotlib.figure")
    except ImportError:
        raise MissingExtraError("The heat map (matplotlib)", "plot") from None
    labels = names(trace)
    size = _INCHES * len(labels) + 1.8
    figure = figure_module.Figure(figsize=(size, size), layout="constrained")
    axes = figure.subplots()
    count = len(labels)
    axes.imshow(trace.chances(trace.chosen.plan)[:count, :count], cmap="Blues", vmin=0, vmax=1)
    _name_axes(axes, trace, labels)
    _draw_path(axes, trace)
    figure.supxlabel(_literal(trace.chosen.alternative.text), fontsize="medium", wrap=True)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing")  # a script that the font lacks is drawn as boxes
            figure.savefig(path, dpi=90)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be written: {error}", path) from None


def _name_axes(axes: Any, trace: Trace, labels: list[str]) -> None:
    places = range(len(labels))
    numbered = [_literal(f"{name} {place}") for place, name in enumerate(labels)]
    axes.set_xticks(places, numbered, rotation=90)
    axes.set_yticks(places, numbered)
    for place, tick in enumerate(axes.get_yticklabels()):
        tick.set_color("black" if place in trace.chosen.plan.order else _FAINT)  # the plan never stands there
    axes.xaxis.tick_top()
    axes.annotate("from ↓  to →", (0, 1), (-8, 8), "axes fraction", "offset points", ha="right", color=_FAINT)
    axes.tick_params(length=0)
    axes.set_xticks([place - 0.5 for place in places], minor=True)
    axes.set_yticks([place - 0.5 for place in places], minor=True)
    axes.grid(which="minor", color="#d0d7de", linewidth=0.5)
    axes.tick_params(which="minor", length=0)
    edge = len(trace.tokens.ids) - 0.5  # between tokens and slots
    axes.axhline(edge, color="#57606a", linewidth=1)
    axes.axvline(edge, color="#57606a", linewidth=1)


def _draw_path(axes: Any, trace: Trace) -> None:
    """Mark the steps of the chosen plan; from a step's column the path goes on in the row of the same name."""
    steps = list(pairwise(trace.chosen.plan.order))
    chances = trace.chances(trace.chosen.plan)
    axes.plot([to for _, to in steps], [start for start, _ in steps], color=_PATH, linewidth=1, alpha=0.7)
    for start, to in steps:
        chance = chances[start, to]
        axes.plot([to], [start], "s", markersize=14, markerfacecolor="none", markeredgecolor=_PATH)
        axes.text(
            to,
            start,
            f"{100 * chance:.0f}",
            ha="center",
            va="center",
            fontsize=7,
            color="white" if chance > _BRIGHT else "black",
        )


def _literal(text: str) -> str:
    """Keep matplotlib from reading what stands between two dollar signs as a formula."""
    return text.replace("$", r"\$")
