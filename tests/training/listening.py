"""A listener that remembers."""

from __future__ import annotations

from collections.abc import Mapping

from permend.training.log import Report


class Memory:
    """Keeps everything a run reports."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.stages: list[str] = []
        self.reports: list[Report] = []
        self.scores: list[tuple[int, Mapping[str, float]]] = []

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

    def validated(self, step: int, scores: Mapping[str, float]) -> None:
        """Remember it."""
        self.scores.append((step, scores))
