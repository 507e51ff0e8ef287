"""The runtime on onnxruntime: arrays in, arrays out, no torch."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import onnx
import pytest

from permend.errors import PermendError
from permend.model.networks import Networks, TemplateArrays
from permend.model.onnx import OnnxNetworks
from tests.model.tiny import PLANS, SLOTS, exported, sample, sentences


def test_a_sentence_fares_the_same_alone_and_in_a_batch() -> None:
    networks: Networks = OnnxNetworks(exported()[1], threads=1)
    both = sample(sentences((9, 5)), PLANS)
    memory, scores = networks.encode(both.ids, both.mask)
    own = 5 + SLOTS
    memory_1, scores_1 = networks.encode(both.ids[1:, :own], both.mask[1:, :own])
    np.testing.assert_allclose(scores[1:, :own, :own], scores_1, atol=1e-4)
    tokens, log_probs = networks.fill(memory, both.mask, both.template)
    width = int(both.template.mask[1].sum())
    ids, source, coordinates, mask, *_ = both.template
    row = (slice(1, None), slice(width))
    one = TemplateArrays(ids[row], source[row], coordinates[row], mask[row], np.array([2, 3, 4]), np.array([0]))
    alone = networks.fill(memory_1, both.mask[1:, :own], one)
    np.testing.assert_array_equal(tokens[6:], alone[0])
    np.testing.assert_allclose(log_probs[6:], alone[1], atol=1e-4)
    assert [str(a.dtype) for a in (memory, scores, tokens, log_probs)] == ["float32", "float32", "int64", "float32"]


def test_arrays_of_other_kinds_are_taken_too() -> None:
    networks = OnnxNetworks(exported()[1])
    batch = sample(sentences((5,)), PLANS[1:])
    memory, scores = networks.encode(batch.ids.astype(np.int32), batch.mask.astype(np.int64))
    np.testing.assert_array_equal(scores, networks.encode(batch.ids, batch.mask)[1])
    again = batch.template._replace(coordinates=batch.template.coordinates.astype(np.float64))
    np.testing.assert_array_equal(
        networks.fill(memory, batch.mask, again)[0], networks.fill(memory, batch.mask, batch.template)[0]
    )


def test_folders_with_the_weights_inside_their_graphs_are_loaded_too(tmp_path: Path) -> None:
    """As the first releases wrote them."""
    folder = exported()[1]
    shutil.copy(folder / "config.json", tmp_path)
    for name in ("encoder.onnx", "decoder.onnx"):
        onnx.save(onnx.load(folder / name), tmp_path / name)
    batch = sample(sentences((9, 5)), PLANS)
    old, new = OnnxNetworks(tmp_path, threads=1), OnnxNetworks(folder, threads=1)
    memory, scores = old.encode(batch.ids, batch.mask)
    np.testing.assert_array_equal(scores, new.encode(batch.ids, batch.mask)[1])
    tokens, log_probs = old.fill(memory, batch.mask, batch.template)
    np.testing.assert_array_equal(tokens, new.fill(memory, batch.mask, batch.template)[0])
    assert (log_probs < 0).all()


def test_templates_may_share_a_memory() -> None:
    batch, networks = sample(sentences((9, 5)), PLANS), OnnxNetworks(exported()[1], threads=1)
    memory, _ = networks.encode(batch.ids, batch.mask)
    for rows in ([1, 0], [1, 1]):
        tokens, log_probs = networks.fill(memory, batch.mask, batch.template._replace(row=np.array(rows)))
        own_tokens, own_log_probs = networks.fill(memory[rows], batch.mask[rows], batch.template)
        np.testing.assert_array_equal(tokens, own_tokens)
        np.testing.assert_allclose(log_probs, own_log_probs, atol=1e-5)


def test_graphs_without_a_row_for_each_template_are_run_too(tmp_path: Path) -> None:
    """As they were up to permend 0.3."""
    _, folder = exported()
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    graph = onnx.load(tmp_path / "decoder.onnx", load_external_data=False)
    own = onnx.helper.make_node("Range", ["first", "templates", "one"], ["template_row"])
    size = [
        onnx.helper.make_node("Shape", ["template_ids"], ["template_shape"], start=0, end=1),
        onnx.helper.make_node("Squeeze", ["template_shape"], ["templates"]),
    ]
    for name, value in (("first", 0), ("one", 1)):
        graph.graph.initializer.append(onnx.numpy_helper.from_array(np.array(value), name))
    nodes = [*size, own, *graph.graph.node]
    del graph.graph.node[:], graph.graph.input[-1]
    graph.graph.node.extend(nodes)
    onnx.save(graph, tmp_path / "decoder.onnx")
    batch = sample(sentences((9, 5)), PLANS)
    old, new = OnnxNetworks(tmp_path, threads=1), OnnxNetworks(folder, threads=1)
    memory, _ = new.encode(batch.ids, batch.mask)
    template = batch.template._replace(row=np.array([1, 1]))
    np.testing.assert_array_equal(old.fill(memory, batch.mask, template)[0], new.fill(memory, batch.mask, template)[0])


def test_mistakes_are_told_in_a_sentence(tmp_path: Path) -> None:
    networks = OnnxNetworks(exported()[1])
    with pytest.raises(PermendError, match="65 positions is longer than the model's 64: split the sentence"):
        networks.encode(np.zeros((1, 65), dtype=np.int64), np.ones((1, 65), dtype=np.bool_))
    with pytest.raises(PermendError, match="threads must be at least 1"):
        OnnxNetworks(exported()[1], threads=0)
    with pytest.raises(PermendError, match="config cannot be read"):
        OnnxNetworks(tmp_path)
    shutil.copy(exported()[1] / "config.json", tmp_path)
    with pytest.raises(PermendError, match=r"has no encoder\.onnx: export the model again"):
        OnnxNetworks(tmp_path)
    (tmp_path / "encoder.onnx").write_bytes(b"nothing")
    with pytest.raises(PermendError, match="onnxruntime cannot load the graph"):
        OnnxNetworks(tmp_path)
