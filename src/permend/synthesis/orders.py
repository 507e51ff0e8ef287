"""Word order: which word goes where when learners put words in a wrong order.

In: a correct and a wrong order of the same tokens. Out: the one word that jumps and how far, seen from the correct
text; where a neighbour jumping the other way explains it as well, both are given.

>>> find_move(("also", "like"), ("like", "also"))
[('also', 1), ('like', -1)]
>>> find_move(("what", "is", "your", "name"), ("what", "your", "name", "is"))
[('is', 2)]
"""

from __future__ import annotations

from collections.abc import Sequence

FURTHEST = 3


def find_move(correct: Sequence[str], wrong: Sequence[str]) -> list[tuple[str, int]]:
    """Return the possible movers with the number of tokens they jump over, to the right if positive."""
    old, new = [token.lower() for token in correct], [token.lower() for token in wrong]
    moves = []
    for start in range(len(old)):
        for end in range(max(0, start - FURTHEST), min(len(old), start + FURTHEST + 1)):
            if start != end and move(old, start, end - start) == new and old != new:
                moves.append((old[start], end - start))
    return moves


def move(tokens: Sequence[str], start: int, distance: int) -> list[str]:
    """Let one token jump over others."""
    rest = [*tokens[:start], *tokens[start + 1 :]]
    return [*rest[: start + distance], tokens[start], *rest[start + distance :]]
