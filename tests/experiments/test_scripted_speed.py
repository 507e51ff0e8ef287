"""Decoding that is told what to write: it writes that, as often as it would otherwise."""

from __future__ import annotations

import torch

from experiments.rivals.ar import Greedily
from experiments.scripted_speed import Scripted
from permend.text.tokens import SubwordTokenizer
from tests.model.tiny import network, tokenizer_json


def test_it_writes_what_it_is_told_token_by_token() -> None:
    tokenizer = SubwordTokenizer(tokenizer_json())
    source, target = tokenizer.encode("w5 w6 w7 w8 w9"), tokenizer.encode("w5 w6 w20 w8 w9")
    scripted = Scripted(network(), {source.ids: target.ids})
    with torch.inference_mode():
        (greedy,) = scripted.guess([source], tokenizer, Greedily())
        (eager,) = scripted.guess([source], tokenizer, Greedily("aggressive"))
        (same,) = scripted.guess([target], tokenizer, Greedily("aggressive"))
    assert greedy.text == eager.text == target.text
    assert greedy.passes == 1 + len(target.ids) - 1, "the encoder once, the decoder once a token"
    assert eager.passes == 1 + 3, "up to the first difference, one token, and the rest"
    assert (same.text, same.passes) == (target.text, 2)
