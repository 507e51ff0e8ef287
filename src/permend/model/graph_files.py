"""Graphs on disk: nodes in a file for each graph, the weights of all of them in one file beside, equal ones once.

In: ONNX graphs by file name, and a folder. Out: those files, and `weights.bin` with everything large in them as ONNX
external data. Two graphs that look ids up in the same table T:

    save_graphs({"encoder.onnx": encoder, "decoder.onnx": decoder}, folder)

    encoder.onnx   nodes, T = bytes 0 to 40 of weights.bin
    decoder.onnx   nodes, T = bytes 0 to 40 of weights.bin
    weights.bin    T, and what only one of them has

onnxruntime finds the file by itself and maps it into memory, which is faster and takes less than weights in the graph.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

import onnx
from onnx import TensorProto

from permend.runtime.onnx import WEIGHTS

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
