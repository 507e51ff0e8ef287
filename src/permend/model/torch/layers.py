"""One pre-norm transformer block, used by the pointer's query layer and by the decoder.

In: states (B, T, d) and the rotary angles of their positions; for cross-attention also the memory (B, L, d).
Out: states of the same shape. Positions are real numbers, so that a mask may stand a quarter behind a token:

    block = Block(shape, cross=True)
    angles = index_rotation(T, shape, device)               # places in the template
    coordinates = rotation(template_coordinates, shape)     # (B, T) float: where each element lies in the source
    memory = Memory(states, memory_mask, coordinates, index_rotation(L, shape, device))
    x = block(x, angles, mask, memory)

Every block is bidirectional: masks only hide padding. The MLP is a plain GELU, or gated where the encoder's is;
the layout of the gated one (q, k, v in one matrix, value half before gate half) is ModernBERT's, so that its
layers can be copied in (see `start`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True)
class BlockShape:
    """What a block looks like; read off the encoder it is built on."""

    width: int
    """Width d of the states."""
    heads: int
    """Attention heads; d / heads is even."""
    hidden: int
    """Width of the MLP's inner layer."""
    gated: bool = False
    """Whether the MLP is gated."""
    bias: bool = True
    """Whether linear layers and norms have biases."""
    norm_eps: float = 1e-5
    """The norms' epsilon."""
    rope_theta: float = 10_000.0
    """Base of the rotary frequencies."""
    dropout: float = 0.0
    """Dropout on what each sub-layer adds."""

    @property
    def head_width(self) -> int:
        """Width of one attention head."""
        return self.width // self.heads


class Rotation(NamedTuple):
    """Cosines and sines of rotary angles, each (B or 1, 1, T, head width)."""

    cos: Tensor
    sin: Tensor


class Memory(NamedTuple):
    """What cross-attention looks at: one memory for each row of states, or fewer that rows share."""

    states: Tensor
    """(B, L, d), or (M, L, d)"""
    mask: Tensor
    """(B, L), or (M, L), True where valid."""
    query_rotation: Rotation
    """Angles of the queries' source coordinates."""
    key_rotation: Rotation
    """Angles of the source positions 0 … L − 1."""
    row: Tensor | None = None
    """(B,) which of the M each row of states looks at; None where each has its own."""


def rotation(positions: Tensor, shape: BlockShape) -> Rotation:
    """Return the angles of real-valued `positions` (B, T) or (1, T)."""
    half = torch.arange(0, shape.head_width, 2, device=positions.device, dtype=torch.float32)
    frequencies = shape.rope_theta ** (-half / shape.head_width)  # (hs/2,)
    angles = positions.float()[:, None, :, None] * frequencies  # (B, 1, T, hs/2)
    angles = torch.cat([angles, angles], dim=-1)  # (B, 1, T, hs)
    return Rotation(angles.cos(), angles.sin())


def index_rotation(length: int, shape: BlockShape, device: torch.device) -> Rotation:
    """Return the angles of the positions 0 … length − 1."""
    return rotation(torch.arange(length, device=device)[None], shape)


def rotate(x: Tensor, by: Rotation) -> Tensor:
    """Turn the heads `x` (B, nh, T, hs) by their positions' angles, in float32."""
    wide = x.float()
    first, second = wide.chunk(2, dim=-1)
    return (wide * by.cos + torch.cat([-second, first], dim=-1) * by.sin).to(x.dtype)


def norm(shape: BlockShape) -> nn.LayerNorm:
    """Return a layer norm as the encoder has them."""
    return nn.LayerNorm(shape.width, eps=shape.norm_eps, bias=shape.bias)


def linear(inputs: int, outputs: int, bias: bool) -> nn.Linear:
    """Return a linear layer with the small normal weights that transformer encoders start from."""
    layer = nn.Linear(inputs, outputs, bias=bias)
    nn.init.normal_(layer.weight, std=0.02)
    if bias:
        nn.init.zeros_(layer.bias)
    return layer


def split_heads(x: Tensor, heads: int) -> Tensor:
    """Return states (B, T, d) as heads (B, nh, T, hs)."""
    batch, length, width = x.shape
    return x.view(batch, length, heads, width // heads).transpose(1, 2)  # (B, nh, T, hs)


def _attend(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """Attend to the valid keys; `mask` (B, L). Returns (B, T, d)."""
    y = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask[:, None, None, :])  # (B, nh, T, hs)
    return y.transpose(1, 2).flatten(2)


def _taken(x: Tensor, only: Tensor | None) -> Tensor:
    """Return those of the states (B, T, d) at the places `only` (F,) among all B·T, as (F, d); all where it is None."""
    return x if only is None else x.flatten(0, 1).index_select(0, only)


def _put_back(x: Tensor, only: Tensor, rows: int, length: int) -> Tensor:
    """Return states (F, d) at their places among (B, T, d), zeros elsewhere."""
    return x.new_zeros(rows * length, x.shape[1]).index_copy(0, only, x).view(rows, length, -1)


class SelfAttention(nn.Module):
    """Rotary self-attention over a sequence's own index."""

    def __init__(self, shape: BlockShape) -> None:
        """Make the two matrices."""
        super().__init__()
        self.heads = shape.heads
        self.qkv = linear(shape.width, 3 * shape.width, shape.bias)
        self.out = linear(shape.width, shape.width, shape.bias)

    def forward(self, x: Tensor, angles: Rotation, mask: Tensor, only: Tensor | None = None) -> Tensor:
        """Mix `x` (B, T, d) among the positions where `mask` (B, T) is True; return all, or those at `only` (F, d)."""
        q, k, v = (split_heads(part, self.heads) for part in self.qkv(x).chunk(3, dim=-1))
        y: Tensor = self.out(_taken(_attend(rotate(q, angles), rotate(k, angles), v, mask), only))
        return y


class CrossAttention(nn.Module):
    """Rotary attention to the memory, both sides in source coordinates."""

    def __init__(self, shape: BlockShape) -> None:
        """Make the three matrices."""
        super().__init__()
        self.heads = shape.heads
        self.q = linear(shape.width, shape.width, shape.bias)
        self.kv = linear(shape.width, 2 * shape.width, shape.bias)
        self.out = linear(shape.width, shape.width, shape.bias)

    def forward(self, x: Tensor, memory: Memory, only: Tensor | None = None) -> Tensor:
        """Read from the memory into `x`: (B, T, d), or (F, d) at the places `only`."""
        q = self.q(x)
        if only is not None:  # attention is cheap, what is before and behind it is not
            q = _put_back(q, only, *memory.query_rotation.cos.shape[0:3:2])
        q = rotate(split_heads(q, self.heads), memory.query_rotation)  # (B, nh, T, hs)
        k, v = (split_heads(part, self.heads) for part in self.kv(memory.states).chunk(2, dim=-1))
        k, mask = rotate(k, memory.key_rotation), memory.mask
        if memory.row is not None:
            k, v, mask = (each.index_select(0, memory.row) for each in (k, v, mask))  # (B, nh, L, hs), (B, L)
        y: Tensor = self.out(_taken(_attend(q, k, v, mask), only))
        return y


class Mlp(nn.Module):
    """Two layers around a GELU, the first one twice as wide where it is gated."""

    def __init__(self, shape: BlockShape) -> None:
        """Make the two matrices."""
        super().__init__()
        self.gated = shape.gated
        self.up = linear(shape.width, shape.hidden * (2 if shape.gated else 1), shape.bias)
        self.down = linear(shape.hidden, shape.width, shape.bias)

    def forward(self, x: Tensor) -> Tensor:
        """Transform each state of `x` (B, T, d) by itself."""
        h = self.up(x)
        if self.gated:
            value, gate = h.chunk(2, dim=-1)
            h = functional.gelu(value) * gate
        else:
            h = functional.gelu(h)
        y: Tensor = self.down(h)
        return y


class Block(nn.Module):
    """Self-attention, cross-attention where wanted, MLP: each behind a norm, each added to its input."""

    def __init__(self, shape: BlockShape, cross: bool = False) -> None:
        """Make a block; `cross` adds the attention to a memory."""
        super().__init__()
        self.attention_norm = norm(shape)
        self.attention = SelfAttention(shape)
        self.cross_norm = norm(shape) if cross else None
        self.cross = CrossAttention(shape) if cross else None
        self.mlp_norm = norm(shape)
        self.mlp = Mlp(shape)
        self.drop = nn.Dropout(shape.dropout)

    def forward(
        self, x: Tensor, angles: Rotation, mask: Tensor, memory: Memory | None = None, only: Tensor | None = None
    ) -> Tensor:
        """Return the new states (B, T, d), or (F, d) of those at the places `only` (F,) among all B·T.

        Self-attention looks at all states; from there on, those that nobody will read are left out.
        """
        x = _taken(x, only) + self.drop(self.attention(self.attention_norm(x), angles, mask, only))
        if self.cross is not None and self.cross_norm is not None and memory is not None:
            x = x + self.drop(self.cross(self.cross_norm(x), memory, only))
        y: Tensor = x + self.drop(self.mlp(self.mlp_norm(x)))
        return y
