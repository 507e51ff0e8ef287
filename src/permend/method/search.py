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
    if beam < 1 or not 0 <= bias <= 1:
        raise PermendError(f"beam must be at least 1 and bias between 0 and 1, not {beam} and {bias}")
    if not len(scores):
        return []
    beams = _Beams(scores, lengths, beam, bias, max_slots)
    with np.errstate(divide="ignore"):  # log 0 is minus infinity, as it should be
        while beams.alive():
            beams.advance()
    return [beams.ranked(sentence, best or beam, normalize) for sentence in range(len(scores))]


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


class _Beams:
    """The live hypotheses of a batch, and the record from which finished ones are read back.

    B sentences, K hypotheses each, L positions. A dead hypothesis has a log-probability of minus infinity.
    """

    def __init__(
        self, scores: Sequence[Scores], lengths: Sequence[int], beam: int, bias: float, max_slots: int | None
    ) -> None:
        batch, size = len(scores), max(len(matrix) for matrix in scores) + 1  # one more: where a slot past the last is
        self.weights = np.zeros((batch, size, size))  # (B, L, L)
        self.free = np.zeros((batch, beam, size))  # (B, K, L)
        for sentence, (matrix, length) in enumerate(zip(scores, lengths, strict=True)):
            weights, free = prepare(matrix, length, max_slots)
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

    def ranked(self, sentence: int, best: int, normalize: bool) -> list[Hypothesis]:
        """Read back a sentence's finished hypotheses, best first."""
        log_probs = np.array([step[sentence] for step in self.finished])  # (steps, K)
        sizes = np.arange(2, len(log_probs) + 2)[:, None] if normalize else 1
        scores = log_probs / sizes
        order = np.argsort(-scores, axis=None, kind="stable")[:best]
        found = []
        for step, k in zip(*np.unravel_index(order, scores.shape), strict=True):
            if np.isfinite(scores[step, k]):
                plan = self._plan(sentence, int(step), int(k))
                found.append(Hypothesis(plan, float(log_probs[step, k]), float(scores[step, k])))
        return found

    def _plan(self, sentence: int, step: int, k: int) -> Plan:
        """Follow the trail back from the hypothesis that ended at `step`."""
        length = int(self.lengths[sentence])
        order = [length - 1]
        for parents, positions in reversed(self.trail[:step]):
            order.append(int(positions[sentence, k]))
            k = int(parents[sentence, k])
        return Plan((0, *reversed(order)), length)
