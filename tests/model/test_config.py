"""A model's config survives its file, and says in one sentence what is wrong with it."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from permend.errors import PermendError
from permend.model.config import FORMAT, ModelConfig

CONFIG = ModelConfig(
    vocab_size=40, d=32, max_length=64, start_id=0, end_id=2, pad_id=1, mask_id=4, unknown_id=3, encoder={"a": [1]}
)


def changed(**values: Any) -> str:
    return json.dumps({**json.loads(CONFIG.to_json()), **values})


def test_the_file_gives_back_the_config(tmp_path: Path) -> None:
    config = dataclasses.replace(CONFIG, next_bonus=2.5, encoder_layers=3, memory_input=True)
    (tmp_path / "config.json").write_text(config.to_json(), encoding="utf-8")
    assert ModelConfig.from_file(tmp_path / "config.json") == config
    assert hash(config) == hash(dataclasses.replace(config, encoder={}))


def test_the_size_of_the_tokenizer_keeps_its_key() -> None:
    config = dataclasses.replace(CONFIG, tokenizer_size=38)
    values = json.loads(config.to_json())
    assert (values["tokens"], "tokenizer_size" in values) == (38, False), "older releases read the same folders"
    assert ModelConfig.from_json(changed(tokens=38)) == config
    with pytest.raises(PermendError, match="tokens has a value of the wrong kind"):
        ModelConfig.from_json(changed(tokens="38"))


def test_the_defaults_are_the_papers() -> None:
    assert (CONFIG.slots, CONFIG.masks, CONFIG.decoder_layers, CONFIG.sinkhorn_steps) == (8, 3, 2, 0)
    assert (CONFIG.next_bonus, CONFIG.memory_input, CONFIG.dropout) == (None, False, 0.1)
    assert [CONFIG.slot_id(k) for k in range(2)] == [40, 41]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (changed(slotz=3), "unknown key 'slotz'"),
        (changed(format=FORMAT + 1, slotz=3), f"config format {FORMAT + 1}, this permend reads up to {FORMAT}"),
        (json.dumps({"vocab_size": 3}), "missing key 'd', 'max_length'"),
        (changed(slots=0), "slots must be at least 1, not 0"),
        (changed(slots="8"), "slots has a value of the wrong kind: '8'"),
        (changed(slots=True), "slots has a value of the wrong kind: True"),
        (changed(memory_input=1), "memory_input has a value of the wrong kind: 1"),
        (changed(next_bonus="high"), "next_bonus has a value of the wrong kind"),
        (changed(encoder=3), "encoder has a value of the wrong kind"),
        (changed(dropout=1.0), r"dropout must be in \[0, 1\)"),
        (changed(sinkhorn_steps=-1), "sinkhorn_steps must not be negative"),
        (changed(encoder_layers=0), "encoder_layers must be at least 1"),
        (changed(mask_id=40), "mask_id 40 is outside the vocabulary"),
        (changed(mask_id=30, tokens=20), "mask_id 30 is outside the vocabulary"),
        (changed(unknown_id=-1), "unknown_id -1 is outside the vocabulary"),
        (changed(tokens=41), "41 tokens do not fit a vocabulary of 40"),
        ("{", "not valid JSON"),
        ("[]", "not a JSON object"),
    ],
)
def test_a_bad_config_is_refused_with_a_reason(text: str, message: str) -> None:
    with pytest.raises(PermendError, match=message):
        ModelConfig.from_json(text)


def test_errors_name_the_file(tmp_path: Path) -> None:
    with pytest.raises(PermendError, match=r"config\.json: the model's config cannot be read"):
        ModelConfig.from_file(tmp_path / "config.json")
    (tmp_path / "config.json").write_text(changed(slots=-1), encoding="utf-8")
    with pytest.raises(PermendError, match=r"config\.json: model config: slots must be"):
        ModelConfig.from_file(tmp_path / "config.json")


def test_what_can_never_be_a_fill() -> None:
    assert CONFIG.unfillable == (0, 2, 3, 4)
    assert dataclasses.replace(CONFIG, unknown_id=None).unfillable == (0, 2, 4)
    assert dataclasses.replace(CONFIG, start_id=1).unfillable == (2, 3, 4), "T5 begins with its padding"
    assert dataclasses.replace(CONFIG, tokenizer_size=38).unfillable == (0, 2, 3, 4, 38, 39)


def test_reading_a_config_loads_no_torch() -> None:
    code = "import sys, permend.model.config; assert not {'torch', 'transformers'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
