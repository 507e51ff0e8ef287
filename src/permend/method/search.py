"""From pointer scores to ranked plans: beam search over one matrix (Sections 3.1 and 3.4).

In: for each sentence a square matrix A of scores, a row and a column for every source token and behind them for every
slot; A[i, j] says how well j follows i. Out: for each sentence its best plans as `Hypothesis`, best first.

>>> import numpy as np
>>> A = np.full((6, 6), -9.0)                  # <s> I be busy </s> and one slot
>>> for i, j in [(0, 1), (1, 5), (5, 3), (3, 4)]:
...     A[i, j] = 0.0
>>> [best] = search([A], [5], beam=2, best=1)[0]
>>> best.plan.order
(0, 1, 5, 3, 4)

What may follow (Eq. 2): never ``<s>``, no position twice, a slot only when the one before it is used up, no slot
behind a slot; ``</s>`` ends the plan. Probabilities are normalised over what may follow. The confidence bias c mixes
in the nearest free source token to the right: (1 - c) p + c; behind a slot there is none, so nothing is added there.
Equal scores go to the lower parent, then to the lower position, so that results never depend on the batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from permend.errors import PermendError
from permend.method.plan import Plan

Scores = NDArray[np.floating]

_TINY = np.finfo(np.float64).tiny


@dataclass(frozen=True)
class Hypothesis:
    """A plan and what the pointer network thinks of it."""

    plan: Plan
    log_prob: float
    """log p(π), bias included."""
    score: float
    """What hypotheses are ranked by: `log_prob` divided by the plan's length, or `log_prob` itself."""


def search(
    scores: Sequence[Scores],
    lengths: Sequence[int],
    *,
    beam: int = 5,
    best: int | None = None,
    bias: float = 0.0,
    normalize: bool = True,
    max_slots: int | None = None,
) -> list[list[Hypothesis]]:
    """Find the best plans of each sentence of a batch.

    `lengths` counts each sentence's source tokens; the other rows and columns of its matrix are slots, of which at
    most `max_slots` are used. `best` hypotheses come back for each sentence, as many as `beam` unless stated.
    """
    matrices = Matrices(scores, lengths, max_slots)
    return matrices.search(range(len(scores)), beam=beam, best=best, bias=bias, normalize=normalize)


class Searchable(Protocol):
    """The pointer scores of a batch, wherever they are: here (`Matrices`), or on a device."""

    def unchanged(self, bias: float) -> NDArray[np.float64]:
        """Return log p(π), bias included, of each sentence's plan that changes nothing (B,)."""

    def search(self, rows: Sequence[int], *, beam: int, best: int, bias: float) -> list[list[Hypothesis]]:
        """Find the best plans of some sentences of the batch."""


class Matrices:
    """The pointer scores of a batch as matrices of numpy, each made into weights once."""

    def __init__(self, scores: Sequence[Scores], lengths: Sequence[int], max_slots: int | None = None) -> None:
        """Take a matrix a sentence, and the numbers of source tokens."""
        self._lengths = lengths
        self._prepared = [prepare(*each, max_slots) for each in zip(scores, lengths, strict=True)]

    def unchanged(self, bias: float) -> NDArray[np.float64]:
        """Return log p(π) of each ``Plan.identity`` (B,), as `score_plan` does."""
        pairs = zip(self._prepared, self._lengths, strict=True)
        return np.array([_score_identity(weights, length, bias) for (weights, _), length in pairs])

    def search(
        self, rows: Sequence[int], *, beam: int, best: int | None, bias: float, normalize: bool = True
    ) -> list[list[Hypothesis]]:
        """Find the best plans of some sentences of the batch, by `search`'s rules."""
        check_beam(beam, bias)
        if not rows:
            return []
        beams = _Beams([self._prepared[row] for row in rows], [self._lengths[row] for row in rows], beam, bias)
        with np.errstate(divide="ignore"):  # log 0 is minus infinity, as it should be
            while beams.alive():
                beams.advance()
        return beams.record().ranked(best or beam, normalize)


def check_beam(beam: int, bias: float) -> None:
    """Refuse a beam or a bias that means nothing."""
    if beam < 1 or not 0 <= bias <= 1:
        raise PermendError(f"beam must be at least 1 and bias between 0 and 1, not {beam} and {bias}")


def score_plan(
    scores: Scores, plan: Plan, *, bias: float = 0.0, normalize: bool = True, max_slots: int | None = None
) -> Hypothesis:
    """Score a given plan by the rules of the search; minus infinity where `max_slots` forbids it.

    The margin of the best hypothesis over ``Plan.identity`` is how sure the network is that something is wrong.
    """
    order = np.array(plan.order)
    weights, free = prepare(scores, plan.length, max_slots)
    last, chosen = order[:-1], order[1:]
    size, steps = len(free), np.arange(len(last))
    pointed = (chosen[:, None] == np.arange(size)).astype(np.intp)  # (P - 1, L)
    visited = np.cumsum(pointed, axis=0) > pointed  # by an earlier step
    open_slot = plan.length + np.cumsum(np.append(False, chosen >= plan.length))[:-1]  # the slot due at each step
    allowed = np.where(visited, 0.0, free)
    allowed[:, plan.length :] = np.arange(plan.length, size) == open_slot[:, None]
    chances = weights[last] * allowed  # (P - 1, L)
    chances *= (1.0 - bias) / np.maximum(chances.sum(axis=1, keepdims=True), _TINY)
    right = np.argmax((allowed > 0) & (np.arange(size) > last[:, None]), axis=1)
    chances[steps, right] += np.where(last < plan.length, bias, 0.0)
    with np.errstate(divide="ignore"):
        log_prob = float(np.log(chances[steps, chosen]).sum())
    return Hypothesis(plan, log_prob, log_prob / len(order) if normalize else log_prob)


def prepare(scores: Scores, length: int, max_slots: int | None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Turn a sentence's scores into weights, zero where a step is never allowed, and the mask of first steps."""
    total = len(scores)
    if scores.shape != (total, total) or not 2 <= length <= total:
        raise PermendError(f"pointer scores of shape {scores.shape} do not fit a source of {length} tokens")
    if np.isnan(scores).any():
        raise PermendError("the pointer scores hold NaN")
    logits = np.array(scores, np.float64)
    logits[:, 0] = -np.inf  # nothing leads to <s>
    np.fill_diagonal(logits, -np.inf)
    logits[length:, length:] = -np.inf  # no slot behind a slot
    if max_slots is not None:
        logits[:, length + max_slots :] = -np.inf
    top = logits.max(axis=1, keepdims=True)
    free = np.zeros(total)
    free[1 : length + 1] = 1.0  # all tokens but <s>, and the first slot
    return np.exp(logits - np.where(np.isfinite(top), top, 0.0)), free


def _score_identity(weights: NDArray[np.float64], length: int, bias: float) -> float:
    """Return log p(π) of the plan that changes nothing: each step goes to the nearest free token to the right."""
    last, position = np.arange(length - 1)[:, None], np.arange(len(weights))
    chances = weights[: length - 1] * ((position > last) & (position <= length))  # (n - 1, L); the first slot is free
    scale = (1.0 - bias) / np.maximum(chances.sum(axis=1), _TINY)
    with np.errstate(divide="ignore"):
        return float(np.log(chances.diagonal(1) * scale + bias).sum())


@dataclass(frozen=True)
class Record:
    """What a search leaves behind, from which hypotheses are read back: T steps, B sentences, K hypotheses each."""

    log_probs: NDArray[np.float64]
    """(T, B, K) log p(π) of what ends at a step."""
    parents: NDArray[np.integer]
    """(T, B, K) which hypotheses of the step before those that go on come from."""
    positions: NDArray[np.integer]
    """(T, B, K) where they go."""
    lengths: Sequence[int]
    """Source tokens of each sentence."""

    def ranked(self, best: int, normalize: bool = True) -> list[list[Hypothesis]]:
        """Return the best finished hypotheses of each sentence, best first."""
        steps, batch, beam = self.log_probs.shape
        sizes = np.arange(2, steps + 2)[:, None, None] if normalize else 1
        scores = (self.log_probs / sizes).transpose(1, 0, 2).reshape(batch, -1)  # (B, T * K)
        chosen = np.argsort(-scores, axis=1, kind="stable")[:, :best]  # (B, H)
        scores = np.take_along_axis(scores, chosen, axis=1)
        step, k = np.divmod(chosen, beam)
        log_probs = self.log_probs[step, np.arange(batch)[:, None], k]
        found: list[list[Hypothesis]] = []
        table = (self._orders(step, k).tolist(), step.tolist(), log_probs.tolist(), scores.tolist(), self.lengths)
        for orders, ends, chances, ranks, length in zip(*table, strict=True):
            group = zip(orders, ends, chances, ranks, strict=True)
            found.append(
                [
                    Hypothesis(Plan((*order[: end + 1], length - 1), length), log_prob, score)
                    for order, end, log_prob, score in group
                    if isfinite(score)
                ]
            )
        return found

    def _orders(self, step: NDArray[np.integer], k: NDArray[np.integer]) -> NDArray[np.integer]:
        """Follow the trail back from hypotheses that ended (B, H): the positions before their ends (B, H, T)."""
        orders = np.zeros((*step.shape, len(self.positions)), self.positions.dtype)
        rows = np.arange(len(step))[:, None]
        for at in range(int(step.max(initial=0)) - 1, -1, -1):
            live = at < step
            orders[:, :, at + 1] = self.positions[at, rows, k]
            k = np.where(live, self.parents[at, rows, k], k)
        return orders


class _Beams:
    """The live hypotheses of a batch, and the record from which finished ones are read back.

    B sentences, K hypotheses each, L positions. A dead hypothesis has a log-probability of minus infinity.
    """

    def __init__(
        self,
        prepared: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]],
        lengths: Sequence[int],
        beam: int,
        bias: float,
    ) -> None:
        batch, size = len(prepared), max(len(free) for _, free in prepared) + 1  # one more: for a slot past the last
        self.weights = np.zeros((batch, size, size))  # (B, L, L)
        self.free = np.zeros((batch, beam, size))  # (B, K, L)
        for sentence, (weights, free) in enumerate(prepared):
            self.weights[sentence, : len(free), : len(free)] = weights
            self.free[sentence, :, : len(free)] = free
        self.bias = bias
        self.lengths = np.asarray(lengths)
        self.last = np.zeros((batch, beam), np.intp)
        self.log_prob = np.full((batch, beam), -np.inf)
        self.log_prob[:, 0] = 0.0
        self.rows = np.arange(batch)
        self.grid = self.rows[:, None], np.arange(beam)[None]
        self.positions = np.arange(size)
        self.trail: list[tuple[NDArray[np.intp], NDArray[np.intp]]] = []  # per step: parent and position, (B, K) each
        self.finished: list[NDArray[np.float64]] = []  # per step: log-probability when ending there, (B, K)

    def alive(self) -> bool:
        """Whether any hypothesis can still grow."""
        return bool(self.log_prob.max() > -np.inf)

    def advance(self) -> None:
        """Take one step with every live hypothesis of every sentence."""
        batch, beam = self.last.shape
        total = np.log(self._chances())  # (B, K, L)
        total += self.log_prob[:, :, None]
        ends = (self.rows, slice(None), self.lengths - 1)
        self.finished.append(total[ends])
        total[ends] = -np.inf
        flat = total.reshape(batch, -1)  # (B, K * L)
        chosen = np.empty((batch, beam), np.intp)
        for k in range(beam):  # argmax takes the first of equals: the lower parent, then the lower position
            chosen[:, k] = flat.argmax(axis=1)
            self.log_prob[:, k] = flat[self.rows, chosen[:, k]]
            flat[self.rows, chosen[:, k]] = -np.inf
        parent, position = np.divmod(chosen, len(self.positions))
        self.trail.append((parent, position))
        self.free = self.free[self.rows[:, None], parent]
        self.free[(*self.grid, position)] = 0.0
        self.free[(*self.grid, position + (position >= self.lengths[:, None]))] += position >= self.lengths[:, None]
        self.last = position

    def _chances(self) -> NDArray[np.float64]:
        """Return the probability of every next step: softmax over what is allowed, then the confidence bias."""
        chances = self.weights[self.rows[:, None], self.last]
        chances *= self.free
        chances *= (1.0 - self.bias) / np.maximum(chances.sum(axis=2, keepdims=True), _TINY)
        if self.bias:
            right = ((self.free > 0) & (self.positions > self.last[:, :, None])).argmax(axis=2)
            chances[(*self.grid, right)] += np.where(self.last < self.lengths[:, None], self.bias, 0.0)
        return chances

    def record(self) -> Record:
        """Return what happened so far."""
        parents, positions = (np.array(each) for each in zip(*self.trail, strict=True))
        return Record(np.array(self.finished), parents, positions, self.lengths.tolist())
