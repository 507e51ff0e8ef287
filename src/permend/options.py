"""How a corrector searches, ranks and decides: the knobs behind every mode.

In: numbers. Out: an `Options`, or an error that says which number means nothing.

>>> Options(bias=0.3).steps
2
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from permend.arguments import check_count, check_number, shown
from permend.errors import ArgumentError

MOST_HYPOTHESES, MOST_STEPS = 1_000, 1_000
"""What the search and the decoder may be asked for: more gives nothing but waiting."""
MOST_READINGS = 20
"""Times that a sentence is read, whatever is asked for: one that still changes then would never come to rest."""


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
    """Times that a sentence is read, as long as it changes: words that an error hid are seen when it is gone.

    Never more than `MOST_READINGS`, nor again when it has come back to what it was.
    """
    vetted: bool = True
    """Offer no edit that leaves an unknown word, half a clause or a word twice, where the language has a word list."""
    thrifty: bool = True
    """Fill only hypotheses that can still win: the same corrections, faster, with fewer alternatives."""

    def __post_init__(self) -> None:
        """Refuse values that mean nothing."""
        check_count("beam", self.beam, MOST_HYPOTHESES)
        check_count("alternatives", self.alternatives, MOST_HYPOTHESES)
        check_count("steps", self.steps, MOST_STEPS)
        check_count("readings", self.readings)
        for name in ("bias", "min_confidence"):
            if not 0 <= check_number(name, getattr(self, name)) <= 1:
                raise ArgumentError(f"{name} must be between 0 and 1, not {getattr(self, name)}")
        if math.isnan(check_number("min_margin", self.min_margin)):
            raise ArgumentError("min_margin must be a number")
        for name in ("joint", "vetted", "thrifty"):
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name} must be True or False, not {shown(getattr(self, name))}")
