"""What tuning found, as tables for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from permend.modes import Mode

if TYPE_CHECKING:
    from permend.tuning.sentences import Sentences
    from permend.tuning.tune import Tuned


def as_dict(tuned: Tuned, sentences: Sentences, beta: float) -> dict[str, Any]:
    """Return all of it as plain values."""
    return {
        "sentences": len(sentences.texts),
        "correct": sum(sentences.correct),
        "metric": sentences.metric,
        "beta": beta,
        "modes": {name: asdict(mode) for name, mode in tuned.modes.items()},
        "calibration": None if tuned.calibration is None else asdict(tuned.calibration),
        "confidence": None if tuned.confidence is None else asdict(tuned.confidence),
    }


def draw_tuned(tuned: Tuned, sentences: Sentences, beta: float, console: Console) -> None:
    """Print the modes, and how far probabilities can be trusted."""
    title = f"{len(sentences.texts):,} sentences of {sentences.name}, {sentences.metric}"
    table = Table(title=title, title_justify="left", padding=(0, 1, 0, 0))
    table.add_column("mode", no_wrap=True)
    columns = ["bias", "steps", "read", "margin", "p", "P", "R", "F0.5", *([f"F{beta:g}"] if beta != 0.5 else [])]
    for column in (*columns, "correct changed"):
        table.add_column(column, justify="right")
    for name, mode in tuned.modes.items():
        table.add_row(name, *_cells(mode, beta))
    console.print(table)
    if not any(sentences.correct):
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
    yield f"{mode.options.min_margin:.3g}"
    yield f"{mode.options.min_confidence:g}"
    if (found := mode.measured) is None:
        return
    shares = [found.precision, found.recall, found.f]
    if beta != 0.5:
        shares.append(found.f_beta(beta))
    yield from (f"{100 * share:.1f}" for share in shares)
    yield f"{found.correct_changed} of {found.correct:,}"
