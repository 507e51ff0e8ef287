"""The path through a sentence's edits that agrees best with one annotator.

In: a lattice, the arcs of its edits and an annotator's edits. Out: the edits of the best path, as pairs of vertices:
as many gold edits as possible, then as few steps, then as few edits (Dahlmeier and Ng 2012, section 3.3). A gold edit
weighs less than nothing, any other arc its number of steps and a little more for being an edit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from permend.corpora.m2 import M2Edit
from permend.evaluation.arcs import EDIT_COST, Arc, Arcs
from permend.evaluation.lattice import Lattice

Span = tuple[int, int]


def best_path(lattice: Lattice, arcs: Arcs, hypothesis: Sequence[str], gold: Sequence[M2Edit]) -> list[Span]:
    """Find the edits of the path that matches most gold edits, in order, as (start vertex, end vertex)."""
    weights = _weigh_gold(lattice, arcs, hypothesis, gold)
    costs = [0.0] * len(lattice)
    back: list[Arc | None] = [None] * len(lattice)
    # Of equal paths the official relaxation keeps the one it completes first: by its round, then by the arc's position.
    times = [(0, -1)] * len(lattice)
    for vertex in range(1, len(lattice)):
        best = math.inf
        for arc in arcs.into[vertex]:
            cost = costs[arc.start] + weights.get((arc.start, vertex), arc.weight)
            if cost > best:
                continue
            sweep, position = times[arc.start]
            time = (sweep + (arc.position < position), arc.position)
            if cost < best or time < times[vertex]:
                best, times[vertex], back[vertex] = cost, time, arc
        costs[vertex] = best
    return _edits_on_path(back)


def _edits_on_path(back: list[Arc | None]) -> list[Span]:
    edits: list[Span] = []
    arc = back[-1]
    while arc is not None:
        if arc.is_edit:
            edits.append((arc.start, arc.end))
        arc = back[arc.start]
    return edits[::-1]


def _weigh_gold(lattice: Lattice, arcs: Arcs, hypothesis: Sequence[str], gold: Sequence[M2Edit]) -> dict[Span, float]:
    """Weigh the arcs on the spans of gold edits: a reward where one agrees with the hypothesis."""
    wanted: dict[Span, list[M2Edit]] = {}
    for edit in gold:
        wanted.setdefault((edit.start, edit.end), []).append(edit)
    ends = {end for _, end in wanted}
    weights: dict[Span, float] = {}
    insertions: dict[int, list[Span]] = {}
    for arc in (arc for vertex, into in enumerate(arcs.into) if lattice.rows[vertex] in ends for arc in into):
        start, end = lattice.rows[arc.start], lattice.rows[arc.end]
        if (start, end) not in wanted:
            continue
        span = arc.start, arc.end
        if start == end:
            insertions.setdefault(start, []).extend([span] * arc.copies)
            weights[span] = float(arc.steps)
        elif any(written(lattice, hypothesis, span) in edit.corrections for edit in wanted[start, end]):
            weights[span] = -arcs.size
    for place, spans in insertions.items():
        texts = {span: written(lattice, hypothesis, span) for span in spans}
        _weigh_insertions(sorted(spans), texts, wanted[place, place], -arcs.size, weights)
    return weights


def written(lattice: Lattice, hypothesis: Sequence[str], span: Span) -> str:
    """What the hypothesis has between two vertices."""
    return " ".join(hypothesis[lattice.columns[span[0]] : lattice.columns[span[1]]])


def _weigh_insertions(
    spans: list[Span], texts: dict[Span, str], gold: list[M2Edit], reward: float, weights: dict[Span, float]
) -> None:
    """Match insertions at one place with gold insertions from both ends, so that none is rewarded twice.

    The official scorer looks at the list from the left and from the right in turn. After a match it stays on its side
    and goes on with the arcs that continue where the match ended, and with the gold edits behind the matched one.
    """
    left, right, low, high = 0, len(spans) - 1, 0, len(gold) - 1
    from_left = True
    while left <= right:
        span = spans[left if from_left else right]
        from_left = from_left or left == right
        candidates = range(low, high + 1) if from_left else range(high, low - 1, -1)
        match = next((i for i in candidates if texts[span] in gold[i].corrections), None)
        if match is None:
            weights[span] += EDIT_COST
            left, right = (left + 1, right) if from_left else (left, right - 1)
            from_left = not from_left
        elif from_left:
            weights[span] = reward
            low, left = match + 1, left + 1
            while left < len(spans) and spans[left][0] != span[1]:
                weights[spans[left]] += EDIT_COST
                left += 1
        else:
            weights[span] = reward
            high, right = match - 1, right - 1
            while right >= 0 and spans[right][1] != span[0]:
                weights[spans[right]] += EDIT_COST
                right -= 1
