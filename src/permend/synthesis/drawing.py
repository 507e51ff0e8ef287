"""What drawing errors at random needs: a choice by weight, a sample, and a cache of bounded size.

In: things with weights and a `random.Random`. Out: one of the things. A `WeightedChoice` is drawn from often, so its
sums are made once; `draw` is for weights that are new each time; `take_sample` takes several of a stream.

>>> WeightedChoice([("the", 3.0), ("a", 1.0)]).draw(random.Random(1))
'the'

A `BoundedCache` holds what is costly to work out and often asked for, such as the choices of a word. Its answers live
in two generations: what is asked for moves to the young one; when that is full, the old one is forgotten. So frequent
words stay, and a run over any amount of text needs the memory of a run over a little.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import accumulate
from typing import Generic, TypeVar

Item = TypeVar("Item")


class WeightedChoice(Generic[Item]):
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


Key = TypeVar("Key", bound=Hashable)
Answer = TypeVar("Answer")


class BoundedCache(Generic[Key, Answer]):
    """A function that remembers its last answers.

    >>> lengths = BoundedCache(len, size=2)
    >>> lengths["one"], lengths["three"], lengths["one"]
    (3, 5, 3)
    """

    __slots__ = ("_function", "_old", "_size", "_young")

    def __init__(self, function: Callable[[Key], Answer], size: int) -> None:
        """Remember at least `size` answers, at most twice as many."""
        self._function = function
        self._size = size
        self._young: dict[Key, Answer] = {}
        self._old: dict[Key, Answer] = {}

    def __getitem__(self, key: Key) -> Answer:
        """Return the answer, remembered or new."""
        try:
            return self._young[key]
        except KeyError:
            pass
        answer = self._old.pop(key) if key in self._old else self._function(key)
        if len(self._young) >= self._size:
            self._old, self._young = self._young, {}
        self._young[key] = answer
        return answer

    def __len__(self) -> int:
        """Return how many answers are remembered."""
        return len(self._young) + len(self._old)
