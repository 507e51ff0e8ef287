"""Smaller and faster ONNX graphs: int8 products, or weights of four bits.

In: a float32 graph from `export`. Out: the same graph, same inputs and outputs, where

    none    nothing changes
    int8    a product with a weight quantises its input on the fly and multiplies int8 by int8
    int4    a product with a weight keeps float inputs and unpacks blocks of four-bit weights (MatMulNBits)

and embeddings are stored as int8 rows with a scale each. What we learnt, and what the code does about it:

- A few states are much larger than the others, most of all inside the MLPs. With one scale for all states of a batch
  the others lose their precision, and a sentence's answer comes to depend on its company. So every state has a scale of
  its own, which costs next to nothing.
- Cores without VNNI add u8 × s8 products in pairs into 16 bits, which overflows. Weights that are multiplied as
  integers therefore keep within ±64 (2 · 255 · 64 < 2¹⁵).
- The decoder's output is tied to the embeddings. Their rows therefore keep within ±64 too, in both graphs: one table
  serves both graphs' lookups and the product. That moves the encoder's states by 0.6%, where ±127 moves them by 0.3%
  and the rest of int8 by 2.5%.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import NodeProto, TensorProto, helper, numpy_helper

from permend.errors import PermendError

Quantization = Literal["none", "int8", "int4"]
KINDS: tuple[Quantization, ...] = ("none", "int8", "int4")

_SMALLEST = 1024  # weights with fewer numbers than this are not worth it
_BLOCK = 32  # weights that share a scale in four-bit blocks
_ZERO = 128  # what stands for nought in quantised inputs
_SAFE, _FULL = 64, 127  # largest int8 for weights of products; for inputs, and rows that are only looked up


def quantize_graph(model: onnx.ModelProto, kind: Quantization) -> onnx.ModelProto:
    """Return a quantised copy of `model`."""
    if kind not in KINDS:
        raise PermendError(f"quantize must be one of {', '.join(KINDS)}, not {kind!r}")
    if kind == "none":
        return model
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    rewriter = _Rewriter(copy.graph, kind)
    rewriter.rewrite()
    if kind == "int4":
        copy.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    return copy


def to_int8(weight: NDArray[np.float32], axis: int, largest: int) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return int8 values and their scales, one scale per line along `axis` (which keeps length 1 elsewhere)."""
    others = tuple(i for i in range(weight.ndim) if i != axis)
    scale = np.abs(weight).max(axis=others, keepdims=True) / largest
    scale = np.where(scale > 0, scale, 1).astype(np.float32)
    return np.clip(np.rint(weight / scale), -largest, largest).astype(np.int8), scale


def to_int4_blocks(weight: NDArray[np.float32]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Pack a weight (K, N) as MatMulNBits wants it: (N, blocks, 16) pairs of four bits and scales (N · blocks,)."""
    k, n = weight.shape
    blocks = -(-k // _BLOCK)
    columns = np.zeros((n, blocks * _BLOCK), dtype=np.float32)
    columns[:, :k] = weight.T
    grouped = columns.reshape(n, blocks, _BLOCK)
    extreme = np.take_along_axis(grouped, np.abs(grouped).argmax(2)[:, :, None], axis=2)  # (N, blocks, 1), signed
    scale = np.where(extreme != 0, extreme / -8, 1).astype(np.float32)  # the extreme becomes −8, which is exact
    values = np.clip(np.rint(grouped / scale) + 8, 0, 15).astype(np.uint8)
    return values[:, :, 0::2] | (values[:, :, 1::2] << 4), scale.reshape(-1)


@dataclass
class _Rewriter:
    """One pass over a graph's nodes, replacing those that have large constant weights."""

    graph: onnx.GraphProto
    kind: Quantization
    nodes: list[NodeProto] = field(default_factory=list)
    added: dict[str, TensorProto] = field(default_factory=dict)
    quantized_inputs: dict[str, tuple[str, str]] = field(default_factory=dict)

    def rewrite(self) -> None:
        """Replace the graph's nodes and weights."""
        _split_gemms(self.graph)
        self.weights = {w.name: w for w in self.graph.initializer if _is_large(w)}
        self.maker = {name: node for node in self.graph.node for name in node.output}
        for node in self.graph.node:
            if node.op_type == "MatMul" and node.input[1] in self.weights:
                self._product(node, numpy_helper.to_array(self.weights[node.input[1]]))
            elif self._table_behind(node):
                self._tied_product(node)
            elif node.op_type == "Gather" and node.input[0] in self.weights:
                self._rows(node)
            else:
                self.nodes.append(node)
        self._finish()

    def _finish(self) -> None:
        """Put the new nodes in, and drop nodes and weights that nothing uses any more."""
        used = {o.name for o in self.graph.output}
        kept: list[NodeProto] = []
        for node in reversed(self.nodes):
            if used.intersection(node.output):
                kept.append(node)
                used.update(node.input)
        initializers = [w for w in (*self.graph.initializer, *self.added.values()) if w.name in used]
        for container, items in ((self.graph.node, kept[::-1]), (self.graph.initializer, initializers)):
            del container[:]
            container.extend(items)
        del self.graph.value_info[:]  # shapes and kinds of values that may be gone

    def _table_behind(self, node: NodeProto) -> str | None:
        """Return the table whose sliced, transposed rows this product multiplies by, if it is such a product."""
        if node.op_type != "MatMul":
            return None
        name = node.input[1]
        for op_type in ("Transpose", "Slice"):
            made_by = self.maker.get(name)
            if made_by is None or made_by.op_type != op_type:
                return None
            name = made_by.input[0]
        return name if name in self.weights else None

    def _product(self, node: NodeProto, weight: NDArray[np.float32]) -> None:
        if self.kind == "int4":
            self._block_product(node, weight)
        else:
            values, scale = to_int8(weight, axis=1, largest=_SAFE)
            name = node.input[1]
            self._integer_product(
                node, self._add(f"{name}_int8", values), self._add(f"{name}_scale", scale[0]), len(weight)
            )

    def _integer_product(self, node: NodeProto, values: str, scale: str, width: int) -> None:
        """Quantise the input as it comes, multiply integers, scale the rows and columns back."""
        source, result = node.input[0], node.output[0]
        if source not in self.quantized_inputs:
            self.quantized_inputs[source] = self._quantized_rows(source, width)
        inputs, input_scale = self.quantized_inputs[source]
        zero = self._add("int8_zero", np.array(_ZERO, dtype=np.uint8))
        self._node("MatMulInteger", [inputs, values, zero], [f"{result}_int32"])
        self._node("Cast", [f"{result}_int32"], [f"{result}_float"], to=TensorProto.FLOAT)
        self._node("Mul", [f"{result}_float", input_scale], [f"{result}_rows"])
        self._node("Mul", [f"{result}_rows", scale], [result])

    def _quantized_rows(self, source: str, width: int) -> tuple[str, str]:
        """Quantise each row by its own largest number, so that no other row, of this sentence or another, matters."""
        last = self._add("int8_last_axis", np.array([-1], dtype=np.int64))
        least = self._add("int8_least", np.array(_FULL * 1e-9, dtype=np.float32))
        steps = self._add("int8_steps", np.array(1 / _FULL, dtype=np.float32))
        scale = f"{source}_row_scale"
        self._node("ReduceMax", [source, last], [f"{source}_most"], keepdims=1)
        self._node("ReduceMin", [source, last], [f"{source}_least"], keepdims=1)
        self._node("Neg", [f"{source}_least"], [f"{source}_opposite"])
        self._node("Max", [f"{source}_most", f"{source}_opposite", least], [f"{source}_largest"])
        self._node("Mul", [f"{source}_largest", steps], [scale])
        # A row is one block, with a zero point of its own: five times as fast as dividing, shifting and casting.
        zero = numpy_helper.from_array(np.array([_ZERO], dtype=np.uint8))
        self._node("Shape", [scale], [f"{source}_count"])
        self._node("ConstantOfShape", [f"{source}_count"], [f"{source}_zeros"], value=zero)
        quantized = [source, scale, f"{source}_zeros"]
        self._node("QuantizeLinear", quantized, [f"{source}_u8"], axis=-1, block_size=width)
        return f"{source}_u8", scale

    def _block_product(self, node: NodeProto, weight: NDArray[np.float32]) -> None:
        packed, scale = to_int4_blocks(weight)
        name = node.input[1]
        shape = {"K": weight.shape[0], "N": weight.shape[1], "bits": 4, "block_size": _BLOCK, "accuracy_level": 4}
        inputs = [node.input[0], self._add(f"{name}_int4", packed), self._add(f"{name}_scale", scale)]
        self._node("MatMulNBits", inputs, [node.output[0]], domain="com.microsoft", **shape)

    def _tied_product(self, node: NodeProto) -> None:
        """Multiply by the transposed embeddings: the same int8 rows that the decoder's input is looked up in."""
        table = self._table_behind(node)
        assert table is not None
        transposed = self.maker[node.input[1]]
        sliced = self.maker[transposed.input[0]]
        rows = _sliced_rows(sliced, {w.name: w for w in self.graph.initializer})
        if self.kind == "int4":
            self._block_product(node, numpy_helper.to_array(self.weights[table])[:rows].T)
            return
        values, scale = self._table(table)
        self._node("Slice", [values, *sliced.input[1:]], [f"{table}_output_rows"])
        self._node("Transpose", [f"{table}_output_rows"], [f"{table}_output"], perm=[1, 0])
        self._integer_product(
            node, f"{table}_output", self._add(f"{table}_output_scale", scale[:rows, 0]), self.weights[table].dims[1]
        )

    def _rows(self, node: NodeProto) -> None:
        """Look up int8 rows and their scales."""
        table, result = node.input[0], node.output[0]
        values, scale = self._table(table)
        self._node("Gather", [values, node.input[1]], [f"{result}_int8"])
        self._node("Cast", [f"{result}_int8"], [f"{result}_cast"], to=TensorProto.FLOAT)
        self._node("Gather", [self._add(f"{table}_scale", scale), node.input[1]], [f"{result}_scale"])
        self._node("Mul", [f"{result}_cast", f"{result}_scale"], [result])

    def _table(self, name: str) -> tuple[str, NDArray[np.float32]]:
        largest = _SAFE if self.kind == "int8" else _FULL
        values, scale = to_int8(numpy_helper.to_array(self.weights[name]), axis=0, largest=largest)
        return self._add(f"{name}_int8", values), scale

    def _add(self, name: str, array: NDArray[Any]) -> str:
        self.added[name] = numpy_helper.from_array(np.ascontiguousarray(array), name)
        return name

    def _node(self, op_type: str, inputs: list[str], outputs: list[str], **attributes: Any) -> None:
        self.nodes.append(helper.make_node(op_type, inputs, outputs, name=f"{outputs[0]}_{op_type}", **attributes))


def _split_gemms(graph: onnx.GraphProto) -> None:
    """Turn A·Bᵀ + C, as the exporter writes products of matrices, into Transpose, MatMul and Add."""
    weights = {w.name: w for w in graph.initializer}
    nodes: list[NodeProto] = []
    for node in graph.node:
        attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        plain = attributes.get("alpha", 1.0) == attributes.get("beta", 1.0) == 1.0 and not attributes.get("transA", 0)
        if node.op_type != "Gemm" or not plain:
            nodes.append(node)
            continue
        (a, b, *c), result = node.input, node.output[0]
        if attributes.get("transB", 0):
            turned = f"{b}_turned" if b in weights else f"{result}_turned"
            if b not in weights:
                nodes.append(helper.make_node("Transpose", [b], [turned], perm=[1, 0]))
            elif turned not in weights:
                array = np.ascontiguousarray(numpy_helper.to_array(weights[b]).T)
                weights[turned] = numpy_helper.from_array(array, turned)
                graph.initializer.append(weights[turned])
            b = turned
        nodes.append(helper.make_node("MatMul", [a, b], [f"{result}_product" if c else result]))
        if c:
            nodes.append(helper.make_node("Add", [f"{result}_product", *c], [result]))
    del graph.node[:]
    graph.node.extend(nodes)


def _is_large(weight: TensorProto) -> bool:
    return (
        weight.data_type == TensorProto.FLOAT and len(weight.dims) == 2 and weight.dims[0] * weight.dims[1] >= _SMALLEST
    )


def _sliced_rows(node: NodeProto, initializers: dict[str, TensorProto]) -> int:
    """Return how many first rows a Slice takes."""
    return int(numpy_helper.to_array(initializers[node.input[2]]).flat[0])
