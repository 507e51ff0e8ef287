"""The block places things where they are: relative, real-valued positions, blind to padding."""

from __future__ import annotations

import pytest
import torch

from permend.model.torch.layers import Block, BlockShape, Memory, index_rotation, rotate, rotation

SHAPE = BlockShape(width=32, heads=4, hidden=48)
GATED = BlockShape(width=32, heads=4, hidden=48, gated=True, bias=False)


def test_rotated_products_depend_on_the_distance_only() -> None:
    q, k = torch.randn(2, 1, 4, 1, SHAPE.head_width)
    near = rotate(q, rotation(torch.tensor([[2.25]]), SHAPE)) @ rotate(k, rotation(torch.tensor([[1.0]]), SHAPE)).mT
    far = rotate(q, rotation(torch.tensor([[9.25]]), SHAPE)) @ rotate(k, rotation(torch.tensor([[8.0]]), SHAPE)).mT
    torch.testing.assert_close(near, far)


def test_integer_positions_are_the_index() -> None:
    by_index = index_rotation(5, SHAPE, torch.device("cpu"))
    by_position = rotation(torch.arange(5.0)[None], SHAPE)
    assert torch.equal(by_index.cos, by_position.cos)
    assert torch.equal(by_index.sin, by_position.sin)


@pytest.mark.parametrize("shape", [SHAPE, GATED])
@pytest.mark.parametrize("cross", [False, True])
def test_padding_is_never_looked_at(shape: BlockShape, cross: bool) -> None:
    torch.manual_seed(0)
    block = Block(shape, cross).eval()
    x, states = torch.randn(1, 6, 32), torch.randn(1, 7, 32)
    mask, memory_mask = torch.arange(6)[None] < 4, torch.arange(7)[None] < 5

    def run(x: torch.Tensor, states: torch.Tensor) -> torch.Tensor:
        index = index_rotation(x.shape[1], shape, x.device)
        memory = Memory(states, memory_mask, index, index_rotation(7, shape, x.device)) if cross else None
        y: torch.Tensor = block(x, index, mask, memory)
        return y[:, :4]

    changed, changed_states = x.clone(), states.clone()
    changed[:, 4:] += 1
    changed_states[:, 5:] += 1
    torch.testing.assert_close(run(x, states), run(changed, changed_states))


@pytest.mark.parametrize("shape", [SHAPE, GATED])
def test_biases_and_gates_follow_the_shape(shape: BlockShape) -> None:
    block = Block(shape, cross=True)
    names = [name for name, _ in block.named_parameters() if name.endswith("bias")]
    assert bool(names) == shape.bias
    assert block.mlp.up.weight.shape == (96 if shape.gated else 48, 32)


def test_chosen_places_get_what_they_would_get_among_all() -> None:
    torch.manual_seed(0)
    block, x, mask = Block(GATED).eval(), torch.randn(2, 5, 32), torch.ones(2, 5, dtype=torch.bool)
    index, only = index_rotation(5, GATED, x.device), torch.tensor([1, 4, 8])
    torch.testing.assert_close(block(x, index, mask, None, only), block(x, index, mask).flatten(0, 1)[only])


@pytest.mark.parametrize("shape", [SHAPE, GATED])
def test_chosen_places_and_shared_memories_change_nothing(shape: BlockShape) -> None:
    torch.manual_seed(0)
    block, x, states = Block(shape, cross=True).eval(), torch.randn(3, 5, 32), torch.randn(2, 7, 32)
    mask, memory_mask = torch.arange(5) < torch.tensor([[5], [3], [4]]), torch.arange(7) < torch.tensor([[7], [4]])
    index, keys = index_rotation(5, shape, x.device), index_rotation(7, shape, x.device)
    coordinates = rotation(torch.rand(3, 5) * 6, shape)
    row, only = torch.tensor([1, 0, 1]), torch.tensor([1, 4, 7, 10, 11])
    own = Memory(states[row], memory_mask[row], coordinates, keys)
    shared = Memory(states, memory_mask, coordinates, keys, row)
    plain = block(x, index, mask, own)
    torch.testing.assert_close(block(x, index, mask, shared), plain)
    torch.testing.assert_close(block(x, index, mask, shared, only), plain.flatten(0, 1)[only])
    # Learning, too: what fills up a shape chooses <s> again and again, and nothing is learned from it.
    padded = torch.cat([only, torch.zeros(3, dtype=torch.long)])
    found, expected = (
        torch.autograd.grad(y[:5].square().sum(), [*block.parameters()])
        for y in (block(x, index, mask, shared, padded), block(x, index, mask, own).flatten(0, 1)[only])
    )
    torch.testing.assert_close(found, expected)
