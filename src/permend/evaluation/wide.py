"""The best path through a lattice that has too many edits to list them.

In: a lattice and an annotator's edits. Out: the edits of a best path, as from `paths.best_path`. Where a hypothesis has
little in common with a long source, nearly every pair of vertices is an edit, and their number grows with the square of
the lattice. Here an edit is walked token by token instead, and a walk remembers only where its edit began and how many
unchanged tokens it holds; time and memory grow with the lattice alone. The aim is the same (most gold edits, then
fewest steps, then fewest edits); equal paths may be chosen differently.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from permend.corpora.m2 import M2Edit
from permend.evaluation.arcs import MAX_UNCHANGED
from permend.evaluation.lattice import Lattice

# A walk is one number, so that the least number is the best walk. From its high bits to its low bits: minus the gold
# edits on the path, the steps, the edits, and the vertex where the edit under way began.
_FIELD = 1 << 24
_EDIT = _FIELD
_STEP = _EDIT * _FIELD
_GOLD = _STEP * _FIELD
_NOWHERE = _GOLD * _FIELD


def best_path_unlisted(lattice: Lattice, hypothesis: Sequence[str], gold: Sequence[M2Edit]) -> list[tuple[int, int]]:
    """Find the edits of a path that matches most gold edits, in order, as (start vertex, end vertex)."""
    rewarded = _gold_arcs(lattice, hypothesis, gold)
    costs: list[int] = []
    back: list[tuple[int, bool]] = []
    walks: list[tuple[list[int], list[int]]] = []
    forgotten = 0
    for vertex in range(len(lattice)):
        copying, editing = _extend(lattice, vertex, walks)
        ends = [(copying[1], False), *((walk + _EDIT, True) for walk in editing)]
        ends += [(costs[start] + start - _GOLD + _EDIT, True) for start in rewarded.get(vertex, ())]
        best, edited = min(ends) if vertex else (0, False)
        back.append((best % _FIELD, edited))
        costs.append(best - best % _FIELD)
        copying[0] = costs[vertex] + vertex
        walks.append((copying, editing))
        while lattice.rows[forgotten] < lattice.rows[vertex] - 1:  # no arc reaches further back than a row
            walks[forgotten] = ([], [])
            forgotten += 1
    return _edits_on_path(back)


def _extend(lattice: Lattice, vertex: int, walks: list[tuple[list[int], list[int]]]) -> tuple[list[int], list[int]]:
    """Take all walks one step further to a vertex: those that only copied so far and those inside an edit."""
    copying, editing = [_NOWHERE] * (MAX_UNCHANGED + 1), [_NOWHERE] * (MAX_UNCHANGED + 1)
    for before, _, same in lattice.arcs[vertex]:
        copied, edited = walks[before]
        for unchanged in range(MAX_UNCHANGED + 1 - same):
            if same:
                copying[unchanged + 1] = min(copying[unchanged + 1], copied[unchanged] + _STEP)
                editing[unchanged + 1] = min(editing[unchanged + 1], edited[unchanged] + _STEP)
            else:
                editing[unchanged] = min(editing[unchanged], copied[unchanged] + _STEP, edited[unchanged] + _STEP)
    return copying, editing


def _edits_on_path(back: list[tuple[int, bool]]) -> list[tuple[int, int]]:
    edits = []
    vertex = len(back) - 1
    while vertex:
        start, edited = back[vertex]
        if edited:
            edits.append((start, vertex))
        vertex = start
    return edits[::-1]


def _gold_arcs(lattice: Lattice, hypothesis: Sequence[str], gold: Sequence[M2Edit]) -> dict[int, list[int]]:
    """Find where the hypothesis follows a gold edit: the start vertices by end vertex."""
    found: dict[int, list[int]] = {}
    for edit in gold:
        row = range(bisect_left(lattice.rows, edit.start), bisect_right(lattice.rows, edit.start))
        for tokens in (correction.split() for correction in edit.corrections):
            for start in row:
                column = lattice.columns[start]
                end = lattice.index.get((edit.end, column + len(tokens)))
                if (
                    end is not None
                    and list(hypothesis[column : column + len(tokens)]) == tokens
                    and _connected(lattice, start, end)
                ):
                    found.setdefault(end, []).append(start)
    return found


def _connected(lattice: Lattice, start: int, end: int) -> bool:
    """Tell whether one edit may lead from start to end."""
    (top, left), (bottom, right) = lattice.place(start), lattice.place(end)
    fewest = {start: 0}  # unchanged tokens on the way to each vertex; an edit changes something
    changed = set()
    for place in ((row, column) for row in range(top, bottom + 1) for column in range(left, right + 1)):
        vertex = lattice.index.get(place, start)
        ways = [(before, fewest[before] + same, same) for before, _, same in lattice.arcs[vertex] if before in fewest]
        if vertex != start and ways and min(way[1] for way in ways) <= MAX_UNCHANGED:
            fewest[vertex] = min(way[1] for way in ways)
            if any(before in changed or not same for before, _, same in ways):
                changed.add(vertex)
    return end in changed
