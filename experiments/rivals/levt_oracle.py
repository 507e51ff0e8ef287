"""LevT's oracle: which tokens of a draft to delete and where to insert which ones, so that it becomes the target.

In: a draft and a target, both from ``<s>`` to ``</s>``. Out: the fewest deletions and insertions (a Levenshtein
distance without replacements), carried out in the order in which LevT does: delete, make room, fill.

>>> draft, target = "<s> I be busy </s>".split(), "<s> I am very busy </s>".split()
>>> edits = find_edits(draft, target)
>>> left = [token for token, gone in zip(draft, edits.deleted) if not gone]
>>> left, edits.gaps
(['<s>', 'I', 'busy', '</s>'], [0, 2, 0])
>>> make_room(left, edits.gaps, "_")
['<s>', 'I', '_', '_', 'busy', '</s>']
>>> edits.new
[False, False, True, True, False, False]

`LevenshteinLabels` writes down what the oracle says of the drafts that LevT learns from (see `levt`).
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from rapidfuzz.distance import Indel

from experiments.rivals.labels import Columns, Row
from permend.text.tokens import Tokens

T = TypeVar("T", bound=Hashable)


class Edits(NamedTuple):
    """From a draft to a target."""

    deleted: list[bool]
    """Of each token of the draft, whether it goes."""
    gaps: list[int]
    """Tokens to insert behind each token that is left but the last."""
    new: list[bool]
    """Of each token of the target, whether it is inserted."""


def find_edits(draft: Sequence[T], target: Sequence[T]) -> Edits:
    """Return the fewest deletions and insertions; the ends of both are the same two tokens."""
    deleted, new = [True] * len(draft), [True] * len(target)
    for step in Indel.opcodes(list(draft), list(target)):
        if step.tag == "equal":
            deleted[step.src_start : step.src_end] = [False] * (step.src_end - step.src_start)
            new[step.dest_start : step.dest_end] = [False] * (step.dest_end - step.dest_start)
    return Edits(deleted, _gaps(new), new)


def make_room(draft: Sequence[T], gaps: Sequence[int], mask: T) -> list[T]:
    """Return a draft with masks in its gaps."""
    roomy = [draft[0]]
    for gap, token in zip(gaps, draft[1:], strict=True):
        roomy += [mask] * gap
        roomy.append(token)
    return roomy


@dataclass(frozen=True)
class LevenshteinLabels:
    """What the oracle says of the source, of what is left of it, and of the target with some of its tokens dropped."""

    most: int
    """Largest number of tokens that one gap takes at once."""
    unknown: int | None
    """Id that no network says."""
    read: frozenset[str] = frozenset({"source", "target", "left", "thinned"})

    def row(self, source: Tokens, target: Tokens) -> Row:
        """Return the row of a pair."""
        edits = find_edits(source.ids, target.ids)
        left = [token for token, gone in zip(source.ids, edits.deleted, strict=True) if not gone]
        dropped = self._dropped(source.ids, target.ids)
        thinned = [token for token, gone in zip(target.ids, dropped, strict=True) if not gone]
        return {
            "source": source.ids,
            "target": target.ids,
            "delete": [-1, *map(int, edits.deleted[1:-1]), -1],
            "left": left,
            "left_gaps": self._capped(edits.gaps),
            "left_tokens": self._said(target.ids, edits.new),
            "thinned": thinned,
            "thinned_gaps": self._capped(_gaps(dropped)),
            "thinned_tokens": self._said(target.ids, dropped),
        }

    def counts(self, columns: Columns) -> tuple[float, ...]:
        """Return the number of deletions to decide on, of gaps and of tokens, for the losses and for the right ones."""
        inner = np.maximum((columns["target"] >= 0).sum(axis=1) - 2, 0)  # (B,) the network's own drafts are as long
        numbers = {name: np.count_nonzero(column >= 0) for name, column in columns.items()}
        each = (
            float(numbers["delete"] + inner.sum()),
            float(numbers["left_gaps"] + numbers["thinned_gaps"] + (inner + (inner > 0)).sum()),
            float(numbers["left_tokens"] + numbers["thinned_tokens"]),
        )
        return (*each, *each)

    def _dropped(self, source: Sequence[int], target: Sequence[int]) -> list[bool]:
        """Draw which tokens of the target to drop: always the same ones for the same pair, in whatever process."""
        draw = random.Random(zlib.crc32(np.array([*source, *target], np.int32).tobytes()))
        share = draw.random()
        return [False, *(draw.random() < share for _ in target[1:-1]), False]

    def _capped(self, gaps: Sequence[int]) -> list[int]:
        return [min(gap, self.most) for gap in gaps]

    def _said(self, target: Sequence[int], new: Sequence[bool]) -> list[int]:
        return [token if is_new and token != self.unknown else -1 for token, is_new in zip(target, new, strict=True)]


def _gaps(new: Sequence[bool]) -> list[int]:
    """Return how many new tokens stand behind each old one but the last.

    >>> _gaps([False, True, True, False, False])
    [2, 0]
    """
    gaps: list[int] = []
    for is_new in new:
        if is_new:
            gaps[-1] += 1
        else:
            gaps.append(0)
    return gaps[:-1]
