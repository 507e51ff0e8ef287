"""``permend synth mine``: the corrections of a git history as pairs.

In: repositories on this machine. Out: pairs as JSON lines, and a table on standard error that says how many were kept
and why others were not. What is wrong with one repository is said, and the next one follows; what was found stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO

import click
from rich.console import Console
from rich.table import Table

from permend.cli.ending import TROUBLE, tell
from permend.cli.loading import load_corrector
from permend.cli.synth import open_output
from permend.cli.terminal import SafeConsole, make_progress
from permend.errors import InputError, PermendError
from permend.synthesis.mining.gain import Judgement
from permend.synthesis.mining.history import History
from permend.synthesis.mining.mine import Mined, Miner
from permend.synthesis.mining.reasons import REASONS, Look
from permend.synthesis.targets import Tally


@click.command()
@click.argument("repositories", metavar="REPOSITORY...", nargs=-1, required=True)
@click.option(
    "-o", "--output", metavar="FILE", default="-", help="Pairs (JSON lines; packed if it ends in .gz or .xz)."
)
@click.option("--left-out", metavar="FILE", help="Also write what was left out, each with its reason.")
@click.option("--edits", type=click.IntRange(1), default=6, show_default=True, help="Most edits of a sentence.")
@click.option("--changed", type=click.FloatRange(0, 1), default=0.33, show_default=True, help="Largest share of words.")
@click.option(
    "--keep",
    "kept",
    type=click.Choice(list(REASONS)),
    metavar="REASON",
    multiple=True,
    help=f"Leave nothing out for this reason; may be repeated. There are {', '.join(REASONS)}.",
)
@click.option("--judge/--no-judge", default=True, show_default=True, help="Ask the model which ones look better.")
@click.option("--model", metavar="DIR", help="The model that judges; the model installed with permend otherwise.")
@click.option("--threads", type=click.IntRange(1), metavar="N", help="Cores to use for judging.  [default: all]")
@click.option("--language", default="en", show_default=True, help="Language of the documents.")
def mine(
    repositories: tuple[str, ...],
    output: str,
    left_out: str | None,
    edits: int,
    changed: float,
    kept: tuple[str, ...],
    judge: bool,
    model: str | None,
    threads: int | None,
    language: str,
) -> None:
    """Find the corrections that were made to documents, in the history of REPOSITORY, a folder with git.

    Every commit but merges is looked at for sentences that it changed a little, in files of prose (.md, .rst, .adoc,
    .txt, .tex, .html and their like). What is no correction is left out: changed content, renames, matters of style
    (British or American, don't or do not), whatever looks no better to the model than before. A table says how many,
    and why. Code, addresses and names are stood in for by a noun, as the model sees documents.

    A pair has source, target, repository, commit, types, mending (whether the commit's message speaks of typos,
    grammar or the like) and gain (how much more right the target looks to the model). Nothing says who wrote it. Git
    must be installed; nothing is fetched.

    \b
    Examples:
      permend synth mine . -o pairs.jsonl
      permend synth mine handbook website/docs --keep variant -o pairs.jsonl.xz --left-out rest.jsonl
      permend align --pairs pairs.jsonl
      permend train fine-tune.toml data.train=pairs.jsonl
    """
    judgement = Judgement(load_corrector(model, None, threads)) if judge else None
    with open_output(output) as file, _open_rest(left_out) as rest:
        miner = Miner(
            Look(language, edits, changed, kept), judgement, lambda mined: None if rest is None else _write(mined, rest)
        )
        troubles = sum(not _mine(path, name, miner, file) for path, name in _named(repositories))
    if miner.tally.seen or not troubles:
        _draw(miner.tally, SafeConsole(stderr=True))
    if troubles:
        raise SystemExit(TROUBLE)


def _open_rest(path: str | None) -> AbstractContextManager[IO[str] | None]:
    return nullcontext() if path is None else open_output(path)


def _write(mined: Mined, file: IO[str]) -> None:
    file.write(mined.as_json() + "\n")


def _named(paths: Sequence[str]) -> list[tuple[str, str]]:
    """Name repositories by their folders; of two that are called alike, the folder above is named, too."""
    folders = [Path(path).resolve() for path in paths]
    names = [folder.name.removesuffix(".git") or folder.parent.name for folder in folders]
    often = Counter(names)
    return [
        (path, f"{folder.parent.name}/{name}" if often[name] > 1 else name)
        for path, folder, name in zip(paths, folders, names, strict=True)
    ]


def _mine(path: str, name: str, miner: Miner, file: IO[str]) -> bool:
    """Write what one repository has; say what is wrong with it, and whether all was well."""
    try:
        with History(path) as history, make_progress() as progress:
            commits = history.count()
            if not commits:
                raise InputError("no commit of this repository changes prose (.md, .rst, .txt and their like)", path)
            reading = progress.add_task(f"reading {name}", total=commits)
            judging = progress.add_task(f"judging {name}", total=None, visible=False)

            def judged(done: int, pairs: int) -> None:
                progress.update(judging, completed=done, total=pairs, visible=True)

            for mined in miner.mine(history, name, lambda number: progress.advance(reading, number), judged):
                _write(mined, file)
            file.flush()
            if history.is_shallow:
                what = f"its history ends after {commits:,} commits to prose; git fetch --unshallow brings the rest"
                raise InputError(f"this is a shallow clone: {what}", path)
    except PermendError as error:
        tell(error)
        return False
    return True


def _draw(tally: Tally, console: Console) -> None:
    """Say what became of the changed sentences."""
    table = Table(title=f"{tally.seen:,} changed sentences", title_justify="left", show_header=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_column(justify="right")
    table.add_row("kept", f"{tally.kept:,}", f"{tally.kept / max(1, tally.seen):.1%}", style="bold")
    for reason, count in tally.dropped.most_common():
        table.add_row(f"{reason}: {REASONS[reason]}", f"{count:,}", f"{count / max(1, tally.seen):.1%}")
    console.print(table)
