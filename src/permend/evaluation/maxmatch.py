"""MaxMatch, the M2 scorer: a hypothesis against M2 annotations, with the official scorer's numbers.

In: sentences with gold edits and one hypothesis for each, as tokens. Out: a `Score`. A hypothesis does not say where
its edits begin and end, so it gets the benefit of the doubt: of all ways to cut the difference to the source into
edits, the one counts that agrees with most gold edits (Dahlmeier and Ng 2012, "Better Evaluation for Grammatical Error
Correction"). Of several annotators the one counts that gives the best F over all sentences so far.

>>> from permend.corpora.m2 import M2Edit, M2Sentence
>>> gold = (M2Edit(1, 2, "R:VERB", ("goes",), 0), M2Edit(3, 4, "U:PREP", ("",), 0))
>>> sentence = M2Sentence(("He", "go", "to", "to", "school"), {0: gold})
>>> score_maxmatch([sentence], ["He goes to the school".split()])  # one "to" went, as it should, but "the" came
Score(tp=2, fp=1, fn=0)

A way to cut is a path through the lattice of source and hypothesis: as many gold edits as possible, then as few steps,
then as few edits (section 3.3). `best_path` chooses among the listed arcs as the official scorer does: a gold edit
weighs less than nothing, any other arc its number of steps and a little more for being an edit.

Where a hypothesis has little in common with a long source, nearly every pair of vertices is an edit, and their number
grows with the square of the lattice. `best_path_unlisted` then walks an edit token by token, and a walk remembers only
where its edit began and how many unchanged tokens it holds; time and memory grow with the lattice alone. The aim is the
same; equal paths may be chosen differently.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from permend.corpora.m2 import M2Edit, M2Sentence
from permend.errors import InputError
from permend.evaluation.lattice import (
    EDIT_COST,
    MAX_UNCHANGED,
    Arcs,
    Lattice,
    LatticeTooLargeError,
    TooManyArcsError,
    find_lattice,
    merge_arcs,
)
from permend.evaluation.score import Score

Span = tuple[int, int]


def best_path(lattice: Lattice, arcs: Arcs, hypothesis: Sequence[str], gold: Sequence[M2Edit]) -> list[Span]:
    """Find the edits of the path that matches most gold edits, in order, as (start vertex, end vertex)."""
    weights = _weigh_gold(lattice, arcs, hypothesis, gold)
    costs = [0.0] * len(lattice)
    back = [(0, False)] * len(lattice)
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
                best, times[vertex], back[vertex] = cost, time, (arc.start, arc.is_edit)
        costs[vertex] = best
    return _edits_on_path(back)


def _edits_on_path(back: list[tuple[int, bool]]) -> list[Span]:
    """Follow a path from its end; `back` has, for every vertex, the one before it and whether an edit lies between."""
    edits: list[Span] = []
    vertex = len(back) - 1
    while vertex:
        start, edited = back[vertex]
        if edited:
            edits.append((start, vertex))
        vertex = start
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


# A walk is one number, so that the least number is the best walk. From its high bits to its low bits: minus the gold
# edits on the path, the steps, the edits, and the vertex where the edit under way began.
_FIELD = 1 << 24
_EDIT = _FIELD
_STEP = _EDIT * _FIELD
_GOLD = _STEP * _FIELD
_NOWHERE = _GOLD * _FIELD


def best_path_unlisted(lattice: Lattice, hypothesis: Sequence[str], gold: Sequence[M2Edit]) -> list[Span]:
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


def score_maxmatch(
    sentences: Iterable[M2Sentence],
    hypotheses: Iterable[Sequence[str]],
    beta: float = 0.5,
) -> Score:
    """Score hypotheses against their sentences, one for each; both may be read while they are scored."""
    total = Score()
    for sentence, hypothesis in zip(sentences, hypotheses, strict=True):
        total = _best(total, match(sentence, hypothesis), beta)
    return total


def match(sentence: M2Sentence, hypothesis: Sequence[str]) -> dict[int, Score]:
    """Count right, wrong and missed edits of one hypothesis, for each annotator."""
    if tuple(hypothesis) == sentence.tokens:
        return {annotator: Score(fn=len(gold)) for annotator, gold in sentence.annotations.items()}
    try:
        lattice = find_lattice(sentence.tokens, hypothesis)
    except LatticeTooLargeError:
        message = f"the hypothesis for this sentence of {len(sentence.tokens)} tokens differs too much to be scored"
        raise InputError(message, sentence.path, sentence.line) from None
    paths = _best_paths(lattice, hypothesis, sentence.annotations)
    return {annotator: _count(lattice, hypothesis, *path) for annotator, path in paths.items()}


def _best_paths(
    lattice: Lattice, hypothesis: Sequence[str], annotations: dict[int, tuple[M2Edit, ...]]
) -> dict[int, tuple[list[Span], tuple[M2Edit, ...]]]:
    """Pair each annotator's edits with those of the hypothesis' best path for them."""
    try:
        arcs = merge_arcs(lattice)
    except TooManyArcsError:
        return {who: (best_path_unlisted(lattice, hypothesis, gold), gold) for who, gold in annotations.items()}
    return {who: (best_path(lattice, arcs, hypothesis, gold), gold) for who, gold in annotations.items()}


def _count(lattice: Lattice, hypothesis: Sequence[str], path: list[Span], gold: Sequence[M2Edit]) -> Score:
    """Match the edits of a path with gold edits from left to right; a gold edit listed twice matches twice."""
    right = 0
    passed = 0
    for span in path:
        start, end = lattice.rows[span[0]], lattice.rows[span[1]]
        text = written(lattice, hypothesis, span)
        for place in range(passed, len(gold)):
            edit = gold[place]
            if (edit.start, edit.end) == (start, end) and text in edit.corrections:
                right += 1
                passed = place + 1
    return Score(right, len(path) - right, len(gold) - right)


def _best(total: Score, candidates: dict[int, Score], beta: float) -> Score:
    """Add the annotator that serves the total best: by F, then right edits, then fewest edits on both sides."""

    def merit(annotator: int) -> tuple[float, int, float]:
        score = total + candidates[annotator]
        edits = (score.tp + score.fp) + beta**2 * (score.tp + score.fn)
        return ((1 + beta**2) * score.tp / edits if edits else 1.0), score.tp, -edits

    return total + candidates[max(sorted(candidates), key=merit)]
