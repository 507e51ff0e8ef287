"""How good a model is, in each of its modes, on annotated sentences: the tables of the model card.

Run: python -m benchmarks.quality MODEL GOLD.m2... [--harper FOLDER] [--json FILE]

FOLDER is where `npm install harper.js` was run; without it, Harper is left out.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from benchmarks import harper
from benchmarks.annotated import Annotated, Corrected, correct_with
from permend.corrector import Corrector
from permend.evaluation.errant import ErrantScore
from permend.evaluation.score import Score
from permend.evaluation.thresholds import Point, fewest_alarms, sweep
from permend.modes import Mode, read_modes

TYPES = ("SPELL", "ORTH")
"""What LanguageTool is good at."""
RECALL = 0.107
"""LanguageTool 6.8 on W&I+LOCNESS dev, where it changes 215 of 1,528 correct sentences."""


@dataclass(frozen=True)
class Row:
    """A system on a file."""

    system: str
    score: ErrantScore
    correct_changed: int
    correct: int

    def cells(self) -> list[str]:
        """Return what the table shows."""
        types = [_percent(self.score.types.get(name, Score())) for name in TYPES]
        total = self.score.total
        alarms = f"{self.correct_changed} of {self.correct:,}"
        return [self.system, _percent(total), f"{100 * total.f():.2f}", alarms, *types]

    def as_dict(self) -> dict[str, Any]:
        """Return the counts, by type."""
        counts = {name: [s.tp, s.fp, s.fn] for name, s in sorted(self.score.types.items())}
        total = [self.score.total.tp, self.score.total.fp, self.score.total.fn]
        alarms = {"correct_changed": self.correct_changed, "correct": self.correct}
        return {"system": self.system, "tp_fp_fn": total, **alarms, "types": counts}


def model_rows(annotated: Annotated, corrector: Corrector, modes: dict[str, Mode]) -> tuple[list[Row], Point | None]:
    """Return a row for each mode, and the fewest alarms at LanguageTool's recall that a threshold reaches in any."""
    settings = [mode.options for mode in modes.values()]
    results = correct_with(corrector, annotated.texts, settings)
    rows, reached = [], []
    for name, options, corrected in zip(modes, settings, results, strict=True):
        rows.append(_row(name, annotated, corrected, options.min_confidence))
        if point := fewest_alarms(sweep(*annotated.judge(corrected)), RECALL):
            reached.append(point)
    return rows, min(reached, key=lambda point: point.correct_changed, default=None)


def _row(name: str, annotated: Annotated, corrected: Sequence[Corrected], threshold: float = 0.0) -> Row:
    return Row(name, *annotated.total(corrected, threshold), sum(annotated.correct))


def _percent(score: Score) -> str:
    return f"{100 * score.precision:.1f} / {100 * score.recall:.1f}"


def _table(annotated: Annotated, rows: Sequence[Row], matched: Point | None) -> Table:
    title = f"{annotated.name}, {len(annotated.sentences):,} sentences, ERRANT"
    headers = "system", "P / R", "F0.5", "correct changed", *(f"{name} P / R" for name in TYPES)
    table = Table(*headers, title=title, title_justify="left")
    for row in rows:
        table.add_row(*row.cells())
    alarms = "not reached" if matched is None else str(matched.correct_changed)
    table.caption = f"Correct sentences changed at a recall of {RECALL:.1%}, over thresholds: {alarms}"
    return table


@click.command()
@click.argument("model")
@click.argument("gold", nargs=-1, required=True)
@click.option("--harper", "harper_folder", help="Where `npm install harper.js` was run.")
@click.option("--limit", type=int, help="Only the first sentences of each file.")
@click.option("--json", "json_path", help="Write all counts here.")
def main(
    model: str, gold: tuple[str, ...], harper_folder: str | None, limit: int | None, json_path: str | None
) -> None:
    """Print a table for each file."""
    console = Console()
    corrector = Corrector.from_pretrained(model, threads=1)
    modes = dict(read_modes(model).modes) or {"default options": Mode(corrector.options)}
    report: dict[str, Any] = {}
    for path in gold:
        annotated = Annotated.read(path, limit)
        rows, matched = model_rows(annotated, corrector, modes)
        peer = harper.correct(annotated.texts, harper_folder)
        if peer is None:
            console.print("Harper is not installed here and left out.")
        else:
            rows.append(_row("Harper", annotated, [Corrected(text) for text in peer.texts]))
        console.print(_table(annotated, rows, matched))
        report[annotated.name] = [row.as_dict() for row in rows]
    if json_path is not None:
        Path(json_path).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
