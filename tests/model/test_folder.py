"""A model folder as the corrector meets it: torch or onnxruntime, whole or damaged."""

from __future__ import annotations

import dataclasses
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from permend.corrector.corrector import Corrector
from permend.errors import MissingExtraError, PermendError
from permend.model.config import FORMAT, ModelConfig
from permend.model.torch.networks import TorchNetworks
from tests.model.tiny import exported, texts


@pytest.mark.parametrize("family", ["modernbert", "bart"])
def test_torch_and_onnxruntime_give_the_same_corrections(family: str, tmp_path: Path) -> None:
    network, folder = exported(family)
    network.save_pretrained(tmp_path / "trained")
    trained, light = (Corrector.from_pretrained(path) for path in (tmp_path / "trained", folder))
    assert isinstance(trained.networks, TorchNetworks)
    old, new = (corrector.correct_batch(texts(12), batch_size=5) for corrector in (trained, light))
    assert [c.text for c in old] == [c.text for c in new]
    assert [c.edits for c in old] != [()] * 12, "random networks change something"
    for a, b in zip(old, new, strict=True):
        assert a.margin == pytest.approx(b.margin, abs=1e-4)
        assert [each.text for each in a.alternatives] == [each.text for each in b.alternatives]


def test_correcting_with_an_exported_folder_loads_no_torch() -> None:
    code = """
import sys
import permend.corrector.corrector

heavy = {"torch", "transformers", "onnx", "onnxscript", "safetensors", "spacy"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
assert "onnxruntime" not in sys.modules, "loaded only when a model is"
every = permend.corrector.corrector.Options(prune=False)  # fill all, the hopeless ones too
correction = permend.corrector.corrector.Corrector.from_pretrained(sys.argv[1], every, threads=1).correct(sys.argv[2])
assert correction.edits and any(each.fill_log_prob for each in correction.alternatives)
assert not heavy & set(sys.modules), heavy & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code, str(exported()[1]), texts(1)[0]], check=True)


def _with_config(**changes: object) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        values = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        (folder / "config.json").write_text(json.dumps({**values, **changes}), encoding="utf-8")

    return damage


def _without(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def _cut(name: str, length: int) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        (folder / name).write_bytes((folder / name).read_bytes()[:length])

    return damage


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_with_config(format=FORMAT + 1, news=1), f"config format {FORMAT + 1}, this permend reads up to {FORMAT}"),
        (_with_config(slotz=1), r"config.json: model config: unknown key 'slotz'"),
        (_cut("config.json", 20), r"config.json: model config: not valid JSON"),
        (_without("config.json"), r"config.json: the model's config cannot be read"),
        (_without("encoder.onnx"), "neither an exported model .encoder.onnx. nor a trained one"),
        (_without("decoder.onnx"), "has no decoder.onnx: export the model again"),
        (_without("tokenizer.json"), r"tokenizer.json: cannot be read"),
        (_cut("tokenizer.json", 50), "not a tokenizer that can be read"),
        (_cut("encoder.onnx", 5000), r"encoder.onnx: onnxruntime cannot load the graph"),
        (_cut("decoder.onnx", 5000), r"decoder.onnx: onnxruntime cannot load the graph"),
        (_cut("weights.bin", 5000), r"encoder.onnx: onnxruntime cannot load the graph"),
        (_without("weights.bin"), r"encoder.onnx: onnxruntime cannot load the graph"),
        (_with_config(tokens=30), "the tokenizer has 40 tokens, the model 30: they do not fit"),
    ],
)
def test_what_cannot_be_loaded_is_told_in_one_sentence(
    damage: Callable[[Path], None], message: str, tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(exported()[1], folder)
    (folder / "hashes.json").unlink()  # these would tell first
    damage(folder)
    with pytest.raises(PermendError, match=message) as raised:
        Corrector.from_pretrained(folder).correct_batch(texts(12))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("name", ["weights.bin", "tokenizer.json", "config.json", "decoder.onnx"])
def test_a_folder_of_ones_own_is_compared_with_its_hashes(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(exported()[1], folder)
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / name).write_bytes(content)
    with pytest.raises(PermendError, match=f"damaged: {name} is not the file that was exported; export it again, or"):
        Corrector.from_pretrained(folder)


def test_no_folder_and_no_torch_are_told_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PermendError, match="gone: no such model folder"):
        Corrector.from_pretrained(tmp_path / "gone")
    with pytest.raises(PermendError, match="xxx: cannot be read: File name too long"):
        Corrector.from_pretrained("x" * 300)
    (tmp_path / "model.safetensors").touch()
    monkeypatch.setitem(sys.modules, "permend.model.torch.networks", None)
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[train\]'"):
        Corrector.from_pretrained(tmp_path)


def test_graphs_of_another_network_are_told_in_one_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(exported()[1], folder)
    config = ModelConfig.from_file(folder / "config.json")
    (folder / "config.json").write_text(dataclasses.replace(config, slots=5).to_json(), encoding="utf-8")
    (folder / "hashes.json").unlink()
    with pytest.raises(PermendError, match="onnxruntime cannot run the graph"):
        Corrector.from_pretrained(folder).correct("w5 w6")
