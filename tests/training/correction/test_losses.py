"""The losses against slow explicit versions of the paper's formulas."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from permend.training.correction.loss import infill_loss, open_columns, pointer_loss, sample


def slow_log_prob(scores: Tensor, n: int, slots: int, plan: list[int]) -> tuple[list[float], list[int]]:
    """Eq. 2 step by step: each decision's log-probability, and the best column it had."""
    logs, best = [], []
    for i in range(1, len(plan)):
        before, last = plan[:i], plan[i - 1]
        used = sum(p >= n for p in before)
        row = {}
        for column in range(n + slots):
            if column in before:
                continue
            if column >= n and (column != n + used or last >= n):
                continue
            row[column] = float(scores[last, column])
        norm = math.log(sum(math.exp(v) for v in row.values()))
        logs.append(row[plan[i]] - norm)
        best.append(max(row, key=row.__getitem__))
    return logs, best


@st.composite
def batches(draw: st.DrawFn) -> list[tuple[int, int, list[int]]]:
    """Return (n, slots, plan) for a few sentences, with any legal plan."""
    rows = []
    for _ in range(draw(st.integers(1, 3))):
        n, slots = draw(st.integers(2, 7)), draw(st.integers(0, 3))
        middle = draw(st.permutations(range(1, n - 1)))[: draw(st.integers(0, n - 2))]
        plan, used = [0], 0
        for position in [*middle, n - 1]:
            if used < slots and plan[-1] < n and draw(st.booleans()):
                plan.append(n + used)
                used += 1
            plan.append(position)
        rows.append((n, slots, plan))
    return rows


def arrays(rows: list[tuple[int, int, list[int]]], extra: int) -> tuple[Tensor, ...]:
    """Return scores, mask, lengths, order, order_mask, with `extra` columns of padding everywhere."""
    width = max(n + s for n, s, _ in rows) + extra
    steps = max(len(plan) for *_, plan in rows) + extra
    scores = torch.randn(len(rows), width, width, dtype=torch.float64) * 3
    mask = torch.tensor([[c < n + s for c in range(width)] for n, s, _ in rows])
    order = torch.tensor([plan + [0] * (steps - len(plan)) for *_, plan in rows])
    order_mask = torch.tensor([[i < len(plan) for i in range(steps)] for *_, plan in rows])
    return scores, mask, torch.tensor([n for n, *_ in rows]), order, order_mask


@settings(max_examples=60, deadline=None)
@given(batches(), st.integers(0, 2), st.sampled_from([1.0, 3.0]))
def test_the_pointer_loss_is_equation_2(rows: list[tuple[int, int, list[int]]], extra: int, weight: float) -> None:
    scores, mask, lengths, order, order_mask = arrays(rows, extra)
    total, weights, right, count = 0.0, 0.0, 0, 0
    for b, (n, slots, plan) in enumerate(rows):
        logs, best = slow_log_prob(scores[b], n, slots, plan)
        for i, value in enumerate(logs):
            own = 1.0 if plan[i + 1] == plan[i] + 1 else weight
            total, weights = total - own * value, weights + own
            right, count = right + (best[i] == plan[i + 1]), count + 1
    part = pointer_loss(scores, mask, lengths, order, order_mask, edit_weight=weight)
    assert float(part.total) == pytest.approx(total, rel=1e-4, abs=1e-4)
    assert float(part.weight) == pytest.approx(weights)
    assert float(part.loss) == pytest.approx(total / weights, rel=1e-4, abs=1e-4)
    assert float(part.accuracy) == pytest.approx(right / count)


def test_open_columns_are_those_of_the_worked_example() -> None:
    """Figure 1: `<s> I be busy </s>`, here with two slots, and one column of padding."""
    mask = torch.arange(8)[None] < 7
    order = torch.tensor([[0, 1, 5, 3, 4]])
    is_open = open_columns(mask, torch.tensor([5]), order, torch.ones_like(order, dtype=torch.bool))
    columns = [row.nonzero().flatten().tolist() for row in is_open[0]]
    assert columns == [[1, 2, 3, 4, 5], [2, 3, 4, 5], [2, 3, 4], [2, 4, 6]]


def test_gradients_are_finite_and_stay_within_the_sentence() -> None:
    scores, mask, lengths, order, order_mask = arrays([(5, 2, [0, 1, 5, 3, 4]), (3, 2, [0, 1, 2])], 1)
    scores.requires_grad_()
    torch.autograd.backward(pointer_loss(scores, mask, lengths, order, order_mask).loss)
    assert scores.grad is not None
    assert scores.grad.isfinite().all()
    assert not scores.grad[1, :, 5:].any()
    assert not scores.grad[0, 4].any(), "nothing follows the end"


def constant(logits: Tensor) -> Callable[[Tensor], Tensor]:
    return lambda ids: logits


TEMPLATE = torch.tensor([[0, 7, 4, 4, 4, 2], [0, 8, 9, 2, 1, 1]])
FILLS = torch.tensor([2, 3, 4, 0, 0])  # the last two only fill up the shape
TARGETS = torch.tensor([5, 6, 1, 1, 1])
WEIGHT = torch.tensor([1.0, 1.0, 1.0, 0.0, 0.0])


def test_vanilla_is_one_pass_of_cross_entropy_at_the_masks() -> None:
    logits = torch.randn(5, 10)
    part = infill_loss(constant(logits), TEMPLATE, FILLS, TARGETS, WEIGHT, lambda_0=1.0)
    torch.testing.assert_close(part.loss, torch.nn.functional.cross_entropy(logits[:3], TARGETS[:3]))
    assert float(part.weight) == 3


def test_sundae_mixes_the_two_passes_and_shows_the_second_a_sample() -> None:
    sure = torch.full((5, 10), -1e4)
    for position, token in enumerate((5, 9, 1, 7, 7)):
        sure[position, token] = 0.0
    seen: list[Tensor] = []
    second = torch.randn(5, 10)

    def decode(ids: Tensor) -> Tensor:
        seen.append(ids)
        return sure if len(seen) == 1 else second

    part = infill_loss(decode, TEMPLATE, FILLS, TARGETS, WEIGHT, lambda_0=0.25)
    assert torch.equal(seen[0], TEMPLATE)
    assert torch.equal(seen[1], torch.tensor([[0, 7, 5, 9, 1, 2], [0, 8, 9, 2, 1, 1]]))
    first = torch.nn.functional.cross_entropy(sure[:3], TARGETS[:3])
    other = torch.nn.functional.cross_entropy(second[:3], TARGETS[:3])
    torch.testing.assert_close(part.loss, 0.25 * first + 0.75 * other)


def test_no_gradient_goes_through_the_sample() -> None:
    """With λ₀ = 0 only the second pass has a loss; the first pass's logits then get no gradient at all."""
    first = torch.randn(5, 10, requires_grad=True)
    second = torch.randn(5, 10, requires_grad=True)
    passes = iter((first, second))
    part = infill_loss(lambda ids: next(passes), TEMPLATE, FILLS, TARGETS, WEIGHT, lambda_0=0.0)
    torch.autograd.backward(part.loss)
    assert first.grad is not None
    assert second.grad is not None
    assert not first.grad.any()
    assert second.grad.any()


def test_a_batch_without_masks_costs_nothing() -> None:
    logits = torch.randn(5, 10, requires_grad=True)
    part = infill_loss(constant(logits), TEMPLATE, FILLS, TARGETS, torch.zeros_like(WEIGHT))
    assert part.loss.detach() == 0
    torch.autograd.backward(part.loss)
    assert logits.grad is not None
    assert not logits.grad.any()


def test_targets_that_can_never_be_predicted_do_no_harm_where_they_weigh_nothing() -> None:
    logits = torch.randn(5, 10).index_fill(1, torch.tensor([6]), float("-inf")).requires_grad_()
    part = infill_loss(constant(logits), TEMPLATE, FILLS, TARGETS, WEIGHT * (TARGETS != 6), lambda_0=1.0)
    assert float(part.weight) == 2
    assert part.loss.isfinite()
    torch.autograd.backward(part.loss)
    assert logits.grad is not None
    assert logits.grad.isfinite().all()


def test_samples_follow_the_distribution() -> None:
    torch.manual_seed(0)
    probabilities = torch.tensor([0.1, 0.6, 0.3, 0.0])
    drawn = sample(probabilities.log().expand(20_000, 4))
    shares = torch.bincount(drawn, minlength=4) / len(drawn)
    torch.testing.assert_close(shares, probabilities, atol=0.02, rtol=0)
    assert shares[3] == 0
