"""Edits of several tokens: the arcs that the MaxMatch scorer adds to a lattice.

In: a `Lattice`. Out: every arc from vertex to vertex that stands for one edit or one copied token. Neighbouring arcs
merge into one edit as long as it holds at most two unchanged tokens (Dahlmeier and Ng 2012, section 3.2).

>>> from permend.evaluation.lattice import find_lattice
>>> arcs = merge_arcs(find_lattice("a b".split(), "a x b".split()))
>>> [(arc.start, arc.end, arc.steps, arc.unchanged) for arc in arcs.into[-1]]  # b copied, a b -> a x b, b -> x b
[(2, 3, 1, 1), (0, 3, 3, 2), (1, 3, 2, 1)]

The paths of the published numbers come from the official scorer's list of arcs: how often it holds an arc decides
between edits of equal length, and the order of the list decides between equal paths. Both are kept here.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from permend.evaluation.lattice import Lattice

MAX_UNCHANGED = 2
"""Unchanged tokens that one edit may hold, the official scorer's default."""

ARC_LIMIT = 20_000
"""Merged arcs that are worth listing. Corrections, even bad ones, have hundreds; a hypothesis has more than this where
it shares hardly a word with a source of twenty or more, and there the official scorer runs for minutes a sentence."""

EDIT_COST = 0.001
"""What an edit costs besides its steps, once for each time that the official list holds it."""


class Arc(NamedTuple):
    """One edit, or one copied token, between two vertices."""

    start: int
    end: int
    steps: int
    """Arcs of the lattice in the shortest way from start to end."""
    unchanged: int
    """Copied tokens among the steps."""
    weight: float
    """Steps and edit costs, added up in the official order: the last bit decides between equal paths."""
    copies: int
    """How often the official list holds the arc."""
    position: int
    """Where in the official list it stands first."""

    @property
    def is_edit(self) -> bool:
        """Whether the arc changes anything."""
        return self.unchanged < self.steps


@dataclass(frozen=True)
class Arcs:
    """All arcs of a sentence."""

    into: list[list[Arc]]
    """Arcs by the vertex they lead to."""
    size: int
    """Length of the official list."""


class TooManyArcsError(ValueError):
    """The arcs of a lattice are too many to be listed."""


def merge_arcs(lattice: Lattice) -> Arcs:
    """List the arcs of the lattice and all that merging adds, or raise `TooManyArcsError`."""
    # ways[vertex][start]: steps and unchanged tokens of the shortest way found from start to vertex
    ways: list[dict[int, tuple[int, int]]] = []
    singles: list[tuple[int, int]] = []
    merged: list[tuple[int, int, int]] = []  # (last vertex on the way, start, end), which is the official order
    for vertex, into in enumerate(lattice.arcs):
        here = {before: (1, int(same)) for before, _, same in into}
        for before, copies, same in into:
            singles += [(before, vertex)] * copies
            for start, (steps, unchanged) in ways[before].items():
                kept = unchanged + same
                if kept <= MAX_UNCHANGED and (start not in here or steps + 1 < here[start][0]):
                    here[start] = (steps + 1, kept)
                    merged.append((before, start, vertex))
        ways.append(here)
        if len(merged) > ARC_LIMIT:
            raise TooManyArcsError
    listed = sorted(singles) + _without_copies_of_text(sorted(merged), ways)
    return _group(listed, ways)


def _without_copies_of_text(
    merged: list[tuple[int, int, int]], ways: list[dict[int, tuple[int, int]]]
) -> list[tuple[int, int]]:
    """Drop merged arcs that copy text; the official loop misses the second of two such neighbours."""
    kept = []
    dropped_last = False
    for _, start, end in merged:
        steps, unchanged = ways[end][start]
        dropped_last = not dropped_last and steps == unchanged
        if not dropped_last:
            kept.append((start, end))
    return kept


def _group(listed: list[tuple[int, int]], ways: list[dict[int, tuple[int, int]]]) -> Arcs:
    into: list[list[Arc]] = [[] for _ in ways]
    copies = Counter(listed)
    first: dict[tuple[int, int], int] = {}
    for position, arc in enumerate(listed):
        first.setdefault(arc, position)
    for (start, end), position in first.items():
        steps, unchanged = ways[end][start]
        count = copies[start, end]
        weight = _add_edit_cost(float(steps), count if unchanged < steps else 0)
        into[end].append(Arc(start, end, steps, unchanged, weight, count, position))
    return Arcs(into, len(listed))


def _add_edit_cost(weight: float, times: int = 1) -> float:
    """Add the cost of an edit so many times, one after the other."""
    for _ in range(times):
        weight += EDIT_COST
    return weight
