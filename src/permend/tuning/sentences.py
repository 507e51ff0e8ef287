"""Validation sentences and their judge: what a correction of each of them is worth.

In: places of sentences and corrected texts. Out: counts of right, wrong and missed edits. Two kinds are there:
`Annotated` (M2, judged by ERRANT) and `Paired` (pairs, judged by edits of words).

    points = sweep(*sentences.judge(corrected))     # every threshold on the margin
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from permend.correction import ScoredEdit
from permend.evaluation.score import Score
from permend.evaluation.thresholds import Judged

T = TypeVar("T")


class Tracked(Protocol):
    """Hands items on, and may show how far they are."""

    def __call__(self, items: Sequence[T], what: str, /) -> Iterable[T]:
        """Return the items."""


def silently(items: Sequence[T], what: str) -> Iterable[T]:
    """Show nothing."""
    return items


@dataclass(frozen=True)
class Corrected:
    """What a system makes of a text, and by how much it prefers something else to the text itself."""

    text: str
    margin: float = 0.0
    edits: tuple[ScoredEdit, ...] = ()
    fill: float = 0.0
    """log p(y | π) of the text."""


class Sentences(ABC):
    """Sentences that are known to be right or wrong, and where."""

    name: str
    metric: str
    """Who judges, in words."""

    @property
    @abstractmethod
    def texts(self) -> list[str]:
        """The sentences as a writer types them."""

    @property
    @abstractmethod
    def correct(self) -> list[bool]:
        """Whether each sentence has no error."""

    @abstractmethod
    def score(self, place: int, text: str) -> Score:
        """Score one corrected text."""

    @abstractmethod
    def is_changed(self, place: int, text: str) -> bool:
        """Say whether a text counts as another one than its sentence."""

    def judge(self, corrected: Sequence[Corrected], tracked: Tracked = silently) -> tuple[list[Judged], Score]:
        """Return the sentences that are changed, judged, and the counts of those that are not."""
        judged, rest = [], Score()
        texts, correct = self.texts, self.correct
        for place, each in tracked(list(enumerate(corrected)), "judging"):
            kept = self.score(place, texts[place])
            if self.is_changed(place, each.text):
                judged.append(Judged(each.margin, self.score(place, each.text), kept, correct[place]))
            else:
                rest += kept
        return judged, rest
