"""Optimisers and schedules: every weight has exactly one, and rates follow their course."""

from __future__ import annotations

from typing import Literal

import pytest
import torch
from torch import nn
from torch.optim import Muon

from permend.training.correction.recipe import Optimisation
from permend.training.optimisers import BatchedMuon, make_optimizers, rate_factor, set_rates, share_done


class Net(nn.Module):
    """An embedding, tied to an output layer, a linear layer and a norm."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(7, 4)
        self.hidden = nn.Linear(4, 4)
        self.norm = nn.LayerNorm(4)
        self.output = nn.Linear(4, 7, bias=False)
        self.output.weight = self.embedding.weight


@pytest.mark.parametrize("optimizer", ["adamw", "muon"])
def test_every_weight_is_optimised_once(optimizer: Literal["adamw", "muon"]) -> None:
    net = Net()
    optimizers = make_optimizers(net, Optimisation(optimizer=optimizer))
    owned = [id(p) for each in optimizers for group in each.param_groups for p in group["params"]]
    assert sorted(owned) == sorted(id(p) for p in net.parameters())


def test_muon_takes_the_matrices_of_hidden_layers_alone() -> None:
    net = Net()
    adamw, muon = make_optimizers(net, Optimisation(optimizer="muon"))
    assert [id(p) for group in muon.param_groups for p in group["params"]] == [id(net.hidden.weight)]
    assert isinstance(adamw, torch.optim.AdamW)


def test_batched_muon_is_torchs_muon() -> None:
    torch.manual_seed(0)
    shapes = [(8, 8), (12, 4), (4, 12), (8, 8), (24, 8)]
    ours = [nn.Parameter(torch.randn(shape)) for shape in shapes]
    theirs = [nn.Parameter(weight.detach().clone()) for weight in ours]
    optimizers = [cls(weights, lr=0.1, weight_decay=0.1) for cls, weights in ((BatchedMuon, ours), (Muon, theirs))]
    for _ in range(3):
        for a, b in zip(ours, theirs, strict=True):
            a.grad = torch.randn_like(a)
            b.grad = a.grad.clone()
        for optimizer in optimizers:
            optimizer.step()  # type: ignore[no-untyped-call]
    for a, b in zip(ours, theirs, strict=True):
        torch.testing.assert_close(a, b, atol=2e-2, rtol=0)  # bfloat16 products in another order


def test_a_weight_that_holds_several_matrices_is_updated_as_if_they_were_apart() -> None:
    torch.manual_seed(0)
    fused = nn.Parameter(torch.randn(24, 8))
    apart = [nn.Parameter(part.clone()) for part in fused.detach().chunk(3)]
    fused.grad = torch.randn_like(fused)
    for weight, gradient in zip(apart, fused.grad.chunk(3), strict=True):
        weight.grad = gradient.clone()
    BatchedMuon([{"params": [fused], "parts": 3}], lr=0.1).step()
    BatchedMuon(apart, lr=0.1).step()
    torch.testing.assert_close(fused, torch.cat(list(apart)))


def test_vectors_do_not_decay() -> None:
    (adamw,) = make_optimizers(Net(), Optimisation(weight_decay=0.01))
    assert [(group["weight_decay"], {p.ndim for p in group["params"]}) for group in adamw.param_groups] == [
        (0.01, {2}),
        (0.0, {1}),
    ]


def test_rates_scale_each_peak() -> None:
    optimizers = make_optimizers(Net(), Optimisation(optimizer="muon", learning_rate=1e-3, matrix_learning_rate=1e-2))
    set_rates(optimizers, 0.5)
    set_rates(optimizers, 0.1)
    rates = [group["lr"] for each in optimizers for group in each.param_groups]
    assert rates == pytest.approx([1e-4, 1e-4, 1e-3])


def test_schedules_at_their_corners() -> None:
    def factor(schedule: str, share: float, step: int = 1000) -> float:
        return rate_factor(Optimisation(schedule=schedule, warmup_steps=10), step, share)  # type: ignore[arg-type]

    assert [factor("constant", share) for share in (0, 0.5, 1)] == [1, 1, 1]
    assert [factor("linear", share) for share in (0, 0.5, 1, 1.2)] == [1, 0.5, 0, 0]
    assert [factor("cosine", share) for share in (0, 0.5, 1)] == pytest.approx([1, 0.5, 0])
    assert [factor("warmup-stable-decay", share) for share in (0, 0.8, 0.9, 1)] == pytest.approx([1, 1, 0.5, 0])
    assert [factor("constant", 0, step) for step in (0, 4, 9, 10)] == pytest.approx([0.1, 0.5, 1, 1])


def test_the_furthest_limit_counts() -> None:
    options = Optimisation(steps=100, epochs=4, minutes=10)
    assert share_done(options, steps=50, epochs=1, seconds=60) == 0.5
    assert share_done(options, steps=0, epochs=3, seconds=60) == 0.75
    assert share_done(options, steps=0, epochs=0, seconds=660) == 1.1
    assert share_done(Optimisation(), 5, 5, 5) == 0
