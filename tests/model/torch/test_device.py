"""The networks on a device find what onnxruntime finds, in whatever batches, and say what is missing."""

from __future__ import annotations

import pickle
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from onnx import numpy_helper

from permend.corrector.correction import Correction
from permend.corrector.corrector import Corrector
from permend.documents.checker import Checker
from permend.documents.document import Document
from permend.errors import PermendError
from permend.method.search import Searchable
from permend.model.networks import Bools, Floats, Ints
from permend.model.torch.device import DeviceNetworks
from permend.model.torch.graph_file import read_graph
from permend.model.torch.network import PointerInfiller
from permend.model.torch.parity import SENTENCES
from tests.model.tiny import exported, texts

Found = list[list[tuple[int, int, str]]]


def found(corrections: list[Correction]) -> Found:
    return [[(edit.start, edit.end, edit.after) for edit in each.edits] for each in corrections]


@pytest.fixture(scope="module")
def installed() -> tuple[Corrector, Found]:
    """Return the installed model on torch, and what onnxruntime's int8 finds."""
    return Corrector(device="cpu"), found(Corrector(threads=1).correct_batch(SENTENCES))


def test_the_installed_model_finds_the_same_as_on_onnxruntime(installed: tuple[Corrector, Found]) -> None:
    corrector, expected = installed
    assert sum(map(bool, expected)) > 20
    differing = sum(
        one != other for one, other in zip(found(corrector.correct_batch(SENTENCES)), expected, strict=True)
    )
    assert differing <= 1, "int8 rounds what passes between layers, too"


def test_half_precision_changes_no_more_than_int8_does(installed: tuple[Corrector, Found]) -> None:
    corrector, expected = installed
    assert isinstance(corrector.networks, DeviceNetworks)
    half = DeviceNetworks(corrector.networks._network, torch.device("cpu"), torch.bfloat16)  # coarser than float16
    halved = Corrector.of(half, corrector.tokenizer, corrector.options, corrector.calibration)
    differing = sum(one != other for one, other in zip(found(halved.correct_batch(SENTENCES)), expected, strict=True))
    assert differing <= 2


def test_a_whole_document_goes_through_a_device_in_large_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    _, folder = exported("modernbert", "int8")
    corrector = Corrector(folder, device="cpu", threads=1)
    assert isinstance(corrector.networks, DeviceNetworks)
    corrector.networks.batch_tokens = 100_000
    blocks = [block for text in texts(300) for block in Document.from_text(f"{text}.")]
    encode, sizes = corrector.networks.encode_to_search, list[int]()

    def counted(ids: Ints, mask: Bools, lengths: Sequence[int]) -> tuple[Floats, Searchable]:
        sizes.append(len(ids))
        return encode(ids, mask, lengths)

    monkeypatch.setattr(corrector.networks, "encode_to_search", counted)
    found = Checker(corrector, memory=0).check_together(blocks)
    assert sizes[0] == len({block.text for block in blocks}) > 200
    corrector.networks.batch_tokens = 1
    alone = Checker(corrector, memory=0).check_together(blocks)
    assert [each.text for each in alone] == [each.text for each in found]


@pytest.mark.parametrize("batch_tokens", [1, 90, 100_000])
def test_any_batch_size_gives_the_same_in_the_same_order(batch_tokens: int) -> None:
    _, folder = exported("modernbert", "int8")
    sentences = texts(12)
    corrector = Corrector(folder, device="cpu", threads=1)
    assert isinstance(corrector.networks, DeviceNetworks)
    expected = [corrector.correct(text).text for text in sentences]
    corrector.networks.batch_tokens = batch_tokens
    assert [each.text for each in corrector.correct_all(sentences)] == expected
    assert [each.source for each in corrector.correct_batch(sentences)] == sentences


def test_weights_are_those_that_onnx_reads() -> None:
    for kind in ("none", "int8"):
        _, folder = exported("modernbert", kind)
        for name in ("encoder.onnx", "decoder.onnx"):
            weights, notes = read_graph(folder / name)
            model = onnx.load(folder / name)
            assert notes == {note.key: note.value for note in model.metadata_props}
            for each in model.graph.initializer:
                np.testing.assert_array_equal(weights[each.name], numpy_helper.to_array(each), each.name)


def test_a_trained_folder_will_do_and_the_config_stays(tmp_path: Path) -> None:
    network, folder = exported()
    network.save_pretrained(tmp_path / "trained")
    sentences = texts(10)
    both = [Corrector(each, device="cpu").correct_batch(sentences) for each in (tmp_path / "trained", folder)]
    assert found(both[0]) == found(both[1])
    assert PointerInfiller.to_run(folder).config == network.config


def test_another_process_takes_the_same_device() -> None:
    corrector = Corrector(exported()[1], device="cpu")
    assert isinstance(pickle.loads(pickle.dumps(corrector)).networks, DeviceNetworks)


def test_a_device_that_is_not_there() -> None:
    with pytest.raises(PermendError, match="the device 'nonsense' cannot be used"):
        Corrector(exported()[1], device="nonsense")
    if not torch.cuda.is_available():
        with pytest.raises(PermendError, match="the device 'cuda' cannot be used"):
            Corrector(exported()[1], device="cuda")
        assert not isinstance(Corrector(exported()[1], device="auto").networks, DeviceNetworks)


def test_without_torch_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['torch'] = None\nfrom permend.__main__ import main; main()"
    command = [sys.executable, "-c", code, "correct", "--device", "cuda", "--model", str(exported()[1]), "w5 w6"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert "The device 'cuda' needs an optional part: run pip install '.[train]'" in done.stderr
    command[4:6] = ["--device", "auto"]
    assert subprocess.run(command, capture_output=True).returncode == 0


def test_a_cut_graph_is_told(tmp_path: Path) -> None:
    folder = shutil.copytree(exported("modernbert", "int8")[1], tmp_path / "model")
    (folder / "hashes.json").unlink()
    graph = folder / "encoder.onnx"
    graph.write_bytes(graph.read_bytes()[:-50])
    with pytest.raises(PermendError, match="graph cannot be read"):
        Corrector(folder, device="cpu")
