"""A plan: the order in which source tokens and insertion slots make the corrected sentence (Section 3.1).

A source of n tokens, ``<s>`` and ``</s>`` included, stands at positions 0 … n-1; its slots stand behind it at
n, n+1, … . Figure 1 of the paper turns *I be busy* into *I ⟨slot⟩ busy*, where the slot will become *am*:

>>> plan = Plan((0, 1, 5, 3, 4), length=5)
>>> plan.slots
1
>>> plan.deleted
(2,)

A plan that breaks a rule cannot be made:

>>> Plan((0, 1, 5, 6, 3, 4), length=5)
Traceback (most recent call last):
permend.method.plan.PlanError: slots 5 and 6 stand next to each other
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from permend.errors import PermendError


class PlanError(PermendError):
    """An order over positions breaks one of the rules of a plan."""


@dataclass(frozen=True)
class Plan:
    """A validated order: from ``<s>`` to ``</s>``, no position twice, slots in order and never adjacent."""

    order: tuple[int, ...]
    """Positions in the order of the corrected sentence; a value of `length` or more is a slot."""
    length: int
    """Number of source tokens, ``<s>`` and ``</s>`` included."""

    def __post_init__(self) -> None:
        """Refuse an order that is not a plan."""
        order, length = self.order, self.length
        if len(order) < 2 or order[0] != 0 or order[-1] != length - 1:
            raise PlanError(f"a plan leads from 0 to {length - 1}, this one is {list(order)}")
        if len(set(order)) != len(order):
            twice = next(position for i, position in enumerate(order) if position in order[:i])
            raise PlanError(f"position {twice} is visited twice")
        if min(order) < 0:
            raise PlanError(f"position {min(order)} is negative")
        if max(order) >= length:
            self._check_slots()

    def _check_slots(self) -> None:
        places = [i for i, position in enumerate(self.order) if position >= self.length]
        for count, place in enumerate(places):
            if self.order[place] != self.length + count:
                raise PlanError(f"slot {self.order[place]} stands where {self.length + count} is due")
            if count and places[count - 1] == place - 1:
                raise PlanError(f"slots {self.order[place - 1]} and {self.order[place]} stand next to each other")

    @classmethod
    @lru_cache(maxsize=512)
    def identity(cls, length: int) -> Plan:
        """Return the plan that changes nothing."""
        return cls(tuple(range(length)), length)

    @property
    def is_identity(self) -> bool:
        """Whether every token stays where it is and nothing is inserted."""
        return len(self.order) == self.length and self.order == tuple(range(self.length))

    @property
    def slots(self) -> int:
        """Number of slots in use."""
        return len(self.around_slots)

    @property
    def deleted(self) -> tuple[int, ...]:
        """Source positions that the plan leaves out."""
        kept = set(self.order)
        return tuple(position for position in range(self.length) if position not in kept)

    @property
    def moved(self) -> int:
        """Number of places where the plan steps back to an earlier source position."""
        kept = [position for position in self.order if position < self.length]
        return sum(b < a for a, b in pairwise(kept))

    @cached_property
    def around_slots(self) -> tuple[tuple[int, int], ...]:
        """The positions before and behind each slot.

        >>> Plan((0, 1, 5, 3, 4), length=5).around_slots
        ((1, 3),)
        """
        order = self.order
        places = [i for i, position in enumerate(order) if position >= self.length]
        return tuple((order[i - 1], order[i + 1]) for i in places)

    def runs(self) -> Iterator[tuple[int, int]]:
        """Yield maximal stretches (first, last) of neighbouring source positions; a slot is a stretch of its own.

        >>> list(Plan((0, 1, 5, 3, 4), length=5).runs())
        [(0, 1), (5, 5), (3, 4)]
        """
        first = last = self.order[0]
        for position in self.order[1:]:
            if position != last + 1 or position >= self.length:
                yield first, last
                first = position
            last = position
        yield first, last
