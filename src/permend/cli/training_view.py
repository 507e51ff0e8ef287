"""A training run on the terminal: stage, progress bar, loss parts, speed; all of it on standard error.

In: the reports of a run (it is a listener). Out: one live line, or, where nobody looks at a terminal, a plain line for
every minute or so.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

if TYPE_CHECKING:
    from permend.training.progress import Report

_EVERY = 30.0


class TrainingView:
    """Shows a run while its `with` block lasts."""

    def __init__(self, show: bool = True, console: Console | None = None) -> None:
        """Show it, or keep still (all processes but the first)."""
        self._console = console or Console(stderr=True, highlight=False)
        self._show = show
        self._stage = "starting"
        self._said_at = 0.0
        self._progress = Progress(
            TextColumn("{task.fields[stage]}"),
            BarColumn(bar_width=20),
            TaskProgressColumn(),
            TextColumn("{task.fields[numbers]}"),
            console=self._console,
            disable=not (show and self._console.is_terminal),
            transient=True,
        )
        self._task = self._progress.add_task("train", total=1.0, stage=self._stage, numbers="")

    def __enter__(self) -> TrainingView:
        """Begin to draw."""
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop drawing."""
        self._progress.stop()

    def stage(self, text: str) -> None:
        """Name what is going on."""
        self._stage = text
        self._progress.update(self._task, stage=text)

    def progress(self, report: Report) -> None:
        """Draw the numbers."""
        self.show(report.share, describe(report))

    def show(self, share: float, line: str) -> None:
        """Draw how far it is, and a line of numbers."""
        self._progress.update(self._task, completed=min(1.0, share), numbers=line)
        if self._show and not self._console.is_terminal and time.monotonic() - self._said_at > _EVERY:
            self._said_at = time.monotonic()
            self._console.print(f"{share:4.0%} {line}", soft_wrap=True, markup=False)

    def validated(self, step: int, scores: Mapping[str, float]) -> None:
        """Say how it went, on a line that stays."""
        said = "  ".join(f"{name} {100 * value:.2f}" for name, value in scores.items())
        self.say(f"step {step:,}: validation {said}")

    def say(self, line: str) -> None:
        """Print a line that stays."""
        if self._show:
            self._console.print(line, soft_wrap=True, markup=False)


def describe(report: Report) -> str:
    """Return the numbers of a report in one line."""
    left = report.minutes_left
    return (
        f"step {report.step:,}  loss {report.loss:.3f} (pointer {report.pointer_loss:.3f}, "
        f"infill {report.infill_loss:.3f})  right {report.pointer_accuracy:.1%}/{report.infill_accuracy:.1%}  "
        f"{report.tokens_per_second:,.0f} tokens/s  waiting {report.waiting:.0%}  "
        f"{'' if left is None else duration(left) + ' left'}"
    )


def duration(minutes: float) -> str:
    """Return minutes as hours, minutes and seconds."""
    whole = round(minutes * 60)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
