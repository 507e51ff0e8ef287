"""Neighbours: how much likelier an error is, given the word before it and the word behind it.

In: counts of neighbours around errors and in the text at large. Out: a factor for any site: above 1 where errors of
this kind are commoner than elsewhere. Frequent words count as themselves; others by their last two letters, which tells
parts of speech well enough (*-ly*, *-ed*); names and numbers count all alike.

>>> keys = NeighbourKeys({"the", "in"})
>>> keys("The"), keys("quickly"), keys("Paris"), keys("1999"), keys("")
('the', '*ly', '*A', '#', '')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from permend.synthesis.drawing import BoundedCache

_SMOOTHING = 20.0
_LARGEST = 6.0
_SMALLEST = 0.02
_TOKENS = 50_000  # remembered at a time

Side = dict[str, int]


class NeighbourKeys:
    """Maps tokens to what they count as; the empty string is the end of the sentence."""

    def __init__(self, frequent: set[str] | Mapping[str, int]) -> None:
        """Know which words count as themselves."""
        self._frequent = frequent
        self._known = BoundedCache(self._make, _TOKENS)

    def __call__(self, token: str) -> str:
        """Return the key of a token."""
        return self._known[token]

    def _make(self, token: str) -> str:
        word = token.lower()
        if not word or word in self._frequent:
            return word
        if word[0].isdecimal():
            return "#"
        if not word.isalpha():
            return "*"
        return "*A" if token[0].isupper() else "*" + word[-2:]


@dataclass
class Neighbours:
    """Counts of the keys before and behind some kind of error."""

    left: Side = field(default_factory=dict)
    right: Side = field(default_factory=dict)

    def add(self, left: str, right: str) -> None:
        """Count one error."""
        self.left[left] = self.left.get(left, 0) + 1
        self.right[right] = self.right.get(right, 0) + 1


class NeighbourFactors:
    """Factors of neighbours, worked out from counts when they are first asked for.

    Tables are named ``TYPE left``, ``TYPE PHRASE right`` and so on, ``usual`` for the text at large, ``usual PHRASE
    left`` for what stands before a phrase whether or not it is wrong.
    """

    def __init__(self, tables: Mapping[str, Mapping[str, int]], phrases: Mapping[str, int]) -> None:
        """Take the counts of neighbours, and how often each phrase occurs."""
        self._tables = tables
        self._phrases = phrases
        self._usual = tables.get("usual", {})
        self._total = sum(self._usual.values())
        self._known: dict[tuple[str, str, str], tuple[dict[str, float], float]] = {}

    def has(self, kind: str, phrase: str) -> bool:
        """Whether a phrase has neighbours of its own."""
        return f"{kind} {phrase} left" in self._tables

    def left(self, kind: str, phrase: str, key: str) -> float:
        """Return the factor of the key before an error of a type at a phrase; without a phrase, at any."""
        return self._factor(kind, phrase, "left", key)

    def right(self, kind: str, phrase: str, key: str) -> float:
        """Return the factor of the key behind it."""
        return self._factor(kind, phrase, "right", key)

    def _factor(self, kind: str, phrase: str, side: str, key: str) -> float:
        found = self._known.get((kind, phrase, side))
        if found is None:
            name = f"{kind} {phrase} {side}" if phrase else f"{kind} {side}"
            usual, total = self._tables.get(f"usual {phrase} {side}"), self._phrases.get(phrase, 0)
            if usual is None or not total:
                usual, total = self._usual, self._total
            found = self._known[kind, phrase, side] = _factors(self._tables.get(name, {}), usual, total)
        return found[0].get(key, found[1])


def _factors(seen: Mapping[str, int], usual: Mapping[str, int], total: int) -> tuple[dict[str, float], float]:
    """Return the factor of every key seen around an error, and that of all others; few errors say little."""
    errors = sum(seen.values())
    table = {}
    for key, count in seen.items():
        share = max(usual.get(key, 0), 1) / max(1, total)
        table[key] = _bounded((count + _SMOOTHING * share) / ((errors + _SMOOTHING) * share))
    return table, _bounded(_SMOOTHING / (errors + _SMOOTHING))


def _bounded(factor: float) -> float:
    return min(_LARGEST, max(_SMALLEST, factor))
