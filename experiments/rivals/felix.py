"""FELIX (Mallinson et al. 2020): tags and a pointer say what stays and in which order, a second pass fills the masks.

In: a sentence. Out: the sentence after at most two runs of the same encoder:

    1  <s> I be busy </s>                      tags 0 1 D 0, pointers 0 → 1 → 3 → 4
    2  <s> I [ be ] <mask> busy </s>           am

Chosen among the paper's variants: the tagger says how many tokens to insert (*masking*, not *infilling*), up to as
many as a slot of permend's holds; deleted tokens stay in brackets in the second pass; the pointer reads the encoder's
states with the embeddings of the tags, right ones while it learns; the next token is the most probable among the kept
ones that are not used yet, without a beam. Tagger, pointer and infiller learn together on one encoder, where the paper
trains an encoder for each pass. A sentence whose template is longer than the encoder takes stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from experiments.rivals.felix_labels import FelixLabels, Shape, make_template, point
from experiments.rivals.labels import Labels
from experiments.rivals.system import Decoding, Guess, Output, System, cross_entropy
from permend.errors import PermendError
from permend.method.plan import Plan
from permend.method.template import render
from permend.model.config import ModelConfig
from permend.model.torch.backbone import Backbone
from permend.model.torch.decoder import OutputHead
from permend.model.torch.layers import linear
from permend.model.torch.pointer import Pointer
from permend.model.torch.start import copy_layers
from permend.text.tokens import Tokenizer, Tokens
from permend.training.task import Term


class Felix(System):
    """A tagger, a pointer and an infiller on one encoder."""

    name = "felix"
    terms = (
        Term("tag_loss", 1.0),
        Term("pointer_loss", 1.0),
        Term("infill_loss", 1.0),
        Term("tag_accuracy"),
        Term("pointer_accuracy"),
        Term("infill_accuracy"),
    )

    def __init__(self, config: ModelConfig, learned: Mapping[str, Any], backbone: Backbone) -> None:
        """Add the heads."""
        super().__init__(config, learned, backbone)
        if config.slots < 2:
            raise PermendError(f"FELIX needs two slots for its brackets, the model has {config.slots}")
        self.shape = Shape(config.masks, config.mask_id, config.slot_id(0), config.slot_id(1))
        width = backbone.shape.width
        self.tagger = linear(width, self.shape.delete + 1, bias=True)
        self.tag_embeddings = nn.Embedding(self.shape.delete + 1, width)
        nn.init.normal_(self.tag_embeddings.weight, std=0.02)
        self.pointer = Pointer(backbone.shape)
        self.head = OutputHead(backbone.shape)
        self.output = Output(config)

    def start_from_encoder(self) -> None:
        """Start the pointer's layer as the encoder's last one."""
        copy_layers(self.backbone, [self.pointer.block], self.pointer.norm)

    def labels(self, tokenizer: Tokenizer) -> Labels:
        """Return what turns pairs into rows."""
        return FelixLabels.of(tokenizer, self.shape)

    def forward(self, columns: Mapping[str, Tensor]) -> tuple[Tensor, ...]:
        """Return the sums of a batch; the pointer sees the right tags, the infiller the right template."""
        states, mask = self.memory(columns["source"])
        tag_loss, tags_right = cross_entropy(self.tagger(states), columns["tags"])
        scores = self._scores(states, mask, columns["tags"].clamp(min=0))
        pointer_loss, pointers_right = cross_entropy(scores, columns["next"])
        filled, _ = self.memory(columns["template"])
        fills = columns["fills"]
        infill_loss, fills_right = cross_entropy(self._fill(filled[fills >= 0]), fills[fills >= 0])
        return tag_loss, pointer_loss, infill_loss, tags_right, pointers_right, fills_right

    def guess(self, sentences: Sequence[Tokens], tokenizer: Tokenizer, how: Decoding) -> list[Guess]:
        """Correct sentences; only those with masks take part in the second pass."""
        plans = self._plans(sentences)
        templates = [
            make_template(each.ids, plan, sizes, self.shape)
            for each, (plan, sizes) in zip(sentences, plans, strict=True)
        ]
        fitting = [len(template) <= self.config.max_length for template in templates]
        masked = [row for row, (_, sizes) in enumerate(plans) if sizes and fitting[row]]
        fills: list[list[list[int]]] = [[] for _ in sentences]
        for row, new in zip(masked, self._filled([templates[row] for row in masked]), strict=True):
            given = iter(new)
            fills[row] = [[next(given) for _ in range(size)] for size in plans[row][1]]
        return [
            Guess(render(each, plan, fills[row], tokenizer) if fitting[row] else each.text, passes=1 + (row in masked))
            for row, (each, (plan, _)) in enumerate(zip(sentences, plans, strict=True))
        ]

    def _plans(self, sentences: Sequence[Tokens]) -> list[tuple[Plan, list[int]]]:
        """Run the first pass."""
        states, mask = self.memory(self.batch_of([each.ids for each in sentences]))
        logits = self.tagger(states).float()  # (B, L, tags)
        logits[:, 0, self.shape.delete] = float("-inf")
        tags = logits.argmax(-1)  # (B, L)
        ends = mask.sum(1) - 1
        tags[torch.arange(len(tags), device=tags.device), ends] = 0  # as while learning
        scores = self._scores(states, mask, tags).cpu().numpy()
        lengths = [len(each.ids) for each in sentences]
        rows = zip(tags.tolist(), scores, lengths, strict=True)
        return [point(row[:length], own[:length, :length], self.shape) for row, own, length in rows]

    def _filled(self, templates: Sequence[Sequence[int]]) -> list[list[int]]:
        """Run the second pass: return the tokens at the masks of each template."""
        if not templates:
            return []
        ids = self.batch_of(templates)
        masks = ids == self.config.mask_id  # (B, T)
        states, _ = self.memory(ids)
        tokens = self._fill(states[masks]).argmax(-1)  # (F,)
        return [part.tolist() for part in torch.split(tokens.cpu(), masks.sum(1).tolist())]

    def _scores(self, states: Tensor, mask: Tensor, tags: Tensor) -> Tensor:
        """Return pointer scores (B, L, L) of states (B, L, d) and tags (B, L)."""
        scores: Tensor = self.pointer(states + self.tag_embeddings(tags), mask, mask)
        return scores.masked_fill(~mask[:, None, :], -1e9)

    def _fill(self, states: Tensor) -> Tensor:
        """Return logits (F, V) of states (F, d)."""
        logits: Tensor = self.output(self.head(states), self.backbone.embeddings)
        return logits
