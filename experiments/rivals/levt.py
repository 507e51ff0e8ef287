"""LevT (Gu et al. 2019): a draft is refined by deleting tokens, making room for others and filling it, again and again.

In: a sentence, which is the first draft. Out: the draft that a round changes no more, or the tenth.

    draft      <s> I be busy </s>
    delete     <s> I busy </s>
    make room  <s> I <mask> busy </s>
    fill       <s> I am busy </s>          the next round changes nothing: done

The three policies are heads on the same two layers, which see the whole draft and the encoder's states. They learn by
imitation of an oracle (`levt_oracle`), as in the paper, each from drafts as another policy leaves them:

- deletion, from the source, and from the target with some tokens dropped and written anew by the network itself
- room and tokens, from the source after the oracle's deletions, and from the target with a random share dropped;
  room also from what the network wrote, where nothing is missing: that is how it learns to stop

The paper draws one of two drafts for each policy and pair; here both are used always. Which tokens are dropped is drawn
once for a pair. A gap takes up to eight tokens a round (255 in the paper), the rest comes in the next. A run of the
layers is used for all policies that see the same draft, so a sentence without errors takes a single one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from experiments.rivals.ar import most_tokens
from experiments.rivals.labels import Labels
from experiments.rivals.levt_oracle import LevenshteinLabels, make_room
from experiments.rivals.system import Decoding, Guess, Output, System, cross_entropy
from experiments.rivals.texts import write
from permend.errors import check_count
from permend.model.config import ModelConfig
from permend.model.torch.backbone import Backbone
from permend.model.torch.layers import Block, Memory, index_rotation, linear, norm
from permend.model.torch.start import copy_layers
from permend.text.tokens import Tokenizer, Tokens
from permend.training.task import Term

MOST = 8
"""Tokens that a gap takes in a round."""


@dataclass(frozen=True)
class Refining(Decoding):
    """How far drafts are refined."""

    rounds: int = 10
    """Rounds at most."""

    def __post_init__(self) -> None:
        """Refuse a number that is none."""
        check_count("rounds", self.rounds)


@dataclass
class Draft:
    """A sentence under way."""

    row: int
    """Its place in the batch."""
    ids: list[int]
    limit: int
    """Most tokens that it may have."""
    states: Tensor | None = None
    """(T, d) what the layers say of these ids, where they have been run."""
    runs: int = 0

    def become(self, ids: list[int]) -> None:
        """Take other ids; where they are the same ones, what is known of them stays."""
        if ids != self.ids:
            self.ids, self.states = ids, None


class LevenshteinTransformer(System):
    """An encoder, two layers on a draft, and three policies."""

    name = "levt"
    terms = (
        Term("delete_loss", 1.0),
        Term("gap_loss", 1.0),
        Term("token_loss", 1.0),
        Term("delete_accuracy"),
        Term("gap_accuracy"),
        Term("token_accuracy"),
    )
    decodings = Refining

    def __init__(self, config: ModelConfig, learned: Mapping[str, Any], backbone: Backbone) -> None:
        """Add the layers and the policies."""
        super().__init__(config, learned, backbone)
        shape = backbone.shape
        self.input_norm = norm(shape)
        self.drop = nn.Dropout(shape.dropout)
        self.blocks = nn.ModuleList([Block(shape, cross=True) for _ in range(config.decoder_layers)])
        self.norm = norm(shape)
        self.deletion = linear(shape.width, 2, bias=True)
        self.room = linear(2 * shape.width, MOST + 1, bias=True)
        self.output = Output(config)

    def start_from_encoder(self) -> None:
        """Start the layers on the draft as the encoder's last ones."""
        copy_layers(self.backbone, [cast(Block, each) for each in self.blocks], self.norm, self.input_norm)

    def labels(self, tokenizer: Tokenizer) -> Labels:
        """Return what turns pairs into rows."""
        return LevenshteinLabels(MOST, self.config.unknown_id)

    def forward(self, columns: Mapping[str, Tensor]) -> tuple[Tensor, ...]:
        """Return the sums of a batch: the layers run three times, on two drafts of each pair at once."""
        source, target = columns["source"], columns["target"]
        memory, mask = (torch.cat([each, each]) for each in self.memory(source))  # (2B, L, d), (2B, L)
        tokens = torch.cat([columns["left_tokens"], columns["thinned_tokens"]])  # (2B, L)
        new, targets = tokens >= 0, torch.cat([target, target])
        states = self.read(torch.where(new, self.config.mask_id, targets), memory, mask)
        said = self.output(states[new], self.backbone.embeddings)  # (F, V)
        written = targets.masked_scatter(new, said.detach().argmax(-1))[len(target) :]  # (B, L)
        wrong, complete = judge(written, target)
        states = self.read(torch.cat([source, written]), memory, mask)
        going = self.deletion(states)  # (2B, L, 2)
        room = [self.room(_pairs(states[len(target) :]))]  # (B, L - 1, MOST + 1)
        states = self.read(torch.cat([columns["left"], columns["thinned"]]), memory, mask)
        room.append(self.room(_pairs(states)))
        gaps = torch.cat([complete, columns["left_gaps"][:, :-1], columns["thinned_gaps"][:, :-1]])  # (3B, L - 1)
        losses = (
            cross_entropy(going, torch.cat([columns["delete"], wrong])),
            cross_entropy(torch.cat(room), gaps),
            cross_entropy(said, tokens[new]),
        )
        return *(loss for loss, _ in losses), *(right for _, right in losses)

    def read(self, ids: Tensor, memory: Tensor, memory_mask: Tensor) -> Tensor:
        """Return the states (B, T, d) of drafts (B, T), padded with -1, in view of the memory (B, L, d)."""
        mask, shape = ids >= 0, self.backbone.shape
        x = functional.embedding(torch.where(mask, ids, self.config.pad_id), self.backbone.embeddings)
        x = self.drop(self.input_norm(x))  # (B, T, d)
        angles = index_rotation(ids.shape[1], shape, ids.device)
        looked_at = Memory(memory, memory_mask, angles, index_rotation(memory.shape[1], shape, ids.device))
        for block in self.blocks:
            x = block(x, angles, mask, looked_at)
        states: Tensor = self.norm(x)
        return states

    def guess(self, sentences: Sequence[Tokens], tokenizer: Tokenizer, how: Refining) -> list[Guess]:
        """Correct sentences; those that a round leaves as they are leave the batch."""
        memory, mask = self.memory(self.batch_of([each.ids for each in sentences]))
        drafts = [Draft(row, list(each.ids), most_tokens(each.ids)) for row, each in enumerate(sentences)]
        going = drafts
        for _ in range(how.rounds):
            before = [draft.ids for draft in going]
            self._delete(going, memory, mask)
            self._insert(going, memory, mask)
            going = [draft for draft, ids in zip(going, before, strict=True) if draft.ids != ids]
            if not going:
                break
        return [
            Guess(write(each, draft.ids, tokenizer), passes=1 + draft.runs)
            for each, draft in zip(sentences, drafts, strict=True)
        ]

    def _delete(self, drafts: Sequence[Draft], memory: Tensor, mask: Tensor) -> None:
        states = self._look(drafts, memory, mask)
        choices = _split(self.deletion(torch.cat(states)).argmax(-1), states)
        for draft, gone in zip(drafts, choices, strict=True):
            gone[0] = gone[-1] = 0
            draft.become([token for token, is_gone in zip(draft.ids, gone, strict=True) if not is_gone])

    def _insert(self, drafts: Sequence[Draft], memory: Tensor, mask: Tensor) -> None:
        """Make room and fill it."""
        pairs = [_pairs(states) for states in self._look(drafts, memory, mask)]
        choices = _split(self.room(torch.cat(pairs)).argmax(-1), pairs)
        blank, roomy = self.config.mask_id, []
        for draft, gaps in zip(drafts, choices, strict=True):
            if any(gaps := fitting(gaps, draft.limit - len(draft.ids))):
                draft.become(make_room(draft.ids, gaps, blank))
                roomy.append(draft)
        if not roomy:
            return
        looked = self._look(roomy, memory, mask)
        masks = [states[torch.tensor(draft.ids) == blank] for states, draft in zip(looked, roomy, strict=True)]
        said = self.output(torch.cat(masks), self.backbone.embeddings).argmax(-1)  # (F,)
        for draft, tokens in zip(roomy, _split(said, masks), strict=True):
            new = iter(tokens)
            draft.become([next(new) if token == blank else token for token in draft.ids])

    def _look(self, drafts: Sequence[Draft], memory: Tensor, mask: Tensor) -> list[Tensor]:
        """Return the states (T, d) of each draft, and run the layers for those that have changed since."""
        if stale := [draft for draft in drafts if draft.states is None]:
            rows = torch.tensor([draft.row for draft in stale], device=memory.device)
            states = self.read(self.batch_of([draft.ids for draft in stale]), memory[rows], mask[rows])
            for draft, own in zip(stale, states, strict=True):
                draft.states = own[: len(draft.ids)]
                draft.runs += 1
        return [cast(Tensor, draft.states) for draft in drafts]


def judge(written: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Return what the oracle says of drafts (B, T) as long as their targets: which tokens go (B, T), and no gaps.

    The drafts are right in length, so nothing is missing where nothing is wrong, and where something is wrong it goes
    before anything is missing. The ends have no choice, and of an empty sentence nothing is said.
    """
    inner = target >= 0  # (B, T)
    inner = inner & functional.pad(inner[:, 1:], (0, 1)) & functional.pad(inner[:, :-1], (1, 0))
    gaps = torch.where(inner[:, :-1] | inner[:, 1:], 0, -1)  # (B, T - 1)
    return torch.where(inner, (written != target).long(), -1), gaps


def fitting(gaps: Sequence[int], room: int) -> list[int]:
    """Return the same gaps from the left, as far as there is room.

    >>> fitting([2, 0, 3], 4)
    [2, 0, 2]
    """
    fit = []
    for gap in gaps:
        fit.append(min(gap, max(room, 0)))
        room -= fit[-1]
    return fit


def _pairs(states: Tensor) -> Tensor:
    """Return what the gaps between neighbours see of states (…, T, d): (…, T - 1, 2d)."""
    return torch.cat([states[..., :-1, :], states[..., 1:, :]], dim=-1)


def _split(choices: Tensor, like: Sequence[Tensor]) -> list[list[int]]:
    """Return choices (ΣT,) for each of the parts that they were made for."""
    parts = torch.split(choices.cpu(), [len(part) for part in like])
    return [part.tolist() for part in parts]
