"""How far two implementations of the same networks disagree: ONNX against torch, int8 against float32.

In: two `Networks` and sentences. Out: a `Parity`: the largest differences of log-probabilities, how many decisions of
the pointer and the decoder come out differently, and how many corrections do, which is what counts.

    trained, exported = TorchNetworks(network), OnnxNetworks("model-int8")
    found = compare(trained, exported, samples(sentences, tokenizer, network.config))
    found |= compare_texts(corrected_by_trained, corrected_by_exported)
    require(found, "int8")      # raises where the two differ more than `BOUNDS` allows

A decision of the pointer is the best continuation of each position. For the decoder, the token in the middle of every
sentence gives way to a slot, so that it always has something to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from permend.config import ModelConfig
from permend.errors import PermendError
from permend.model.quantize import Quantization
from permend.permutation.plan import Plan
from permend.permutation.template import make_template
from permend.runtime.arrays import sentence_arrays, template_arrays
from permend.runtime.networks import Bools, Floats, Ints, Networks, TemplateArrays
from permend.text.tokens import Tokenizer, Tokens

_BATCH = 8
_POSSIBLE = np.log(1e-3)  # continuations less probable than this decide nothing


class Sample(NamedTuple):
    """A batch for both networks: rows of ids, and one template per row."""

    ids: Ints
    """(B, L)"""
    mask: Bools
    """(B, L)"""
    template: TemplateArrays


@dataclass(frozen=True)
class Parity:
    """What `compare` found."""

    pointer_difference: float = 0.0
    """Largest absolute difference of a pointer log-probability among continuations of at least one in a thousand."""
    fill_difference: float = 0.0
    """Largest absolute difference of a fill's log-probability, where both chose the same token."""
    decisions: int = 0
    """Number of decisions compared."""
    changed_decisions: int = 0
    """Number of decisions whose best outcome differs."""
    sentences: int = 0
    """Number of sentences corrected by both."""
    changed_corrections: int = 0
    """Number of sentences whose corrected texts differ."""

    def __or__(self, other: Parity) -> Parity:
        """Return what was found in both together: the larger differences, the sums of the counts."""
        return Parity(
            float(np.maximum(self.pointer_difference, other.pointer_difference)),  # unlike `max`, keeps NaN
            float(np.maximum(self.fill_difference, other.fill_difference)),
            self.decisions + other.decisions,
            self.changed_decisions + other.changed_decisions,
            self.sentences + other.sentences,
            self.changed_corrections + other.changed_corrections,
        )


class Bound(NamedTuple):
    """What an export may differ by."""

    difference: float
    """In log-probability."""
    decisions: float
    """Share of decisions."""
    corrections: float
    """Share of sentences, of which one may always differ: two hypotheses can be as good as each other."""


BOUNDS: Mapping[Quantization, Bound] = {
    "none": Bound(difference=1e-3, decisions=0.001, corrections=0.01),
    "int8": Bound(difference=float("inf"), decisions=0.03, corrections=0.15),
    "int4": Bound(difference=float("inf"), decisions=0.10, corrections=0.40),
}
"""Quantised weights move log-probabilities by design; what counts there is how many decisions and texts change."""


def samples(texts: Sequence[str], tokenizer: Tokenizer, config: ModelConfig) -> Iterable[Sample]:
    """Yield batches of those sentences that the networks can take whole."""
    fitting = [t for t in tokenizer.encode_batch(texts) if len(t.ids) + config.slots <= config.max_length]
    for start in range(0, len(fitting), _BATCH):
        batch = fitting[start : start + _BATCH]
        ids, mask = sentence_arrays([t.ids for t in batch], config.slots, config.slot_id(0), config.pad_id)
        plans = [_middle_replaced(tokens) for tokens in batch]
        templates = [
            make_template(tokens.ids, plan, config.mask_id, config.masks)
            for tokens, plan in zip(batch, plans, strict=True)
        ]
        yield Sample(ids, mask, template_arrays(templates, config.pad_id))


def compare(reference: Networks, other: Networks, batches: Iterable[Sample]) -> Parity:
    """Run both networks from ids to fills, each on its own memory."""
    found = Parity()
    for ids, mask, template in batches:
        (memory_a, scores_a), (memory_b, scores_b) = (networks.encode(ids, mask) for networks in (reference, other))
        logs_a, logs_b = (_log_probs(scores, mask) for scores in (scores_a, scores_b))  # (B, L, L)
        pointed = (logs_a.argmax(2) == logs_b.argmax(2))[mask]
        tokens_a, fills_a = reference.fill(memory_a, mask, template)
        tokens_b, fills_b = other.fill(memory_b, mask, template)
        filled = tokens_a == tokens_b  # (F,)
        found |= Parity(
            _largest(logs_a, logs_b, mask[:, :, None] & (logs_a > _POSSIBLE)),
            _largest(fills_a, fills_b, filled),
            pointed.size + filled.size,
            int((~pointed).sum() + (~filled).sum()),
        )
    return found


def compare_texts(reference: Sequence[str], other: Sequence[str]) -> Parity:
    """Count the sentences that the two corrected differently."""
    changed = sum(a != b for a, b in zip(reference, other, strict=True))
    return Parity(sentences=len(reference), changed_corrections=changed)


def require(found: Parity, kind: Quantization) -> None:
    """Raise where the two networks differ by more than an export of this kind may."""
    bound = BOUNDS[kind]
    worst = float(np.maximum(found.pointer_difference, found.fill_difference))
    if not worst <= bound.difference:  # NaN is no agreement either
        raise PermendError(
            f"the exported model differs from the trained one by {worst:.2g} in log-probability, "
            f"{bound.difference:.2g} is allowed"
        )
    counts = (
        ("decides", "times", found.changed_decisions, found.decisions, bound.decisions),
        ("corrects", "sentences", found.changed_corrections, found.sentences, bound.corrections),
    )
    for verb, what, changed, number, share in counts:
        if changed > max(1, share * number):
            raise PermendError(
                f"the exported model {verb} {changed} of {number} {what} otherwise than the trained one, "
                f"{share:.1%} is allowed for {kind}"
            )


def _middle_replaced(tokens: Tokens) -> Plan:
    length = len(tokens.ids)
    middle = length // 2
    return Plan((*range(middle), length, *range(min(middle + 1, length - 1), length)), length)


def _log_probs(scores: Floats, mask: Bools) -> Floats:
    """Return log-softmax over the columns that a row could ever point to: valid, not `<s>`, not itself."""
    closed = ~mask[:, None, :] | np.eye(mask.shape[1], dtype=np.bool_)
    closed = closed | (np.arange(mask.shape[1]) == 0)
    open_scores = np.where(closed, np.float32(-1e9), scores)
    shifted = open_scores - open_scores.max(2, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(2, keepdims=True)), dtype=np.float32)


def _largest(a: Floats, b: Floats, where: Bools) -> float:
    return float(np.abs(a - b)[where].max(initial=0.0))
