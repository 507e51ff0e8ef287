"""An exported encoder cut in two behind one of its layers, so that a sentence may leave there.

In: the encoder's graph from an exported folder, fused or not, and a number of layers. Out: two graphs over the same
weights, byte by byte, in weights.bin:

    start   ids, mask           → states           embeddings and the first layers
    rest    states, ids, mask   → memory, scores   the other layers and the pointer

    start, rest = split_graph(onnx.load("model/encoder.onnx", load_external_data=False), layers=4)

One after the other they do what the whole does, node by node. What depends on the shape of a batch alone, such as
angles and masks of attention, is computed in both. The notes of `import_onnx` tell which layer a node belongs to; the
cut is where a single value carries all that was made of the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import onnx
from onnx import NodeProto, TensorProto, helper

from permend.errors import PermendError
from permend.model.onnx import ENCODER_INPUTS, ENCODER_OUTPUTS, STATES

_LAYER = re.compile(r"^backbone\..*?\.(?:layers?|block)\.(\d+)\.")
_MADE_OF = re.compile(r"(?:_turned)?(?:_int8|_int4|_scale)?(?:_(?:half|part)_\d)?$")
"""What quantising and fusing add to a name."""


def split_graph(model: onnx.ModelProto, layers: int) -> tuple[onnx.ModelProto, onnx.ModelProto]:
    """Return the graphs before and behind the cut."""
    nodes = list(model.graph.node)
    depths = _depths(model)
    last = max((depth for depth in depths if depth is not None), default=-1)
    if last < 0:
        raise PermendError("this encoder does not say which weights its layers have: export the model anew")
    if not 1 <= layers <= last:
        raise PermendError(f"an encoder of {last + 1} layers can be left after 1 to {last} of them, not {layers}")
    first_behind = min(place for place, depth in enumerate(depths) if depth is not None and depth >= layers)
    last_before = max(place for place, depth in enumerate(depths) if depth is not None and depth < layers)
    cut = _cut(model, range(last_before, first_behind))
    if cut is None:
        raise PermendError(f"this encoder cannot be cut after {layers} layers: more than one value crosses there")
    width = next(value for value in model.graph.output if value.name == ENCODER_OUTPUTS[0]).type.tensor_type
    states = helper.make_tensor_value_info(STATES, TensorProto.FLOAT, ["batch", "length", _width(width)])
    inputs = {value.name: value for value in model.graph.input}
    plain = [inputs[name] for name in ENCODER_INPUTS]
    start = _part(model, _renamed(nodes, cut), plain, [states])
    rest = _part(model, _renamed(nodes, cut), [states, *plain], list(model.graph.output))
    return start, rest


def _width(kind: onnx.TypeProto.Tensor) -> int | str:
    last = kind.shape.dim[-1]
    return int(last.dim_value) or str(last.dim_param)


def _depths(model: onnx.ModelProto) -> list[int | None]:
    """Return the layer of each node that has a layer's weights, None of all others; the pointer is not in any."""
    owners: dict[str, set[int]] = {}
    for note in model.metadata_props:
        found = _LAYER.match(note.key)
        owners.setdefault(note.value.partition(",")[0], set()).add(int(found.group(1)) if found else -1)
    # Equal weights are stored once, whoever has them, so those of several owners tell nothing.
    layers = {name: max(depth) for name, depth in owners.items() if len(depth) == 1 and -1 not in depth}
    depths = []
    for node in model.graph.node:
        names = (_MADE_OF.sub("", name) for name in node.input)
        depths.append(max((layers[name] for name in names if name in layers), default=None))
    return depths


def _cut(model: onnx.ModelProto, places: Iterable[int]) -> str | None:
    """Return the value that, behind one of these nodes, is all that is left of the words."""
    noted = {note.value.partition(",")[0] for note in model.metadata_props}
    nodes = model.graph.node
    of_words: set[str] = set()  # values that depend on more than shapes and masks
    for node in nodes:
        weighed = any(_MADE_OF.sub("", name) in noted for name in node.input)
        if (weighed and not _is_weight(node, noted)) or of_words.intersection(node.input):
            of_words.update(node.output)
    last_read = {name: place for place, node in enumerate(nodes) for name in node.input}
    for place in places:
        made = {name for node in nodes[: place + 1] for name in node.output}
        alive = [name for name in made & of_words if last_read.get(name, -1) > place]
        if len(alive) == 1:
            return str(alive[0])
    return None


def _is_weight(node: NodeProto, noted: set[str]) -> bool:
    """Whether a node only takes a piece of a weight."""
    return node.op_type in ("Slice", "Transpose") and _MADE_OF.sub("", node.input[0]) in noted


def _renamed(nodes: Iterable[NodeProto], cut: str) -> list[NodeProto]:
    """Return copies of nodes in which the cut value is called states."""
    copies = []
    for node in nodes:
        copy = NodeProto()
        copy.CopyFrom(node)
        for names in (copy.input, copy.output):
            for place, name in enumerate(names):
                if name == cut:
                    names[place] = STATES
        copies.append(copy)
    return copies


def _part(
    model: onnx.ModelProto,
    nodes: Iterable[NodeProto],
    inputs: list[onnx.ValueInfoProto],
    outputs: list[onnx.ValueInfoProto],
) -> onnx.ModelProto:
    """Return the graph of those nodes that the outputs need, given the inputs."""
    given = {value.name for value in inputs}
    used = {value.name for value in outputs}
    kept: list[NodeProto] = []
    for node in reversed(list(nodes)):
        if used.intersection(node.output) - given:
            kept.append(node)
            used.update(node.input)
    weights = [weight for weight in model.graph.initializer if weight.name in used]
    graph = helper.make_graph(kept[::-1], model.graph.name, inputs, outputs, weights)
    part = helper.make_model(graph, opset_imports=list(model.opset_import))
    part.ir_version = model.ir_version
    return part
