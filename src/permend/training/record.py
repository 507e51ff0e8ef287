"""What a run leaves to read: log.csv, a line for every few steps, and loss.png, its picture.

In: the reports of a run (it is a listener). Out: the two files in the run's folder. A run that is resumed goes on with
its log where the checkpoint was made; lines that were written after it are dropped, since those steps come again.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path

from permend.training.progress import Report

_SCORES = ("precision", "recall", "score")
_COLUMNS = (*(field.name for field in fields(Report)), *_SCORES)


class Log:
    """A log.csv with any columns, ``step`` first."""

    def __init__(self, folder: Path, columns: Sequence[str], from_step: int = 0) -> None:
        """Begin a log, or go on with one behind `from_step`."""
        self._file, self._columns = folder / "log.csv", columns
        folder.mkdir(parents=True, exist_ok=True)
        rows = [row for row in read_log(self._file) if row["step"] <= from_step] if self._file.exists() else []
        self.rows = rows if from_step else []
        with self._file.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows(_written(row) for row in self.rows)

    def add(self, row: dict[str, float]) -> None:
        """Add a line."""
        self.rows.append(row)
        with self._file.open("a", newline="", encoding="utf-8") as file:
            csv.DictWriter(file, self._columns, lineterminator="\n").writerow(_written(row))


class Record:
    """Writes the log of a run, and draws it."""

    def __init__(self, folder: Path, from_step: int = 0) -> None:
        """Begin a log, or go on with one behind `from_step`."""
        self._log, self._plot = Log(folder, _COLUMNS, from_step), folder / "loss.png"

    def stage(self, text: str) -> None:
        """Stages leave no trace."""

    def progress(self, report: Report) -> None:
        """Add a line."""
        self._log.add({name: float(value) for name, value in asdict(report).items()})

    def validated(self, step: int, scores: Mapping[str, float]) -> None:
        """Add a line that has scores instead of losses."""
        self._log.add({"step": float(step), **{name: scores[name] for name in _SCORES if name in scores}})

    def draw(self) -> None:
        """Write loss.png."""
        draw_log(self._log.rows, self._plot, {"pointer_loss": "pointer", "infill_loss": "infill"})


def read_log(path: Path) -> list[dict[str, float]]:
    """Return the lines of a log.csv, each with the columns that it has values for."""
    with path.open(newline="", encoding="utf-8") as file:
        return [{name: float(value) for name, value in row.items() if value} for row in csv.DictReader(file)]


def draw_log(rows: list[dict[str, float]], path: Path, losses: Mapping[str, str]) -> None:
    """Draw the losses, columns with their labels, and the validation score where there is one, over the steps."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # slow to import, and only needed at the end
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    for name, label in losses.items():
        points = [(row["step"], row[name]) for row in rows if name in row]
        axes.plot([x for x, _ in points], [y for _, y in points], label=label)
    axes.set(xlabel="step", ylabel="loss", yscale="log")
    scored = [(row["step"], row["score"]) for row in rows if "score" in row]
    if scored:
        right = axes.twinx()
        right.plot([x for x, _ in scored], [y for _, y in scored], "o--", color="tab:green", label="validation")
        right.set(ylabel="F0.5", ylim=(0, 1))
        right.legend(loc="upper center")
    axes.legend(loc="upper right")
    figure.savefig(path)


def _written(row: Mapping[str, float]) -> dict[str, str]:
    return {name: f"{value:.6g}" if name != "step" else str(int(value)) for name, value in row.items()}
