"""A memory of bounded size for what is costly to work out and often asked for.

In: a function and a size. Out: the same function, which remembers its last answers. They live in two generations: what
is asked for moves to the young one; when that is full, the old one is forgotten. So frequent words stay, and a run over
any amount of text needs the memory of a run over a little.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Answer = TypeVar("Answer")


class Recent(Generic[Key, Answer]):
    """Remembers answers.

    >>> lengths = Recent(len, size=2)
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
