"""``permend align``: show what the method makes of a sentence pair, or count it over a corpus."""

from __future__ import annotations

import json
from typing import Any

import click

from permend.cli.alignment_view import draw_label, draw_statistics
from permend.cli.arguments import as_text
from permend.cli.console import SafeConsole
from permend.cli.progress import tracked
from permend.corpora.pairs import read_pairs
from permend.permutation.align import MASKS, MAX_LEN, SLOTS
from permend.permutation.label import Label, Labeler
from permend.permutation.statistics import Statistics
from permend.text.tokens import SubwordTokenizer, WordTokenizer


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
        click.echo(json.dumps(_label_json(label), ensure_ascii=False))
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
