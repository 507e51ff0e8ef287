"""Text in, corrected text out, with what else it could be (the whole of Figure 1).

    corrector = Corrector.from_pretrained("model")
    correction = corrector.correct("He go to school yesterday.")
    correction.text           # 'He went to school yesterday.'
    correction.edits          # (ScoredEdit(start=3, end=5, before='go', after='went', probability=0.93),)
    correction.alternatives   # ranked whole sentences, the unchanged one always among them

One encoder pass a sentence; the decoder runs only where a plan has slots. The networks may be onnxruntime's or torch's:
the corrector sees numpy arrays. Every text is one sentence here; a longer one than the encoder takes is split at a
sentence or clause boundary and put together again, never cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from permend.errors import InputError, MissingExtraError, PermendError
from permend.infilling.refine import refine
from permend.permutation.plan import Plan
from permend.permutation.search import Hypothesis, Scores, score_plan, search
from permend.permutation.template import make_template, render, split_fills
from permend.runtime.arrays import sentence_arrays, template_arrays
from permend.runtime.networks import Bools, Floats, Networks
from permend.text.edits import Edit, diff
from permend.text.split import split_text
from permend.text.tokens import SubwordTokenizer, Tokenizer, Tokens


@dataclass(frozen=True)
class Options:
    """How to search, rank and decide."""

    beam: int = 5
    """Hypotheses that the search keeps at each step."""
    alternatives: int = 5
    """Hypotheses that come back, the unchanged sentence not counted."""
    bias: float = 0.0
    """Confidence bias c: how much the search favours the next source token."""
    steps: int = 2
    """Passes of the decoder; 1 is the vanilla model's way."""
    joint: bool = True
    """Rank by log p(π) + log p(y | π), per length; False ranks by the pointer alone, as the paper does."""
    min_confidence: float = 0.0
    """Leave a sentence alone where the best hypothesis is not better than it by this much."""

    def __post_init__(self) -> None:
        """Refuse values that mean nothing."""
        for name in ("beam", "alternatives", "steps"):
            if getattr(self, name) < 1:
                raise PermendError(f"{name} must be at least 1, not {getattr(self, name)}")
        if not 0 <= self.bias <= 1:
            raise PermendError(f"bias must be between 0 and 1, not {self.bias}")


@dataclass(frozen=True)
class ScoredEdit(Edit):
    """An edit and how much of the hypotheses' probability agrees with it."""

    probability: float


@dataclass(frozen=True)
class Alternative:
    """A whole corrected sentence and what the networks think of it."""

    text: str
    plan_log_prob: float
    """log p(π)"""
    fill_log_prob: float
    """log p(y | π); 0 where nothing is inserted."""
    length: int
    """Positions of the plan, by which scores are divided."""
    score: float
    """What alternatives are ranked by."""
    unchanged: bool
    """Whether this is the source as it stands."""

    @property
    def log_prob(self) -> float:
        """Return log p(π) + log p(y | π)."""
        return self.plan_log_prob + self.fill_log_prob


@dataclass(frozen=True)
class Correction:
    """A sentence, its correction, and the runners-up."""

    source: str
    text: str
    edits: tuple[ScoredEdit, ...]
    """What changed, from left to right."""
    alternatives: tuple[Alternative, ...]
    """Best first; the unchanged sentence is always among them."""
    margin: float
    """Score of the best alternative minus that of the unchanged sentence: the confidence that something is wrong."""


class Corrector:
    """Corrects sentences with a pair of networks and their tokenizer."""

    def __init__(self, networks: Networks, tokenizer: Tokenizer, options: Options | None = None) -> None:
        """Put the parts together; `from_pretrained` does it for a model folder."""
        known = networks.config.tokens or networks.config.vocab_size
        if tokenizer.size != known:
            raise PermendError(f"the tokenizer has {tokenizer.size} tokens, the model {known}: they do not fit")
        self.networks = networks
        self.tokenizer = tokenizer
        self.options = options or Options()

    @classmethod
    def from_pretrained(cls, path: str | Path, options: Options | None = None, threads: int | None = None) -> Corrector:
        """Load a model folder: an exported one without torch, a trained one with it."""
        folder = Path(path)
        networks: Networks
        if (folder / "encoder.onnx").exists():
            from permend.runtime.onnx import OnnxNetworks

            networks = OnnxNetworks(folder, threads)
        elif (folder / "model.safetensors").exists():
            try:
                from permend.model.torch_networks import TorchNetworks
            except ImportError:
                raise MissingExtraError("A model that is not exported", "train") from None

            networks = TorchNetworks.from_pretrained(folder, threads=threads)
        elif not folder.is_dir():
            raise InputError("no such model folder", folder)
        else:
            raise InputError("this folder holds neither an exported model (encoder.onnx) nor a trained one", folder)
        return cls(networks, SubwordTokenizer.from_path(folder), options)

    def correct(self, text: str) -> Correction:
        """Correct one sentence."""
        return self.correct_batch([text])[0]

    def correct_batch(self, texts: Iterable[str], batch_size: int = 32) -> list[Correction]:
        """Correct many sentences, the longest together with the longest; the order of the results is the texts'."""
        tokens = self.tokenizer.encode_batch(list(texts))
        parts: list[tuple[int, Tokens]] = []  # which text a part belongs to
        limit = self.networks.config.max_length - self.networks.config.slots - 2
        for index, whole in enumerate(tokens):
            parts += [(index, part) for part in self._parts(whole, limit)]
        by_length = sorted(range(len(parts)), key=lambda place: len(parts[place][1].ids))
        corrections: dict[int, Correction] = {}
        for start in range(0, len(parts), batch_size):
            places = by_length[start : start + batch_size]
            for place, correction in zip(places, self._correct([parts[p][1] for p in places]), strict=True):
                corrections[place] = correction
        results: list[list[Correction]] = [[] for _ in tokens]
        for place, (index, _) in enumerate(parts):
            results[index].append(corrections[place])
        return [_joined(group) for group in results]

    def _parts(self, tokens: Tokens, limit: int) -> Iterator[Tokens]:
        """Split a text that is too long; a part may become longer when it is tokenised by itself, so look again."""
        if len(tokens.ids) - 2 <= limit:
            yield tokens
            return
        for start, end in split_text(tokens, limit):
            part = self.tokenizer.encode(tokens.text[start:end])
            yield from self._parts(part, limit) if len(part.ids) < len(tokens.ids) else [part]

    def _correct(self, sentences: Sequence[Tokens]) -> list[Correction]:
        """Correct a batch."""
        config, options = self.networks.config, self.options
        ids, mask = sentence_arrays(
            [tokens.ids for tokens in sentences], config.slots, config.slot_id(0), self.tokenizer.pad
        )
        memory, scores = self.networks.encode(ids, mask)
        lengths = [len(tokens.ids) for tokens in sentences]
        matrices = [row[: n + config.slots, : n + config.slots] for row, n in zip(scores, lengths, strict=True)]
        found = search(matrices, lengths, beam=options.beam, best=options.alternatives, bias=options.bias)
        hypotheses = [self._with_identity(*each) for each in zip(found, matrices, lengths, strict=True)]
        fills = self._fill(sentences, hypotheses, memory, mask)
        return [self._decide(*each) for each in zip(sentences, hypotheses, fills, strict=True)]

    def _with_identity(self, found: list[Hypothesis], scores: Scores, length: int) -> list[Hypothesis]:
        if any(hypothesis.plan.is_identity for hypothesis in found):
            return found
        return [*found, score_plan(scores, Plan.identity(length), bias=self.options.bias)]

    def _fill(
        self, sentences: Sequence[Tokens], hypotheses: list[list[Hypothesis]], memory: Floats, mask: Bools
    ) -> list[list[tuple[list[tuple[int, ...]], float]]]:
        """Return every hypothesis' fills and their log-probability; the decoder runs at most once, for all together."""
        config = self.networks.config
        wanted = [
            (row, place, make_template(tokens.ids, hypothesis.plan, self.tokenizer.mask, config.masks))
            for row, (tokens, group) in enumerate(zip(sentences, hypotheses, strict=True))
            for place, hypothesis in enumerate(group)
            if hypothesis.plan.slots
        ]
        fills: list[list[tuple[list[tuple[int, ...]], float]]] = [[([], 0.0)] * len(group) for group in hypotheses]
        if not wanted:
            return fills
        rows = [row for row, _, _ in wanted]
        arrays = template_arrays([template for _, _, template in wanted], self.tokenizer.pad)
        chosen_memory, chosen_mask = memory[rows], mask[rows]
        tokens, log_probs = refine(
            lambda ids: self.networks.fill(chosen_memory, chosen_mask, arrays._replace(ids=ids)),
            arrays.ids,
            arrays.fill_index,
            self.options.steps,
        )
        at = 0
        for row, place, template in wanted:
            here = slice(at, at + len(template.masks))
            at = here.stop
            fill = split_fills(tokens[here].tolist(), self.tokenizer.pad, config.masks)
            fills[row][place] = (fill, float(log_probs[here].sum()))
        return fills

    def _decide(
        self, tokens: Tokens, hypotheses: list[Hypothesis], fills: list[tuple[list[tuple[int, ...]], float]]
    ) -> Correction:
        """Rank a sentence's hypotheses and take the best, if it is better enough than the sentence itself."""
        alternatives = [
            self._alternative(tokens, hypothesis, *fill) for hypothesis, fill in zip(hypotheses, fills, strict=True)
        ]
        ranked = _without_repetition(sorted(alternatives, key=lambda each: -each.score))
        best = ranked[0]
        same = next(each for each in ranked if each.unchanged)
        margin = best.score - same.score
        chosen = best if margin >= self.options.min_confidence else same
        return Correction(
            tokens.text, chosen.text, _scored_edits(tokens.text, chosen.text, ranked), tuple(ranked), margin
        )

    def _alternative(
        self, tokens: Tokens, hypothesis: Hypothesis, fills: list[tuple[int, ...]], fill_log_prob: float
    ) -> Alternative:
        plan = hypothesis.plan
        text = tokens.text if plan.is_identity else render(tokens, plan, fills, self.tokenizer)
        length = len(plan.order)
        total = hypothesis.log_prob + (fill_log_prob if self.options.joint else 0.0)
        return Alternative(text, hypothesis.log_prob, fill_log_prob, length, total / length, text == tokens.text)


def _without_repetition(ranked: list[Alternative]) -> list[Alternative]:
    """Keep the first of alternatives that read the same."""
    first: dict[str, Alternative] = {}
    for each in ranked:
        first.setdefault(each.text, each)
    return list(first.values())


def _scored_edits(source: str, text: str, ranked: Sequence[Alternative]) -> tuple[ScoredEdit, ...]:
    """Give each edit the share of the alternatives' probability that contains it."""
    wanted = diff(source, text)
    if not wanted:
        return ()
    log_probs = np.array([each.log_prob for each in ranked])
    shares = np.exp(log_probs - log_probs.max())
    shares /= shares.sum()
    contents = [frozenset(diff(source, each.text)) for each in ranked]
    return tuple(
        ScoredEdit(
            edit.start,
            edit.end,
            edit.before,
            edit.after,
            float(sum(share for share, edits in zip(shares, contents, strict=True) if edit in edits)),
        )
        for edit in wanted
    )


def _joined(parts: Sequence[Correction]) -> Correction:
    """Put the corrections of a split text together: its best whole, and itself unchanged."""
    if len(parts) == 1:
        return parts[0]
    edits: list[ScoredEdit] = []
    at = 0
    for part in parts:
        edits += [replace(edit, start=edit.start + at, end=edit.end + at) for edit in part.edits]
        at += len(part.source)
    source, text = "".join(part.source for part in parts), "".join(part.text for part in parts)
    chosen = [next(each for each in part.alternatives if each.text == part.text) for part in parts]
    same = [next(each for each in part.alternatives if each.unchanged) for part in parts]
    wholes = _without_repetition([_whole(chosen), _whole(same)])
    return Correction(source, text, tuple(edits), tuple(wholes), wholes[0].score - _whole(same).score)


def _whole(parts: Sequence[Alternative]) -> Alternative:
    length = sum(part.length for part in parts)
    return Alternative(
        "".join(part.text for part in parts),
        sum(part.plan_log_prob for part in parts),
        sum(part.fill_log_prob for part in parts),
        length,
        sum(part.score * part.length for part in parts) / length,
        all(part.unchanged for part in parts),
    )
