"""What a corrector did with one sentence: the pointer's scores, the ranked plans, what the decoder wrote.

In: a corrector and a sentence. Out: a `Trace`, from which `permend explain` draws.

    seen = trace(Corrector(), "He go to school yesterday.")
    seen.chosen.label.alignment.plan.order    # (0, 1, 8, 3, 4, 5, 6, 7): past `go`, through the first slot
    seen.chosen.passes[-1]                    # (Guess('Ġwent', 0.98), Guess('<pad>', 1.0), Guess('<pad>', 1.0))
    seen.margin(seen.chosen)                  # how much better than the unchanged sentence

The corrector itself does the work and is only watched, so a trace never tells another story than the correction. It
fills every hypothesis (`Options.prune` is off): the same correction, with all runners-up. Of several readings,
this is the first. A sentence that would leave early is read to the end all the same, so that there is something to see;
it stays as it is, and `Trace.left` says so.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from permend.corrector.correction import Alternative, Correction
from permend.corrector.corrector import Corrector
from permend.corrector.filling import Filler
from permend.errors import PermendError
from permend.method.align import Alignment, Losses
from permend.method.label import Label
from permend.method.plan import Plan
from permend.method.search import Hypothesis, Scores, prepare
from permend.method.template import make_template
from permend.model.config import ModelConfig
from permend.model.networks import Bools, Floats, Ints, Networks, TemplateArrays
from permend.model.options import MOST_HYPOTHESES
from permend.text.quotes import straighten
from permend.text.tokens import Tokens


@dataclass(frozen=True)
class Guess:
    """What the decoder wrote at a mask."""

    piece: str
    probability: float


@dataclass(frozen=True)
class Candidate:
    """A hypothesis: its plan, its fills, and what the networks think of them."""

    label: Label
    """Plan, fills, the decoder's input and output, as if the networks had labelled the sentence themselves."""
    alternative: Alternative
    """Text and score."""
    passes: tuple[tuple[Guess, ...], ...]
    """What each pass of the decoder wrote at the plan's masks, slot by slot; empty where the plan has no slot."""

    @property
    def plan(self) -> Plan:
        """The order over tokens and slots."""
        return self.label.alignment.plan


@dataclass(frozen=True)
class Trace:
    """What a corrector did with one sentence."""

    tokens: Tokens
    scores: Scores
    """(L, L) what the pointer says of every step, from row to column; tokens first, slots behind them."""
    candidates: tuple[Candidate, ...]
    """Best first; the unchanged sentence is always among them."""
    correction: Correction
    left: bool = False
    """Whether the corrector left the sentence alone after the encoder's first layers, whatever the rest thinks."""

    @property
    def chosen(self) -> Candidate:
        """The candidate that the correction is made of."""
        text = straighten(self.correction.text)
        return next((each for each in self.candidates if each.alternative.text == text), self.best)

    @property
    def best(self) -> Candidate:
        """The candidate with the best score, which is not chosen where it is hardly better than the sentence."""
        return self.candidates[0]

    def margin(self, candidate: Candidate) -> float:
        """Return the log-odds of a candidate against the unchanged sentence."""
        same = next(each.alternative for each in self.candidates if each.alternative.unchanged)
        return candidate.alternative.total - same.total

    def chances(self, plan: Plan) -> NDArray[np.float64]:
        """Return the pointer's probability of every step (L, L) when a plan is followed, before the confidence bias.

        A row says what may follow when the plan stands there; where it never does, what might as a first step.
        """
        weights, free = prepare(self.scores, plan.length, None)
        allowed = np.tile(free, (len(free), 1))  # (L, L)
        for position, following in pairwise(plan.order):
            allowed[position] = free
            free = free.copy()
            free[following] = 0.0
            if plan.length <= following < len(free) - 1:
                free[following + 1] = 1.0
        chances = weights * allowed
        chances[plan.length - 1] = 0.0  # </s> is the end
        chances /= np.maximum(chances.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)
        return chances


def trace(corrector: Corrector, text: str) -> Trace:
    """Correct one sentence and keep what was computed on the way; whitespace around the sentence is left out."""
    if not text.strip():
        raise PermendError("there is nothing to read in this sentence")
    watched = _Watched(corrector)
    correction = watched.correct(straighten(text.strip()))
    if len(watched.recorder.scores) != 1 or len(watched.recorder.scores[0]) != 1:
        raise PermendError("this text is too long to be read at once: take one sentence of it")
    left = bool(correction.edits) and corrector.leaves(text)
    candidates = watched.candidates()
    return Trace(
        candidates[0].label.source,
        watched.recorder.scores[0][0],
        tuple(next(found for found in candidates if found.alternative == each) for each in correction.alternatives),
        (correction.unchanged() if left else correction).in_style_of(text.strip()),
        left,
    )


class _Watched(Corrector):
    """A corrector that remembers every hypothesis it has weighed."""

    def __init__(self, corrector: Corrector) -> None:
        vars(self).update(vars(corrector))
        self.options = dataclasses.replace(corrector.options, prune=False, shared=False, readings=1, leave_below=0.0)
        self.networks = self.recorder = _Recorder(corrector.networks)
        self._weighed: list[tuple[Label, Alternative]] = []

    def _alternative(
        self, tokens: Tokens, hypothesis: Hypothesis, fills: Sequence[tuple[int, ...]], fill_log_prob: float
    ) -> Alternative:
        alternative = super()._alternative(tokens, hypothesis, list(fills), fill_log_prob)
        template = make_template(tokens.ids, hypothesis.plan, self.tokenizer.mask, self.networks.config.masks)
        output = template.fill(fills, self.tokenizer.pad)
        alignment = Alignment(hypothesis.plan, tuple(fills), Losses())
        self._weighed.append((Label(tokens, alignment, template, output, self.tokenizer), alternative))
        return alternative

    def _filler(self) -> Filler:
        """Have all hypotheses filled together, so that a pass of the decoder is one of all of them."""
        config = self.networks.config
        return Filler(self.networks, self.tokenizer, self.options, MOST_HYPOTHESES * config.slots * config.masks)

    def candidates(self) -> list[Candidate]:
        """Return the hypotheses with what the decoder wrote for each: its masks follow one another in every pass."""
        found = []
        at = 0
        for label, alternative in self._weighed:
            here = slice(at, at + len(label.template.masks))
            at = here.stop
            passes = tuple(self._guesses(tokens[here], log_probs[here]) for tokens, log_probs in self.recorder.passes)
            found.append(Candidate(label, alternative, passes if label.template.masks else ()))
        return found

    def _guesses(self, tokens: Ints, log_probs: Floats) -> tuple[Guess, ...]:
        pieces = map(self.tokenizer.piece, tokens.tolist())
        return tuple(map(Guess, pieces, np.exp(log_probs, dtype=np.float64).tolist()))


class _Recorder:
    """Networks that keep what they answer."""

    def __init__(self, networks: Networks) -> None:
        self._networks = networks
        self.scores: list[Floats] = []
        self.passes: list[tuple[Ints, Floats]] = []

    @property
    def config(self) -> ModelConfig:
        return self._networks.config

    def encode(self, ids: Ints, mask: Bools) -> tuple[Floats, Floats]:
        memory, scores = self._networks.encode(ids, mask)
        self.scores.append(scores)
        return memory, scores

    def fill(self, memory: Floats, mask: Bools, template: TemplateArrays) -> tuple[Ints, Floats]:
        self.passes.append(self._networks.fill(memory, mask, template))
        return self.passes[-1]


_DIGITS = 4


def trace_json(trace: Trace) -> dict[str, Any]:
    """Return a trace as JSON: tokens, scores and candidates; positions behind the tokens are slots."""
    piece = trace.chosen.label.tokenizer.piece
    return {
        "source": trace.correction.source,
        "text": trace.correction.text,
        "left": trace.left,
        "tokens": [
            {"piece": piece(token), "start": start, "end": end}
            for token, (start, end) in zip(trace.tokens.ids, trace.tokens.spans, strict=True)
        ],
        "slots": len(trace.scores) - len(trace.tokens.ids),
        "scores": _rounded(trace.scores),
        "chances": _rounded(trace.chances(trace.chosen.plan)),
        "hypotheses": [_candidate_json(trace, each) for each in trace.candidates],
    }


def _rounded(matrix: NDArray[np.floating]) -> list[list[float]]:
    return [[round(value, _DIGITS) for value in row] for row in matrix.tolist()]


def _candidate_json(trace: Trace, candidate: Candidate) -> dict[str, Any]:
    alternative = candidate.alternative
    numbers = {
        "plan_log_prob": alternative.plan_log_prob,
        "fill_log_prob": alternative.fill_log_prob,
        "score": alternative.score,
        "margin": trace.margin(candidate),
    }
    return {
        "text": alternative.text,
        "chosen": candidate is trace.chosen,
        "unchanged": alternative.unchanged,
        **{name: round(value, _DIGITS) for name, value in numbers.items()},
        "plan": list(candidate.plan.order),
        "fills": [list(map(candidate.label.tokenizer.piece, fill)) for fill in candidate.label.alignment.fills],
        "passes": [
            [{"piece": each.piece, "probability": round(each.probability, _DIGITS)} for each in written]
            for written in candidate.passes
        ],
    }
