"""GECToR (Omelianchuk et al. 2020, Tarnavskyi et al. 2022): the encoder says a tag for each word, again and again.

In: a sentence. Out: the sentence after a few passes, each of which carries out one tag a word (`gector_tags`). Two
heads stand on each word's first sub-token, and on ``<s>`` for what comes before the first word: one for tags, one that
detects errors. Precision is bought in two ways: `keep_bias` is added to the probability of $KEEP, and a sentence stays
as it is unless some word is wrong with a probability of at least `min_error`:

    RivalCorrector.load("runs/gector/last", steps=5, keep_bias=0.2, min_error=0.5)

Tags, and the verbs and nouns whose forms they know, come from the training pairs; the option `tags` is how many, 5,000
as in the paper. The paper's training stages and its option to skip correct sentences are not part of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from torch import Tensor, nn

from experiments.rivals.gector_forms import Forms
from experiments.rivals.gector_tags import KEEP, UNKNOWN, Tagger, learn_tags
from experiments.rivals.iterating import iterate
from experiments.rivals.labels import Columns, Labels, Row
from experiments.rivals.learning import counts_of, couples
from experiments.rivals.system import Decoding, Guess, System, cross_entropy
from experiments.rivals.words import TokenWords, words_of
from permend.corpora.pairs import Pair
from permend.model.config import ModelConfig
from permend.model.torch.backbone import Backbone
from permend.model.torch.layers import linear
from permend.text.tokens import Tokenizer, Tokens
from permend.training.task import Term

OPTIONS = {"tags": 5000}
"""Most tags, $KEEP and the like included."""


@dataclass(frozen=True)
class Steps(Decoding):
    """How often tags are carried out, and how sure they must be."""

    steps: int = 1
    """Passes, at most; 1, 3 and 5 in the paper."""
    keep_bias: float = 0.0
    """Added to the probability of $KEEP."""
    min_error: float = 0.0
    """The probability of an error that some word must have."""


@dataclass(frozen=True)
class Tags:
    """Labels: a tag on the first sub-token of each word, and whether it is an error."""

    tagger: Tagger
    numbers: Mapping[str, int]
    read: frozenset[str] = frozenset({"source"})

    def row(self, source: Tokens, target: Tokens) -> Row:
        """Return the row of a pair."""
        words = words_of(source)
        tags = [-1] * len(source.ids)
        errors = [-1] * len(source.ids)
        unknown = self.numbers[UNKNOWN]
        for place, tag in zip(places_of(words), self.tagger.tags(words, words_of(target)), strict=True):
            tags[place] = self.numbers.get(tag, unknown)
            errors[place] = int(tag != KEEP)
        return {"source": source.ids, "tags": tags, "errors": errors}

    def counts(self, columns: Columns) -> tuple[float, ...]:
        """Return the number of tags, once for each term."""
        words = float(np.count_nonzero(columns["tags"] >= 0))
        return words, words, words, words


def places_of(words: TokenWords) -> list[int]:
    """Return where the tags of the start and of each word stand."""
    return [0, *words.places]


class Gector(System):
    """An encoder with a head for tags and one that detects errors."""

    name = "gector"
    terms = (Term("tag_loss", 1.0), Term("tag_accuracy"), Term("error_loss", 1.0), Term("error_accuracy"))
    decodings = Steps

    def __init__(self, config: ModelConfig, learned: Mapping[str, Any], backbone: Backbone) -> None:
        """Add the heads."""
        super().__init__(config, learned, backbone)
        self.tags: list[str] = list(learned["tags"])
        self.numbers = {tag: number for number, tag in enumerate(self.tags)}
        self.tagger = Tagger(Forms(learned))
        width = backbone.shape.width
        self.drop = nn.Dropout(backbone.shape.dropout)
        self.tag_head = linear(width, len(self.tags), bias=True)
        self.error_head = linear(width, 2, bias=True)

    @classmethod
    def learn(cls, pairs: Iterable[Pair], tokenizer: Tokenizer, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the tags, and the forms of verbs and nouns."""
        return learn_tags(couples(pairs, tokenizer), counts_of(options, OPTIONS)["tags"])

    def labels(self, tokenizer: Tokenizer) -> Labels:
        """Return what turns pairs into rows."""
        return Tags(self.tagger, self.numbers)

    def forward(self, columns: Mapping[str, Tensor]) -> tuple[Tensor, ...]:
        """Return the sums of a batch."""
        tags, errors = self._logits(columns["source"])
        return (*cross_entropy(tags, columns["tags"]), *cross_entropy(errors, columns["errors"]))

    def _logits(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        """Return float32 logits of tags (B, L, tags) and of errors (B, L, 2)."""
        memory, _ = self.memory(ids)
        memory = self.drop(memory)  # (B, L, d)
        return self.tag_head(memory).float(), self.error_head(memory).float()

    def guess(self, sentences: Sequence[Tokens], tokenizer: Tokenizer, how: Steps) -> list[Guess]:
        """Correct sentences, pass by pass."""
        return iterate(sentences, tokenizer, how.steps, self.config.max_length, partial(self._once, how=how))

    def _once(self, sentences: Sequence[Tokens], how: Steps) -> list[str]:
        """Return the texts after one pass."""
        tags, errors = self._logits(self.batch_of([each.ids for each in sentences]))
        chances = tags.softmax(-1)
        chances[..., self.numbers[KEEP]] += how.keep_bias
        best = chances.argmax(-1).tolist()
        wrong = errors.softmax(-1)[..., 1].tolist()
        return [self._corrected(*each, how.min_error) for each in zip(sentences, best, wrong, strict=True)]

    def _corrected(self, sentence: Tokens, best: Sequence[int], wrong: Sequence[float], least: float) -> str:
        """Return one sentence's text after its tags, given the most probable tag and the error's chance everywhere."""
        words = words_of(sentence)
        places = places_of(words)
        if max(wrong[place] for place in places) < least:
            return sentence.text
        return self.tagger.carry_out(words, [self.tags[best[place]] for place in places])
