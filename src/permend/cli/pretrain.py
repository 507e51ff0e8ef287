"""``permend pretrain``: text in, a tokenizer and an encoder out, with a progress bar on standard error."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from permend.cli.train import follow, memory_lines, require_training

if TYPE_CHECKING:
    from permend.training.log import Report
    from permend.training.loop import Outcome
    from permend.training.task import Scores


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
        from permend.training.pretraining.masked import estimate_memory

        click.echo(write_recipe(resolved))
        click.echo(memory_lines(estimate_memory(resolved)))
        return
    from permend.training.pretraining.run import pretrain as run

    folder = Path(resolved.output.folder)
    follow(lambda view: run(resolved, [view], resume=resume), folder, _describe, _judge, _summary)


def _describe(report: Report) -> str:
    return (
        f"step {report.step:,}  loss {report.loss:.3f} ({report.values['masked']:.0%} masked)  "
        f"right {report.values['accuracy']:.1%}  {report.tokens_per_second:,.0f} tokens/s"
    )


def _judge(scores: Scores) -> str:
    return f"{_loss(scores)}, right {scores.values['held_out_accuracy']:.1%}"


def _loss(scores: Scores) -> str:
    return f"held-out loss {scores.values['held_out_loss']:.4f}"


def _summary(outcome: Outcome, folder: Path) -> list[str]:
    loss = "" if outcome.scores is None else f", {_loss(outcome.scores)}"
    took = f"{outcome.seconds / 60:.1f} minutes, {outcome.tokens_per_second:,.0f} tokens/s"
    done = took if outcome.taken else "all of them done before"
    return [
        f"{outcome.step:,} steps, {outcome.epochs:.1f} passes, {done}{loss}",
        f"The encoder is in {folder / 'last'}",
    ]
