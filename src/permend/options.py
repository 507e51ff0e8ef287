"""How a corrector searches, ranks and decides: the knobs behind every mode.

In: numbers. Out: an `Options`, or a `PermendError` that says which number means nothing.

>>> Options(bias=0.3).steps
2
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from permend.errors import PermendError


@dataclass(frozen=True)
class Options:
    """How to search, rank and decide."""

    beam: int = 5
    """Hypotheses that the search keeps at each step."""
    alternatives: int = 5
    """Hypotheses that come back, the unchanged sentence not counted."""
    bias: float = 0.0
    """Confidence bias c: how much the search favours the next source token."""
    steps: int = 2
    """Passes of the decoder; 1 is the vanilla model's way."""
    joint: bool = True
    """Rank by log p(π) + log p(y | π), per length; False ranks by the pointer alone, as the paper does."""
    min_margin: float = 0.0
    """Leave a sentence alone unless the log-probability of the best hypothesis exceeds its own by this much."""
    min_confidence: float = 0.0
    """Leave a stretch alone where the edit is less probable than this; the other edits of its sentence stay."""
    readings: int = 1
    """Times that a sentence is read, as long as it changes: words that an error hid are seen when it is gone."""
    vetted: bool = True
    """Offer no edit that leaves an unknown word, half a clause or a word twice, where the language has a word list."""
    thrifty: bool = True
    """Fill only hypotheses that can still win: the same corrections, faster, with fewer alternatives."""

    def __post_init__(self) -> None:
        """Refuse values that mean nothing."""
        for name in ("beam", "alternatives", "steps", "readings"):
            if getattr(self, name) < 1:
                raise PermendError(f"{name} must be at least 1, not {getattr(self, name)}")
        if not 0 <= self.bias <= 1:
            raise PermendError(f"bias must be between 0 and 1, not {self.bias}")
        if math.isnan(self.min_margin):
            raise PermendError("min_margin must be a number")
        if not 0 <= self.min_confidence <= 1:
            raise PermendError(f"min_confidence must be between 0 and 1, not {self.min_confidence}")
