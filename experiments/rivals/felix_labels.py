"""FELIX's labels, and the way back from them: what the tagger and the pointer say, and what the infiller reads.

In: a pair. Out: a row: a tag for each source token, the token that follows each kept one, and the template with its
fills. A tag is the number of tokens to insert behind a kept token, or one more than the most of them: delete. Deleted
tokens stay in the template behind their neighbour, in brackets, for the infiller to see what it replaces:

    source     <s>  I  be  busy  </s>
    tags        0   1   D   0     -
    next        1   3   -   4     -
    template   <s>  I  [  be  ]  <mask>  busy  </s>
    fills                         am

Brackets are the ids of permend's first two insertion slots, which FELIX does not use otherwise. An insertion that is
longer than the longest tag says cannot be expressed, and the pair is left out, as in the paper.

Back: `point` makes a plan of tags and pointer scores. Every kept token is visited exactly once, ``</s>`` last, so
whatever the scores are there is a plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from experiments.rivals.labels import Columns, Labels, Row
from permend.method.label import Labeler
from permend.method.plan import Plan
from permend.text.tokens import Tokenizer, Tokens


class Shape(NamedTuple):
    """What tags and templates look like."""

    most: int
    """Tokens that can be inserted behind one; the tag of a deletion is one more."""
    mask: int
    opening: int
    """Id of the bracket before deleted tokens."""
    closing: int
    """Id of the bracket behind them."""

    @property
    def delete(self) -> int:
        """The tag of a deletion."""
        return self.most + 1


@dataclass(frozen=True)
class FelixLabels:
    """Labels of pairs that the scheme can express."""

    labeler: Labeler
    shape: Shape
    read: frozenset[str] = frozenset({"source", "template"})

    @classmethod
    def of(cls, tokenizer: Tokenizer, shape: Shape) -> Labels:
        """Return labels without a limit to the number of insertions."""
        return cls(Labeler(tokenizer, "felix", slots=2**30, masks=shape.most), shape)

    def row(self, source: Tokens, target: Tokens) -> Row | None:
        """Return the row of a pair."""
        label = self.labeler.label_tokens(source, target).alignment
        if not label.losses.exact:
            return None
        plan = label.plan
        tags, following = [self.shape.delete] * plan.length, [-1] * plan.length
        last = 0
        for position in plan.order:
            if position >= plan.length:
                tags[last] = len(label.fills[position - plan.length])
            else:
                following[last] = position
                tags[position] = 0
                last = position
        tags[last] = -1  # </s> has no choice
        template = make_template(source.ids, plan, [len(fill) for fill in label.fills], self.shape)
        unknown = self.labeler.tokenizer.unknown
        new = iter([-1 if token == unknown else token for fill in label.fills for token in fill])
        return {
            "source": source.ids,
            "tags": tags,
            "next": following,
            "template": template,
            "fills": [next(new) if token == self.shape.mask else -1 for token in template],
        }

    def counts(self, columns: Columns) -> tuple[float, ...]:
        """Return the number of tags, pointers and masks, for the losses and for the right ones."""
        each = [float(np.count_nonzero(columns[name] >= 0)) for name in ("tags", "next", "fills")]
        return (*each, *each)


def make_template(ids: Sequence[int], plan: Plan, sizes: Sequence[int], shape: Shape) -> list[int]:
    """Return what the infiller reads: kept tokens in their new order, deleted ones in brackets, masks in slots."""
    deleted = frozenset(plan.deleted)
    template: list[int] = []
    for position in plan.order:
        if position >= plan.length:
            template += [shape.mask] * sizes[position - plan.length]
            continue
        template.append(ids[position])
        end = position + 1
        while end in deleted:
            end += 1
        if end > position + 1:
            template += [shape.opening, *ids[position + 1 : end], shape.closing]
    return template


def point(tags: Sequence[int], scores: NDArray[np.floating], shape: Shape) -> tuple[Plan, list[int]]:
    """Return the greedy plan of tags (n,) and pointer scores (n, n), and the number of tokens for each of its slots.

    Row i of the scores says what comes behind token i. ``<s>`` and ``</s>`` stay, whatever their tags.
    """
    length = len(tags)
    free = np.asarray(tags) != shape.delete  # (n,)
    free[[0, -1]] = False
    order, last = [0], 0
    sizes: list[int] = []
    while True:
        size = tags[last] if tags[last] <= shape.most else 0
        if size > 0:
            order.append(length + len(sizes))
            sizes.append(size)
        open_now = np.flatnonzero(free)
        if not len(open_now):
            return Plan((*order, length - 1), length), sizes
        last = int(open_now[scores[last, open_now].argmax()])
        free[last] = False
        order.append(last)
