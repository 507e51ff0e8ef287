"""``permend train``: a recipe in, a model out, with a progress bar on standard error.

`follow` is what the commands that train have in common: it runs, shows the run in a `TrainingView`, which listens to
its events, and says how it ended. A run is shown as one live line, or, where standard error is no terminal, as a plain
line every half minute.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import BarColumn, TaskProgressColumn, TextColumn

from permend.cli.ending import INTERRUPTED
from permend.cli.terminal import make_progress
from permend.errors import MissingExtraError

if TYPE_CHECKING:
    from permend.training.log import Report
    from permend.training.loop import Outcome
    from permend.training.memory import Estimate
    from permend.training.task import Scores


_EVERY = 30.0


class TrainingView:
    """Shows a run while its `with` block lasts."""

    def __init__(self, describe: Callable[[Report], str], judge: Callable[[Scores], str], show: bool = True) -> None:
        """Show a run with a line for each report and each validation, or keep still (all processes but the first)."""
        self._console = Console(stderr=True, highlight=False)
        self._describe, self._judge, self._show = describe, judge, show
        self._stage = "starting"
        self._said_at = 0.0
        stage, numbers = (TextColumn(f"{{task.fields[{name}]}}") for name in ("stage", "numbers"))
        columns = (stage, BarColumn(bar_width=20), TaskProgressColumn(), numbers)
        self._progress = make_progress(columns=columns, console=self._console, show=show)
        self._task = self._progress.add_task("train", total=1.0, stage=self._stage, numbers="")

    def __enter__(self) -> TrainingView:
        """Begin to draw."""
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop drawing."""
        self._progress.stop()

    def stage(self, text: str) -> None:
        """Name what is going on."""
        self._stage = text
        self._progress.update(self._task, stage=text)

    def progress(self, report: Report) -> None:
        """Draw how far it is, and a line of numbers."""
        left = report.minutes_left
        line = f"{self._describe(report)}  {'' if left is None else duration(left) + ' left'}"
        self._progress.update(self._task, completed=min(1.0, report.share), numbers=line)
        if self._show and not self._console.is_terminal and time.monotonic() - self._said_at > _EVERY:
            self._said_at = time.monotonic()
            self._console.print(f"{report.share:4.0%} {line}", soft_wrap=True, markup=False)

    def validated(self, step: int, scores: Scores) -> None:
        """Say how it went, on lines that stay."""
        if self._show:
            for line in (f"step {step:,}: {self._judge(scores)}", *(f"    {sample}" for sample in scores.samples)):
                self._console.print(line, soft_wrap=True, markup=False)


def follow(
    run: Callable[[TrainingView], Outcome],
    folder: Path,
    describe: Callable[[Report], str],
    judge: Callable[[Scores], str],
    summarise: Callable[[Outcome, Path], list[str]],
) -> None:
    """Show a run, say how it ended, and end with 130 where it was interrupted."""
    from permend.training.processes import leave_processes

    first = os.environ.get("RANK", "0") == "0"
    with TrainingView(describe, judge, show=first) as view:
        outcome = run(view)
    leave_processes()
    if first:
        lines = summarise(outcome, folder)
        if outcome.interrupted:
            lines[-1] = f"Interrupted and saved: --resume goes on from {folder / 'checkpoint.pt'}"
        click.echo("\n".join(lines))
    if outcome.interrupted:
        sys.exit(INTERRUPTED)


def duration(minutes: float) -> str:
    """Return minutes as hours, minutes and seconds."""
    whole = round(minutes * 60)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


_NEEDED = ("torch", "transformers", "accelerate", "safetensors", "matplotlib", "onnx", "onnxscript")


def require_training(what: str) -> None:
    """Say what to install where the packages of the `train` extra are missing, without importing them."""
    if not all(map(find_spec, _NEEDED)):
        raise MissingExtraError(what, "train")


@click.command()
@click.argument("recipe", type=click.Path(dir_okay=False))
@click.argument("changes", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--dry-run", is_flag=True, help="Print the resolved recipe, its memory and leaks, and stop.")
@click.option("--resume", is_flag=True, help="Go on from the checkpoint in the recipe's output folder.")
def train(recipe: str, changes: tuple[str, ...], dry_run: bool, resume: bool) -> None:
    """Train a model as RECIPE says, a TOML file; KEY=VALUE changes single values of it.

    A recipe has five sections: data (train, validation, max_length, ...), model (encoder or start, slots, init, ...),
    optimisation (learning_rate, tokens_per_batch, epochs, steps or minutes, ...), validation and output. Keys are
    written with their section; `none` unsets a value; commas part a list. --dry-run shows all keys with their values.

    The output folder gets the models `last` and `best` (by validation score), log.csv, loss.png and checkpoint.pt.
    Ctrl-C or SIGTERM saves and ends the run with exit code 130; --resume goes on as if nothing had happened.

    \b
    Examples:
      permend train experiments/recipes/toy.toml
      permend train experiments/recipes/toy.toml optimisation.epochs=200 --dry-run
      permend train my.toml model.encoder=answerdotai/ModernBERT-base data.train=a.tsv,b.m2 \\
                    optimisation.minutes=30 output.folder=runs/first
      permend train my.toml --resume
      accelerate launch --num_processes 4 --no_python permend train my.toml
    """
    require_training("Training")
    from permend.training.correction.recipe import read_recipe, write_recipe

    resolved = read_recipe(recipe, changes)
    resolved.check()
    if dry_run:
        from permend.training.correction.data import count_leaks, refuse_held_out_files
        from permend.training.correction.start import estimate_memory

        refuse_held_out_files(resolved.data)
        click.echo(write_recipe(resolved))
        click.echo(memory_lines(estimate_memory(resolved)))
        click.echo(_leak_line(*count_leaks(resolved.data)))
        return
    from permend.training.correction.run import train as run

    folder = Path(resolved.output.folder)
    follow(lambda view: run(resolved, [view], resume=resume), folder, _describe, _judge, _summary)


def _describe(report: Report) -> str:
    values = report.values
    return (
        f"step {report.step:,}  loss {report.loss:.3f} (pointer {values['pointer_loss']:.3f}, "
        f"infill {values['infill_loss']:.3f})  "
        f"right {values['pointer_accuracy']:.1%}/{values['infill_accuracy']:.1%}  "
        f"{report.tokens_per_second:,.0f} tokens/s  waiting {report.waiting:.0%}"
    )


def _judge(scores: Scores) -> str:
    return "validation " + "  ".join(f"{name} {100 * value:.2f}" for name, value in scores.values.items())


def memory_lines(estimate: Estimate) -> str:
    """Return the estimate as comments, so that the whole output is a recipe."""
    names = ("weights", "gradients", "optimizer", "average", "activations", "total")
    lines = [f"# {estimate.parameters / 1e6:.1f}M parameters; memory on each device, activations roughly:"]
    lines += [f"#   {name:<12}{_size(count):>12}" for name in names if (count := getattr(estimate, name))]
    return "\n".join(lines)


def _leak_line(leaked: int, looked_at: int) -> str:
    return f"# {leaked:,} of the first {looked_at:,} pairs or paragraphs have a held-out sentence and will be left out"


def _size(count: int) -> str:
    return f"{count / 2**30:.2f} GiB" if count >= 2**29 else f"{count / 2**20:.1f} MiB"


def _summary(outcome: Outcome, folder: Path) -> list[str]:
    best = "" if outcome.best is None else f", best validation F0.5 {100 * outcome.best:.2f}"
    model = f"The model is in {folder / ('last' if outcome.best is None else 'best')}"
    if not outcome.taken:
        return [f"{outcome.step:,} steps, all of them done before{best}", model]
    tally = outcome.tally
    return [
        f"{outcome.step:,} steps, {outcome.seconds / 60:.1f} minutes{best}",
        f"{outcome.tokens_per_second:,.0f} padded source tokens/s; waiting for batches "
        f"{1 - outcome.busy:.1%} of the time, the device busy at least {outcome.busy:.1%}",
        f"{tally['pairs']:,} pairs read: {tally['too_long']:,} too long, {tally['leaked']:,} held out, "
        f"{tally['inexpressible']:,} with corrections that do not fit, "
        f"{tally['inexact']:,} with labels that express the target only in part",
        model,
    ]
