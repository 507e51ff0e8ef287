"""An exported model is a beginning, too: what was exported comes back."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import onnx
import pytest
import torch

from permend.errors import PermendError
from permend.model.torch.import_onnx import import_onnx
from permend.model.torch.network import PointerInfiller
from permend.model.torch.quantize import Quantization, to_int8
from permend.training.correction.recipe import make_recipe
from permend.training.correction.start import make_network, plan_config
from tests.model.tiny import exported


@pytest.mark.parametrize("family", ["modernbert", "bart", "roberta"])
def test_every_weight_comes_back(family: str) -> None:
    network, folder = exported(family)
    back = PointerInfiller.from_exported(folder)
    for name, value in network.state_dict().items():
        assert torch.equal(back.state_dict()[name], value), name
    assert back.tokenizer_json == network.tokenizer_json


@pytest.mark.parametrize("family", ["modernbert", "bart"])
def test_int8_comes_back_to_within_a_step_and_off_its_grid(family: str) -> None:
    network, folder = exported(family, "int8")
    back = PointerInfiller.from_exported(folder).state_dict()
    for name, value in network.state_dict().items():
        step = float(value.abs().max() / 64)
        assert torch.allclose(back[name], value, atol=step + 1e-6, rtol=0), name
        assert abs(float((back[name] - value).mean())) <= step / 5, "no drift"


def test_a_little_training_outlives_the_next_rounding() -> None:
    _, folder = exported("modernbert", "int8")
    [weights] = [value for name, value in import_onnx(folder).items() if name.endswith("layers.0.attn.Wqkv.weight")]
    moved = weights + 0.1 * weights.abs().max(1, keepdim=True).values / 64  # a tenth of a step, everywhere
    before, after = (_rounded(each) for each in (weights, moved))
    kept = float((after - before).mean() / (moved - weights).mean())
    assert kept == pytest.approx(1, abs=0.3)


def test_training_starts_from_an_exported_folder() -> None:
    network, folder = exported("modernbert", "int8")
    model = make_recipe({}, [f"model.start={folder}", "model.dropout=0.3"]).model
    started = make_network(model, 1)
    assert started.training
    assert started.config == dataclasses.replace(network.config, dropout=0.3)
    assert plan_config(model) == network.config


@pytest.mark.parametrize(
    ("kind", "spoil", "message"),
    [
        ("int4", lambda folder: None, "weights of four bits cannot be trained on from"),
        ("int8", lambda folder: _forget(folder / "decoder.onnx"), "does not say which weights it has"),
        ("int8", lambda folder: (folder / "decoder.onnx").write_bytes(b"nonsense"), "graph cannot be read"),
        ("int8", lambda folder: (folder / "decoder.onnx").unlink(), "graph cannot be read"),
        ("int8", lambda folder: (folder / "weights.bin").unlink(), "graph cannot be read"),
    ],
)
def test_what_cannot_come_back_is_told(kind: Quantization, spoil: object, message: str, tmp_path: Path) -> None:
    folder = shutil.copytree(exported("modernbert", kind)[1], tmp_path / "model")
    assert callable(spoil)
    spoil(folder)
    with pytest.raises(PermendError, match=message):
        PointerInfiller.from_exported(folder)


def test_a_folder_without_a_tokenizer_comes_back_without_one(tmp_path: Path) -> None:
    folder = shutil.copytree(exported()[1], tmp_path / "model")
    (folder / "tokenizer.json").unlink()
    assert PointerInfiller.from_exported(folder).tokenizer_json is None


def _rounded(weights: torch.Tensor) -> torch.Tensor:
    steps, scale = to_int8(weights.numpy(), axis=0, largest=64)
    return torch.from_numpy(steps * scale)


def _forget(path: Path) -> None:
    """Take away what a graph says about its weights, as in folders of earlier releases."""
    model = onnx.load(path, load_external_data=False)
    del model.metadata_props[:]
    onnx.save(model, path)
