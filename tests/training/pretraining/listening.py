"""A listener that remembers."""

from __future__ import annotations

from permend.training.pretraining.masked import Measured
from permend.training.pretraining.progress import Report


class Memory:
    """Keeps everything a run reports."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.stages: list[str] = []
        self.reports: list[Report] = []
        self.found: list[tuple[int, Measured]] = []

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

    def measured(self, step: int, found: Measured) -> None:
        """Remember it."""
        self.found.append((step, found))
