"""How a run is doing, for whoever listens: the loop itself prints nothing.

In: what each step has found. Out: a `Report` for every few steps, sent to the run's listeners: the progress bar of the
command line, the record on disk, a test.

What a run leaves to read: log.csv, a line for every few steps, and loss.png, its picture.

In: the reports of a run (it is a listener). Out: the two files in the run's folder. A run that is resumed goes on with
its log where the checkpoint was made; lines that were written after it are dropped, since those steps come again.
"""

from __future__ import annotations

import csv
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import NamedTuple, Protocol

from permend.training.correction.examples import Tally
from permend.training.optimisers import minutes_left


class Finding(NamedTuple):
    """What one step has found, over all processes."""

    pointer: float
    """Sum of the pointer's −log p."""
    infill: float
    """Sum of the fills' −log p."""
    pointer_right: float
    infill_right: float
    pointer_weight: float
    """What the pointer's sum is to be divided by."""
    decisions: float
    fills: float
    gradient: float
    """Norm of the gradient, before it is clipped."""


@dataclass(frozen=True)
class Report:
    """Means over the last steps."""

    step: int
    """Steps done."""
    share: float
    """Share of the training that is done."""
    epochs: float
    """Passes over the pairs, with the share of the one under way."""
    minutes: float
    """Time spent on steps."""
    loss: float
    """λ_per · pointer loss + infill loss."""
    pointer_loss: float
    infill_loss: float
    pointer_accuracy: float
    """Share of decisions whose most probable outcome is right."""
    infill_accuracy: float
    """Share of fills whose most probable token is right."""
    gradient: float
    """Norm of the gradient."""
    rate: float
    """Learning rate of AdamW."""
    tokens_per_second: float
    """Padded source positions, slots included, over all processes."""
    waiting: float
    """Share of the time spent waiting for batches."""

    @property
    def minutes_left(self) -> float | None:
        """Time left, if the rest goes as it went so far."""
        return minutes_left(self.minutes, self.share)


class Listener(Protocol):
    """Somebody who wants to know."""

    def stage(self, text: str) -> None:
        """Something that takes a while begins."""

    def progress(self, report: Report) -> None:
        """Some more steps are done."""

    def validated(self, step: int, scores: Mapping[str, float]) -> None:
        """The validation file has been corrected and scored."""


class Everybody:
    """Several listeners as one."""

    def __init__(self, listeners: Sequence[Listener]) -> None:
        """Tell all of them, in this order."""
        self._listeners = listeners

    def stage(self, text: str) -> None:
        """Pass it on."""
        for listener in self._listeners:
            listener.stage(text)

    def progress(self, report: Report) -> None:
        """Pass it on."""
        for listener in self._listeners:
            listener.progress(report)

    def validated(self, step: int, scores: Mapping[str, float]) -> None:
        """Pass it on."""
        for listener in self._listeners:
            listener.validated(step, scores)


class Clock:
    """Seconds spent on steps: it can be stopped for what does not count, and started where another run left off."""

    def __init__(self, seconds: float = 0.0) -> None:
        """Make a clock that stands still."""
        self._before = seconds
        self._since: float | None = None

    def start(self) -> None:
        """Let it run."""
        self._since = time.perf_counter()

    def stop(self) -> None:
        """Hold it."""
        self._before, self._since = self.seconds, None

    @property
    def seconds(self) -> float:
        """What it shows."""
        return self._before + (0.0 if self._since is None else time.perf_counter() - self._since)


@dataclass
class Meter:
    """Adds up findings between two reports, and tokens and waiting over the whole run."""

    lambda_per: float
    begun: float = 0.0
    """What the clock showed at the start."""
    tokens: int = 0
    waited: float = 0.0
    tally: Tally = field(default_factory=Tally)
    _sums: list[float] | None = None
    _steps: int = 0
    _mark: tuple[float, int, float] | None = None

    def add(self, finding: Finding) -> None:
        """Take in one step."""
        before = self._sums or [0.0] * len(finding)
        self._sums = [a + b for a, b in zip(before, finding, strict=True)]
        self._steps += 1

    @property
    def steps(self) -> int:
        """Steps since the last report."""
        return self._steps

    def loss(self, finding: Finding) -> float:
        """Return the loss of a step."""
        return self.lambda_per * finding.pointer / max(finding.pointer_weight, 1e-9) + finding.infill / max(
            finding.fills, 1.0
        )

    def report(self, step: int, share: float, epochs: float, seconds: float, rate: float) -> Report:
        """Sum up the steps since the last report, and begin anew."""
        total = Finding(*(self._sums or [0.0] * 8))
        seconds_before, tokens_before, waited_before = self._mark or (self.begun, 0, 0.0)
        passed = max(seconds - seconds_before, 1e-9)
        made = Report(
            step=step,
            share=share,
            epochs=epochs,
            minutes=seconds / 60,
            loss=self.loss(total),
            pointer_loss=total.pointer / max(total.pointer_weight, 1e-9),
            infill_loss=total.infill / max(total.fills, 1.0),
            pointer_accuracy=total.pointer_right / max(total.decisions, 1.0),
            infill_accuracy=total.infill_right / max(total.fills, 1.0),
            gradient=total.gradient / max(self._steps, 1),
            rate=rate,
            tokens_per_second=(self.tokens - tokens_before) / passed,
            waiting=min(1.0, (self.waited - waited_before) / passed),
        )
        self._sums, self._steps, self._mark = None, 0, (seconds, self.tokens, self.waited)
        return made


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
