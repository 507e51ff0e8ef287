"""An exported network's parameters, to train on from.

In: the graphs of `export`, or a folder of them. Out: a note of every parameter in the graph, and from such notes the
parameters themselves, quantised ones about as they were (``spread``, to train on from) or exactly as they are (to run).

    note_parameters(graph, network.state_dict())    # adds "pointer.query.weight": "val_104, turned" to its metadata
    import_onnx(Path("model-int8"))                 # {"pointer.query.weight": tensor (d, d), …}

The exporter turns most matrices round and gives them names of its own, which change from release to release; equal
ones it stores once. Hence the notes.

Rounded weights come back anywhere within half a step of their int8 value, drawn at random. Were they all on the grid, a
little training would move few of them far enough to be rounded to another value, and the next int8 export would undo
it; spread out, as they were before the first rounding, they keep what was learned on average.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from permend.errors import InputError
from permend.model.onnx import DECODER, ENCODER
from permend.model.torch.graph_file import read_graph

if TYPE_CHECKING:
    import onnx

_TURNED = ", turned"
_SEED = 0


def note_parameters(model: onnx.ModelProto, parameters: Mapping[str, Tensor]) -> None:
    """Write into a float32 graph which of its weights each parameter is; those of other graphs are passed over."""
    from onnx import numpy_helper  # here: who only reads graphs does not need it

    names = {_content(numpy_helper.to_array(weight)): weight.name for weight in model.graph.initializer}
    for parameter, value in parameters.items():
        array = value.detach().cpu().float().numpy()
        if (name := names.get(_content(array))) is not None:
            model.metadata_props.add(key=parameter, value=name)
        elif (name := names.get(_content(array.T))) is not None:
            model.metadata_props.add(key=parameter, value=name + _TURNED)


def import_onnx(folder: Path, spread: bool = True) -> dict[str, Tensor]:
    """Return the parameters of an exported network, in float32."""
    parameters: dict[str, Tensor] = {}
    for file in (ENCODER, DECODER):
        try:
            weights, notes = read_graph(folder / file)
        except (OSError, ValueError, KeyError) as error:
            raise InputError(f"the exported graph cannot be read ({error.__class__.__name__})", folder / file) from None
        if not notes:
            raise InputError("this exported graph does not say which weights it has: export the model anew", folder)
        for parameter, value in notes.items():
            name = value.removesuffix(_TURNED)
            array = _find(weights, name, spread)
            if array is None:
                raise InputError(
                    "weights of four bits cannot be trained on from: take an int8 or float32 export", folder
                )
            parameters[parameter] = torch.from_numpy((array if value == name else array.T).copy())
    return parameters


def _find(weights: Mapping[str, NDArray[Any]], name: str, spread: bool) -> NDArray[np.float32] | None:
    """Return a weight as it was before `quantize`."""
    if name in weights:
        return weights[name].astype(np.float32)
    if f"{name}_int8" in weights:
        steps, scale = (weights[f"{name}_{part}"] for part in ("int8", "scale"))
        if not spread:
            return np.asarray(steps * scale, dtype=np.float32)
        moved = np.random.default_rng(_SEED).uniform(-0.5, 0.5, steps.shape)
        largest = np.abs(steps.astype(np.int16)).max()  # stays the largest: the next export's scale depends on it
        return np.asarray(np.clip(steps + moved, -largest, largest) * scale, dtype=np.float32)
    turned = _find(weights, f"{name}_turned", spread) if not name.endswith("_turned") else None
    return None if turned is None else turned.T


def _content(array: NDArray[Any]) -> tuple[tuple[int, ...], bytes]:
    return array.shape, array.tobytes()
