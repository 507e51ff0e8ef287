"""The weights in an ONNX file, read without onnx: a machine that runs the torch networks need not have it.

In: the path of a graph. Out: its weights by name, and the notes that `import_onnx.note_parameters` left in it.

    weights, notes = read_graph(Path("model-int8/encoder.onnx"))
    weights["val_104_int8"]     # int8 (d, d)
    notes["pointer.query.weight"]      # "val_104, turned"

A file is a message of Protocol Buffers: a number says which field comes and how it is written, then comes the field.
Only the few fields that hold weights are looked at (onnx.proto: ModelProto, GraphProto, TensorProto).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_GRAPH, _NOTES = 7, 14  # fields of a model
_WEIGHTS = 5  # of a graph
_DIMENSIONS, _KIND, _NAME, _RAW, _ELSEWHERE = 1, 2, 8, 9, 13  # of a tensor
_TYPED = {4: "<f4", 7: "<i8"}  # fields with numbers in them, not in `_RAW`
_KINDS = {1: "<f4", 2: "u1", 3: "i1", 6: "<i4", 7: "<i8", 9: "?", 10: "<f2", 11: "<f8"}


def read_graph(path: Path) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """Read a file; ValueError where it is no graph, and weights of kinds that numpy does not have are left out."""
    weights: dict[str, NDArray[Any]] = {}
    notes: dict[str, str] = {}
    for field, value in _fields(memoryview(path.read_bytes())):
        if field == _NOTES:
            key, text = _entry(value)
            notes[key] = text
        elif field == _GRAPH:
            for inner, tensor in _fields(value):
                if inner == _WEIGHTS:
                    name, array = _tensor(tensor, path.parent)
                    if array is not None:
                        weights[name] = array
    return weights, notes


def _tensor(message: Any, folder: Path) -> tuple[str, NDArray[Any] | None]:
    shape: list[int] = []
    kind, name, raw, stored = 0, "", None, {}
    for field, value in _fields(message):
        if field == _DIMENSIONS:
            shape += [value] if isinstance(value, int) else _numbers(value)
        elif field == _KIND:
            kind = value
        elif field == _NAME:
            name = str(value, "utf-8")
        elif field == _RAW:
            raw = np.frombuffer(value, _KINDS.get(kind, "u1")) if kind else value
        elif field in _TYPED and not isinstance(value, int):
            raw = np.frombuffer(value, "<f4") if field == 4 else np.array(_numbers(value), "<i8")
        elif field == _ELSEWHERE:
            key, text = _entry(value)
            stored[key] = text
    if kind not in _KINDS:
        return name, None
    if stored:
        where = folder / Path(stored["location"]).name  # weights lie beside their graph
        count = int(np.prod(shape, dtype=np.int64))
        raw = np.fromfile(where, _KINDS[kind], count, offset=int(stored.get("offset", 0)))
    if raw is None:
        raw = np.zeros(0, _KINDS[kind])
    array = raw if isinstance(raw, np.ndarray) else np.frombuffer(raw, _KINDS[kind])
    return name, array.reshape(shape)


def _entry(message: Any) -> tuple[str, str]:
    parts = {field: str(value, "utf-8") for field, value in _fields(message)}
    return parts.get(1, ""), parts.get(2, "")


def _numbers(message: Any) -> list[int]:
    found, place = [], 0
    while place < len(message):
        number, place = _number(message, place)
        found.append(number)
    return found


def _fields(message: Any) -> Iterator[tuple[int, Any]]:
    """Yield the fields of a message: a number, or the bytes of anything else."""
    place = 0
    while place < len(message):
        key, place = _number(message, place)
        field, how = key >> 3, key & 7
        if how == 0:
            number, place = _number(message, place)
            yield field, number
            continue
        if how == 2:
            length, place = _number(message, place)
        elif how in (1, 5):
            length = 8 if how == 1 else 4
        else:
            raise ValueError("no message of Protocol Buffers")
        if place + length > len(message):
            raise ValueError("a message that is cut")
        yield field, message[place : place + length]
        place += length


def _number(message: Any, place: int) -> tuple[int, int]:
    """Return a number of one byte for every seven bits, and where it ends."""
    number = shift = 0
    while True:
        if place >= len(message) or shift > 63:
            raise ValueError("a number that is cut")
        byte = message[place]
        number |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return number, place
