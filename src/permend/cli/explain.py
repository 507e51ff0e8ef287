"""``permend explain``: draw what the model did with a sentence.

In: a sentence and a model. Out: the pointer's matrix as a grid, rows pointing to columns; the plan as ``permend align``
shows it; what the decoder wrote; the runners-up; or all of it as JSON. Colours tell in a terminal, shades and signs
tell the same where there are none. The matrix can also become a picture, with the chosen path drawn through it, which
needs matplotlib (the ``plot`` extra).
"""

from __future__ import annotations

import warnings
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import numpy as np
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from permend.cli.align import draw_label
from permend.cli.loading import load_corrector, model_options
from permend.cli.terminal import SafeConsole, as_text
from permend.corrector.trace import Candidate, Trace, trace, trace_json
from permend.errors import InputError, MissingExtraError
from permend.text.edits import diff
from permend.text.visible import visible_json

_SHADES = "·░▒▓█"
_ON_PATH = "◆"
_PALE, _FULL = np.array([24, 34, 48]), np.array([88, 196, 255])  # colours of probability 0 and 1
_LABEL = 14  # characters of a row's name


def draw_trace(trace: Trace, console: Console) -> None:
    """Draw a trace for people."""
    console.print(_grid(trace, console.width), "", sep="\n")
    draw_label(trace.chosen.label, console)
    for each in (_passes(trace), _ranking(trace)):
        if each is not None:
            console.print("", each, sep="\n")
    if trace.left:
        console.print("\nIn this mode it is left alone after the first layers: they doubt it too little.", style="dim")
    elif trace.chosen is not trace.best:
        console.print(
            f"\nThe best sentence is only {trace.margin(trace.best):.3f} better than yours: too little to change it.",
            style="dim",
        )


def names(trace: Trace) -> list[str]:
    """Name the positions worth drawing: tokens, the slots of the chosen plan with their fills, the next free slot."""
    label, tokens = trace.chosen.label, trace.tokens
    written = [tokens.text[start:end] for start, end in tokens.spans]
    pieces = [text or label.tokenizer.piece(token) for text, token in zip(written, tokens.ids, strict=True)]
    slots = [f"slot: {label.tokenizer.decode(fill) or 'nothing'}" for fill in label.alignment.fills]
    free = ["free slot"] if len(pieces) + len(slots) < len(trace.scores) else []
    return [" ".join(name.split()) for name in (*pieces, *slots, *free)]


def _grid(trace: Trace, width: int) -> RenderableType:
    """Draw the matrix of the chosen plan, as wide as fits."""
    plan, rows = trace.chosen.plan, names(trace)
    room = (width - _LABEL - 4) // len(rows)
    if room < 1:
        return Text(f"The matrix of {len(rows)} positions needs more room than this terminal has: see --png.", "dim")
    chances = trace.chances(plan)
    on_path = set(pairwise(plan.order))
    cell = min(room, 3)
    lines = _numbers(len(rows), cell)
    for row, name in enumerate(rows):
        line = Text(name, style="" if row in plan.order else "dim")
        line.truncate(_LABEL, overflow="ellipsis")
        line.align("right", _LABEL)
        line.append(f" {row:>2} ")
        for column in range(len(rows)):
            line.append_text(_cell(chances[row, column], (row, column) in on_path, cell))
        lines.append(line)
    lines.append(Text(f"\nrow → column, {_ON_PATH} the chosen path; {_SHADES} from improbable to certain", "dim"))
    return Group(*lines)


def _numbers(count: int, cell: int) -> list[Text]:
    """Number the columns, with the tens on a line of their own where columns are narrow."""
    margin = " " * (_LABEL + 4)
    if cell > 2:
        return [Text(margin + "".join(f"{number:<{cell}}" for number in range(count)), "dim")]
    tens = "".join(f"{'' if number % 10 else number // 10 or '':<{cell}}" for number in range(count))
    units = "".join(f"{number % 10:<{cell}}" for number in range(count))
    return [Text(margin + tens, "dim"), Text(margin + units, "dim")]


def _cell(chance: float, on_path: bool, width: int) -> Text:
    """Draw a step: its shade has its background's colour, so that it shows only where there are no colours."""
    shade = _SHADES[min(int(chance * len(_SHADES)), len(_SHADES) - 1)] if chance >= 0.01 else " "
    red, green, blue = (_PALE + (_FULL - _PALE) * chance).astype(int)
    colour = f"rgb({red},{green},{blue})"
    text = Text(shade * width, style=f"{colour} on {colour}")
    if on_path:
        text = Text(_ON_PATH, style=f"bold rgb(255,140,40) on {colour}").append_text(text[1:])
    return text


def _passes(trace: Trace) -> Table | None:
    """List what each pass of the decoder wrote at the masks of the chosen plan."""
    chosen = trace.chosen
    if not chosen.passes:
        return None
    table = Table(
        title="What the decoder wrote", title_justify="left", title_style="bold", box=None, padding=(0, 2, 0, 0)
    )
    table.add_column("slot", justify="right")
    for number in range(1, len(chosen.passes) + 1):
        table.add_column(f"pass {number}")
    width = len(chosen.label.template.masks) // chosen.plan.slots
    for slot in range(chosen.plan.slots):
        here = slice(slot * width, (slot + 1) * width)
        cells = ["  ".join(f"{each.piece} {each.probability:.0%}" for each in tokens[here]) for tokens in chosen.passes]
        table.add_row(str(chosen.plan.length + slot), *map(Text, cells))
    return table


def _ranking(trace: Trace) -> Table:
    """List all candidates with what they are ranked by."""
    table = Table(title="All hypotheses", title_justify="left", title_style="bold", box=None, padding=(0, 2, 0, 0))
    for name in ("score", "margin", "log p(π)", "log p(y|π)"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("sentence", overflow="fold")
    for each in trace.candidates:
        numbers = (
            each.alternative.score,
            trace.margin(each),
            each.alternative.plan_log_prob,
            each.alternative.fill_log_prob,
        )
        table.add_row(
            *(f"{number:.3f}" for number in numbers),
            _changed(trace.tokens.text, each),
            style="bold" if each is trace.chosen else "",
        )
    return table


def _changed(source: str, candidate: Candidate) -> Text:
    """Write a candidate's text with its changes marked."""
    line, at = Text(), 0
    for edit in diff(source, candidate.alternative.text):
        line.append(source[at : edit.start])
        line.append(f"[-{edit.before}-]" if edit.before else "", "red")
        line.append(f"{{+{edit.after}+}}" if edit.after else "", "green")
        at = edit.end
    line.append(source[at:])
    if candidate.alternative.unchanged:
        line.append("  unchanged", "dim italic")
    return line


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


@click.command()
@click.argument("sentence")
@click.option("--alternatives", type=click.IntRange(1), metavar="N", help="Look at the N best sentences.")
@click.option("--png", metavar="FILE.png", help="Also draw the matrix as a heat map.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@model_options
def explain(sentence: str, alternatives: int | None, png: str | None, as_json: bool, **options: Any) -> None:
    """Draw what the model did with SENTENCE.

    The grid is the pointer's matrix: how probable it is that the column follows the row, and the path that was chosen
    through it. Below it the plan, which lists positions in the order of the corrected sentence; what the decoder
    wrote into its slots; and all hypotheses with their scores and their margin over the unchanged sentence.

    \b
    Examples:
      permend explain "He go to school yesterday."
      permend explain "I am agree with you." --png agree.png
      permend explain "I am agree with you." --json
    """
    text = as_text(sentence, "SENTENCE")
    corrector = load_corrector(at_least=alternatives, **options)
    seen = trace(corrector, text)
    if png:
        draw_heat_map(seen, png)
    if as_json:
        click.echo(visible_json(trace_json(seen)))
    else:
        console = SafeConsole()
        draw_trace(seen, console)
        if corrector.options.readings > 1 and seen.correction.edits:
            console.print("This mode reads a sentence again when it has changed it; this was the first reading.")
