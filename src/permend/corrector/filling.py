"""What stands in the slots of hypotheses: templates to the decoder, some at a time, and tokens back.

In: sentences, their hypotheses, the encoder's memory. Out: for every hypothesis a `Fill`: its words, how sure they are.

    filler = Filler(networks, tokenizer, Options(steps=1, shared=True))
    filler.fill([tokens], [hypotheses], memory, mask)      # [[([(41,)], -0.1), ([], 0.0)]]: one slot; none

The decoder looks at what it wrote again (`refine`, step-unrolled denoising, Section 3.2). Hypotheses of a sentence
mostly differ in one place, and where `Options.shared` says so, a gap between the same two tokens is filled once: each
hypothesis writes the gaps that none before it had, and the one that wins then writes all of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from permend.method.plan import Plan
from permend.method.search import Hypothesis
from permend.method.template import Template, make_template, split_fills
from permend.model.networks import Bools, Floats, Ints, Networks, template_arrays
from permend.model.options import Options
from permend.text.tokens import Tokenizer, Tokens

Fill: TypeAlias = tuple[list[tuple[int, ...]], float]
"""The tokens of each slot of a hypothesis, and the log-probability of all of them."""
Gap: TypeAlias = tuple[int, int | None, int, int]
"""A sentence, a hypothesis or None where all share it, and the positions before and behind one of its slots."""
Wanted: TypeAlias = tuple[list[Gap], Template]
"""Gaps to fill, and the template to read them in."""

AT_A_TIME = 64
"""Masks that the decoder fills together: scores of the whole vocabulary at every mask take memory."""


def joint_score(hypothesis: Hypothesis, fill_log_prob: float, options: Options) -> float:
    """Return what hypotheses are ranked by: log p(π), with log p(y | π) where that counts (`joint`), per length."""
    return (hypothesis.log_prob + (fill_log_prob if options.joint else 0.0)) / len(hypothesis.plan.order)


@dataclass
class Filler:
    """Fills the hypotheses of one batch."""

    networks: Networks
    tokenizer: Tokenizer
    options: Options
    at_a_time: int = AT_A_TIME
    known: dict[Gap, tuple[tuple[int, ...], float]] = field(default_factory=dict, init=False)
    """What was written so far."""

    def fill(
        self, sentences: Sequence[Tokens], hypotheses: Sequence[Sequence[Hypothesis]], memory: Floats, mask: Bools
    ) -> list[list[Fill]]:
        """Return the fills of every hypothesis; row by row, `memory` and `mask` are the sentences'."""
        shared = self.options.shared and self.options.steps == 1  # a second look needs all that was written
        wanted = []
        for row, group in enumerate(hypotheses):
            seen: set[Gap] = set()
            for place, hypothesis in enumerate(group):
                gaps = _gaps(row, None if shared else place, hypothesis.plan)
                if new := [slot for slot, gap in enumerate(gaps) if gap not in seen]:
                    wanted.append(self._wanted(sentences[row], hypothesis.plan, gaps, new))
                    seen.update(gaps)
        self._write(wanted, memory, mask)
        found = [self._found(*each) for each in enumerate(hypotheses)]
        if shared:
            winners = dict(self._winners(sentences, hypotheses, found))
            self._write(list(winners.values()), memory, mask)
            for row in winners:
                found[row] = self._found(row, hypotheses[row])
        return found

    def _winners(
        self, sentences: Sequence[Tokens], hypotheses: Sequence[Sequence[Hypothesis]], found: Sequence[Sequence[Fill]]
    ) -> Iterator[tuple[int, Wanted]]:
        """Yield sentences, and what their best hypotheses have not written themselves."""
        for row, (group, fills) in enumerate(zip(hypotheses, found, strict=True)):
            scores = [joint_score(each, chance, self.options) for each, (_, chance) in zip(group, fills, strict=True)]
            place = scores.index(max(scores))
            gaps = _gaps(row, place, group[place].plan)
            if place and gaps:  # the first had all gaps for itself
                yield row, self._wanted(sentences[row], group[place].plan, gaps, range(len(gaps)))

    def _wanted(self, tokens: Tokens, plan: Plan, gaps: Sequence[Gap], slots: Sequence[int]) -> Wanted:
        masks = self.networks.config.masks
        template = make_template(tokens.ids, plan, self.tokenizer.mask, masks)
        return [gaps[slot] for slot in slots], template.of_slots(slots, masks)

    def _write(self, wanted: Sequence[Wanted], memory: Floats, mask: Bools) -> None:
        """Fill gaps, some templates at a time."""
        masks = self.networks.config.masks
        for some in self._groups(wanted):
            tokens, log_probs = self._decode(some, memory, mask)
            fills = split_fills(tokens.tolist(), self.tokenizer.pad, masks)
            chances = log_probs.reshape(-1, masks).sum(axis=1).tolist()
            gaps = [gap for each, _ in some for gap in each]
            self.known.update(zip(gaps, zip(fills, chances, strict=True), strict=True))

    def _groups(self, wanted: Sequence[Wanted]) -> Iterator[list[Wanted]]:
        """Part templates in order, so many masks a group."""
        group: list[Wanted] = []
        masks = 0
        for each in wanted:
            masks += len(each[1].masks)
            if group and masks > self.at_a_time:
                yield group
                group, masks = [], len(each[1].masks)
            group.append(each)
        if group:
            yield group

    def _decode(self, wanted: Sequence[Wanted], memory: Floats, mask: Bools) -> tuple[Ints, Floats]:
        """Return the tokens at the masks of templates, and their log-probabilities; a sentence's share its memory."""
        sentences = [gaps[0][0] for gaps, _ in wanted]
        places = {row: place for place, row in enumerate(sorted({*sentences}))}
        states, valid = memory[list(places)], mask[list(places)]
        own = [places[sentence] for sentence in sentences]
        arrays = template_arrays([template for _, template in wanted], self.tokenizer.pad, own)
        return refine(
            lambda ids: self.networks.fill(states, valid, arrays._replace(ids=ids)),
            arrays.ids,
            arrays.fill_index,
            self.options.steps,
        )

    def _found(self, row: int, group: Sequence[Hypothesis]) -> list[Fill]:
        """Put the fills of a sentence's hypotheses together: what each wrote itself, or else what another did."""
        found: list[Fill] = []
        for place, hypothesis in enumerate(group):
            if not hypothesis.plan.around_slots:
                found.append(([], 0.0))
                continue
            gaps = zip(_gaps(row, place, hypothesis.plan), _gaps(row, None, hypothesis.plan), strict=True)
            parts = [self.known.get(own) or self.known[shared] for own, shared in gaps]
            found.append(([fill for fill, _ in parts], sum(chance for _, chance in parts)))
        return found


def _gaps(row: int, place: int | None, plan: Plan) -> list[Gap]:
    return [(row, place, before, behind) for before, behind in plan.around_slots]


def refine(
    predict: Callable[[Ints], tuple[Ints, Floats]], ids: Ints, fill_index: Ints, steps: int
) -> tuple[Ints, Floats]:
    """Fill the masks of templates; each pass sees what the one before wrote, and only mask positions ever change.

    `predict` gives the most probable token at every mask, and its log-probability, for templates as they stand. Return
    the tokens (F,) at `fill_index` of `ids` (B, T), and their log-probabilities in the last pass. A pass that changes
    nothing is the last one: all further passes would say the same.

    >>> def countdown(ids):                         # a decoder that lowers what it sees by one
    ...     return ids[0, 1:3] - 1, np.log([0.5, 0.5])
    >>> refine(countdown, np.array([[7, 9, 9, 7]]), np.array([1, 2]), steps=3)[0].tolist()
    [6, 6]
    """
    ids = ids.copy()
    flat = ids.reshape(-1)
    tokens, log_probs = predict(ids)
    for _ in range(steps - 1):
        if np.array_equal(flat[fill_index], tokens):
            break
        flat[fill_index] = tokens
        tokens, log_probs = predict(ids)
    return tokens, log_probs
