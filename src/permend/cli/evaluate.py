"""``permend evaluate``: score corrected sentences with the field's three metrics."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import click
from rich.table import Table

from permend.cli.terminal import SafeConsole, tracked
from permend.corpora.lines import read_lines
from permend.corpora.m2 import read_m2
from permend.errors import InputError
from permend.evaluation.errant import score_errant
from permend.evaluation.gleu import Gleu, score_gleu
from permend.evaluation.maxmatch import score_maxmatch
from permend.evaluation.score import Score

_TITLES = {"m2": "MaxMatch (M2)", "errant": "ERRANT, span-based correction", "gleu": "GLEU"}


class _Command(click.Command):
    """A command whose ``--references`` takes all files up to the next option, or is repeated."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        spread: list[str] = []
        inside = False
        for argument in args:
            if argument == "--references":
                inside = True
            elif argument.startswith("-") and argument != "-":
                inside = False
                spread.append(argument)
            else:
                spread += ["--references", argument] if inside else [argument]
        return super().parse_args(ctx, spread)


@click.command(cls=_Command)
@click.argument("hypothesis", required=False)
@click.option("--metric", type=click.Choice(["m2", "errant", "gleu"]), required=True, help="What to measure.")
@click.option("--gold", metavar="FILE.m2", help="Sources and annotated edits (m2, errant).")
@click.option("--source", metavar="FILE", help="Sources, one a line (gleu).")
@click.option("--references", metavar="FILE...", multiple=True, help="Corrections by people, one file each (gleu).")
@click.option("--hypothesis", "named_hypothesis", metavar="FILE", help="The same as HYPOTHESIS.")
@click.option("--by-type", is_flag=True, help="Also list the score of every error type (errant).")
@click.option("--beta", type=float, help="Weight of recall in F (m2, errant).  [default: 0.5]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs; shares are from 0 to 1.")
def evaluate(metric: str, as_json: bool, **options: Any) -> None:
    """Score HYPOTHESIS, a file with one corrected sentence a line.

    Sentences are space-tokenised like the gold ones; "-" reads standard input, and an empty line is a hypothesis that
    deletes everything. m2 is the official MaxMatch scorer's measure, errant that of errant_compare, gleu that of JFLEG;
    the numbers are theirs.

    \b
    Examples:
      permend evaluate --metric m2 --gold test.m2 corrected.txt
      permend evaluate --metric errant --gold dev.m2 corrected.txt --by-type
      permend evaluate --metric gleu --source dev.src --references dev.ref0 dev.ref1 \\
                       --hypothesis corrected.txt --json
    """
    _check(metric, options)
    hypothesis = options["hypothesis"] or options["named_hypothesis"]
    if metric == "gleu":
        _report_gleu(_gleu(options["source"], options["references"], hypothesis), as_json)
        return
    beta = 0.5 if options["beta"] is None else options["beta"]
    gold = list(read_m2(options["gold"]))
    hypotheses = _read_partner(hypothesis, options["gold"], len(gold))
    if metric == "m2":
        score, types = score_maxmatch(tracked(gold, "scoring"), hypotheses, beta), {}
    else:
        result = score_errant(tracked(gold, "scoring"), hypotheses, beta)
        score, types = result.total, result.types
    _report(metric, len(gold), beta, score, types if options["by_type"] else None, as_json)


def _check(metric: str, options: dict[str, Any]) -> None:
    """Refuse options that are missing or that belong to another metric."""
    needed = {"gleu": ("source", "references")}.get(metric, ("gold",))
    allowed = {"m2": ("beta",), "errant": ("beta", "by_type"), "gleu": ()}[metric]
    for name in ("gold", "source", "references", "by_type", "beta"):
        given = options[name] not in (None, (), False)
        flag = "--" + name.replace("_", "-")
        if given and name not in (*needed, *allowed):
            raise click.UsageError(f"{flag} does not belong to --metric {metric}.")
        if not given and name in needed:
            raise click.UsageError(f"--metric {metric} needs {flag}.")
    if options["hypothesis"] and options["named_hypothesis"]:
        raise click.UsageError("Give the hypothesis once: as HYPOTHESIS or with --hypothesis.")
    if not (options["hypothesis"] or options["named_hypothesis"]):
        hint = ", or before --references" if metric == "gleu" else ", or as the last argument"
        raise click.UsageError(f"Give the file to score with --hypothesis{hint}.")
    if options["beta"] is not None and not (math.isfinite(options["beta"]) and options["beta"] > 0):
        raise click.UsageError("--beta must be a number above 0.")
    files = [options[name] for name in ("gold", "source", "hypothesis", "named_hypothesis")]
    if [*files, *options["references"]].count("-") > 1:
        raise click.UsageError("Only one file can be standard input.")


def _read_partner(path: str, other: str, count: int) -> list[list[str]]:
    """Read the tokenised lines of a file that must have as many sentences as another one."""
    lines = [line.split() for line in read_lines(path)]
    if not lines:
        raise InputError("holds no sentences", path)
    if len(lines) != count:
        raise InputError(f"has {len(lines)} lines, but {other} has {count} sentences", path)
    return lines


def _gleu(source: str, references: Sequence[str], hypothesis: str) -> Gleu:
    sources = [line.split() for line in read_lines(source)]
    if not sources:
        raise InputError("holds no sentences", source)
    others = [_read_partner(path, source, len(sources)) for path in (*references, hypothesis)]
    return score_gleu(tracked(sources, "scoring"), list(zip(*others[:-1], strict=True)), others[-1])


def _report(
    metric: str, sentences: int, beta: float, score: Score, types: dict[str, Score] | None, as_json: bool
) -> None:
    by_name = sorted((types or {}).items())
    if as_json:
        document = {"metric": metric, "sentences": sentences, **_numbers(score, beta)}
        if types is not None:
            document["types"] = {name: _numbers(each, beta) for name, each in by_name}
        click.echo(json.dumps(document))
        return
    table = Table(title=f"{_TITLES[metric]}, {sentences} sentences", title_justify="left")
    table.add_column("type" if by_name else "")
    for name in ("right", "wrong", "missed", "precision", "recall", f"F{beta:g}"):
        table.add_column(name, justify="right")
    for name, each in by_name:
        table.add_row(name, *_cells(each, beta))
    table.add_section()
    table.add_row("all", *_cells(score, beta), style="bold")
    SafeConsole().print(table)


def _numbers(score: Score, beta: float) -> dict[str, Any]:
    counts = {"tp": score.tp, "fp": score.fp, "fn": score.fn}
    return {**counts, "precision": score.precision, "recall": score.recall, f"f{beta:g}": score.f(beta)}


def _cells(score: Score, beta: float) -> list[str]:
    shares = (score.precision, score.recall, score.f(beta))
    return [str(score.tp), str(score.fp), str(score.fn), *(f"{100 * share:.2f}" for share in shares)]


def _report_gleu(result: Gleu, as_json: bool) -> None:
    if as_json:
        names = [name for name in Gleu.__slots__ if name != "score"]
        document = {"metric": "gleu", "gleu": result.score, **{name: getattr(result, name) for name in names}}
        click.echo(json.dumps(document))
        return
    table = Table(title=f"{_TITLES['gleu']}, {result.sentences} sentences", title_justify="left", show_header=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_row("GLEU", f"{100 * result.score:.2f}", style="bold")
    table.add_row("95% of the draws", " to ".join(f"{100 * bound:.2f}" for bound in result.interval))
    table.add_row("references, draws", f"{result.references}, {result.iterations}")
    table.add_row("tokens, of the references", f"{result.hypothesis_length}, {result.reference_length:.1f}")
    for n, (matches, ngrams) in enumerate(zip(result.matches, result.ngrams, strict=True), start=1):
        table.add_row(f"{n}-grams matched", f"{matches:.1f} of {ngrams}")
    SafeConsole().print(table)
