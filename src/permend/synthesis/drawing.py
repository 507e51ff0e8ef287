"""Draw one of several things by weight.

In: things and their weights, and a `random.Random`. Out: one of them. A `Lot` is drawn from often, so its sums are made
once; `draw` is for weights that are new each time.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Lot(Generic[Item]):
    """Things to draw from, again and again."""

    __slots__ = ("items", "sums", "total")

    def __init__(self, weighted: Iterable[tuple[Item, float]]) -> None:
        """Keep the things whose weight is above zero."""
        pairs = [(item, weight) for item, weight in weighted if weight > 0]
        self.items = [item for item, _ in pairs]
        self.sums = list(accumulate(weight for _, weight in pairs))
        self.total = self.sums[-1] if self.sums else 0.0

    def draw(self, random_: random.Random) -> Item:
        """Draw one thing; there must be one."""
        place = bisect_right(self.sums, random_.random() * self.total)
        return self.items[min(place, len(self.items) - 1)]


def draw(weighted: Sequence[tuple[Item, float]], random_: random.Random) -> Item:
    """Draw one of some things; there must be one."""
    rest = random_.random() * sum(weight for _, weight in weighted)
    for item, weight in weighted:
        rest -= weight
        if rest < 0:
            return item
    return weighted[-1][0]


def take_sample(items: Iterable[Item], number: int, seed: int = 0) -> list[Item]:
    """Take some of many things, each with the same chance, however many come; the same ones every time.

    >>> take_sample(range(1000), 3), take_sample("ab", 3)
    ([817, 783, 28], ['a', 'b'])
    """
    random_ = random.Random(seed)
    taken: list[Item] = []
    for place, item in enumerate(items):
        if place < number:
            taken.append(item)
        elif (chosen := random_.randrange(place + 1)) < number:
            taken[chosen] = item
    return taken
