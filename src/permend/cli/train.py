"""``permend train``: a recipe in, a model out, with a progress bar on standard error."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from permend.cli.ending import INTERRUPTED
from permend.errors import MissingExtraError

if TYPE_CHECKING:
    from permend.training.loop import Outcome
    from permend.training.memory import Estimate

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
    from permend.training.recipe_file import read_recipe, write_recipe

    resolved = read_recipe(recipe, changes)
    resolved.check()
    if dry_run:
        from permend.training.leaks import count_leaks, refuse_held_out_files
        from permend.training.memory import estimate_memory

        refuse_held_out_files(resolved.data)
        click.echo(write_recipe(resolved))
        click.echo(memory_lines(estimate_memory(resolved)))
        click.echo(_leak_line(*count_leaks(resolved.data)))
        return
    from permend.cli.training_view import TrainingView
    from permend.training.run import leave_processes
    from permend.training.run import train as run

    first = os.environ.get("RANK", "0") == "0"
    with TrainingView(show=first) as view:
        outcome = run(resolved, [view] if first else [], resume=resume)
    leave_processes()
    if first:
        click.echo(_outcome_lines(outcome, Path(resolved.output.folder)))
    if outcome.interrupted:
        sys.exit(INTERRUPTED)


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


def _outcome_lines(outcome: Outcome, folder: Path) -> str:
    tally = outcome.tally
    best = "" if outcome.best is None else f", best validation F0.5 {100 * outcome.best:.2f}"
    lines = [
        f"{outcome.step:,} steps, {outcome.seconds / 60:.1f} minutes{best}",
        f"{outcome.tokens_per_second:,.0f} padded source tokens/s; waiting for batches "
        f"{1 - outcome.busy:.1%} of the time, the device busy at least {outcome.busy:.1%}",
        f"{tally.pairs:,} pairs read: {tally.too_long:,} too long, {tally.leaked:,} held out, "
        f"{tally.inexpressible:,} with corrections that do not fit, "
        f"{tally.inexact:,} with labels that express the target only in part",
    ]
    if outcome.interrupted:
        lines.append(f"Interrupted and saved: --resume goes on from {folder / 'checkpoint.pt'}")
    else:
        lines.append(f"The model is in {folder / ('last' if outcome.best is None else 'best')}")
    return "\n".join(lines)
