"""AR(12+2): the shared encoder and two autoregressive decoder layers, decoded greedily or aggressively.

In: a sentence. Out: the most probable next token, again and again, until ``</s>``. *Greedy* runs the decoder once a
token. *Aggressive* (Sun et al. 2021) takes what is left of the source as a draft and verifies it in one run:

    source   I  be  busy  </s>      draft verified   I | am        am differs from be: keep I am, drop the rest
    then one token at a time        busy             busy stands in the source: what is behind it is the next draft
    source               </s>       draft verified   </s>

so a sentence without errors takes one run, and one with errors a few. Both give the same tokens: a draft is kept only
as far as greedy decoding would have written it. Both use a key-value cache, from which a refused draft is cut off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from experiments.rivals.ar_decoder import Cache, CausalDecoder, LookedAt, cut, length_of
from experiments.rivals.labels import Columns, Labels, Row
from experiments.rivals.system import Decoding, Guess, System, cross_entropy
from experiments.rivals.texts import write
from permend.model.config import ModelConfig
from permend.model.torch.backbone import Backbone
from permend.model.torch.start import copy_layers
from permend.text.tokens import Tokenizer, Tokens
from permend.training.task import Term


@dataclass(frozen=True)
class Greedily(Decoding):
    """How tokens are found."""

    decoding: Literal["greedy", "aggressive"] = "greedy"
    """One token a run, or drafts from the source."""


@dataclass(frozen=True)
class NextTokens:
    """Labels: the target, to be read and, one place on, to be said."""

    unknown: int | None = None
    """What no network can write."""
    read: frozenset[str] = frozenset({"source", "target"})

    def row(self, source: Tokens, target: Tokens) -> Row:
        """Return the row of a pair."""
        said = [-1 if token == self.unknown else token for token in target.ids[1:]]
        return {"source": source.ids, "target": target.ids[:-1], "next": said}

    def counts(self, columns: Columns) -> tuple[float, ...]:
        """Return the number of tokens, for the loss and for the right ones."""
        said = float(np.count_nonzero(columns["next"] >= 0))
        return said, said


class Autoregressive(System):
    """An encoder-decoder that writes from left to right."""

    name = "ar"
    terms = (Term("token_loss", 1.0), Term("token_accuracy"))
    decodings = Greedily

    def __init__(self, config: ModelConfig, learned: Mapping[str, Any], backbone: Backbone) -> None:
        """Add the decoder."""
        super().__init__(config, learned, backbone)
        self.decoder = CausalDecoder(config, backbone.shape)

    def start_from_encoder(self) -> None:
        """Start the decoder's layers as the encoder's last ones."""
        blocks = [layer.block for layer in self.decoder.stack]
        copy_layers(self.backbone, blocks, self.decoder.norm, self.decoder.input_norm)

    def labels(self, tokenizer: Tokenizer) -> Labels:
        """Return what turns pairs into rows."""
        return NextTokens(self.config.unknown_id)

    def forward(self, columns: Mapping[str, Tensor]) -> tuple[Tensor, ...]:
        """Return the sums of a batch by teacher forcing."""
        memory, mask = self.memory(columns["source"])
        target = columns["target"]
        ids = torch.where(target >= 0, target, self.config.pad_id)
        logits, _ = self.decoder.read(ids, self.backbone.embeddings, self.decoder.look(memory, mask), None)
        return cross_entropy(logits, columns["next"])

    def guess(self, sentences: Sequence[Tokens], tokenizer: Tokenizer, how: Greedily) -> list[Guess]:
        """Correct sentences; drafts are verified sentence by sentence."""
        memory, mask = self.memory(self.batch_of([each.ids for each in sentences]))
        looked_at = self.decoder.look(memory, mask)
        if how.decoding == "greedy":
            written = self.greedy(looked_at, [most_tokens(each.ids) for each in sentences])
        else:
            written = [self.aggressive(_of(looked_at, row), each.ids) for row, each in enumerate(sentences)]
        start = self.config.start_id
        return [
            Guess(write(each, [start, *ids], tokenizer), passes=1 + runs)
            for each, (ids, runs) in zip(sentences, written, strict=True)
        ]

    def said(self, logits: Tensor, place: int) -> Tensor:
        """Return the tokens (B, T) that logits (B, T, V) say; `place` of them were written before."""
        return logits.argmax(-1)

    def greedy(self, looked_at: LookedAt, limits: Sequence[int]) -> list[tuple[list[int], int]]:
        """Return what is written for each sentence, ``</s>`` last, and how often the decoder ran for it."""
        written: list[list[int]] = [[] for _ in limits]
        ids = torch.full((len(limits), 1), self.config.start_id, device=self.device)
        going, cache = set(range(len(limits))), None
        while going:
            logits, cache = self.decoder.read(ids, self.backbone.embeddings, looked_at, cache)
            ids = self.said(logits[:, -1:], length_of(cache) - 1)  # (B, 1)
            for row, token in enumerate(ids[:, 0].tolist()):
                if row in going:
                    written[row].append(token)
                    if token == self.config.end_id or len(written[row]) == limits[row]:
                        going.remove(row)
        return [(_ended(row, self.config.end_id), len(row)) for row in written]

    def aggressive(self, looked_at: LookedAt, source: Sequence[int]) -> tuple[list[int], int]:
        """Return what is written for one sentence, and how often the decoder ran."""
        rest, end, limit = source[1:], self.config.end_id, most_tokens(source)
        written: list[int] = []
        cache: Cache | None = None
        runs, done = 0, 0  # so much of the source is behind what is written
        draft_from: int | None = 0
        while not written or (written[-1] != end and len(written) < limit):
            held = len(written)
            draft = [] if draft_from is None else list(rest[draft_from : draft_from + limit - held])
            last = written[-1] if written else self.config.start_id
            ids = torch.tensor([[last, *draft[:-1]]], device=self.device)
            logits, cache = self.decoder.read(ids, self.backbone.embeddings, looked_at, cache)
            runs += 1
            said = self.said(logits, held)[0].tolist()
            right = next((k for k, (a, b) in enumerate(zip(said, draft, strict=False)) if a != b), len(draft))
            written += said[: right + 1]
            cache = cut(cache, held + min(right + 1, len(said)))
            if right and draft_from is not None:
                done = draft_from + right
            draft_from = _behind(rest, done, written[-1])
        return _ended(written, end), runs


def most_tokens(source: Sequence[int]) -> int:
    """Return how many tokens may be written for a source; a network that has learned nothing would never end."""
    return 2 * len(source) + 8


def _ended(ids: list[int], end: int) -> list[int]:
    return ids if ids[-1] == end else [*ids, end]


def _of(looked_at: LookedAt, row: int) -> LookedAt:
    """Return what is looked at for one sentence, without padding."""
    length = int(looked_at.mask[row].sum())
    one = slice(row, row + 1)
    layers = tuple(type(each)(each.keys[one, :, :length], each.values[one, :, :length]) for each in looked_at.layers)
    return LookedAt(layers, looked_at.mask[one, :, :, :length])


def _behind(source: Sequence[int], done: int, token: int) -> int | None:
    """Return the place behind the nearest such token of the source that is not done yet; None where there is none.

    A wrong guess costs nothing: the draft is refused at its first token, and the run has written one all the same.

    >>> _behind([5, 6, 7, 6, 8], 2, 6), _behind([5, 6, 7, 6, 8], 2, 5)
    (4, None)
    """
    return next((place + 1 for place in range(done, len(source) - 1) if source[place] == token), None)
