"""``permend tune``: choose a model's modes on a development set, and make its probabilities mean something.

In: a model folder and annotated sentences. Out: modes and calibration, written into the folder unless it is only a
trial, and shown as tables for people or as JSON for programs.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table

from permend.cli.info import margins
from permend.cli.terminal import SafeConsole
from permend.errors import InputError
from permend.model.options import Mode, Options, option_values

if TYPE_CHECKING:
    from permend.evaluation.devset import DevSet
    from permend.evaluation.tuning import Tuned


def as_dict(tuned: Tuned, devset: DevSet, beta: float) -> dict[str, Any]:
    """Return all of it as plain values."""
    return {
        "sentences": len(devset.texts),
        "correct": sum(devset.correct),
        "metric": devset.metric_name,
        "beta": beta,
        "modes": {name: {**asdict(mode), "options": option_values(mode.options)} for name, mode in tuned.modes.items()},
        "calibration": None if tuned.calibration is None else asdict(tuned.calibration),
        "confidence": None if tuned.confidence is None else asdict(tuned.confidence),
    }


def draw_tuned(tuned: Tuned, devset: DevSet, beta: float, console: Console) -> None:
    """Print the modes, and how far probabilities can be trusted."""
    title = f"{len(devset.texts):,} sentences of {devset.name}, {devset.metric_name}"
    table = Table(title=title, title_justify="left", padding=(0, 1, 0, 0))
    table.add_column("mode", no_wrap=True)
    columns = [
        "bias",
        "steps",
        "read",
        "margin",
        "p",
        "leave",
        "P",
        "R",
        "F0.5",
        *([f"F{beta:g}"] if beta != 0.5 else []),
    ]
    for column in (*columns, "correct changed"):
        table.add_column(column, justify="right")
    for name, mode in tuned.modes.items():
        table.add_row(name, *_cells(mode, beta))
    console.print(table)
    if not any(devset.correct):
        console.print("No sentence here is correct, so nothing is known of false alarms: the modes are all the same.")
    found = tuned.confidence
    if found is None:
        console.print("Too few edits to learn from: probabilities stay as they are.")
        return
    console.print(
        f"Probabilities are off by {100 * found.after.error:.1f} points on average, {100 * found.before.error:.1f} "
        f"without the calibration ({found.edits:,} edits, cross-validated)."
    )


def _cells(mode: Mode, beta: float) -> Iterator[str]:
    yield from (f"{mode.options.bias:g}", str(mode.options.steps), str(mode.options.readings))
    yield margins(mode.options)
    yield f"{mode.options.min_confidence:g}"
    yield f"{mode.options.leave_below:.2g}"
    if (found := mode.measured) is None:
        return
    shares = [found.precision, found.recall, found.f]
    if beta != 0.5:
        shares.append(found.f_beta(beta))
    yield from (f"{100 * share:.1f}" for share in shares)
    yield f"{found.correct_changed} of {found.correct:,}"


BIASES = (0.0, 0.1, 0.2, 0.3, 0.4)
STEPS = (1, 2)


@click.command()
@click.argument("model", type=click.Path(file_okay=False))
@click.argument("validation")
@click.option("--beta", default=0.5, show_default=True, help="Weight of recall in F.")
@click.option(
    "--give",
    type=click.FloatRange(0, 100),
    default=0.0,
    show_default=True,
    metavar="POINTS",
    help="Points of F that a mode may lose to find more.",
)
@click.option(
    "--bias",
    "biases",
    type=click.FloatRange(0, 1),
    multiple=True,
    default=BIASES,
    show_default=True,
    metavar="C",
    help="Confidence biases to try; repeat it.",
)
@click.option(
    "--steps",
    type=click.IntRange(1),
    multiple=True,
    default=STEPS,
    show_default=True,
    metavar="K",
    help="Passes over inserted words to try; repeat it.",
)
@click.option(
    "--readings",
    type=click.IntRange(1),
    default=2,
    show_default=True,
    metavar="N",
    help="Times that `thorough` may read a sentence as long as it changes.",
)
@click.option(
    "--leaving",
    type=click.FloatRange(0, 100),
    default=0.2,
    show_default=True,
    metavar="POINTS",
    help="Points of F that `balanced` and `precise` may lose to leaving early, where the model has a head.",
)
@click.option(
    "--slips",
    type=float,
    metavar="T",
    help="Margin from which `balanced` mends slips: words that nobody knows, words that stand twice, spaces around "
    "signs. Learners' texts hardly show what it is worth. In the table it stands behind the margin of all else.",
)
@click.option(
    "--shared",
    is_flag=True,
    help="Fill a gap once for several hypotheses, with --steps 1, in all modes but `thorough`: they become faster.",
)
@click.option("--beam", type=click.IntRange(1), default=Options().beam, show_default=True, help="Width of the search.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N sentences.")
@click.option("--plot", metavar="FILE.png", help="Draw precision over recall here.")
@click.option("--reliability", metavar="FILE.png", help="Draw how often edits of each probability are right here.")
@click.option("--threads", type=click.IntRange(1), metavar="N", help="Cores to use.  [default: all]")
@click.option("--dry-run", is_flag=True, help="Leave the model's folder as it is.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs; shares are from 0 to 1.")
def tune(
    model: str,
    validation: str,
    beta: float,
    give: float,
    biases: tuple[float, ...],
    steps: tuple[int, ...],
    readings: int,
    leaving: float,
    slips: float | None,
    shared: bool,
    beam: int,
    limit: int | None,
    plot: str | None,
    reliability: str | None,
    threads: int | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Choose the modes of MODEL, a model folder, on the sentences of VALIDATION, an .m2 or .tsv file.

    Every combination of --bias and --steps corrects the sentences once; then every threshold on the margin is tried,
    and several on the probability of an edit.
    The mode `thorough` gets the best F, `balanced` the best F while at most 1.5% of the correct sentences are changed,
    `precise` the same with 0.3%. F hardly changes around its best: with --give, a mode takes what finds most among all
    that is nearly as good. `thorough` reads changed sentences again where that raises F, which takes longer; the other
    modes read once, and where the model has a head behind its first layers (docs/training.md), sentences that it does
    not doubt leave there: `leave` in the table is the least doubt that stays. Edits also get probabilities that mean
    something: of those with 0.8, about 80% are right. All of it is written into the folder (modes.json,
    calibration.json, hashes). ERRANT judges .m2 files where it is installed; other files are judged by edits of
    words.

    \b
    Examples:
      permend tune my-model dev.m2 --plot curves.png
      permend tune my-model dev.m2 --give 0.5
      permend tune my-model pairs.tsv --beta 1 --bias 0 --bias 0.2 --steps 2 --dry-run
    """
    if not (math.isfinite(beta) and beta > 0):
        raise click.UsageError("--beta must be a number above 0.")
    if slips is not None and not math.isfinite(slips):
        raise click.UsageError("--slips must be a number.")
    from permend.cli.terminal import tracked
    from permend.corrector.corrector import Corrector
    from permend.evaluation.devset import read_devset
    from permend.evaluation.figures import draw_curves, draw_reliability
    from permend.evaluation.tuning import tune as run

    devset = read_devset(validation, limit)
    corrector = Corrector.from_pretrained(model, Options(), threads)
    settings = [
        Options(bias=bias, beam=beam, alternatives=beam, steps=count, shared=sharing)
        for sharing in ((False, True) if shared else (False,))
        for bias in dict.fromkeys(biases)
        for count in dict.fromkeys(steps)
    ]
    tuned = run(corrector, devset, settings, beta, give / 100, readings, tracked, leaving / 100, slips)
    if plot is not None:
        draw_curves(tuned.curves, tuned.modes, plot)
    if reliability is not None and tuned.confidence is not None:
        draw_reliability(tuned.confidence.before.bins, tuned.confidence.after.bins, reliability)
    if not dry_run:
        _write(model, tuned, f"{len(devset.texts):,} sentences of {devset.name}")
    if as_json:
        click.echo(json.dumps(as_dict(tuned, devset, beta), ensure_ascii=False))
    else:
        draw_tuned(tuned, devset, beta, SafeConsole())


def _write(model: str, tuned: Tuned, chosen_on: str) -> None:
    from permend.model.options import Modes, write_calibration, write_modes

    try:
        write_modes(model, Modes(tuned.modes, chosen_on))
        if tuned.calibration is not None:
            write_calibration(model, tuned.calibration)
    except OSError as error:
        raise InputError(f"the choice cannot be written: {error.strerror or error}", model) from None
