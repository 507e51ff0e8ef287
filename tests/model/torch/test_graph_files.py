"""Graphs on disk: what two of them share is stored once, and they run as before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime  # type: ignore[import-untyped]
from onnx import TensorProto, helper, numpy_helper

from permend.model.torch.export import save_graphs
from permend.model.torch.quantize import quantize_graph

TABLE = np.random.default_rng(0).normal(size=(1000, 64)).astype(np.float32)
IDS = np.array([3, 999, 0])


def _graph(product: bool) -> onnx.ModelProto:
    """Rows of the table; or these, multiplied by all but the last three rows."""
    numbers = {"from": [0], "to": [997], "axes": [0]} if product else {}
    constants: dict[str, Any] = {name: np.array(value, dtype=np.int64) for name, value in numbers.items()}
    nodes = [helper.make_node("Gather", ["table", "ids"], ["x" if product else "y"])]
    if product:
        nodes.append(helper.make_node("Slice", ["table", *constants], ["rows"]))
        nodes.append(helper.make_node("Gemm", ["x", "rows"], ["y"], transB=1))
    graph = helper.make_graph(
        nodes,
        "lookup",
        [helper.make_tensor_value_info("ids", TensorProto.INT64, ["n"])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 997 if product else 64])],
        [numpy_helper.from_array(array, name) for name, array in {**constants, "table": TABLE}.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def _run(path: Path) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    (y,) = onnxruntime.InferenceSession(path).run(None, {"ids": IDS})
    return np.asarray(y)


def test_a_table_of_both_graphs_is_stored_once(tmp_path: Path) -> None:
    graphs = {"rows.onnx": _graph(product=False), "product.onnx": _graph(product=True)}
    save_graphs(graphs, tmp_path)
    assert (tmp_path / "weights.bin").stat().st_size == TABLE.nbytes
    assert max(file.stat().st_size for file in tmp_path.glob("*.onnx")) < 1000
    np.testing.assert_array_equal(_run(tmp_path / "rows.onnx"), TABLE[IDS])
    np.testing.assert_allclose(_run(tmp_path / "product.onnx"), TABLE[IDS] @ TABLE[:997].T, atol=1e-4)


def test_int8_rows_serve_lookups_and_the_product(tmp_path: Path) -> None:
    graphs = {name: quantize_graph(_graph(product), "int8") for name, product in (("a.onnx", False), ("b.onnx", True))}
    save_graphs(graphs, tmp_path)
    scales = 2 * 4 * len(TABLE)  # for the rows, and for the product
    assert (tmp_path / "weights.bin").stat().st_size <= TABLE.size + scales + 3 * 64
    np.testing.assert_allclose(_run(tmp_path / "a.onnx"), TABLE[IDS], atol=0.05)
    np.testing.assert_allclose(_run(tmp_path / "b.onnx"), TABLE[IDS] @ TABLE[:997].T, atol=1.5)


def test_different_weights_both_stay_and_begin_where_vectors_may(tmp_path: Path) -> None:
    other = _graph(product=False)
    odd = numpy_helper.from_array(np.ones((1001, 3), dtype=np.int8), "odd")
    other.graph.initializer.insert(0, odd)
    save_graphs({"a.onnx": other, "b.onnx": _graph(product=False)}, tmp_path)
    places = {
        weight.name: {entry.key: entry.value for entry in weight.external_data}
        for weight in onnx.load(tmp_path / "a.onnx", load_external_data=False).graph.initializer
    }
    assert [int(place["offset"]) % 64 for place in places.values()] == [0, 0]
    assert int(places["table"]["offset"]) >= 3003
    np.testing.assert_array_equal(_run(tmp_path / "b.onnx"), TABLE[IDS])
