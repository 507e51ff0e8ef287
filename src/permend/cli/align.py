"""``permend align``: show what the method makes of a sentence pair, or count it over a corpus.

In: two sentences, or a file of pairs. Out: the plan with its decoder input and output, or counts of what plans can
express, drawn for people or as JSON. Colours tell in a terminal; signs tell the same where there are none:
``[-deleted-]``, ``{+inserted+}``, and an arrow before a stretch that moved, towards where it went.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import click
from rich.bar import Bar
from rich.console import Console
from rich.table import Table
from rich.text import Text

from permend.cli.terminal import SafeConsole, as_text, tracked
from permend.corpora.pairs import read_pairs
from permend.method.align import MASKS, MAX_LEN, SLOTS, Losses
from permend.method.label import Label, Labeler, Statistics
from permend.method.plan import Plan
from permend.text.tokens import SubwordTokenizer, WordTokenizer
from permend.text.visible import visible_json


@click.command()
@click.argument("source", required=False)
@click.argument("target", required=False)
@click.option("--pairs", metavar="FILE", help="Count over a corpus instead: a .tsv or .m2 file.")
@click.option("--words", is_flag=True, help="Whitespace-separated words as tokens (the default).")
@click.option("--tokenizer", metavar="PATH", help="A tokenizer.json, or a model folder that holds one.")
@click.option(
    "--labels",
    type=click.Choice(["permend", "felix"]),
    default="permend",
    show_default=True,
    help="Algorithm 1 of the paper, or FELIX's way of pointing.",
)
@click.option(
    "--slots", type=click.IntRange(0), default=SLOTS, show_default=True, help="Insertions a sentence may have."
)
@click.option("--masks", type=click.IntRange(1), default=MASKS, show_default=True, help="Tokens an insertion may have.")
@click.option("--max-len", type=click.IntRange(1), default=MAX_LEN, show_default=True, help="How far spans may move.")
@click.option(
    "--overflow",
    type=click.Choice(["cut", "keep"]),
    default="cut",
    show_default=True,
    help="An insertion that does not fit: cut it, or keep the source there.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def align(
    source: str | None,
    target: str | None,
    pairs: str | None,
    words: bool,
    tokenizer: str | None,
    as_json: bool,
    labels: str,
    **options: Any,
) -> None:
    """Show the plan that turns SOURCE into TARGET.

    The plan lists source positions in the order of the target; positions behind the source are slots, in which the
    decoder writes what is missing. What cannot be expressed (too long insertions, too many, too far moves) is counted.

    \b
    Examples:
      permend align "I be busy" "I am busy"
      permend align "I like films when I was younger I watched on TV" \\
                    "I like films I watched on TV when I was younger" --labels felix
      permend align --pairs corpus.m2 --tokenizer model/tokenizer.json
    """
    if words and tokenizer:
        raise click.UsageError("--words and --tokenizer exclude each other.")
    if (pairs is None) == (target is None) or (pairs and source):
        raise click.UsageError("Give either a SOURCE and a TARGET, or --pairs FILE.")
    labeler = Labeler(
        SubwordTokenizer.from_path(tokenizer) if tokenizer else WordTokenizer(),
        scheme=labels,  # type: ignore[arg-type]  # click has checked the choice
        **options,
    )
    console = SafeConsole()
    if pairs is not None:
        statistics = _count(pairs, labeler)
        if as_json:
            click.echo(json.dumps(statistics.as_dict()))
        else:
            draw_statistics(statistics, console)
        return
    label = labeler.label(as_text(source or "", "SOURCE"), as_text(target or "", "TARGET"))
    if as_json:
        click.echo(visible_json(_label_json(label)))
    else:
        draw_label(label, console)


def _label_json(label: Label) -> dict[str, Any]:
    piece = label.tokenizer.piece
    return {
        "plan": list(label.alignment.plan.order),
        "input": [piece(token) for token in label.template.ids],
        "output": [piece(token) for token in label.output],
        "losses": vars(label.alignment.losses),
    }


def _count(path: str, labeler: Labeler) -> Statistics:
    """Label every pair of a file, with a progress line on standard error where somebody looks."""
    statistics = Statistics()
    for pair in tracked(read_pairs(path), "labelling"):
        statistics.add(labeler.label(pair.source, pair.target))
    return statistics


_DELETED, _INSERTED, _MOVED, _FAINT = "red", "green", "yellow", "dim"
LOSS_NAMES = {
    "insertions_cut": "insertions longer than a slot",
    "slots_exceeded": "insertions without a free slot",
    "spans_dropped": "spans that would move too far",
}


def draw_label(label: Label, console: Console) -> None:
    """Draw one pair: source, plan, decoder input and output, text, losses."""
    plan = label.alignment.plan
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    table.add_row("source", _source_line(label))
    table.add_row("plan", _plan_line(label))
    table.add_row("input", _pieces_line(label, label.template.ids))
    table.add_row("output", _pieces_line(label, label.output))
    table.add_row("text", Text(label.text()))
    for kind, count in vars(label.alignment.losses).items():
        if count:
            table.add_row("lost", Text(f"{count} × {LOSS_NAMES[kind]}", style=_DELETED))
    if plan.is_identity:
        table.add_row("", Text("nothing changes", style=_FAINT))
    console.print(table)


def _source_line(label: Label) -> Text:
    """Write the source tokens with their positions, deleted ones marked."""
    deleted = set(label.alignment.plan.deleted)
    line = Text()
    for position, token in enumerate(label.source.ids):
        piece = label.tokenizer.piece(token)
        if position in deleted:
            line.append(f"[-{piece}-]", style=_DELETED)
        else:
            line.append(piece)
        line.append(f"{position} ".translate(_SUBSCRIPT), style=_FAINT)
    return line


def _plan_line(label: Label) -> Text:
    """Write the plan stretch by stretch: arrows before what moved, fills for slots."""
    plan = label.alignment.plan
    runs = list(plan.runs())
    arrows = _arrows(plan)
    line = Text()
    for index, (first, last) in enumerate(runs):
        if index:
            line.append(" │ ", style=_FAINT)
        if first >= plan.length:
            fill = label.alignment.fills[first - plan.length]
            line.append(f"{first} {{+{' '.join(map(label.tokenizer.piece, fill))}+}}", style=_INSERTED)
        else:
            numbers = " ".join(map(str, range(first, last + 1)))
            line.append(arrows.get(first, "") + numbers, style=_MOVED if first in arrows else "")
    return line


def _arrows(plan: Plan) -> dict[int, str]:
    """Say of each copied stretch that changes places where it goes: ← to the front, → to the back."""
    firsts = [first for first, _ in plan.runs() if first < plan.length]
    arrows = {}
    for place, first in enumerate(firsts):
        if any(other > first for other in firsts[:place]):
            arrows[first] = "→ "
        elif any(other < first for other in firsts[place + 1 :]):
            arrows[first] = "← "
    return arrows


def _pieces_line(label: Label, ids: tuple[int, ...]) -> Text:
    """Write the pieces of a template, with the places of its masks coloured."""
    masks = set(label.template.masks)
    line = Text()
    for place, token in enumerate(ids):
        line.append(label.tokenizer.piece(token), style=_INSERTED if place in masks else "")
        line.append(" ")
    return line


def draw_statistics(statistics: Statistics, console: Console) -> None:
    """Draw the counts over a corpus."""
    table = Table("", "pairs", "share", title=f"{statistics.pairs:,} pairs", title_justify="left")
    rows = [("unchanged", statistics.unchanged), ("expressed exactly", statistics.exact)]
    rows += [(LOSS_NAMES[name], statistics.losses[name]) for name in vars(Losses())]
    for name, count in rows:
        table.add_row(name, f"{count:,}", f"{statistics.share(count):.2%}")
    for column in table.columns[1:]:
        column.justify = "right"
    console.print(table)
    _draw_histogram("insertions a pair", statistics.insertions, console)
    _draw_histogram("tokens an insertion", statistics.insertion_lengths, console)
    _draw_histogram("edits a pair", statistics.edits, console)
    _draw_histogram("steps back a pair", statistics.reorderings, console)


def _draw_histogram(title: str, counts: Counter[int], console: Console, rows: int = 12) -> None:
    """Draw horizontal bars; numbers past the last row are put together."""
    last = max(counts, default=0)
    shown = {number: counts[number] for number in range(min(last, rows - 1) + 1)}
    rest = sum(count for number, count in counts.items() if number >= rows)
    table = Table.grid(padding=(0, 1))
    for number, count in [*((str(number), count) for number, count in shown.items()), (f"{rows}+", rest)]:
        if count:
            table.add_row(number, f"{count:,}", Bar(max(counts.values()), 0, count, width=40))
    for column in table.columns[:2]:
        column.justify = "right"
    console.print(f"\n{title}", style="bold")
    console.print(table)


_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
