"""Whether anything gets lost, whatever a document holds: a million hostile inputs on the way from text to edited text.

Run: python -m benchmarks.fuzz [--inputs 1000000] [--seed 0] [--workers 2] [--model]

Each input is a short document of one of the formats, made from the seed and its number (`fuzzing.inputs`). A
stand-in for the networks proposes edits at random, plausible and hostile ones (`fuzzing.stand_in`); everything else is
the real thing. What must hold for each stands in `fuzzing.properties`. Failures are shown with the shortest text that
fails alike; ``--only N`` goes through one input again.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from benchmarks.fuzzing.inputs import make_case
from benchmarks.fuzzing.work import Failure, Setting, Tally, shorten, work
from benchmarks.tables import Grid
from permend.corrector.corrector import Corrector
from permend.documents import FORMATS

PORTION = 250
"""Inputs that a process goes through at a time."""


LINE = 50_000
"""Inputs after which a log that is no terminal has a line."""
LONGEST = 2_000
"""Characters of a failing text that are shown."""


@dataclass
class _Process:
    """What each process keeps."""

    setting: Setting
    corrector: Corrector | None = None


_process = _Process(Setting())


def _begin(setting: Setting) -> None:
    _process.setting = setting
    _process.corrector = Corrector.from_pretrained(threads=1, mode="thorough") if setting.model else None


def _go_through(numbers: Sequence[int]) -> Tally:
    return work(numbers, _process.setting, _process.corrector)


def fuzz(inputs: int, setting: Setting, workers: int = 2, most: int = 10, first: int = 0) -> Tally:
    """Go through inputs, until there are enough failures."""
    console = Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    tally = Tally()
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task("fuzzing", total=inputs)
        for part in _parts(range(first, first + inputs), setting, workers):
            tally.add(part)
            bar.update(task, advance=part.inputs.total(), description=f"fuzzing, {len(tally.failures)} failures")
            if not console.is_terminal and tally.inputs.total() % LINE == 0:
                console.print(f"{tally.inputs.total():,} of {inputs:,} inputs, {len(tally.failures)} failures")
            if len(tally.failures) >= most:
                break
    return tally


def _parts(numbers: range, setting: Setting, workers: int) -> Iterator[Tally]:
    portions = [numbers[at : at + PORTION] for at in range(0, len(numbers), PORTION)]
    if workers == 1:
        _begin(setting)
        yield from map(_go_through, portions)
        return
    with get_context("spawn").Pool(workers, _begin, (setting,)) as pool:
        yield from pool.imap_unordered(_go_through, portions)


def draw(tally: Tally, seconds: float) -> Grid:
    """Return the table of what came of all inputs."""
    headers = [
        "format",
        "inputs",
        "refused",
        "by networks",
        "edited",
        "edits",
        "slowest (seconds)",
        "number",
        "failures",
    ]
    failed = {form: sum(each.case.format == form for each in tally.failures) for form in FORMATS}
    rows = [
        [
            form,
            *(f"{each[form]:,}" for each in (tally.inputs, tally.refused, tally.modelled, tally.edited, tally.edits)),
            f"{tally.slowest[form][0]:.2f}",
            str(tally.slowest[form][1]),
            str(failed[form]),
        ]
        for form in FORMATS
        if form in tally.slowest
    ]
    counts = (tally.inputs, tally.refused, tally.modelled, tally.edited, tally.edits)
    rows.append(["all", *(f"{each.total():,}" for each in counts), "", "", str(len(tally.failures))])
    return Grid(f"Fuzzing, {seconds / 60:.1f} minutes", headers, rows)


def tell(console: Console, failure: Failure, setting: Setting) -> None:
    """Show a failure in short."""
    short = shorten(failure, setting)
    case = short.case
    console.print(
        f"\nnumber {case.number}, {case.format}: {short.kind}", style="bold red", markup=False, soft_wrap=True
    )
    shown = ascii(case.text)
    shown = shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}… ({len(case.text):,} characters)"
    console.print(
        f"{shown}\n{case.encoding} {case.words} hostile={case.hostile} {case.options}", markup=False, soft_wrap=True
    )
    console.print(short.details, markup=False, soft_wrap=True)


@click.command()
@click.option("--inputs", default=1_000_000, show_default=True, help="How many.")
@click.option("--seed", default=0, show_default=True, help="Another one makes other inputs.")
@click.option("--workers", default=len(os.sched_getaffinity(0)), show_default=True, help="Processes.")
@click.option("--limit", default=2.0, show_default=True, help="Seconds of processor time that an input may take.")
@click.option("--failures", default=10, show_default=True, help="Stop after so many.")
@click.option("--model", is_flag=True, help="Have the real networks correct one in 500.")
@click.option("--first", default=0, show_default=True, help="The number of the first one.")
@click.option("--only", type=int, metavar="N", help="Go through one input, and show it.")
def main(
    inputs: int, seed: int, workers: int, limit: float, failures: int, model: bool, first: int, only: int | None
) -> None:
    """Print the table, and what failed."""
    setting = Setting(seed, limit, model)
    console = Console(highlight=False, width=140)
    begin = time.perf_counter()
    if only is not None:
        console.print(repr(make_case(seed, only)), markup=False, soft_wrap=True)
        inputs, first, workers = 1, only, 1
    tally = fuzz(inputs, setting, workers, failures, first)
    console.print(draw(tally, time.perf_counter() - begin).drawn())
    for failure in tally.failures[:failures]:
        tell(console, failure, setting)
    sys.exit(bool(tally.failures))


if __name__ == "__main__":
    main()
