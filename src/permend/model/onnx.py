"""The networks on onnxruntime: two graphs from an exported folder, no torch anywhere.

    networks = OnnxNetworks("model-int8", threads=1)
    memory, scores = networks.encode(ids, mask)

In: a folder that `permend export` wrote: config.json, encoder.onnx, decoder.onnx and weights.bin, which holds the
weights of both graphs. Out: what the `Networks` protocol promises. The decoder is loaded when it is first needed, which
for clean text is never. Where the folder has the encoder in two parts with a head between them, these take the place of
the whole, and sentences may leave after the first (`parts`).
"""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from permend.errors import InputError, PermendError, first_line
from permend.model.config import ModelConfig
from permend.model.folder import HASHES, check_hashes
from permend.model.networks import Bools, Floats, Ints, TemplateArrays, check_length, check_threads

ENCODER, DECODER = "encoder.onnx", "decoder.onnx"
"""File names of the two graphs."""
NO_TELEMETRY = "ORT_DISABLE_TELEMETRY"
"""The variable that keeps onnxruntime from reporting usage; ``import permend`` sets it."""
WEIGHTS = "weights.bin"
"""File name of their weights, which onnxruntime finds by itself; older folders have them inside the graphs."""
START, REST = "encoder-start.onnx", "encoder-rest.onnx"
"""File names of the encoder in two parts, where sentences may leave after the first (`permend.model.torch.split`)."""
STATES, DOUBTS = "states", "doubts"
"""What passes from one part to the other, and what the head says of it."""
ENCODER_INPUTS = ("ids", "mask")
ENCODER_OUTPUTS = ("memory", "scores")
DECODER_INPUTS = (
    "memory",
    "memory_mask",
    "template_ids",
    "template_source",
    "coordinates",
    "template_mask",
    "fill_index",
    "template_row",
)
DECODER_OUTPUTS = ("tokens", "log_probs")
_SIDES = {
    ENCODER: (ENCODER_INPUTS, ENCODER_OUTPUTS),
    START: (ENCODER_INPUTS, (STATES, DOUBTS)),
    REST: ((STATES, *ENCODER_INPUTS), ENCODER_OUTPUTS),
    DECODER: (DECODER_INPUTS, DECODER_OUTPUTS),
}
_OLD_SIDES = {DECODER: (DECODER_INPUTS[:-1], DECODER_OUTPUTS)}
"""What older exports have: a memory for each template."""

_KINDS: dict[str, type[np.generic]] = {
    "tensor(int64)": np.int64,
    "tensor(float)": np.float32,
    "tensor(bool)": np.bool_,
}


def open_graph(path: Path, threads: int | None = None) -> Any:
    """Return onnxruntime's session of a graph; what it raises has no base class."""
    import onnxruntime  # type: ignore[import-untyped]

    if os.environ.get(NO_TELEMETRY) == "1":  # does what can still be done where it was imported before permend
        onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4  # what goes wrong is raised, and everything else helps nobody
    options.enable_mem_pattern = False  # a plan for every shape that was seen would stay in memory
    if threads is not None:
        options.intra_op_num_threads = threads
    return onnxruntime.InferenceSession(
        path,
        options,
        providers=["CPUExecutionProvider"],
        enable_fallback=0,  # it would try the same again, and print that it does
    )


class OnnxNetworks:
    """The `Networks` of an exported folder."""

    def __init__(self, folder: str | Path, threads: int | None = None) -> None:
        """Load the encoder; `threads` limits the cores used for one call, None leaves the choice to onnxruntime."""
        self._folder = Path(folder)
        self._threads = None if threads is None else check_threads(threads)
        self.config = ModelConfig.from_file(self._folder / "config.json")
        in_parts = (self._folder / START).exists() or (self._folder / REST).exists()
        self.parts = OnnxParts(self.config, self._folder, *map(self._session, (START, REST))) if in_parts else None
        self._encoder = None if in_parts else self._session(ENCODER)

    @cached_property
    def _decoder(self) -> Any:
        return self._session(DECODER)

    def encode(self, ids: Ints, mask: Bools) -> tuple[Floats, Floats]:
        """Return memory (B, L, d) and pointer scores (B, L, L)."""
        if self.parts is not None:
            states, _ = self.parts.start(ids, mask)
            return self.parts.rest(states, ids, mask)
        check_length(self.config, ids)
        return _checked(_run(self._encoder, ENCODER_OUTPUTS, (ids, mask)), ids, self._folder / ENCODER)

    def fill(self, memory: Floats, mask: Bools, template: TemplateArrays) -> tuple[Ints, Floats]:
        """Return the most probable tokens (F,) at the masks, and their log-probabilities (F,)."""
        arrays: tuple[NDArray[Any], ...] = (memory, mask, *template)
        if len(self._decoder.get_inputs()) < len(arrays):  # `_OLD_SIDES`
            arrays = (memory[template.row], mask[template.row], *template[:-1])
        tokens, log_probs = _run(self._decoder, DECODER_OUTPUTS, arrays)
        shape = template.fill_index.shape
        if (tokens.shape, log_probs.shape) != (shape, shape) or tokens.dtype != np.int64:
            raise PermendError(f"{self._folder / DECODER}: this graph is no decoder that fills masks")
        if tokens.size and not 0 <= tokens.min() <= tokens.max() < self.config.known_ids:
            raise PermendError(f"{self._folder / DECODER}: this graph writes tokens that its tokenizer does not have")
        if np.isnan(log_probs).any():
            raise PermendError(f"{self._folder / DECODER}: this graph gives probabilities that are no numbers")
        return cast(Ints, tokens), cast(Floats, log_probs)

    def _session(self, name: str) -> Any:
        path = self._folder / name
        if (self._folder / WEIGHTS).exists() and not (self._folder / WEIGHTS).is_file():
            raise InputError("cannot be read: it is no regular file", self._folder / WEIGHTS)
        if not path.is_file():
            raise InputError(f"the model folder has no {name}: export the model again", self._folder)
        try:
            session = open_graph(path, self._threads)
        except Exception as error:  # onnxruntime's own exceptions share no base class
            if (self._folder / HASHES).is_file():
                check_hashes(self._folder)  # a file that is missing or cut says more than onnxruntime does
            raise InputError(f"onnxruntime cannot load the graph ({first_line(error)})", path) from error
        found = tuple(tuple(each.name for each in side) for side in (session.get_inputs(), session.get_outputs()))
        if found not in (_SIDES[name], _OLD_SIDES.get(name)):
            raise InputError(
                "this graph has other inputs or outputs than permend exports: export the model again", path
            )
        return session


class OnnxParts:
    """The `Parts` of an exported folder with a head."""

    def __init__(self, config: ModelConfig, folder: Path, start: Any, rest: Any) -> None:
        """Take the two sessions."""
        self._config, self._folder = config, folder
        self._start, self._rest = start, rest

    def start(self, ids: Ints, mask: Bools) -> tuple[Floats, Floats]:
        """Return the states (B, L, d) after the first layers, and doubts (B,)."""
        check_length(self._config, ids)
        states, doubts = _run(self._start, (STATES, DOUBTS), (ids, mask))
        if states.shape[:2] != ids.shape or doubts.shape != ids.shape[:1] or np.isnan(doubts).any():
            raise PermendError(f"{self._folder / START}: this graph is no encoder's first part with a head")
        return cast(Floats, states), cast(Floats, doubts)

    def rest(self, states: Floats, ids: Ints, mask: Bools) -> tuple[Floats, Floats]:
        """Return memory (B, L, d) and pointer scores (B, L, L)."""
        return _checked(_run(self._rest, ENCODER_OUTPUTS, (states, ids, mask)), ids, self._folder / REST)


def _checked(found: list[NDArray[Any]], ids: Ints, file: Path) -> tuple[Floats, Floats]:
    memory, scores = found
    if memory.shape[:2] != ids.shape or scores.shape != (*ids.shape, ids.shape[1]) or scores.dtype != np.float32:
        raise PermendError(f"{file}: this graph is no encoder with a pointer")
    return cast(Floats, memory), cast(Floats, scores)


def _run(session: Any, outputs: tuple[str, ...], arrays: tuple[NDArray[Any], ...]) -> list[NDArray[Any]]:
    """Run a session on arrays in the order of its inputs, cast to the kinds it wants."""
    try:
        feed = {
            wanted.name: np.ascontiguousarray(array, dtype=_KINDS[wanted.type])
            for wanted, array in zip(session.get_inputs(), arrays, strict=True)
        }
        return cast(list[NDArray[Any]], session.run(list(outputs), feed))
    except Exception as error:  # see above
        raise PermendError(f"onnxruntime cannot run the graph: is it of this config? ({first_line(error)})") from error
