"""Fewer, larger nodes: what a quantised graph does in several passes over its states, done in one.

In: a graph from `quantize`. Out: the same graph, same inputs, outputs and weights, with operators of onnxruntime's own.

    products     u8 · int8 → int32, to float, times a row's scale, times a column's scale: four nodes become two
    rotations    x · cos + turned(x) · sin, with its slices, sign and joint: seven nodes become one
    attention    scaled queries times turned, scaled keys: up to ten nodes become one
    sums         a value plus a constant plus a constant: both constants are one
    guards       weights of an average, looked through for rows that look at nothing, of which there are none: nothing
    pieces       a product cut to pieces, such as queries, keys and values: a product for each, and nothing is cut
    gates        a gated row, scaled and then quantised by its own largest number: scaled afterwards, as one number

The weights stay as they are, byte by byte: parts of a weight are cut when the graph is loaded. Numbers differ by the
rounding of float32 alone, since the same things are multiplied in another order. Attention and sum-with-norm have
operators of their own in onnxruntime as well, which take twice as long on a processor as the parts that they replace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import NodeProto, helper, numpy_helper

from permend.model.torch.quantize import Quantization

DOMAIN = "com.microsoft"


def fuse_graph(model: onnx.ModelProto, kind: Quantization = "int8") -> onnx.ModelProto:
    """Return a copy of `model` with fewer nodes; a graph of plain floats stays one that any runtime reads."""
    if kind == "none":
        return model
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    fuser = _Fuser(copy.graph)
    finders = (fuser.products, fuser.rotations, fuser.attention, fuser.sums, fuser.guards, fuser.pieces, fuser.gates)
    for find in finders:
        fuser.replace(find)
    if all(each.domain != DOMAIN for each in copy.opset_import):
        copy.opset_import.append(helper.make_opsetid(DOMAIN, 1))
    return copy


@dataclass
class _Change:
    """Nodes that take the place of the one that made `result`."""

    result: str
    nodes: list[NodeProto]


class _Fuser:
    """A graph's nodes by what they make; rewrites leave nodes behind that nothing uses, which are then dropped."""

    def __init__(self, graph: onnx.GraphProto) -> None:
        self.graph = graph
        self._index()

    def _index(self) -> None:
        self.maker = {name: node for node in self.graph.node for name in node.output}
        self.readers: dict[str, list[NodeProto]] = {}
        for node in self.graph.node:
            for name in node.input:
                self.readers.setdefault(name, []).append(node)
        self.constants = {each.name: each for each in self.graph.initializer}

    def replace(self, find: Callable[[], Iterator[_Change]]) -> None:
        """Carry out what `find` finds, and drop what is not used any more."""
        changes = {change.result: change.nodes for change in find()}
        nodes: list[NodeProto] = []
        for node in self.graph.node:
            found = [changes[name] for name in node.output if name in changes]
            nodes += found[0] if found else [node]
        used = {each.name for each in self.graph.output}
        kept: list[NodeProto] = []
        for node in reversed(nodes):
            if used.intersection(node.output):
                kept.append(node)
                used.update(node.input)
        constants = [each for each in self.graph.initializer if each.name in used]
        for container, items in ((self.graph.node, kept[::-1]), (self.graph.initializer, constants)):
            del container[:]
            container.extend(items)
        self._index()

    def _made_by(self, name: str, op_type: str) -> NodeProto | None:
        """Return the node that makes a value, if it is of this kind."""
        node = self.maker.get(name)
        return node if node is not None and node.op_type == op_type else None

    def _only_reader(self, name: str, op_type: str) -> NodeProto | None:
        """Return the one node that reads a value, if it is of this kind."""
        readers = self.readers.get(name, [])
        return readers[0] if len(readers) == 1 and readers[0].op_type == op_type else None

    def _constant(self, name: str, array: NDArray[Any]) -> str:
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(array), name)
            self.graph.initializer.append(self.constants[name])
        return name

    def products(self) -> Iterator[_Change]:
        """Find integer products that are turned into floats and scaled."""
        for node in list(self.graph.node):
            if node.op_type != "MatMulInteger" or len(node.input) != 3:
                continue
            cast = self._only_reader(node.output[0], "Cast")
            rows = cast and self._only_reader(cast.output[0], "Mul")
            columns = rows and self._only_reader(rows.output[0], "Mul")
            if rows is None or columns is None or columns.input[1] not in self.constants:
                continue
            one = self._constant("fused_one", np.array(1, np.float32))
            result, product = columns.output[0], f"{columns.output[0]}_columns"
            inputs = [node.input[0], node.input[1], one, columns.input[1], node.input[2]]
            yield _Change(
                result,
                [
                    helper.make_node("MatMulIntegerToFloat", inputs, [product], f"{product}_product", domain=DOMAIN),
                    helper.make_node("Mul", [product, rows.input[1]], [result], f"{result}_rows"),
                ],
            )

    def rotations(self) -> Iterator[_Change]:
        """Find heads that are turned by the angles of their places in the row."""
        made: set[str] = set()
        for node in list(self.graph.node):
            if node.op_type != "Add":
                continue
            straight, crossed = (self._made_by(name, "Mul") for name in node.input)
            turned = crossed and self._made_by(crossed.input[0], "Concat")
            if straight is None or crossed is None or turned is None or not self._turns(turned, straight.input[0]):
                continue
            angles = [straight.input[1], crossed.input[1]]
            tables = [self._half(name) for name in angles]
            if not all(tables) or any(self._varies(name) for name in angles):  # coordinates vary from row to row
                continue
            before = [each for name, table in zip(angles, tables, strict=True) if name not in made for each in table]
            made.update(angles)
            start = self._constant("fused_start", np.array([0], np.int64))
            inputs = [straight.input[0], start, *(f"{name}_half" for name in angles)]
            name = f"{node.output[0]}_rotation"
            rotation = helper.make_node("RotaryEmbedding", inputs, list(node.output), name, domain=DOMAIN)
            yield _Change(node.output[0], [*before, rotation])

    def _turns(self, joint: NodeProto, source: str) -> bool:
        """Whether a Concat puts the second half of `source`, with the other sign, before the first."""
        if len(joint.input) != 2:
            return False
        negative = self._made_by(joint.input[0], "Neg")
        halves = [negative and self.maker.get(negative.input[0]), self.maker.get(joint.input[1])]
        return all(
            half is not None and half.op_type in ("Split", "Slice") and half.input[0] == source for half in halves
        )

    def _varies(self, name: str) -> bool:
        """Whether a value depends on more of the graph's inputs than their shapes."""
        node = self.maker.get(name)
        if node is None:
            return name not in self.constants
        return node.op_type != "Shape" and any(self._varies(each) for each in node.input if each)

    def _half(self, name: str) -> list[NodeProto]:
        """Make a table (places, half a head) of angles (…, places, head) whose halves are equal; nothing of others."""
        angles = self.maker.get(name)
        while angles is not None and angles.op_type == "Unsqueeze":
            angles = self.maker.get(angles.input[0])
        joint = self._made_by(angles.input[0], "Concat") if angles and angles.op_type in ("Cos", "Sin") else None
        once = self._made_by(joint.input[0], "Mul") if joint and len(set(joint.input)) == 1 else None
        if angles is None or once is None or once.input[1] not in self.constants:
            return []
        half = int(np.prod(self.constants[once.input[1]].dims))  # frequencies
        shape = self._constant(f"fused_rows_of_{half}", np.array([-1, half], np.int64))
        return [
            helper.make_node("Reshape", [once.output[0], shape], [f"{name}_rows"], f"{name}_rows_shape"),
            helper.make_node(angles.op_type, [f"{name}_rows"], [f"{name}_half"], f"{name}_half_{angles.op_type}"),
        ]

    def attention(self) -> Iterator[_Change]:
        """Find products of scaled queries with keys that are turned round and scaled the same."""
        for node in list(self.graph.node):
            queries, keys = (
                (self._made_by(name, "Mul") for name in node.input) if node.op_type == "MatMul" else (None, None)
            )
            if queries is None or keys is None or queries.input[1] != keys.input[1]:
                continue
            scale = self.constants.get(queries.input[1])
            shaped = self._made_by(keys.input[0], "Reshape")
            turned = shaped and self._made_by(shaped.input[0], "Transpose")
            flat = turned and self._made_by(turned.input[0], "Reshape")
            if scale is None or flat is None:
                continue
            alpha = float(numpy_helper.to_array(scale).item()) ** 2
            fused = helper.make_node(
                "FusedMatMul",
                [queries.input[0], flat.input[0]],
                list(node.output),
                f"{node.output[0]}_scaled",
                domain=DOMAIN,
                transB=1,
                alpha=alpha,
            )
            yield _Change(node.output[0], [fused])

    def sums(self) -> Iterator[_Change]:
        """Find sums of a value and two constants, which can be added up when the graph is loaded."""
        for node in list(self.graph.node):
            first = self._made_by(node.input[0], "Add") if node.op_type == "Add" else None
            if first is None or not {first.input[1], node.input[1]} <= self.constants.keys():
                continue
            total = f"{node.output[0]}_constant"
            yield _Change(
                node.output[0],
                [
                    helper.make_node("Add", [first.input[1], node.input[1]], [total], f"{total}_sum"),
                    helper.make_node("Add", [first.input[0], total], list(node.output), node.name),
                ],
            )

    def guards(self) -> Iterator[_Change]:
        """Find averages whose weights are looked through for what no sentence has: a place that may look at nothing."""
        for node in list(self.graph.node):
            guarded = self._made_by(node.input[0], "Where") if node.op_type == "MatMul" else None
            test = guarded and self._made_by(guarded.input[0], "IsNaN")
            if guarded is None or test is None or self._made_by(test.input[0], "Softmax") is None:
                continue
            plain = helper.make_node("MatMul", [test.input[0], node.input[1]], list(node.output), node.name)
            yield _Change(node.output[0], [plain])

    def pieces(self) -> Iterator[_Change]:
        """Find products that are cut to pieces: queries, keys and values, or the two halves of a gated layer."""
        for node in list(self.graph.node):
            rows = self._made_by(node.input[0], "Mul") if node.op_type == "Split" else None
            product = rows and self._made_by(rows.input[0], "MatMulIntegerToFloat")
            if rows is None or product is None:
                continue
            width = self.constants[product.input[1]].dims[1] // len(node.output)
            made = []
            for place, result in enumerate(node.output):
                bounds = [
                    self._constant(f"fused_{at}", np.array([at], np.int64))
                    for at in (width * place, width * (place + 1))
                ]
                for weight, axis in ((product.input[1], 1), (product.input[3], 0)):
                    axes = self._constant(f"fused_axis_{axis}", np.array([axis], np.int64))
                    part = f"{weight}_part_{place}"
                    made.append(helper.make_node("Slice", [weight, *bounds, axes], [part], f"{part}_slice"))
                inputs = [*product.input]
                inputs[1], inputs[3] = f"{inputs[1]}_part_{place}", f"{inputs[3]}_part_{place}"
                columns = f"{result}_columns"
                made += [
                    helper.make_node("MatMulIntegerToFloat", inputs, [columns], f"{columns}_product", domain=DOMAIN),
                    helper.make_node("Mul", [columns, rows.input[1]], [result], f"{result}_rows"),
                ]
            yield _Change(node.output[0], made)

    def gates(self) -> Iterator[_Change]:
        """Find gated states whose rows are scaled just before they are quantised by rows, whatever their scale."""
        for node in list(self.graph.node):
            gate = self._made_by(node.input[1], "Mul") if node.op_type == "Mul" else None
            quantized = [each for each in self.readers.get(node.output[0], []) if each.op_type == "QuantizeLinear"]
            if gate is None or self._made_by(node.input[0], "Gelu") is None or len(quantized) != 1:
                continue
            product = self._only_reader(quantized[0].output[0], "MatMulIntegerToFloat")
            rows = product and self._only_reader(product.output[0], "Mul")
            if rows is None or self._made_by(gate.input[0], "MatMulIntegerToFloat") is None:
                continue
            scale = f"{rows.output[0]}_scale"
            yield _Change(
                node.output[0],
                [helper.make_node("Mul", [node.input[0], gate.input[0]], list(node.output), node.name)],
            )
            yield _Change(
                rows.output[0],
                [
                    helper.make_node("Mul", [rows.input[1], gate.input[1]], [scale], f"{scale}_product"),
                    helper.make_node("Mul", [rows.input[0], scale], list(rows.output), rows.name),
                ],
            )
