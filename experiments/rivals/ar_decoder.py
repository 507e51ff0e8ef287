"""Two autoregressive decoder layers with a key-value cache.

In: the memory of a sentence, and the tokens written so far. Out: logits of the next ones. `read` takes any number of
new tokens at once, so teacher forcing (all of them), greedy decoding (one) and the verification of a draft (some) are
the same code, and differ only by what the cache already holds:

    looked_at = decoder.look(memory, mask)
    logits, cache = decoder.read(ids, looked_at, None)              # (B, T) → (B, T, V), cache of T
    logits, cache = decoder.read(ids[:, -1:], looked_at, cache)     # one more
    cache = cut(cache, 5)                                           # take back what was a draft

Layers are permend's own blocks, which can start as the encoder's; cross-attention has rotary positions on both sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from experiments.rivals.system import Output
from permend.model.config import ModelConfig
from permend.model.torch.layers import Block, BlockShape, CrossAttention, Rotation, norm, rotate, rotation, split_heads


class KeyValues(NamedTuple):
    """What one layer's attention looks at, (B, nh, T, hs) each."""

    keys: Tensor
    values: Tensor


Cache: TypeAlias = tuple[KeyValues, ...]
"""Self-attention's keys and values, layer by layer."""


class LookedAt(NamedTuple):
    """The memory as cross-attention reads it, computed once a sentence."""

    layers: tuple[KeyValues, ...]
    mask: Tensor
    """(B, 1, 1, L)"""


def length_of(cache: Cache | None) -> int:
    """Return how many tokens a cache holds."""
    return cache[0].keys.shape[2] if cache else 0


def cut(cache: Cache, length: int) -> Cache:
    """Return the cache of the first tokens alone."""
    return tuple(KeyValues(keys[:, :, :length], values[:, :, :length]) for keys, values in cache)


class CausalLayer(nn.Module):
    """One of permend's blocks, read from left to right."""

    def __init__(self, shape: BlockShape) -> None:
        """Make the block."""
        super().__init__()
        self.block = Block(shape, cross=True)

    def look(self, memory: Tensor, angles: Rotation) -> KeyValues:
        """Return keys and values of the memory (B, L, d)."""
        cross, _ = self._cross()
        keys, values = (split_heads(part, cross.heads) for part in cross.kv(memory).chunk(2, dim=-1))
        return KeyValues(rotate(keys, angles), values)

    def forward(
        self,
        x: Tensor,
        angles: Rotation,
        mask: Tensor,
        held: KeyValues | None,
        memory: KeyValues,
        memory_mask: Tensor,
    ) -> tuple[Tensor, KeyValues]:
        """Return the new states (B, T, d), and self-attention's keys and values with theirs."""
        block, attention = self.block, self.block.attention
        q, k, v = (split_heads(p, attention.heads) for p in attention.qkv(block.attention_norm(x)).chunk(3, dim=-1))
        k = rotate(k, angles)
        if held is not None:
            k, v = torch.cat([held.keys, k], dim=2), torch.cat([held.values, v], dim=2)
        x = x + block.drop(attention.out(_attend(rotate(q, angles), k, v, mask)))
        cross, cross_norm = self._cross()
        q = rotate(split_heads(cross.q(cross_norm(x)), cross.heads), angles)
        x = x + block.drop(cross.out(_attend(q, memory.keys, memory.values, memory_mask)))
        return x + block.drop(block.mlp(block.mlp_norm(x))), KeyValues(k, v)

    def _cross(self) -> tuple[CrossAttention, nn.LayerNorm]:
        return cast(CrossAttention, self.block.cross), cast(nn.LayerNorm, self.block.cross_norm)


class CausalDecoder(nn.Module):
    """Layers whose tokens see only those before them."""

    def __init__(self, config: ModelConfig, shape: BlockShape) -> None:
        """Make `config.decoder_layers` layers."""
        super().__init__()
        self.shape = shape
        self.input_norm = norm(shape)
        self.drop = nn.Dropout(shape.dropout)
        self.layers = nn.ModuleList([CausalLayer(shape) for _ in range(config.decoder_layers)])
        self.norm = norm(shape)
        self.output = Output(config, allowed=[config.end_id])

    def look(self, memory: Tensor, mask: Tensor) -> LookedAt:
        """Return what cross-attention needs of the memory (B, L, d), valid where `mask` (B, L) is True."""
        angles = self._angles(0, memory.shape[1], memory.device)
        return LookedAt(tuple(layer.look(memory, angles) for layer in self.stack), mask[:, None, None, :])

    def read(self, ids: Tensor, embeddings: Tensor, looked_at: LookedAt, cache: Cache | None) -> tuple[Tensor, Cache]:
        """Return logits (B, T, V) behind each of the new `ids` (B, T), and the cache with them in it."""
        before, new = length_of(cache), ids.shape[1]
        x = self.drop(self.input_norm(functional.embedding(ids, embeddings)))  # (B, T, d)
        angles = self._angles(before, new, ids.device)
        place = torch.arange(before + new, device=ids.device)
        mask = place <= place[before:, None]  # (T, before + T)
        grown = []
        for number, layer in enumerate(self.stack):
            held = cache[number] if cache else None
            x, held = layer(x, angles, mask, held, looked_at.layers[number], looked_at.mask)
            grown.append(held)
        return self.output(self.norm(x), embeddings), tuple(grown)

    @property
    def stack(self) -> Sequence[CausalLayer]:
        """The layers, from the first."""
        return cast(Sequence[CausalLayer], self.layers)

    def _angles(self, start: int, count: int, device: torch.device) -> Rotation:
        return rotation(torch.arange(start, start + count, device=device)[None], self.shape)


def _attend(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    y = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)  # (B, nh, T, hs)
    return y.transpose(1, 2).flatten(2)
