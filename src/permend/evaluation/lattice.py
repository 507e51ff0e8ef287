"""All shortest ways to turn one token sequence into another, as one graph, and the edits that lie in it.

In: source tokens and hypothesis tokens. Out of `find_lattice`: a `Lattice` whose vertices are pairs (source position,
hypothesis position) and whose arcs copy, replace, delete or insert one token. It is the union of two Levenshtein
lattices, one where a replacement costs 1 and one where it costs 2 (as much as a deletion and an insertion): there
Dahlmeier and Ng (2012, section 3) look for the edits of a system. An arc remembers in how many of the two it lies.

>>> lattice = find_lattice(["the", "cat"], ["the", "the", "cat"])
>>> [lattice.place(vertex) for vertex in range(len(lattice))]  # "the" may be inserted before or behind the first
[(0, 0), (0, 1), (1, 1), (1, 2), (2, 3)]

Both lattices are found by dynamic programming inside a band around the diagonal. The band is as wide as the number of
insertions and deletions that the cheapest path needs, so a long sentence with few changes costs little more than its
length.

Out of `merge_arcs`: every arc from vertex to vertex that stands for one edit or one copied token. Neighbouring arcs
merge into one edit as long as it holds at most two unchanged tokens (section 3.2).

>>> arcs = merge_arcs(find_lattice("a b".split(), "a x b".split()))
>>> [(arc.start, arc.end, arc.steps, arc.unchanged) for arc in arcs.into[-1]]  # b copied, a b -> a x b, b -> x b
[(2, 3, 1, 1), (0, 3, 3, 2), (1, 3, 2, 1)]

The paths of the published numbers come from the official scorer's list of arcs: how often it holds an arc decides
between edits of equal length, and the order of the list decides between equal paths. Both are kept here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel

CELL_LIMIT = 25_000_000
"""Band cells for which matrices are made (about half a gigabyte)."""

VERTEX_LIMIT = 1_100_000
"""Vertices a lattice may have; more would keep the search busy for minutes."""

_FAR = np.int32(1 << 29)

Matrix = NDArray[np.int32]
Mask = NDArray[np.bool_]


class LatticeTooLargeError(ValueError):
    """The two sequences are too long and too different for their lattice to be searched."""


@dataclass(frozen=True)
class Lattice:
    """Vertices in topological order: 0 is the start, the last one the end of both sequences."""

    rows: list[int]
    """Source position of every vertex, ascending."""
    columns: list[int]
    """Hypothesis position of every vertex, ascending within a row."""
    arcs: list[list[tuple[int, int, bool]]]
    """Arcs into every vertex, (predecessor, lattices that hold it: 1 or 2, token unchanged), by predecessor."""
    index: dict[tuple[int, int], int]
    """Vertex at (source position, hypothesis position)."""

    def __len__(self) -> int:
        """Count the vertices."""
        return len(self.rows)

    def place(self, vertex: int) -> tuple[int, int]:
        """Where a vertex lies: (source position, hypothesis position)."""
        return self.rows[vertex], self.columns[vertex]


def find_lattice(source: Sequence[str], hypothesis: Sequence[str]) -> Lattice:
    """Build the union of the two Levenshtein lattices between two token sequences."""
    swapped = len(source) > len(hypothesis)  # matrices have one row for each token of the shorter sequence
    left, right = (hypothesis, source) if swapped else (source, hypothesis)
    changes = Indel.distance(left, right)
    if (len(left) + 1) * (changes + 1) > CELL_LIMIT:
        raise LatticeTooLargeError
    behind = (changes + len(left) - len(right)) // 2  # deletions that a cheapest path may have, at most
    equal = _equal_tokens(left, right, behind, changes + 1)
    inside = _cells_inside(len(left), len(right), behind, changes + 1)
    copies = [np.zeros(inside.shape, np.uint8) for _ in range(3)]  # into each cell: diagonal, deletion, insertion
    for cost in (1, 2):
        for total, arc in zip(copies, _shortest_arcs(equal, inside, cost), strict=True):
            total += arc
    return _collect(copies, equal, behind, swapped)


def _equal_tokens(left: Sequence[str], right: Sequence[str], behind: int, width: int) -> Mask:
    """Tell for each band cell (i, c), that is (i, i + c - behind), whether the diagonal into it copies a token."""
    numbers: dict[str, int] = {}
    rows = np.array([numbers.setdefault(token, len(numbers)) for token in left], np.int32)
    columns = np.array([numbers.setdefault(token, len(numbers)) for token in right], np.int32)
    padded = np.full(len(left) + 1 + width, -1, np.int32)  # cell (i, c) looks at padded[i + c]
    kept = columns[: len(padded) - behind - 1]
    padded[behind + 1 : behind + 1 + len(kept)] = kept
    windows = np.lib.stride_tricks.sliding_window_view(padded, width)
    equal = np.zeros((len(left) + 1, width), np.bool_)
    np.equal(rows[:, None], windows[1 : len(left) + 1], out=equal[1:])
    return equal


def _cells_inside(row_count: int, column_count: int, behind: int, width: int) -> Mask:
    columns = np.arange(row_count + 1)[:, None] + (np.arange(width) - behind)
    inside: Mask = (columns >= 0) & (columns <= column_count)
    return inside


def _shortest_arcs(equal: Mask, inside: Mask, cost: int) -> tuple[Mask, Mask, Mask]:
    """Mark the diagonal, deletion and insertion arcs that lie on a cheapest path, each at the cell it leads to."""
    diagonal = np.where(equal, 0, cost).astype(np.int32)
    before = _distances(diagonal, inside)
    # Seen from the end the band is the same band, turned by half a circle; the diagonal arc into (i, j) becomes the
    # one into (n - i + 1, m - j + 1), one row further.
    turned = np.full_like(diagonal, _FAR)
    turned[1:] = diagonal[:0:-1, ::-1]
    after = _distances(turned, inside[::-1, ::-1])[::-1, ::-1]
    total = after[0][before[0] == 0].min()
    diagonal_arcs, deletion_arcs, insertion_arcs = (np.zeros(inside.shape, np.bool_) for _ in range(3))
    diagonal_arcs[1:] = before[:-1] + diagonal[1:] + after[1:] == total
    deletion_arcs[1:, :-1] = before[:-1, 1:] + 1 + after[1:, :-1] == total
    insertion_arcs[:, 1:] = before[:, :-1] + 1 + after[:, 1:] == total
    return diagonal_arcs, deletion_arcs, insertion_arcs


def _distances(diagonal: Matrix, inside: Mask) -> Matrix:
    """Cheapest cost from the start to every band cell; cells outside the matrix are far away."""
    steps = np.arange(diagonal.shape[1], dtype=np.int32)
    distances = np.full(diagonal.shape, _FAR, np.int32)
    start = int(np.argmax(inside[0]))
    distances[0, start:] = np.where(inside[0, start:], steps[: len(steps) - start], _FAR)
    for i in range(1, len(diagonal)):
        row = distances[i - 1] + diagonal[i]
        np.minimum(row[:-1], distances[i - 1, 1:] + 1, out=row[:-1])
        row[~inside[i]] = _FAR
        row = np.minimum.accumulate(row - steps) + steps  # insertions: a step to the right costs one
        distances[i] = np.where(inside[i], row, _FAR)
    return distances


def _collect(copies: list[NDArray[np.uint8]], equal: Mask, behind: int, swapped: bool) -> Lattice:
    """Number the cells that lie on a cheapest path and list the arcs into each of them."""
    diagonal, deletion, insertion = copies
    used = (diagonal | deletion | insertion) > 0
    used[0, behind] = True
    row, band = np.nonzero(used)
    if len(row) > VERTEX_LIMIT:
        raise LatticeTooLargeError
    column = row + band - behind
    order = np.lexsort((row, column)) if swapped else np.arange(len(row))
    number = np.full((used.shape[0] + 1, used.shape[1] + 2), -1, np.int32)  # one more row above, a column each side
    number[row[order] + 1, band[order] + 1] = np.arange(len(row), dtype=np.int32)
    row, band, column = row[order], band[order], column[order]
    into = [
        (number[row, band + 1], diagonal[row, band], equal[row, band]),
        (number[row, band + 2], deletion[row, band], np.zeros(len(row), np.bool_)),
        (number[row + 1, band], insertion[row, band], np.zeros(len(row), np.bool_)),
    ]
    if swapped:  # by predecessor: the diagonal one, the one in the row above, the one to the left
        row, column, into[1], into[2] = column, row, into[2], into[1]
    arcs: list[list[tuple[int, int, bool]]] = [[] for _ in range(len(row))]
    for befores, counts, sames in into:
        for here, before, count, same in zip(arcs, befores.tolist(), counts.tolist(), sames.tolist(), strict=True):
            if count:
                here.append((before, count, same))
    rows, columns = row.tolist(), column.tolist()
    index = {place: vertex for vertex, place in enumerate(zip(rows, columns, strict=True))}
    return Lattice(rows, columns, arcs, index)


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
