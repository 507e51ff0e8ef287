"""Pointer scores: the next-token bonus sits where text runs on, Sinkhorn tends to a permutation."""

from __future__ import annotations

import torch

from permend.model.torch.layers import BlockShape
from permend.model.torch.pointer import Pointer, sinkhorn

SHAPE = BlockShape(width=32, heads=4, hidden=48)


def test_the_bonus_goes_to_the_next_source_token_only() -> None:
    pointer = Pointer(SHAPE, next_bonus=2.5).eval()
    memory = torch.randn(1, 7, 32)
    mask = torch.arange(7)[None] < 6  # four tokens, two slots, one padding
    source = torch.arange(7)[None] < 4
    with_bonus = pointer(memory, mask, source)
    assert pointer.next_bonus is not None
    pointer.next_bonus.data.zero_()
    difference = (with_bonus - pointer(memory, mask, source))[0]
    expected = torch.zeros(7, 7)
    expected[0, 1] = expected[1, 2] = expected[2, 3] = 2.5
    torch.testing.assert_close(difference, expected)


def test_without_a_bonus_there_is_no_such_parameter() -> None:
    assert "next_bonus" not in dict(Pointer(SHAPE).named_parameters())


def test_scores_stay_float32_under_autocast() -> None:
    memory, mask = torch.randn(1, 5, 32), torch.ones(1, 5, dtype=torch.bool)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert Pointer(SHAPE)(memory, mask, mask).dtype == torch.float32


def test_one_sinkhorn_step_is_the_papers_formula() -> None:
    scores, mask = torch.randn(1, 4, 4), torch.ones(1, 4, dtype=torch.bool)
    a = scores[0] - scores[0].logsumexp(0, keepdim=True)
    torch.testing.assert_close(sinkhorn(scores, mask, 1)[0], a - a.logsumexp(1, keepdim=True))


def test_no_sinkhorn_step_leaves_the_scores_as_they_are() -> None:
    scores, mask = torch.randn(1, 4, 4), torch.ones(1, 4, dtype=torch.bool)
    assert torch.equal(sinkhorn(scores, mask, 0), scores)


def test_many_sinkhorn_steps_are_doubly_stochastic_over_the_valid_part() -> None:
    scores = torch.randn(1, 6, 6, requires_grad=True)
    mask = torch.arange(6)[None] < 4
    done = sinkhorn(scores, mask, 50)
    part = done.exp()[0, :4, :4]
    torch.testing.assert_close(part.sum(0), torch.ones(4))
    torch.testing.assert_close(part.sum(1), torch.ones(4))
    torch.testing.assert_close(sinkhorn(scores[:, :4, :4], mask[:, :4], 50), done[:, :4, :4])
    torch.autograd.backward(done.sum())
    assert scores.grad is not None
    assert scores.grad.isfinite().all()
