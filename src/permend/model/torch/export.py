"""From a trained network to a folder that onnxruntime runs by itself.

In: a `PointerInfiller`, an output folder, a kind of quantisation. Out: encoder.onnx (ids, mask → memory, scores),
decoder.onnx (memory and template → tokens and log-probabilities), weights.bin (the weights of both), tokenizer.json,
config.json, the model card and hashes.json. Batch and lengths are dynamic in both graphs.

    export(PointerInfiller.from_pretrained("model"), "model-int8", quantize="int8")

    encoder.onnx   nodes, T = bytes 0 to 40 of weights.bin      T: the table of embeddings
    decoder.onnx   nodes, T = bytes 0 to 40 of weights.bin
    weights.bin    T, and what only one of them has

The most probable token and its log-probability are taken inside the graph, so that no array over the vocabulary
leaves it. Graphs hold their nodes; everything large lies in weights.bin as ONNX external data, equal weights once
(`save_graphs`). onnxruntime finds that file by itself and maps it into memory, which is faster and takes less than
weights in the graph.
"""

from __future__ import annotations

import copy
import hashlib
import logging
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

import onnx
import torch
from onnx import TensorProto
from torch import Tensor, nn
from torch.export import Dim

from permend.errors import InputError, PermendError
from permend.model.folder import model_card, write_hashes
from permend.model.onnx import (
    DECODER,
    DECODER_INPUTS,
    DECODER_OUTPUTS,
    ENCODER,
    ENCODER_INPUTS,
    ENCODER_OUTPUTS,
    WEIGHTS,
)
from permend.model.torch.fuse import fuse_graph
from permend.model.torch.import_onnx import note_parameters
from permend.model.torch.network import PointerInfiller
from permend.model.torch.networks import most_probable
from permend.model.torch.quantize import Quantization, quantize_graph

_OPSET = 21
_LARGEST = 2_000_000_000  # bytes that fit into one ONNX file


def export(network: PointerInfiller, folder: str | Path, quantize: Quantization = "none", notes: str = "") -> None:
    """Write the two graphs and what belongs to them into `folder`; `notes` go into the model card."""
    where = Path(folder)
    if where.exists() and not where.is_dir():
        raise InputError("a file is in the way of the exported folder", where)
    where.mkdir(parents=True, exist_ok=True)
    config = network.config
    graphs = {ENCODER: encoder_graph(network), DECODER: decoder_graph(network)}
    save_graphs({name: fuse_graph(quantize_graph(graph, quantize), quantize) for name, graph in graphs.items()}, where)
    parameters = sum(p.numel() for p in network.parameters())
    if network.tokenizer_json is not None:
        (where / "tokenizer.json").write_text(network.tokenizer_json, encoding="utf-8")
    (where / "README.md").write_text(model_card(where.name, config, parameters, notes), encoding="utf-8")
    (where / "config.json").write_text(config.to_json(), encoding="utf-8")
    write_hashes(where)


def encoder_graph(network: PointerInfiller) -> onnx.ModelProto:
    """Return encoder and pointer as an ONNX graph."""
    ids, mask = torch.full((2, 7), network.config.mask_id), torch.ones(2, 7, dtype=torch.bool)
    rows: dict[int, Any] = {0: Dim.DYNAMIC, 1: Dim.DYNAMIC}
    return _graph(_Encoder(network), (ids, mask), (rows, rows), ENCODER_INPUTS, ENCODER_OUTPUTS)


def decoder_graph(network: PointerInfiller) -> onnx.ModelProto:
    """Return the decoder as an ONNX graph."""
    memory = torch.zeros(3, 7, network.config.d)
    memory_mask, template_mask = torch.ones(3, 7, dtype=torch.bool), torch.ones(2, 9, dtype=torch.bool)
    template_ids = torch.full((2, 9), network.config.mask_id)
    source, coordinates = torch.zeros(2, 9, dtype=torch.long), torch.zeros(2, 9)
    fill_index, row = torch.zeros(5, dtype=torch.long), torch.zeros(2, dtype=torch.long)
    inputs = (memory, memory_mask, template_ids, source, coordinates, template_mask, fill_index, row)
    rows: dict[int, Any] = {0: Dim.DYNAMIC, 1: Dim.DYNAMIC}
    dynamic = (*[rows] * 6, {0: Dim.DYNAMIC}, {0: Dim.DYNAMIC})
    return _graph(_Decoder(network), inputs, dynamic, DECODER_INPUTS, DECODER_OUTPUTS)


class _Encoder(nn.Module):
    def __init__(self, network: PointerInfiller) -> None:
        super().__init__()
        self.network = network

    def forward(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        return self.network.encode(ids, mask)


class _Decoder(nn.Module):
    def __init__(self, network: PointerInfiller) -> None:
        super().__init__()
        self.network = network

    def forward(
        self,
        memory: Tensor,
        memory_mask: Tensor,
        template_ids: Tensor,
        template_source: Tensor,
        coordinates: Tensor,
        template_mask: Tensor,
        fill_index: Tensor,
        template_row: Tensor,
    ) -> tuple[Tensor, Tensor]:
        template = (template_ids, template_source, coordinates, template_mask, fill_index, template_row)
        return most_probable(self.network.decode(memory, memory_mask, *template))


def _graph(
    module: nn.Module, inputs: tuple[Tensor, ...], dynamic: Any, names: tuple[str, ...], outputs: tuple[str, ...]
) -> onnx.ModelProto:
    """Trace `module` on the CPU in float32; `dynamic` names the dimensions that may vary."""
    if 4 * sum(p.numel() for p in module.parameters()) > _LARGEST:
        raise PermendError("the network is larger than one ONNX file may be (2 GB in float32)")
    traced = copy.deepcopy(module).cpu().float().eval()
    # Fused attention becomes twice as many nodes as plain attention, and T5's cannot be traced at all.
    cast(Any, traced.network).backbone.encoder.set_attn_implementation("eager")
    with _quiet(), torch.no_grad():
        program = torch.onnx.export(
            traced,
            inputs,
            dynamo=True,
            input_names=list(names),
            output_names=list(outputs),
            dynamic_shapes=dynamic,
            opset_version=_OPSET,
            verbose=False,
        )
    model = cast(onnx.ModelProto, cast(Any, program).model_proto)
    _drop_notes(model)
    note_parameters(model, cast(nn.Module, traced.network).state_dict())
    return model


def _drop_notes(model: onnx.ModelProto) -> None:
    """Drop what the exporter notes down about itself: for every node a stack trace, with paths of this machine."""
    graph = model.graph
    values = (*graph.input, *graph.output, *graph.value_info, *graph.initializer)
    for each in (model, graph, *graph.node, *values):
        del each.metadata_props[:]
        each.ClearField("doc_string")


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence what the exporter says about itself: absent torchvision, its own deprecated calls."""
    logger = logging.getLogger("torch.onnx._internal.exporter._registration")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*LeafSpec.*", category=FutureWarning)
            warnings.filterwarnings("ignore", category=DeprecationWarning, module="(onnxscript|onnx_ir|torch).*")
            yield
    finally:
        logger.setLevel(level)


_LARGE = 1024  # bytes; what is smaller stays in its graph
_ALIGNED = 64  # bytes of a cache line, which vector instructions like to begin at


def save_graphs(graphs: Mapping[str, onnx.ModelProto], folder: Path) -> None:
    """Write the files; the graphs lose their large weights on the way."""
    places: dict[bytes, int] = {}  # hash of a weight → where in the file it begins
    with (folder / WEIGHTS).open("wb") as file:
        for name, model in graphs.items():
            for weight in model.graph.initializer:
                if len(weight.raw_data) >= _LARGE:
                    _move(weight, file, places)
            onnx.save(model, folder / name)


def _move(weight: TensorProto, file: BinaryIO, places: dict[bytes, int]) -> None:
    """Leave a note in the graph of where in `file` its weight lies."""
    content = weight.raw_data
    digest = hashlib.sha256(content).digest()
    if digest not in places:
        file.write(bytes(-file.tell() % _ALIGNED))
        places[digest] = file.tell()
        file.write(content)
    weight.ClearField("raw_data")
    weight.data_location = TensorProto.EXTERNAL
    for key, value in (("location", WEIGHTS), ("offset", places[digest]), ("length", len(content))):
        weight.external_data.add(key=key, value=str(value))
