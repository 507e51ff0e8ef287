"""``permend synth report``: made errors beside real ones, in tables, as a chart or as JSON.

In: pairs and an annotated corpus. Out: a table each for error types, errors a sentence, and what labels cannot express;
then some of the pairs, errors marked where they stand: ``He [-go-]{+goes+} home.``
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from permend.cli.align import LOSS_NAMES
from permend.cli.terminal import SafeConsole, tracked
from permend.corpora.m2 import read_m2
from permend.corpora.pairs import Pair, is_tokenised, read_pairs
from permend.method.label import Labeler
from permend.synthesis.drawing import take_sample
from permend.synthesis.profile import (
    MOST_SHOWN,
    Comparison,
    compare,
    draw_chart,
    error_shares,
    profile_m2,
    profile_pairs,
    profile_typed,
)
from permend.text.edits import diff
from permend.text.tokens import SubwordTokenizer, WordTokenizer

_OPERATIONS = {"R": "replaced", "M": "missing", "U": "unnecessary"}


@click.command()
@click.argument("made", metavar="MADE.tsv")
@click.option("--against", metavar="CORPUS", required=True, help="Annotated text (.m2) or pairs to compare with.")
@click.option("--chart", metavar="FILE.png", help="Also draw a bar chart.")
@click.option("--sample", type=click.IntRange(1), default=3000, show_default=True, help="Pairs to look at, each side.")
@click.option("--pairs", type=click.IntRange(0), default=20, show_default=True, help="Pairs to show.")
@click.option("--tokenizer", metavar="PATH", help="Tokenizer for the label losses; otherwise words.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def report(made: str, against: str, chart: str | None, tokenizer: str | None, **options: Any) -> None:
    """Compare made errors with real ones: types, errors a sentence, operations, label losses.

    "annotated" are the types that stand in the corpus, "real" what the installed ERRANT calls the same errors, "made"
    what it calls the made ones. Needs ERRANT (the eval extra). Against pairs, permend's own types are compared, and
    slips (words doubled or joined, apostrophes, spaces) have types of their own.

    \b
    Examples:
      permend synth report pairs.tsv --against dev.m2
      permend synth report pairs.tsv --against mined.jsonl
      permend synth report pairs.tsv.gz --against dev.m2 --chart errors.png --sample 10000
    """
    number = options["sample"]
    pairs = take_sample(read_pairs(made), number)
    is_annotated = is_tokenised(against)
    real = take_sample(read_pairs(against, raw=is_annotated), number)
    comparison = compare(
        pairs,
        real,
        profile_m2(read_m2(against)) if is_annotated else profile_typed(real),
        Labeler(SubwordTokenizer.from_path(tokenizer) if tokenizer else WordTokenizer()),
        tracked,
        profile_pairs if is_annotated else profile_typed,
    )
    if chart:
        draw_chart(comparison, chart)
    if options["as_json"]:
        click.echo(json.dumps(comparison.as_dict()))
        return
    console = SafeConsole()
    _draw_comparison(comparison, console)
    _draw_pairs([pair for pair in pairs if pair.source != pair.target][: options["pairs"]], console)


def _draw_comparison(comparison: Comparison, console: Console) -> None:
    """Show made errors beside real ones."""
    table = _table("types, % of all errors", "annotated", "real", "made", "made / annotated")
    for name, annotated, real, made in comparison.rows():
        ratio = f"{made / annotated:.2f}" if annotated else "–"
        table.add_row(name, *(f"{100 * share:.1f}" for share in (annotated, real, made)), ratio)
    console.print(table)
    profiles = (comparison.annotated, comparison.real, comparison.made)
    table = _table("errors", "annotated", "real", "made")
    table.add_row("a sentence", *(f"{profile.rate:.2f}" for profile in profiles))
    table.add_row("in 100 tokens", *(f"{100 * profile.total / max(1, profile.tokens):.1f}" for profile in profiles))
    for key, name in _OPERATIONS.items():
        table.add_row(f"{name}, %", *(f"{100 * profile.by_operation().get(key, 0):.1f}" for profile in profiles))
    table.add_section()
    for number, shares in enumerate(zip(*map(error_shares, profiles), strict=True)):
        name = f"{number}{'+' if number == MOST_SHOWN else ''} errors, % of sentences"
        table.add_row(name, *(f"{100 * share:.1f}" for share in shares))
    console.print(table)
    table = _table("labels, % of pairs", "real", "made")
    sides = (comparison.real_labels, comparison.made_labels)
    table.add_row("expressed exactly", *(f"{100 * side.share(side.exact):.2f}" for side in sides))
    for key, name in LOSS_NAMES.items():
        table.add_row(name, *(f"{100 * side.share(side.losses[key]):.2f}" for side in sides))
    console.print(table)


def _table(title: str, *columns: str) -> Table:
    table = Table(title_justify="left")
    table.add_column(title)
    for column in columns:
        table.add_column(column, justify="right")
    return table


def _draw_pairs(pairs: Iterable[Pair], console: Console) -> None:
    """Show pairs as the correct text with its errors: ``[-wrong-]`` and ``{+right+}``."""
    for pair in pairs:
        line = Text("• ")
        done = 0
        for edit in diff(pair.source, pair.target):
            line.append(pair.source[done : edit.start])
            if edit.before:
                line.append(f"[-{edit.before}-]", style="red")
            if edit.after:
                line.append(f"{{+{edit.after}+}}", style="green")
            done = edit.end
        line.append(pair.source[done:])
        console.print(line)
