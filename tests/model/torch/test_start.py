"""A new network on a pretrained encoder: random layers, or the encoder's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
import torch
from transformers import AutoModel, AutoModelForMaskedLM

from permend.errors import PermendError
from permend.model.torch.layers import index_rotation
from permend.model.torch.start import new_network, token_fields
from permend.text.tokens import SubwordTokenizer
from tests.conftest import make_unigram
from tests.model.tiny import (
    FAMILIES,
    VOCAB,
    encoder_config,
    pretrained,
    sentences,
    tokenizer_json,
    write_checkpoint,
)


@pytest.mark.parametrize("family", FAMILIES)
def test_any_family_starts_with_random_layers(family: str, tmp_path: Path) -> None:
    write_checkpoint(pretrained(family), tmp_path)
    net = new_network(tmp_path, encoder_layers=2, slots=3).eval()
    assert (net.config.mask_id, net.config.encoder_layers) == (4, 2)
    assert net.config.max_length == (512 if family == "t5" else 64)
    memory, scores = net.encode(*sentences()[:2])
    assert scores.shape == (2, 12, 12)
    net.save_pretrained(tmp_path / "saved")
    again = net.from_pretrained(tmp_path / "saved")
    assert torch.equal(again.encode(*sentences()[:2])[0], memory)


def test_copied_layers_compute_what_the_encoders_do(tmp_path: Path) -> None:
    torch.manual_seed(0)
    config = encoder_config("modernbert")
    config.layer_types = ["full_attention"] * 3
    model = cast(Any, AutoModelForMaskedLM).from_config(config).eval()
    torch.nn.init.normal_(model.decoder.bias)
    write_checkpoint(model, tmp_path)
    net = new_network(tmp_path, init="encoder", output_head=True).eval()
    ids = sentences((9,)).ids[:, :9]
    states = model(input_ids=ids, output_hidden_states=True).hidden_states
    mask = torch.ones_like(ids, dtype=torch.bool)
    angles = index_rotation(9, net.pointer.shape, ids.device)
    # the input of the last layer, through the pointer's block and norm, is the encoder's output
    before_last = _input_of_last_layer(model, ids)
    residual = net.pointer.block(before_last, angles, mask)
    torch.testing.assert_close(net.pointer.norm(residual), states[-1])
    # the output head on the encoder's last residual stream gives the masked-language logits
    embedded = net.decoder.input_norm(torch.nn.functional.embedding(ids, net.backbone.embeddings))
    torch.testing.assert_close(embedded, states[0])
    logits = net.decoder.logits(residual, net.backbone.embeddings)
    finite = logits.isfinite()
    torch.testing.assert_close(logits[finite], model(input_ids=ids).logits[finite])
    assert logits.shape[-1] == VOCAB


def _input_of_last_layer(model: torch.nn.Module, ids: torch.Tensor) -> torch.Tensor:
    seen: list[torch.Tensor] = []
    layer = model.get_submodule("model.layers.2")
    handle = layer.register_forward_pre_hook(lambda module, inputs: seen.append(inputs[0]))
    model(input_ids=ids)
    handle.remove()
    return seen[0]


def test_the_two_starts_differ_and_cross_attention_is_copied_too(tmp_path: Path) -> None:
    write_checkpoint(pretrained("modernbert", AutoModelForMaskedLM), tmp_path)
    warm = new_network(tmp_path, init="encoder")
    layer = warm.backbone.get_submodule("encoder.layers.2.attn.Wqkv")
    cross = warm.decoder.get_submodule("blocks.1.cross")
    joined = torch.cat([cross.get_parameter("q.weight"), cross.get_parameter("kv.weight")])
    assert torch.equal(joined, layer.get_parameter("weight"))
    cold = new_network(tmp_path)
    assert not torch.equal(cold.decoder.get_parameter("blocks.1.cross.q.weight"), cross.get_parameter("q.weight"))


@pytest.mark.parametrize("family", [f for f in FAMILIES if f != "modernbert"])
def test_other_families_cannot_lend_their_layers(family: str, tmp_path: Path) -> None:
    write_checkpoint(pretrained(family), tmp_path)
    with pytest.raises(PermendError, match=f"a {family} encoder takes init = 'random'"):
        new_network(tmp_path, init="encoder")


def test_mistakes_are_told_in_a_sentence(tmp_path: Path) -> None:
    write_checkpoint(pretrained("modernbert"), tmp_path)
    with pytest.raises(PermendError, match="no masked-language head"):
        new_network(tmp_path, init="encoder", output_head=True)
    with pytest.raises(PermendError, match="2 decoder layers cannot start from an encoder of 1"):
        new_network(tmp_path, init="encoder", encoder_layers=1)
    with pytest.raises(PermendError, match="init must be"):
        new_network(tmp_path, init="zeros")  # type: ignore[arg-type]
    with pytest.raises(PermendError, match="unknown key 'slotz'"):
        new_network(tmp_path, slotz=3)
    (tmp_path / "tokenizer.json").unlink()
    (tmp_path / "tokenizer_config.json").unlink()
    with pytest.raises(PermendError, match=r"no tokenizer\.json there"):
        new_network(tmp_path)


def test_special_tokens_come_from_the_tokenizer() -> None:
    plain = {"start_id": 0, "end_id": 2, "pad_id": 1, "mask_id": 4, "unknown_id": 3}
    assert token_fields(SubwordTokenizer(tokenizer_json())) == {**plain, "tokens": VOCAB}
    pieces = SubwordTokenizer(make_unigram())
    assert token_fields(pieces)["start_id"] == pieces.pad, "T5 begins with its padding"


def test_a_checkpoint_may_embed_more_ids_than_its_tokenizer_has_but_not_fewer(tmp_path: Path) -> None:
    for more, name in ((3, "padded"), (-3, "cut")):
        config = encoder_config("modernbert")
        config.vocab_size = VOCAB + more
        write_checkpoint(cast(Any, AutoModel).from_config(config), tmp_path / name)
    net = new_network(tmp_path / "padded")
    assert (net.config.vocab_size, net.config.tokenizer_size, net.config.slot_id(0)) == (VOCAB + 3, VOCAB, VOCAB + 3)
    assert net.decoder.forbidden[VOCAB:].isneginf().all()
    with pytest.raises(PermendError, match=f"{VOCAB} tokens do not fit a vocabulary of {VOCAB - 3}"):
        new_network(tmp_path / "cut")
