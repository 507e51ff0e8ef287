"""Fewer nodes, same network: what fusing promises."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import onnx
import pytest

from permend.model.onnx import DECODER, ENCODER, OnnxNetworks
from permend.model.torch.export import save_graphs
from permend.model.torch.fuse import fuse_graph
from permend.model.torch.quantize import quantize_graph
from tests.model.tiny import PLANS, exported, sample, sentences


@pytest.mark.parametrize("family", ["modernbert", "bart"])
def test_fused_graphs_do_the_same_with_the_same_weights(family: str, tmp_path: Path) -> None:
    _, plain = exported(family)
    folders = {"fused": tmp_path / "fused", "parts": tmp_path / "parts"}
    graphs = {name: quantize_graph(onnx.load(plain / name), "int8") for name in (ENCODER, DECODER)}
    fused = {name: fuse_graph(graph) for name, graph in graphs.items()}
    for name in graphs:
        assert len(fused[name].graph.node) < 0.9 * len(graphs[name].graph.node)
    for folder, which in ((folders["parts"], graphs), (folders["fused"], fused)):
        folder.mkdir()
        (folder / "config.json").write_bytes((plain / "config.json").read_bytes())
        save_graphs(which, folder)
    contents = [(folder / "weights.bin").read_bytes() for folder in folders.values()]
    assert contents[0] == contents[1]
    parts, whole = (OnnxNetworks(folders[name], threads=1) for name in ("parts", "fused"))
    batch = sample(sentences(), PLANS)
    memory, scores = parts.encode(batch.ids, batch.mask)
    found, found_scores = whole.encode(batch.ids, batch.mask)
    pairs = batch.mask[:, :, None] & batch.mask[:, None, :]
    np.testing.assert_allclose(found[batch.mask], memory[batch.mask], atol=0.05)  # a rounding may fall the other way
    np.testing.assert_allclose(found_scores[pairs], scores[pairs], atol=0.05)
    assert np.abs(found[batch.mask] - memory[batch.mask]).mean() < 1e-3
    tokens, chances = parts.fill(memory, batch.mask, batch.template)
    found_tokens, found_chances = whole.fill(memory, batch.mask, batch.template)
    assert found_tokens.tolist() == tokens.tolist()
    np.testing.assert_allclose(found_chances, chances, atol=0.02)


def test_every_rotation_by_place_product_and_gate_is_found() -> None:
    _, plain = exported("modernbert")
    graph = fuse_graph(quantize_graph(onnx.load(plain / ENCODER), "int8"))
    kinds = Counter(node.op_type for node in graph.graph.node)
    layers = 2 + 1  # the encoder's and the pointer's
    assert kinds["MatMulInteger"] == kinds["IsNaN"] == kinds["Split"] == 0
    assert kinds["Neg"] == kinds["ReduceMin"], "only to find a row's largest number"
    assert kinds["RotaryEmbedding"] == 2 * layers
    # One for q, k, v, or in the pointer one each; out; two halves; down; and the keys.
    assert kinds["MatMulIntegerToFloat"] == 5 * layers + 2 + 1


def test_graphs_of_plain_floats_stay_plain() -> None:
    _, plain = exported("modernbert")
    assert all(not node.domain for name in (ENCODER, DECODER) for node in onnx.load(plain / name).graph.node)
