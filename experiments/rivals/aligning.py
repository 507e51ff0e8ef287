"""What becomes of each unit of a source, be it a word or a sub-token, on the way to its target.

In: the units of both sides. Out: a stretch of the target for each unit of the source, and one before all of them for
the sentence's start; together they are the whole target, in order. As many units as possible stay (the longest common
subsequence); between those, units are paired with those that they look like. An empty stretch is a deletion, and what
stands in a stretch behind its first unit is an insertion:

>>> source, target = "I goes agree with tired".split(), "Yes I go with the tired one".split()
>>> for unit, stretch in zip(["", *source], mapped(source, target)):
...     print(repr(unit), "→", [target[place] for place in stretch])
'' → ['Yes']
'I' → ['I']
'goes' → ['go']
'agree' → []
'with' → ['with', 'the']
'tired' → ['tired', 'one']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rapidfuzz.distance import Indel, Levenshtein

_LARGE = 400
"""Pairs of units in a changed stretch beyond which likeness is not looked at."""
_UNLIKE = 1.2
"""The cost of replacing a unit by one that has nothing in common with it; leaving out or putting in one costs 1."""


def mapped(source: Sequence[str], target: Sequence[str]) -> list[range]:
    """Return the target's stretch for the start and for each unit of the source."""
    partners = dict(_partners(source, target))
    stretches: list[range] = []
    end = len(target)
    for place in range(len(source) - 1, -1, -1):
        begin = partners.get(place, end)
        stretches.append(range(begin, end))
        end = begin
    return [range(end), *reversed(stretches)]


def _partners(source: Sequence[str], target: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the places of units that stay or are replaced, and their places in the target."""
    old = new = 0
    for step in Indel.opcodes(source, target):
        if step.tag == "equal":
            yield from _like(source, target, range(old, step.src_start), range(new, step.dest_start))
            old, new = step.src_end, step.dest_end
            yield from zip(range(step.src_start, old), range(step.dest_start, new), strict=True)
    yield from _like(source, target, range(old, len(source)), range(new, len(target)))


def _like(source: Sequence[str], target: Sequence[str], old: range, new: range) -> Iterator[tuple[int, int]]:
    """Yield the pairs of two changed stretches that make the cheapest way from one to the other."""
    if not old or not new:
        return
    if len(old) == len(new) == 1 or len(old) * len(new) > _LARGE:
        yield from zip(old, new, strict=False)
        return
    # best[i][j]: the cost of the stretches from their i-th and j-th unit on, 1 a unit that has no partner
    best = [[float(len(old) - i + len(new) - j) for j in range(len(new) + 1)] for i in range(len(old) + 1)]
    costs = [[_unlikeness(source[i], target[j]) for j in new] for i in old]
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            best[i][j] = min(best[i + 1][j + 1] + costs[i][j], best[i + 1][j] + 1, best[i][j + 1] + 1)
    i = j = 0
    while i < len(old) and j < len(new):
        if best[i][j] == best[i + 1][j + 1] + costs[i][j]:
            yield old[i], new[j]
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j] + 1:
            i += 1
        else:
            j += 1


def _unlikeness(old: str, new: str) -> float:
    return _UNLIKE * Levenshtein.normalized_distance(old.lower(), new.lower())
