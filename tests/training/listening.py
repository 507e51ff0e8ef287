"""Listeners that remember, and that interrupt."""

from __future__ import annotations

import os
import signal

from permend.training.log import Report
from permend.training.task import Scores


class Memory:
    """Keeps everything a run reports."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.stages: list[str] = []
        self.reports: list[Report] = []
        self.scores: list[tuple[int, Scores]] = []

    @property
    def losses(self) -> list[float]:
        """The loss of each report."""
        return [report.loss for report in self.reports]

    def stage(self, text: str) -> None:
        """Remember it."""
        self.stages.append(text)

    def progress(self, report: Report) -> None:
        """Remember it."""
        self.reports.append(report)

    def validated(self, step: int, scores: Scores) -> None:
        """Remember it."""
        self.scores.append((step, scores))


class Stopping(Memory):
    """Sends a signal to this very process after so many steps."""

    def __init__(self, after: int, number: int = signal.SIGTERM) -> None:
        """Choose when and how."""
        super().__init__()
        self.after, self.number = after, number

    def progress(self, report: Report) -> None:
        """Remember it, and send the signal when it is time."""
        super().progress(report)
        if report.step == self.after:
            os.kill(os.getpid(), self.number)
