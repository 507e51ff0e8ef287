"""The torch networks keep the runtime's promises."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from permend.model.networks import Networks
from permend.model.torch.networks import TorchNetworks, most_probable
from tests.model.tiny import PLANS, network, sample, sentences, templates


def test_fills_agree_with_the_logits() -> None:
    net = network(dropout=0.5).train()
    networks: Networks = TorchNetworks(net)
    batch = sample(sentences(), PLANS)
    memory, scores = networks.encode(batch.ids, batch.mask)
    tokens, log_probs = networks.fill(memory, batch.mask, batch.template)
    was_training = net.training
    with torch.no_grad():
        states, _ = net.eval().encode(*sentences()[:2])
        table = net.decode(states, sentences().mask, *templates(sentences(), PLANS)).log_softmax(1).numpy()
    np.testing.assert_array_equal(table.argmax(1), tokens)
    np.testing.assert_allclose(table.max(1), log_probs, atol=1e-5)
    assert [str(a.dtype) for a in (memory, scores, tokens, log_probs)] == ["float32", "float32", "int64", "float32"]
    assert was_training, "the network is left as it was"


@pytest.mark.parametrize("width", [1, 7, 40, 64, 997])
def test_the_first_of_the_largest_is_found_in_any_vocabulary(width: int) -> None:
    logits = torch.randn(50, width).round(decimals=1)  # of which many are the same
    tokens, log_probs = most_probable(logits)
    expected, places = logits.log_softmax(1).numpy().max(1), logits.numpy().argmax(1)
    np.testing.assert_array_equal(tokens, places)
    np.testing.assert_allclose(log_probs, expected, atol=1e-6)
