"""How good a model is, in each of its modes: the tables of its card.

Run: python -m benchmarks.quality MODEL "W&I+LOCNESS dev=ABCN.dev.gold.bea19.m2" fce.test.m2
         --part A=1037 --part B=1290 --part C=1069 --part N=988
         --m2scorer conll13.m2 --gleu jfleg/dev.src --clean clean.txt --changes changes.tsv
         [--harper FOLDER] [--json report.json]

A file may be given as NAME=FILE, which is then its name in tables. Each text is encoded once for all modes; every mode
runs with exactly the options that it ships with. FOLDER is where `npm install harper.js` was run; without it, Harper is
left out.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from benchmarks import harper
from benchmarks.results import Measured, Report, Result, fingerprint
from benchmarks.tables import all_grids
from benchmarks.yardsticks import Clean, Errant, Fluency, MaxMatch, Yardstick
from permend.cli.terminal import tracked
from permend.corrector.corrector import Corrector
from permend.errors import PermendError
from permend.evaluation.correcting import Corrected, correct_with
from permend.evaluation.devset import M2DevSet
from permend.evaluation.score import fewest_alarms, sweep
from permend.model.options import Mode, read_modes

RECALL = 0.107
"""LanguageTool 6.8 on W&I+LOCNESS dev, where it changes 215 of 1,528 correct sentences."""
Texts = dict[str, list[str]]
"""What each system made of a set's sentences."""


def measure_modes(yardstick: Yardstick, corrector: Corrector, modes: Mapping[str, Mode]) -> tuple[Measured, Texts]:
    """Correct a set in every mode and count."""
    settings = [mode.options for mode in modes.values()]
    # Without thresholds, for the alarms at a recall; modes often differ in nothing else.
    eager = list(dict.fromkeys(replace(each, min_margin=0.0) for each in settings))
    swept = eager if isinstance(yardstick, Errant) else []
    found = correct_with(corrector, yardstick.texts, [*settings, *swept], tracked)
    texts = {name: [each.text for each in mine] for name, mine in zip(modes, found, strict=False)}
    measured = Measured(yardstick.name, yardstick.metric, {n: yardstick.measure(each) for n, each in texts.items()})
    if isinstance(yardstick, Errant):
        alarms = _alarms_at(RECALL, yardstick, found[len(settings) :])
        measured = replace(measured, at_recall=RECALL, alarms=alarms)
    return measured, texts


def _alarms_at(recall: float, yardstick: Errant, eager: Sequence[Sequence[Corrected]]) -> int | None:
    """Return the fewest correct sentences changed at a recall, over thresholds and settings."""
    points = (fewest_alarms(sweep(*yardstick.devset.judge(corrected, tracked)), recall) for corrected in eager)
    return min((point.correct_changed for point in points if point is not None), default=None)


def find_changes(sources: Sequence[str], systems: Texts) -> dict[tuple[str, str], list[str]]:
    """Return each change, before and after, with the systems that make it."""
    made: dict[tuple[str, str], list[str]] = {}
    for name, texts in systems.items():
        for before, after in zip(sources, texts, strict=True):
            if before != after:
                made.setdefault((before, after), []).append(name)
    return made


def write_changes(path: str, made: Mapping[tuple[str, str], list[str]]) -> None:
    """Write changes as a table, whose first column awaits a person's verdict."""
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, delimiter="\t", lineterminator="\n")
        rows.writerow(["verdict", "modes", "before", "after"])
        rows.writerows(["", ",".join(modes), before, after] for (before, after), modes in made.items())


def read_yardsticks(gold: Sequence[str], parts: Sequence[str], limit: int | None, **others: Any) -> Iterator[Yardstick]:
    """Yield the sets of the command line, one after the other."""
    counts = {name: int(count) for name, _, count in (each.rpartition("=") for each in parts)}
    devsets = [M2DevSet.read(path, limit, name) for name, path in map(_named, gold)]
    lengths = [len(each.sentences) for each in devsets]
    if counts and limit is None and sum(counts.values()) not in lengths:
        raise PermendError(f"the parts have {sum(counts.values())} sentences together, which no GOLD file has")
    for each, length in zip(devsets, lengths, strict=True):
        yield Errant(each, counts if length == sum(counts.values()) else None)
    for name, path in map(_named, others["m2scorer"]):
        yield MaxMatch(M2DevSet.read(path, limit, name))
    for name, path in map(_named, others["gleu"]):
        yield Fluency(path, limit, name)
    if others["clean"]:
        name, path = _named(others["clean"])
        yield Clean(path, limit, name)


def _named(argument: str) -> tuple[str, str]:
    name, _, path = ("", "", argument) if Path(argument).exists() else argument.rpartition("=")
    return name or Path(path).name, path


def _peers(yardstick: Yardstick, folder: str | None) -> dict[str, Result]:
    """Return Harper, and for MaxMatch what a system gets that destroys every sentence, which is more than nothing."""
    run = harper.correct(yardstick.texts, folder)
    peers = {} if run is None else {"Harper": yardstick.measure(run.texts)}
    if isinstance(yardstick, MaxMatch):
        peers["one word for every sentence"] = yardstick.measure(["x"] * len(yardstick.texts))
    return peers


@click.command()
@click.argument("model")
@click.argument("gold", nargs=-1)
@click.option("--part", "parts", metavar="NAME=COUNT", multiple=True, help="Cut the GOLD file with so many sentences.")
@click.option("--m2scorer", metavar="M2", multiple=True, help="Annotated sentences to score with MaxMatch.")
@click.option("--gleu", metavar="NAME.src", multiple=True, help="Sources with references NAME.ref0, … beside them.")
@click.option("--clean", metavar="FILE", help="Sentences taken as correct, one a line.")
@click.option("--changes", metavar="FILE.tsv", help="Write changed clean sentences here, for a person to judge.")
@click.option("--show-changes", is_flag=True, help="Print them, too.")
@click.option("--harper", "harper_folder", metavar="FOLDER", help="Where `npm install harper.js` was run.")
@click.option("--limit", type=int, help="Only the first sentences of each file.")
@click.option("--json", "json_path", metavar="FILE", help="Write all counts here.")
def main(model: str, harper_folder: str | None, json_path: str | None, **options: Any) -> None:
    """Print tables for each file."""
    console = Console(highlight=False)
    changes, show = options.pop("changes"), options.pop("show_changes")
    sets = []
    try:
        corrector = Corrector.from_pretrained(model, threads=1)
        modes = dict(read_modes(model).modes) or {"default options": Mode(corrector.options)}
        for yardstick in read_yardsticks(**options):
            measured, texts = measure_modes(yardstick, corrector, modes)
            measured.systems.update(_peers(yardstick, harper_folder))
            sets.append(measured)
            for grid in all_grids(measured):
                console.print(grid.drawn())
            if isinstance(yardstick, Clean):
                made = find_changes(yardstick.texts, texts)
                if changes is not None:
                    write_changes(changes, made)
                for (before, after), names in made.items() if show else ():
                    console.print(f"{', '.join(names)}: {before}\n→ {after}\n", markup=False, soft_wrap=True)
    except PermendError as error:
        raise click.ClickException(str(error)) from None
    if not any("Harper" in measured.systems for measured in sets):
        console.print("Harper is not installed here and left out.")
    if json_path is not None:
        Report(Path(model).name, fingerprint(model), sets).write(json_path)


if __name__ == "__main__":
    main()
