"""How a run is doing: the loop prints nothing, it reports to listeners (the command line's bar, the log, a test).

In: what each step has found. Out: a `Report` for every few steps, and, from `RunLog`, the files log.csv, loss.png and
samples.txt. A resumed run goes on with its log where the checkpoint was made; lines that were written after it are
dropped, since those steps come again.

>>> meter = Meter((Term("loss", 1.0), Term("accuracy")))
>>> meter.add(StepResult(sums=(6.0, 1.0), counts=(2.0, 2.0), gradient=0.5))
>>> meter.add(StepResult(sums=(2.0, 2.0), counts=(2.0, 2.0), gradient=1.5))
>>> report = meter.report(step=2, share=0.5, epochs=0.1, seconds=4.0, rate=1e-3)
>>> report.loss, dict(report.values), report.gradient
(2.0, {'loss': 2.0, 'accuracy': 0.75}, 1.0)
"""

from __future__ import annotations

import csv
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from permend.training.task import LEAST, Goal, LogForm, Scores, Term, loss_of


class StepResult(NamedTuple):
    """What one step has found, over all processes."""

    sums: Sequence[float]
    """Of the task's terms."""
    counts: Sequence[float]
    """What they are to be divided by."""
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
    """Passes over the data, with the share of the one under way."""
    minutes: float
    """Time spent on steps."""
    loss: float
    gradient: float
    """Norm of the gradient."""
    rate: float
    """Learning rate of AdamW."""
    tokens_per_second: float
    """Positions of the batches, padding included, over all processes."""
    waiting: float
    """Share of the time spent waiting for batches."""
    values: Mapping[str, float]
    """Means of the task's terms, and its details, by column."""

    @property
    def minutes_left(self) -> float | None:
        """Time left, if the rest goes as it went so far."""
        return self.minutes * (1 - self.share) / self.share if self.share > 0 else None

    @property
    def row(self) -> dict[str, float]:
        """All numbers by column."""
        return {**{name: float(value) for name, value in vars(self).items() if name != "values"}, **self.values}


class Listener(Protocol):
    """Receives progress events."""

    def stage(self, text: str) -> None:
        """Something that takes a while begins."""

    def progress(self, report: Report) -> None:
        """Some more steps are done."""

    def validated(self, step: int, scores: Scores) -> None:
        """The network has been scored on data that it does not learn."""


class Listeners:
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

    def validated(self, step: int, scores: Scores) -> None:
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
        """Elapsed seconds without pauses."""
        return self._before + (0.0 if self._since is None else time.perf_counter() - self._since)


@dataclass
class Meter:
    """Adds up results between two reports, and tokens, waiting and tallies over the whole run."""

    terms: Sequence[Term]
    begun: float = 0.0
    """Seconds on the clock at the start."""
    tokens: int = 0
    waited: float = 0.0
    tally: Counter[str] = field(default_factory=Counter)
    _found: list[StepResult] = field(default_factory=list)
    _mark: tuple[float, int, float] | None = None

    def add(self, result: StepResult) -> None:
        """Take in one step."""
        self._found.append(result)

    @property
    def steps(self) -> int:
        """Steps since the last report."""
        return len(self._found)

    def loss(self, result: StepResult) -> float:
        """Return the loss of a step."""
        return loss_of(self.terms, result.sums, result.counts)

    def report(
        self, step: int, share: float, epochs: float, seconds: float, rate: float, details: Mapping[str, float] = {}
    ) -> Report:
        """Sum up the steps since the last report, and begin anew."""
        sums = [sum(each) for each in zip(*(result.sums for result in self._found), strict=True)]
        counts = [sum(each) for each in zip(*(result.counts for result in self._found), strict=True)]
        gradient = sum(result.gradient for result in self._found) / len(self._found)
        means = {term.column: a / max(b, LEAST) for term, a, b in zip(self.terms, sums, counts, strict=True)}
        seconds_before, tokens_before, waited_before = self._mark or (self.begun, 0, 0.0)
        passed = max(seconds - seconds_before, 1e-9)
        self._found, self._mark = [], (seconds, self.tokens, self.waited)
        return Report(
            step=step,
            share=share,
            epochs=epochs,
            minutes=seconds / 60,
            loss=self.loss(StepResult(sums, counts, gradient)),
            gradient=gradient,
            rate=rate,
            tokens_per_second=(self.tokens - tokens_before) / passed,
            waiting=min(1.0, (self.waited - waited_before) / passed),
            values={**means, **details},
        )


class RunLog:
    """A listener that writes the log of a run, and draws it."""

    def __init__(self, folder: Path, form: LogForm, from_step: int = 0) -> None:
        """Begin a log, or go on with one behind `from_step`."""
        self._form, self._file = form, folder / "log.csv"
        self._plot, self._samples = folder / "loss.png", folder / "samples.txt"
        self._columns = (*form.progress, *form.scores)
        folder.mkdir(parents=True, exist_ok=True)
        if not from_step:
            self._samples.unlink(missing_ok=True)
        kept = read_log(self._file) if from_step and self._file.exists() else []
        self._rows = [row for row in kept if row["step"] <= from_step]
        with self._file.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, self._columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows(_written(row) for row in self._rows)

    def stage(self, text: str) -> None:
        """Stages are not written down."""

    def progress(self, report: Report) -> None:
        """Add a line."""
        row = report.row
        self._add({name: row[name] for name in self._form.progress})

    def validated(self, step: int, scores: Scores) -> None:
        """Add a line that has scores instead of losses, and the samples."""
        values = scores.values
        self._add({"step": float(step), **{name: values[name] for name in self._form.scores if name in values}})
        if scores.samples:
            goal = self._form.goal
            with self._samples.open("a", encoding="utf-8") as file:
                file.write(f"step {step}, {goal.label} {values[goal.column]:.4f}\n")
                file.writelines(f"    {sample}\n" for sample in scores.samples)

    def draw(self) -> None:
        """Write loss.png."""
        _draw(self._rows, self._plot, self._form)

    def _add(self, row: dict[str, float]) -> None:
        self._rows.append(row)
        with self._file.open("a", newline="", encoding="utf-8") as file:
            csv.DictWriter(file, self._columns, lineterminator="\n").writerow(_written(row))


def read_log(path: Path) -> list[dict[str, float]]:
    """Return the lines of a log.csv, each with the columns that it has values for."""
    with path.open(newline="", encoding="utf-8") as file:
        return [{name: float(value) for name, value in row.items() if value} for row in csv.DictReader(file)]


def _draw(rows: list[dict[str, float]], path: Path, form: LogForm) -> None:
    """Draw the losses over the steps, and the validation's score on an axis of its own where it is not one of them."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # slow to import, and only needed at the end
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    for name, label in form.drawn.items():
        axes.plot(*_points(rows, name), label=label)
    axes.set(xlabel="step", ylabel="loss", yscale="log")
    goal: Goal = form.goal
    if goal.column not in form.drawn and any(goal.column in row for row in rows):
        right = axes.twinx()
        right.plot(*_points(rows, goal.column), "o--", color="tab:green", label="validation")
        right.set(ylabel=goal.label, ylim=(0, 1))
        right.legend(loc="upper center")
    axes.legend(loc="upper right")
    figure.savefig(path)


def _points(rows: list[dict[str, float]], name: str) -> tuple[list[float], list[float]]:
    there = [row for row in rows if name in row]
    return [row["step"] for row in there], [row[name] for row in there]


def _written(row: Mapping[str, float]) -> dict[str, str]:
    return {name: f"{value:.6g}" if name != "step" else str(int(value)) for name, value in row.items()}
