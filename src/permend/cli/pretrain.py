"""``permend pretrain``: text in, a tokenizer and an encoder out, with a progress bar on standard error."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from permend.cli.ending import INTERRUPTED
from permend.cli.train import TrainingView, duration, memory_lines, require_training

if TYPE_CHECKING:
    from permend.training.pretraining.loop import Outcome
    from permend.training.pretraining.masked import Measured
    from permend.training.pretraining.progress import Report


@click.command()
@click.argument("recipe", type=click.Path(dir_okay=False))
@click.argument("changes", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--dry-run", is_flag=True, help="Print the resolved recipe and a memory estimate, and stop.")
@click.option("--resume", is_flag=True, help="Go on from the checkpoint in the recipe's output folder.")
def pretrain(recipe: str, changes: tuple[str, ...], dry_run: bool, resume: bool) -> None:
    """Make a tokenizer and an encoder from plain text, as RECIPE says, a TOML file; KEY=VALUE changes values of it.

    A recipe has seven sections: data (text, row, ...), tokenizer (vocabulary, or the path of an existing one), encoder
    (config, or start: an encoder to go on from), masking, optimisation (steps, epochs or minutes, ...), validation and
    output. --dry-run shows all keys with their values.

    The output folder gets the encoder `last`, a Hugging Face folder that model.encoder of a training recipe takes,
    log.csv, loss.png, samples.txt (masks as they were filled) and checkpoint.pt. Ctrl-C or SIGTERM saves and ends the
    run with exit code 130; --resume goes on as if nothing had happened.

    \b
    Examples:
      permend pretrain experiments/recipes/pretrain-toy.toml
      permend pretrain experiments/recipes/pretrain-en.toml data.text=news.txt.xz,books.txt \\
                       optimisation.minutes=30
      permend pretrain my.toml encoder.start=runs/encoder/last output.folder=runs/longer
      permend train experiments/recipes/paper-stage-1.toml model.encoder=runs/encoder/last
    """
    require_training("Pretraining")
    from permend.training.pretraining.recipe import read_recipe, write_recipe

    resolved = read_recipe(recipe, changes)
    resolved.check()
    if dry_run:
        from permend.training.pretraining.memory import estimate_memory

        click.echo(write_recipe(resolved))
        click.echo(memory_lines(estimate_memory(resolved)))
        return
    from permend.training.pretraining.run import pretrain as run

    with TrainingView() as view:
        outcome = run(resolved, [_View(view)], resume=resume)
    click.echo(_outcome_lines(outcome, Path(resolved.output.folder)))
    if outcome.interrupted:
        sys.exit(INTERRUPTED)


class _View:
    """Shows a run on the terminal."""

    def __init__(self, view: TrainingView) -> None:
        self._view = view

    def stage(self, text: str) -> None:
        self._view.stage(text)

    def progress(self, report: Report) -> None:
        left = report.minutes_left
        self._view.show(
            report.share,
            f"step {report.step:,}  loss {report.loss:.3f} ({report.masked:.0%} masked)  right {report.accuracy:.1%}  "
            f"{report.tokens_per_second:,.0f} tokens/s  {'' if left is None else duration(left) + ' left'}",
        )

    def measured(self, step: int, found: Measured) -> None:
        self._view.say(f"step {step:,}: held-out loss {found.loss:.4f}, right {found.accuracy:.1%}")
        for sample in found.samples:
            self._view.say(f"    {sample}")


def _outcome_lines(outcome: Outcome, folder: Path) -> str:
    found = outcome.measured
    loss = "" if found is None else f", held-out loss {found.loss:.4f}"
    lines = [
        f"{outcome.step:,} steps, {outcome.passes:.1f} passes, {outcome.seconds / 60:.1f} minutes, "
        f"{outcome.tokens_per_second:,.0f} tokens/s{loss}"
    ]
    if outcome.interrupted:
        lines.append(f"Interrupted and saved: --resume goes on from {folder / 'checkpoint.pt'}")
    else:
        lines.append(f"The encoder is in {folder / 'last'}")
    return "\n".join(lines)
