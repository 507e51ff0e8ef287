"""How far two implementations of the same networks disagree: ONNX against torch, int8 against float32.

In: two `Networks` and sentences. Out: a `Parity`: the largest differences of log-probabilities, how many decisions of
the pointer and the decoder come out differently, and how many corrections do, which is what counts.

    trained, exported = TorchNetworks(network), OnnxNetworks("model-int8")
    found = compare(trained, exported, samples(SENTENCES, tokenizer, network.config))
    found |= compare_texts(corrected_by_trained, corrected_by_exported)
    require(found, "int8")      # raises where the two differ more than `BOUNDS` allows

A decision of the pointer is the best continuation of each position. For the decoder, the token in the middle of every
sentence gives way to a slot, so that it always has something to say.

`SENTENCES` are what an export is checked on when nothing else is given: forty as learners and hurried writers leave
them, with every kind of edit (articles, prepositions, verbs, spelling, capitals, commas, order, split and joined
words), short and long, with quotation marks, numbers, a link, an emoji, and some with nothing wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from permend.errors import PermendError
from permend.method.plan import Plan
from permend.method.template import make_template
from permend.model.config import ModelConfig
from permend.model.networks import Bools, Floats, Ints, Networks, TemplateArrays, sentence_arrays, template_arrays
from permend.text.tokens import Tokenizer, Tokens

if TYPE_CHECKING:
    from permend.model.torch.quantize import Quantization  # which imports onnx

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


SENTENCES: tuple[str, ...] = (
    "He go to school every days.",
    "I has been waiting for you since two hours.",
    "The informations you gave me was very usefull.",
    "Yesterday I have seen a very good film on the cinema with my sister.",
    "Despite of the rain we decided to going out.",
    "she dont like coffee but she like tea",
    "I am looking forward to hear from you soon.",
    "If I would have more time, I will learn to play piano.",
    "There is many people which think that the life in the city is more better.",
    "Their going too the shop because there out of milk.",
    "My brother is the most tall person of our family.",
    "I want that you help me with my home work.",
    "When I arrived at home, my mother has already cooked the dinner.",
    "It depends of the weather wether we can eat outside or not.",
    "The childrens were playing in the garden when suddenly started to rain.",
    "Could you tell me where is the station, please?",
    "I definately recieved you're letter on monday.",
    "We discussed about the problem for a long time, but nobody had the good idea.",
    "Everyone have to do their best for protect the environment.",
    "Last summer we was in Italy, where we visited a lot of interesting places and eat delicious food, and I must say "
    "that it was one of the best holiday of my life.",
    "In my opinion, public transport should be free, because it would reduce the traffic and peoples would not need to "
    "spend so much money for petrol.",
    "Although he was tired but he finished his work.",
    '"I am not sure", she said, "but I think it is to late."',
    "The company, which was founded in 1987 has now more than 3,000 employee in 12 country.",
    "He asked me what did I do at the weekend.",
    "This is the book what I told you about.",
    "I am agree with you, the exam was very difficult.",
    "Please find attach the document you asked for it.",
    "Neither of the answers are right.",
    "You can find more informations on https://example.org/help, or just write to us.",
    "Thank you for your helps 😀, I really appreciate.",
    "I would like to suggest to you to visit our town in spring when is not so hot.",
    "Nowadays, it is imposible to imagine our life without internet: we use it for work, for study and for keep in "
    "touch with the friends who lives far away from us.",
    "Me and my friend was walking on the street, when we heared a loud noise.",
    "All is well.",
    "The meeting starts at nine o'clock, so please be on time.",
    "She has lived in Paris for ten years and still does not speak French.",
    "As far as I know, nobody has ever finished this puzzle in less than an hour.",
    "Because of the strike, our train was late, and we missed the beginning of the concert that we had been looking "
    "forward to for months.",
    "What a beautiful day!",
)
