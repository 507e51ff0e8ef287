"""What the label scheme does to a corpus: how many pairs it can express, and what corrections look like as plans.

In: labels, one by one. Out: counts and histograms.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Any

from permend.permutation.align import Losses
from permend.permutation.label import Label


@dataclass
class Statistics:
    """Counts over the labels of a corpus; every histogram maps a number to how often it occurred."""

    pairs: int = 0
    unchanged: int = 0
    """Pairs whose source is right already."""
    exact: int = 0
    """Pairs whose label gives the target without loss."""
    losses: Counter[str] = field(default_factory=Counter)
    """Pairs that each kind of loss touches."""
    insertions: Counter[int] = field(default_factory=Counter)
    """Slots per pair."""
    insertion_lengths: Counter[int] = field(default_factory=Counter)
    """Tokens per slot."""
    edits: Counter[int] = field(default_factory=Counter)
    """Places per pair where the plan leaves the source's order: an insertion, a deletion, a replacement, a move."""
    reorderings: Counter[int] = field(default_factory=Counter)
    """Steps back per pair."""

    def add(self, label: Label) -> None:
        """Count one label."""
        plan, losses = label.alignment.plan, label.alignment.losses
        self.pairs += 1
        self.unchanged += plan.is_identity
        self.exact += losses.exact
        for kind in fields(Losses):
            self.losses[kind.name] += getattr(losses, kind.name) > 0
        self.insertions[plan.slots] += 1
        self.insertion_lengths.update(map(len, label.alignment.fills))
        self.edits[sum(first < plan.length for first, _ in plan.runs()) - 1] += 1
        self.reorderings[plan.moved] += 1

    def share(self, count: int) -> float:
        """Return a count of pairs as a share of all."""
        return count / self.pairs if self.pairs else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return everything for a program to read: shares between 0 and 1, histograms by number."""
        return {
            "pairs": self.pairs,
            "unchanged": self.share(self.unchanged),
            "exact": self.share(self.exact),
            "losses": {kind: self.share(count) for kind, count in self.losses.items()},
            "histograms": {
                name: {str(number): count for number, count in sorted(getattr(self, name).items())}
                for name in ("insertions", "insertion_lengths", "edits", "reorderings")
            },
        }
