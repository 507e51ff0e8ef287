"""The whole network: encode and decode on every family, into a folder and back."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor
from transformers import BartConfig

from permend.errors import PermendError
from permend.model.config import ModelConfig
from permend.model.torch.network import PointerInfiller
from permend.training.correction.loss import infill_loss, pointer_loss
from tests.model.tiny import (
    FAMILIES,
    PLANS,
    SLOTS,
    VOCAB,
    Sentences,
    Templates,
    model_config,
    network,
    sentences,
    templates,
    tokenizer_json,
)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_sentence_fares_the_same_alone_and_in_a_batch(family: str) -> None:
    net = network(family)
    both = sentences((9, 5))
    memory, scores = net.encode(both.ids, both.mask)
    own = 5 + SLOTS
    memory_1, scores_1 = net.encode(both.ids[1:, :own], both.mask[1:, :own])
    torch.testing.assert_close(scores[1:, :own, :own], scores_1, atol=1e-5, rtol=1e-5)
    one = templates(both, PLANS)
    logits = net.decode(memory, both.mask, *one)
    width = int(one.mask[1].sum())
    cut = [*(x[1:, :width] for x in one[:4]), torch.tensor([2, 3, 4])]
    logits_1 = net.decode(memory_1, both.mask[1:, :own], *cut)
    torch.testing.assert_close(logits[6:], logits_1, atol=1e-4, rtol=1e-4)
    assert logits.shape == (6 + 3, VOCAB)


def test_special_tokens_are_never_a_fill_but_padding_may_be() -> None:
    net, batch = network(), sentences()
    memory, _ = net.encode(batch.ids, batch.mask)
    logits = net.decode(memory, batch.mask, *templates(batch, PLANS))
    assert logits.isneginf().all(dim=0).nonzero().flatten().tolist() == [0, 2, 3, 4]
    assert logits[:, 1].isfinite().all()


def test_what_the_tokenizer_does_not_know_is_never_a_fill() -> None:
    net, batch = network(unknown_id=None, tokenizer_size=VOCAB - 2), sentences()
    memory, _ = net.encode(batch.ids, batch.mask)
    logits = net.decode(memory, batch.mask, *templates(batch, PLANS))
    assert logits.isneginf().all(dim=0).nonzero().flatten().tolist() == [0, 2, 4, VOCAB - 2, VOCAB - 1]


def test_a_mask_looks_up_its_slot_and_its_coordinate() -> None:
    net, batch = network(), sentences()
    memory, _ = net.encode(batch.ids, batch.mask)
    template = templates(batch, PLANS)
    plain = net.decode(memory, batch.mask, *template)
    other_slot = template._replace(source=template.source.masked_fill(template.ids == 4, 11))
    elsewhere = template._replace(coordinates=template.coordinates + 3 * (template.ids == 4))
    for changed in (other_slot, elsewhere):
        assert not torch.allclose(plain, net.decode(memory, batch.mask, *changed), atol=1e-4)


def test_templates_may_share_a_memory() -> None:
    net, batch = network(), sentences((9, 5, 7))
    memory, _ = net.encode(batch.ids, batch.mask)
    row = torch.tensor([2, 0, 2])
    several = templates(
        Sentences(batch.ids[row], batch.mask[row], batch.lengths[row]), ((0, 7, 6), PLANS[0], (0, 2, 8, 6))
    )
    plain = net.decode(memory[row], batch.mask[row], *several)
    torch.testing.assert_close(net.decode(memory, batch.mask, *several, row), plain)


def step(net: PointerInfiller, batch: Sentences, template: Templates, order: Tensor, order_mask: Tensor) -> Tensor:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        memory, scores = net.encode(batch.ids, batch.mask)

        def decode(ids: Tensor) -> Tensor:
            return net.decode(memory, batch.mask, ids, *template[1:])

        targets = torch.full_like(template.fill_index, 7)
        pointer = pointer_loss(scores, batch.mask, batch.lengths, order, order_mask)
        infill = infill_loss(decode, template.ids, template.fill_index, targets, torch.ones(len(targets)))
    return 5 * pointer.loss + infill.loss


@pytest.mark.parametrize("family", FAMILIES)
def test_a_training_step_is_one_graph_and_reaches_every_parameter(family: str) -> None:
    net = network(family, dropout=0.1, encoder_layers=2, decoder_layers=1).train()
    batch = sentences()
    order = torch.tensor([[*PLANS[0]], [*PLANS[1], 0, 0]])
    order_mask = torch.tensor([[True] * 7, [True] * 5 + [False] * 2])
    loss = torch.compile(step, backend="eager", fullgraph=True)(net, batch, templates(batch, PLANS), order, order_mask)
    torch.autograd.backward(loss)
    for name, parameter in net.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.isfinite().all(), name
        assert parameter.grad.abs().sum() > 0, name


@pytest.mark.parametrize("family", FAMILIES)
def test_a_folder_gives_back_the_network(family: str, tmp_path: Path) -> None:
    net, batch = network(family), sentences()
    net.tokenizer_json = tokenizer_json()
    net.save_pretrained(tmp_path / "m", notes="Trained on air.")
    assert sorted(p.name for p in (tmp_path / "m").iterdir()) == [
        "README.md",
        "config.json",
        "model.safetensors",
        "tokenizer.json",
    ]
    again = PointerInfiller.from_pretrained(tmp_path / "m")
    assert torch.equal(again.encode(*batch[:2])[1], net.encode(*batch[:2])[1])
    assert again.tokenizer_json == net.tokenizer_json
    assert again.config == net.config
    stored = load_file(tmp_path / "m" / "model.safetensors")
    assert sum(v.numel() for v in stored.values()) == sum(p.numel() for p in net.parameters())
    card = (tmp_path / "m" / "README.md").read_text(encoding="utf-8")
    assert "Trained on air." in card
    assert family in card
    assert PointerInfiller.from_pretrained(tmp_path / "m", dropout=0.5).config.dropout == 0.5


def test_a_folder_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    net = network()
    folder = tmp_path / "m"
    net.save_pretrained(folder)
    for change, message in (
        ({"output_head": False}, "has the unknown decoder.head.dense.weight and 1 more"),
        ({"decoder_layers": 3}, "lacks decoder.blocks.2"),
        ({"encoder": {}}, "has no encoder configuration"),
        ({"encoder": {"model_type": "nonsense"}}, "encoder configuration is unusable"),
        ({"d": 64}, "32 wide, the config says d = 64"),
        ({"vocab_size": 50}, "embeds 43 ids, the config needs 50 tokens"),
        ({"max_length": 65}, "max_length is 65, but the encoder has only 64 positions"),
        ({"slots": 4}, r"is \(43, 32\), expected \(44, 32\)"),
    ):
        config = dataclasses.replace(net.config, **change)
        (folder / "config.json").write_text(config.to_json(), encoding="utf-8")
        with pytest.raises(PermendError, match=message):
            PointerInfiller.from_pretrained(folder)


def test_missing_and_broken_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(PermendError, match="no such model folder"):
        PointerInfiller.from_pretrained(tmp_path / "none")
    (tmp_path / "config.json").write_text(model_config().to_json(), encoding="utf-8")
    with pytest.raises(PermendError, match=r"has no model\.safetensors"):
        PointerInfiller.from_pretrained(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(PermendError, match="not a readable safetensors file"):
        PointerInfiller.from_pretrained(tmp_path)
    with pytest.raises(PermendError, match="a file is in the way"):
        network().save_pretrained(tmp_path / "config.json")


@pytest.mark.parametrize("options", [{}, {"memory_input": True, "output_head": True, "next_bonus": 1.0}])
def test_the_papers_model_has_253m_parameters(options: dict[str, object]) -> None:
    large = BartConfig(
        vocab_size=50265,
        d_model=1024,
        encoder_layers=12,
        encoder_attention_heads=16,
        encoder_ffn_dim=4096,
        max_position_embeddings=1024,
    ).to_dict()
    ids = {"start_id": 0, "pad_id": 1, "end_id": 2, "unknown_id": 3, "mask_id": 50264}
    fields = {"vocab_size": 50265, "d": 1024, "max_length": 1024, "encoder": large, **ids, **options}
    with torch.device("meta"):
        net = PointerInfiller(ModelConfig.from_dict(fields))
    count = sum(p.numel() for p in net.parameters())
    assert count == pytest.approx(253e6, rel=0.01)
    assert all(p.is_meta for p in net.parameters())


def test_training_imports_no_onnx() -> None:
    code = "import sys, permend.training.correction.run; assert not {'onnx', 'onnxscript'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
