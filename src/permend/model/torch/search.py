"""Search where the pointer scores are: `permend.method.search` for a whole batch at once, in torch.

In: scores (B, L, L) of padded sentences, on any device that has float64. Out: `Searchable`, that is what numpy's search
says of them: the same plans, and log-probabilities that differ by rounding at most.

    scores = DeviceScores(pointers, lengths, slots, fetch)
    scores.unchanged(bias=0.0)                               # (B,) log-probabilities
    scores.search([0, 3], beam=5, best=5, bias=0.0)          # the hypotheses of two sentences

Numbers of steps are fixed, so that the device is told all of a search before anything is waited for; `fetch` brings
the outcome back, a few numbers a hypothesis and step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from permend.errors import PermendError
from permend.method.search import Hypothesis, Record, check_beam

Fetch: TypeAlias = Callable[[Sequence[Tensor]], list[NDArray[Any]]]

_TINY = torch.finfo(torch.float64).tiny


def send(tensor: Tensor, device: torch.device) -> Tensor:
    """Copy a tensor to a device; to CUDA from pinned memory, since any other copy waits for all that is under way."""
    return (tensor.pin_memory() if device.type == "cuda" else tensor).to(device, non_blocking=True)


class DeviceScores:
    """The pointer scores of a batch, as weights on their device."""

    def __init__(self, scores: Tensor, lengths: Sequence[int], slots: int, fetch: Fetch) -> None:
        """Take scores (B, L, L), the numbers of source tokens, and what copies tensors to numpy."""
        self._sizes, self._fetch = lengths, fetch
        self._lengths = send(torch.tensor(lengths), scores.device)  # (B,)
        self._slots = slots
        self._weights, self._broken = prepare(scores, self._lengths, slots)

    def unchanged(self, bias: float) -> NDArray[np.float64]:
        """Return log p(π) of each sentence's plan that changes nothing (B,)."""
        found, broken = self._fetch([_score_identity(self._weights, self._lengths, bias), self._broken])
        if broken.any():
            raise PermendError("the pointer scores hold NaN")
        return found

    def search(self, rows: Sequence[int], *, beam: int, best: int, bias: float) -> list[list[Hypothesis]]:
        """Find the best plans of some sentences of the batch."""
        check_beam(beam, bias)
        if not rows:
            return []
        sizes = [self._sizes[row] for row in rows]
        width = max(sizes) + self._slots
        chosen = send(torch.tensor(rows), self._weights.device)
        weights = self._weights[chosen, : width + 1, : width + 1]
        beams = _Beams(weights, self._lengths[chosen], beam, bias)
        for _ in range(width - 1):  # a plan has no more positions than that and <s>
            beams.advance()
        log_probs, parents, positions = self._fetch(beams.record())
        return Record(log_probs, parents, positions, sizes).ranked(best)


def prepare(scores: Tensor, lengths: Tensor, slots: int) -> tuple[Tensor, Tensor]:
    """Turn scores (B, L, L) into weights (B, L + 1, L + 1), zero where a step is never allowed, and tell NaNs (B,).

    The column behind the last is where a slot past the last would be.
    """
    size = scores.shape[1] + 1
    position = torch.arange(size, device=scores.device)
    behind = position >= lengths[:, None]  # (B, L): slots and what stands behind them
    there = position < lengths[:, None] + slots
    valid = there[:, :, None] & there[:, None]  # (B, L, L)
    padded = torch.nn.functional.pad(scores.double(), (0, 1, 0, 1))
    broken = (padded.isnan() & valid).any(2).any(1)
    never = (position == 0) | (position == position[:, None]) | (behind[:, :, None] & behind[:, None]) | ~valid
    logits = padded.masked_fill(never, -torch.inf)
    top = logits.amax(2, keepdim=True)
    return (logits - top.masked_fill(top.isinf(), 0.0)).exp(), broken


def _score_identity(weights: Tensor, lengths: Tensor, bias: float) -> Tensor:
    """Return log p(π) of the plans that change nothing (B,): each step goes to the nearest token to the right."""
    position = torch.arange(weights.shape[1], device=weights.device)
    allowed = (position > position[:, None]) & (position <= lengths[:, None, None])  # (B, L, L); the first slot, too
    sums = (weights * allowed).sum(2)[:, :-1].clamp_min(_TINY)
    chances = weights.diagonal(1, 1, 2) * ((1.0 - bias) / sums) + bias  # (B, L - 1)
    return chances.log().masked_fill(position[:-1] >= lengths[:, None] - 1, 0.0).sum(1)


class _Beams:
    """The live hypotheses of a batch, step by step as `permend.method.search` takes them.

    B sentences, K hypotheses each, L positions. A dead hypothesis has a log-probability of minus infinity.
    """

    def __init__(self, weights: Tensor, lengths: Tensor, beam: int, bias: float) -> None:
        self.weights, self.bias = weights, bias
        self.lengths = lengths[:, None]  # (B, 1)
        self.ends = (self.lengths - 1).expand(-1, beam)[:, :, None]  # (B, K, 1)
        self.positions = torch.arange(weights.shape[1], device=weights.device)
        first = (self.positions > 0) & (self.positions <= self.lengths)  # all tokens but <s>, and the first slot
        self.free = first[:, None].expand(-1, beam, -1).double()  # (B, K, L)
        self.last = torch.zeros_like(self.ends)  # (B, K, 1)
        self.log_prob = torch.full_like(self.free[:, :, 0], -torch.inf)  # (B, K)
        self.log_prob[:, 0] = 0.0
        self.steps: list[tuple[Tensor, Tensor, Tensor]] = []  # see `Record`: (B, K) each

    def advance(self) -> None:
        """Take one step with every live hypothesis of every sentence."""
        batch, beam, size = self.free.shape
        total = self._chances().log_().add_(self.log_prob[:, :, None])  # (B, K, L)
        finished = total.gather(2, self.ends)[:, :, 0]
        flat = total.scatter_(2, self.ends, -torch.inf).view(batch, -1)  # (B, K * L)
        values, places = [], []
        for _ in range(beam):  # the first of equals: the lower parent, then the lower position
            most, place = flat.max(1, keepdim=True)
            flat.scatter_(1, place, -torch.inf)
            values.append(most)
            places.append(place)
        self.log_prob, chosen = torch.cat(values, 1), torch.cat(places, 1)
        parent = chosen // size
        position = chosen - parent * size
        self._occupy(parent, position)
        self.steps.append((finished, parent, position))

    def _occupy(self, parent: Tensor, position: Tensor) -> None:
        """Go to the positions: they are free no longer, and behind a slot the next one is."""
        self.last = position[:, :, None]
        self.free = self.free.gather(1, parent[:, :, None].expand_as(self.free))
        self.free.scatter_(2, self.last, 0.0)
        slot = self.last >= self.lengths[:, :, None]
        self.free.scatter_add_(2, self.last + slot, slot.double())

    def _chances(self) -> Tensor:
        """Return the probability of every next step (B, K, L): softmax over what is allowed, then the bias."""
        chances = self.weights.gather(1, self.last.expand_as(self.free)) * self.free
        chances *= (1.0 - self.bias) / chances.sum(2, keepdim=True).clamp_min_(_TINY)
        if self.bias:
            right = ((self.free > 0) & (self.positions > self.last)).byte().argmax(2, keepdim=True)
            added = (self.last < self.lengths[:, :, None]).double() * self.bias
            chances.scatter_add_(2, right, added)
        return chances

    def record(self) -> list[Tensor]:
        """Return what happened: log-probabilities of ends, parents and positions, (T, B, K) each."""
        finished, parents, positions = (torch.stack(each) for each in zip(*self.steps, strict=True))
        return [finished, parents.short(), positions.short()]
