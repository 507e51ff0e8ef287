"""How a pretraining run is doing, for whoever listens: the loop itself prints nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from permend.training.optimisers import minutes_left
from permend.training.pretraining.masked import Measured


@dataclass(frozen=True)
class Report:
    """Means over the last steps."""

    step: int
    """Steps done."""
    share: float
    """Share of the training that is done."""
    passes: float
    """Passes over the text."""
    minutes: float
    """Time spent on steps."""
    loss: float
    """Mean of −log p over the tokens to guess."""
    accuracy: float
    """Share of them whose most probable token is right."""
    masked: float
    """Share of the tokens that are to be guessed."""
    gradient: float
    """Norm of the gradient."""
    rate: float
    """Learning rate of AdamW."""
    tokens_per_second: float

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

    def measured(self, step: int, found: Measured) -> None:
        """The held-out text has been guessed."""
