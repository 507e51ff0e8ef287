"""The decoder network: an infiller that looks at the whole template and at the memory (Section 3.1).

In: a template (copied tokens in plan order, three masks per slot), where each element comes from in the memory, and
which elements to fill. Out: logits (F, V) at those elements only. *I be busy* with the plan 0 1 5 3 4 is

    template   <s>   I   <mask> <mask> <mask>   busy  </s>
    source      0    1     5      5      5       3     4      index into the memory; a mask looks up its slot
    coordinate  0    1   1.25    1.5   1.75      3     4      where cross-attention places it in the source
    fill                   2      3      4

Self-attention runs over the template's own index and is bidirectional. The output is tied to the embeddings, which
are handed in at each call: the matrix belongs to the encoder. What can never be a fill (`ModelConfig.unfillable`) has
the logit -inf, and slots have none.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from permend.model.config import ModelConfig
from permend.model.torch.layers import Block, BlockShape, Memory, index_rotation, linear, norm, rotation


class OutputHead(nn.Module):
    """Dense layer, GELU, norm: a masked-language head before its tied output."""

    def __init__(self, shape: BlockShape) -> None:
        """Make the two layers."""
        super().__init__()
        self.dense = linear(shape.width, shape.width, shape.bias)
        self.norm = norm(shape)

    def forward(self, x: Tensor) -> Tensor:
        """Transform states (…, d)."""
        y: Tensor = self.norm(functional.gelu(self.dense(x)))
        return y


class Decoder(nn.Module):
    """Blocks with cross-attention over a template, and the tied output."""

    forbidden: Tensor

    def __init__(self, config: ModelConfig, shape: BlockShape) -> None:
        """Make `config.decoder_layers` blocks."""
        super().__init__()
        self.shape = shape
        self.input_norm = norm(shape)
        self.memory_map = linear(shape.width, shape.width, shape.bias) if config.memory_input else None
        self.drop = nn.Dropout(shape.dropout)
        self.blocks = nn.ModuleList([Block(shape, cross=True) for _ in range(config.decoder_layers)])
        self.norm = norm(shape)
        self.head = OutputHead(shape) if config.output_head else None
        self.output_bias = nn.Parameter(torch.zeros(config.vocab_size))
        forbidden = torch.zeros(config.vocab_size)
        forbidden[list(config.unfillable)] = float("-inf")
        self.register_buffer("forbidden", forbidden, persistent=False)

    def forward(
        self,
        embeddings: Tensor,
        memory: Tensor,
        memory_mask: Tensor,
        template_ids: Tensor,
        template_source: Tensor,
        coordinates: Tensor,
        template_mask: Tensor,
        fill_index: Tensor,
        template_row: Tensor | None = None,
    ) -> Tensor:
        """Return logits (F, V) at `fill_index` (F,), places among the B·T elements of templates (B, T).

        Row by row, `memory` (B, L, d) is the templates'; or some share theirs, and `template_row` (B,) says which of
        the rows (M, L, d) each template looks at: what is computed of a memory is computed once.
        """
        x = self.input_norm(functional.embedding(template_ids, embeddings))  # (B, T, d)
        if self.memory_map is not None:
            x = x + _permuted(self.memory_map(memory), template_source, template_row)
        x = self.drop(x)
        angles = index_rotation(template_ids.shape[1], self.shape, x.device)
        looked_at = Memory(
            states=memory,
            mask=memory_mask,
            query_rotation=rotation(coordinates, self.shape),
            key_rotation=index_rotation(memory.shape[1], self.shape, x.device),
            row=template_row,
        )
        *blocks, last = self.blocks
        for block in blocks:
            x = block(x, angles, template_mask, looked_at)
        return self.logits(last(x, angles, template_mask, looked_at, fill_index), embeddings)

    def logits(self, states: Tensor, embeddings: Tensor) -> Tensor:
        """Return float32 logits (…, V) of the blocks' `states` (…, d)."""
        h = self.norm(states)
        h = h if self.head is None else self.head(h)
        products = functional.linear(h, embeddings[: self.output_bias.shape[0]])  # (…, V): the slots' rows are left out
        return products.float() + self.output_bias + self.forbidden


def _permuted(memory: Tensor, source: Tensor, row: Tensor | None) -> Tensor:
    """Return H[π] (B, T, d): the memory (B, L, d), or `row` (B,) of the memory (M, L, d), at `source` (B, T)."""
    row = torch.arange(source.shape[0], device=source.device) if row is None else row
    places = row[:, None] * memory.shape[1] + source  # (B, T) among all M·L
    return memory.flatten(0, 1).index_select(0, places.flatten()).view(*source.shape, -1)
