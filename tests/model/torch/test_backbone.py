"""Every family's encoder behaves alike: ids and mask in, states out, slots and all."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from transformers import AutoModelForMaskedLM, BartForConditionalGeneration, T5ForConditionalGeneration

from permend.errors import PermendError
from permend.model.torch.backbone import build_backbone, load_backbone
from tests.model.tiny import FAMILIES, SLOTS, SPECIAL, VOCAB, encoder_config, pretrained, sentences, write_checkpoint


@pytest.mark.parametrize("family", FAMILIES)
def test_padding_changes_nothing(family: str) -> None:
    torch.manual_seed(0)
    backbone = build_backbone(encoder_config(family), slots=SLOTS).eval()
    batch = sentences((9, 5))
    together = backbone(batch.ids, batch.mask)
    alone = sentences((9, 5)).ids[1:, : 5 + SLOTS]
    torch.testing.assert_close(together[1:, : 5 + SLOTS], backbone(alone, torch.ones_like(alone, dtype=torch.bool)))
    assert together.shape == (2, 9 + SLOTS, 32)
    assert backbone.embeddings.shape == (VOCAB + SLOTS, 32)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_checkpoint_gives_the_states_that_transformers_gives(family: str, tmp_path: Path) -> None:
    torch.manual_seed(0)
    model = pretrained(family)
    write_checkpoint(model, tmp_path)
    backbone = load_backbone(tmp_path, slots=SLOTS, mask_id=SPECIAL["mask_id"]).eval()
    ids = sentences((9,)).ids[:, :9]
    encoder = model.get_encoder() if model.config.is_encoder_decoder else model
    expected = encoder(input_ids=ids).last_hidden_state
    torch.testing.assert_close(backbone(ids, torch.ones_like(ids, dtype=torch.bool)), expected)
    slots, mask_row = backbone.embeddings[VOCAB:], backbone.embeddings[SPECIAL["mask_id"]]
    spread = backbone.embeddings[:VOCAB].std()
    assert 0 < (slots - mask_row).abs().max() < spread


@pytest.mark.parametrize("family", FAMILIES)
def test_the_first_layers_are_the_first_layers(family: str, tmp_path: Path) -> None:
    torch.manual_seed(0)
    model = pretrained(family)
    write_checkpoint(model, tmp_path)
    whole, part = (load_backbone(tmp_path, layers=k).eval() for k in (3, 2))
    own, cut = dict(whole.named_parameters()), dict(part.named_parameters())
    assert set(cut) < set(own)
    assert all(torch.equal(cut[name], own[name]) for name in cut if cut[name].shape[0] != VOCAB + 8)
    ids = sentences((9,)).ids[:, :9]
    assert part(ids, torch.ones_like(ids, dtype=torch.bool)).shape == (1, 9, 32)


@pytest.mark.parametrize("family", ["modernbert", "bert", "distilbert", "roberta"])
def test_a_masked_language_checkpoint_serves(family: str, tmp_path: Path) -> None:
    model = pretrained(family, AutoModelForMaskedLM)
    write_checkpoint(model, tmp_path)
    backbone = load_backbone(tmp_path, slots=SLOTS, mask_id=4)
    assert torch.equal(backbone.embeddings[:VOCAB], model.get_input_embeddings().weight)


@pytest.mark.parametrize("kind", [BartForConditionalGeneration, T5ForConditionalGeneration])
def test_a_sequence_to_sequence_checkpoint_gives_its_encoder(kind: type, tmp_path: Path) -> None:
    family = "bart" if kind is BartForConditionalGeneration else "t5"
    model = kind(encoder_config(family)).eval()
    write_checkpoint(model, tmp_path)
    backbone = load_backbone(tmp_path, slots=SLOTS, mask_id=4).eval()
    ids = sentences((9,)).ids[:, :9]
    expected = model.get_encoder()(input_ids=ids).last_hidden_state
    torch.testing.assert_close(backbone(ids, torch.ones_like(ids, dtype=torch.bool)), expected)
    assert not any("decoder" in name for name, _ in backbone.named_parameters())


@pytest.mark.parametrize("family", [f for f in FAMILIES if f != "t5"])
def test_input_longer_than_the_positions_is_refused(family: str) -> None:
    backbone = build_backbone(encoder_config(family)).eval()
    fits = torch.full((1, 64), 7)
    assert backbone(fits, torch.ones_like(fits, dtype=torch.bool)).isfinite().all()
    long = torch.full((1, 65), 7)
    with pytest.raises(PermendError, match="65 positions is longer than the encoder's 64"):
        backbone(long, torch.ones_like(long, dtype=torch.bool))


@pytest.mark.parametrize("family", FAMILIES)
def test_dropout_works_in_training_only(family: str) -> None:
    backbone = build_backbone(encoder_config(family), dropout=0.5)
    batch = sentences((9, 5))
    ids, mask = batch.ids, batch.mask
    assert not torch.equal(backbone.train()(ids, mask), backbone(ids, mask))
    assert torch.equal(backbone.eval()(ids, mask), backbone(ids, mask))
    still = build_backbone(encoder_config("bart"), dropout=0.0).train()
    assert torch.equal(still(ids, mask), still(ids, mask))


def test_mistakes_are_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(PermendError, match="has 3 layers, 4 were asked for"):
        build_backbone(encoder_config("bert"), layers=4)
    with pytest.raises(PermendError, match="no Hugging Face configuration there"):
        load_backbone(tmp_path)
    encoder_config("bert").save_pretrained(tmp_path)
    with pytest.raises(PermendError, match="the encoder's weights cannot be loaded"):
        load_backbone(tmp_path)
    pretrained("distilbert").save_pretrained(tmp_path)
    encoder_config("bert").save_pretrained(tmp_path)
    with pytest.raises(PermendError, match=r"the checkpoint lacks .* weights of the encoder, e\.g\."):
        load_backbone(tmp_path)
