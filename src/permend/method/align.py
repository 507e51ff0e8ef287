"""Algorithm 1: from a sentence pair to the plan and the fills that a network shall learn (Section 3.3).

In: the source and the target as sequences of comparable tokens, ``<s>`` and ``</s>`` included. Out: an `Alignment`,
that is a `Plan`, the tokens for each slot, and an account of what the label scheme could not express.

>>> label = align("<s> I be busy </s>".split(), "<s> I am busy </s>".split())
>>> label.plan.order, label.fills
((0, 1, 5, 3, 4), (('am',),))

The algorithm has three steps. (1) Match: take the longest stretch of the target that also stands in the source, hide
it on both sides, repeat. (2) Choose: keep the matched spans that cover most tokens, such that the ranks (places in the
source) of neighbouring spans differ by at most `max_len`; this keeps reorderings local. (3) Write down the order of the
spans, with a slot wherever target tokens are missing between two of them.

The paper's triple loop is too slow for millions of pairs. Here step 1 lists the maximal common stretches once and keeps
them in a heap; the result is the same (docs/decisions/0003-fast-alignment.md).

`align_felix` makes FELIX's labels (Mallinson et al. 2020) instead, the rival in the paper's ablation (Figure 3a). Each
target token in turn takes the unused source token of the same kind that lies nearest to the one taken last; a token
that finds none is inserted. Repeated words stay near the words before them, at the price of torn clauses:

>>> source = "<s> I like films when I was younger I watched on TV </s>".split()
>>> target = "<s> I like films I watched on TV when I was younger </s>".split()
>>> align_felix(source, target).plan.order
(0, 1, 2, 3, 5, 9, 10, 11, 4, 8, 6, 7, 12)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import Generic, Literal, NamedTuple, TypeVar

from permend.method.plan import Plan

Token = TypeVar("Token", bound=Hashable)
Overflow = Literal["cut", "keep"]

SLOTS = 8
"""Insertions a sentence may have: s in the paper."""
MASKS = 3
"""Tokens a slot can hold."""
MAX_LEN = 2
"""Largest difference of the ranks of two neighbouring spans."""


class Span(NamedTuple):
    """`length` tokens that stand at `source` in the source and at `target` in the target."""

    source: int
    target: int
    length: int


@dataclass(frozen=True)
class Losses:
    """What the label scheme had to give up for one pair."""

    insertions_cut: int = 0
    """Insertions longer than a slot holds."""
    slots_exceeded: int = 0
    """Insertions that found no free slot."""
    spans_dropped: int = 0
    """Matched spans left out because of the rank limit; their tokens are inserted anew, which need not be a loss."""

    @property
    def exact(self) -> bool:
        """Whether the plan, filled, gives the target."""
        return not (self.insertions_cut or self.slots_exceeded)


@dataclass(frozen=True)
class Alignment(Generic[Token]):
    """The label of a pair: a plan and the tokens that fill its slots, in order."""

    plan: Plan
    fills: tuple[tuple[Token, ...], ...]
    losses: Losses


def align(
    source: Sequence[Token],
    target: Sequence[Token],
    *,
    slots: int = SLOTS,
    masks: int = MASKS,
    max_len: int = MAX_LEN,
    overflow: Overflow = "cut",
) -> Alignment[Token]:
    """Label a pair whose sequences begin with the same ``<s>`` and end with the same ``</s>``.

    An insertion that does not fit is cut to `masks` tokens or, past the last slot, left out (``"cut"``, the paper's
    way); with ``"keep"`` the source stretch that it should replace stays as it is.
    """
    spans = match(source, target)
    chosen = choose(spans, max_len)
    return write_label(source, target, chosen, len(spans) - len(chosen), slots=slots, masks=masks, overflow=overflow)


def match(source: Sequence[Token], target: Sequence[Token]) -> list[Span]:
    """Pair off common stretches, longest first; ties go to the leftmost in the target, then in the source.

    >>> match("( a b c )".split(), "( c a b )".split())  # doctest: +NORMALIZE_WHITESPACE
    [Span(source=0, target=0, length=1), Span(source=3, target=1, length=1),
     Span(source=1, target=2, length=2), Span(source=4, target=4, length=1)]
    """
    if len(source) == len(target) and all(a == b for a, b in zip(source, target, strict=True)):
        return [Span(0, 0, len(source))]
    heap = _common_stretches(source, target)
    heapify(heap)
    source_used, target_used = bytearray(len(source)), bytearray(len(target))
    spans = []
    while heap:
        negative_length, at_target, at_source = heappop(heap)
        length = -negative_length
        used = _either(source_used[at_source : at_source + length], target_used[at_target : at_target + length])
        if 1 not in used:
            source_used[at_source : at_source + length] = b"\1" * length
            target_used[at_target : at_target + length] = b"\1" * length
            spans.append(Span(at_source, at_target, length))
            continue
        offset = 0
        for rest in used.split(b"\1"):
            if rest:
                heappush(heap, (-len(rest), at_target + offset, at_source + offset))
            offset += len(rest) + 1
    spans.sort(key=lambda span: span.target)
    return spans


def _either(first: bytearray, second: bytearray) -> bytes:
    """Say of each place whether it is used on either side (through one big integer: long spans stay cheap)."""
    return (int.from_bytes(first) | int.from_bytes(second)).to_bytes(len(first))


def _common_stretches(source: Sequence[Token], target: Sequence[Token]) -> list[tuple[int, int, int]]:
    """List all maximal common stretches as (-length, place in target, place in source): the order of Algorithm 1.

    A stretch is maximal to the left when the tokens before it differ, so source places are filed by token and
    preceding token, and places inside a stretch are never looked at.
    """
    places: defaultdict[Token, defaultdict[Token | None, list[int]]] = defaultdict(lambda: defaultdict(list))
    before: Token | None = None
    for i, token in enumerate(source):
        places[token][before].append(i)
        before = token
    stretches = []
    before = None
    for j, token in enumerate(target):
        if token in places:
            for source_before, starts in places[token].items():
                if source_before == before and j > 0:
                    continue
                for i in starts:
                    length = _common_length(source, i, target, j)
                    stretches.append((-length, j, i))
        before = token
    return stretches


def _common_length(source: Sequence[Token], i: int, target: Sequence[Token], j: int) -> int:
    """Count the equal tokens from the equal ones at i and j on, by slices that double and, at a mismatch, halve."""
    length, size = 1, 1
    left = min(len(source) - i, len(target) - j) - 1
    while left and size:
        size = min(size, left)
        if source[i + length : i + length + size] == target[j + length : j + length + size]:
            length += size
            left -= size
            size *= 2
        else:
            size //= 2
    return length


def choose(spans: Sequence[Span], max_len: int = MAX_LEN) -> list[Span]:
    """Keep the first and the last span and, between them, those that cover most tokens under the rank limit.

    Where no such chain leads from the first to the last span, one step may break the limit. Ties go to the span
    that is later in the target.

    >>> spans = [Span(0, 0, 4), Span(8, 4, 4), Span(4, 8, 4), Span(12, 12, 1)]
    >>> choose(spans, max_len=2) == spans
    True
    >>> choose(spans, max_len=1) == [spans[0], spans[2], spans[3]]
    True
    """
    by_source = sorted(range(len(spans)), key=lambda index: spans[index].source)
    if by_source == list(range(len(spans))):
        return list(spans)
    rank = [0] * len(spans)
    for place, index in enumerate(by_source):
        rank[index] = place
    # cover[broken][j]: the most tokens a chain from span 0 to span j covers, with `broken` steps over the limit.
    nowhere = (-1, -1)  # (tokens covered, where the chain comes from)
    cover: tuple[list[int], list[int]] = ([spans[0].length], [-1])
    origin: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([(0, 0)], [(0, 0)])
    furthest = (spans[0].length, 0)  # best unbroken chain so far: (tokens, its last span)
    for j in range(1, len(spans)):
        near = by_source[max(0, rank[j] - max_len) : rank[j] + max_len + 1]
        for broken in (0, 1):
            best = max(((cover[broken][i], i) for i in near if i < j and cover[broken][i] >= 0), default=nowhere)
            step = (best, broken)
            if broken and furthest > best:
                step = (furthest, 0)
            (tokens, i), came_from = step
            cover[broken].append(tokens + spans[j].length if tokens >= 0 else -1)
            origin[broken].append((i, came_from))
        if cover[0][j] >= 0:
            furthest = max(furthest, (cover[0][j], j))
    broken = 0 if cover[0][-1] >= 0 else 1
    chain, j = [len(spans) - 1], len(spans) - 1
    while j > 0:
        j, broken = origin[broken][j]
        chain.append(j)
    return [spans[j] for j in reversed(chain)]


def write_label(
    source: Sequence[Token],
    target: Sequence[Token],
    spans: Sequence[Span],
    dropped: int,
    *,
    slots: int = SLOTS,
    masks: int = MASKS,
    overflow: Overflow = "cut",
) -> Alignment[Token]:
    """Turn chosen spans, in target order, into a plan and its fills."""
    length = len(source)
    order = list(range(spans[0].source, spans[0].source + spans[0].length))
    fills: list[tuple[Token, ...]] = []
    cut = exceeded = 0
    taken = (
        {position for span in spans for position in range(span.source, span.source + span.length)}
        if overflow == "keep"
        else set()
    )
    for last, span in pairwise(spans):
        missing = target[last.target + last.length : span.target]
        if missing:
            too_long, no_slot = len(missing) > masks, len(fills) == slots
            cut += too_long and not no_slot
            exceeded += no_slot
            if overflow == "keep" and (too_long or no_slot):
                stretch = range(last.source + last.length, span.source)
                order.extend(stretch if taken.isdisjoint(stretch) else ())
            elif not no_slot:
                order.append(length + len(fills))
                fills.append(tuple(missing[:masks]))
        order.extend(range(span.source, span.source + span.length))
    return Alignment(Plan(tuple(order), length), tuple(fills), Losses(cut, exceeded, dropped))


def align_felix(
    source: Sequence[Token],
    target: Sequence[Token],
    *,
    slots: int = SLOTS,
    masks: int = MASKS,
    overflow: Overflow = "cut",
) -> Alignment[Token]:
    """Label a pair the way FELIX points; at equal distance the earlier source token wins."""
    unused: defaultdict[Token, list[int]] = defaultdict(list)
    for position, token in enumerate(source):
        unused[token].append(position)
    spans = []
    last = 0
    for place, token in enumerate(target):
        if unused[token]:
            last = min(unused[token], key=lambda position: (abs(position - last), position))
            unused[token].remove(last)
            spans.append(Span(last, place, 1))
    return write_label(source, target, spans, 0, slots=slots, masks=masks, overflow=overflow)
