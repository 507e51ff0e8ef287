"""All shortest ways to turn one token sequence into another, as one graph.

In: source tokens and hypothesis tokens. Out: a `Lattice` whose vertices are pairs (source position, hypothesis
position) and whose arcs copy, replace, delete or insert one token. It is the union of two Levenshtein lattices, one
where a replacement costs 1 and one where it costs 2 (as much as a deletion and an insertion), which is where
Dahlmeier and Ng (2012, section 3) look for the edits of a system; an arc remembers in how many of the two it lies.

>>> lattice = find_lattice(["the", "cat"], ["the", "the", "cat"])
>>> [lattice.place(vertex) for vertex in range(len(lattice))]  # "the" may be inserted before or behind the first
[(0, 0), (0, 1), (1, 1), (1, 2), (2, 3)]

Both lattices are found by dynamic programming inside a band around the diagonal. The band is as wide as the number of
insertions and deletions that the cheapest path needs, so a long sentence with few changes costs little more than its
length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
