"""The networks on a device of their own: large batches, half precision, memory that stays where it is.

    networks = DeviceNetworks.load("model-int8", "cuda")        # or "cuda:1", or "cpu", to look for faults without one
    memory, scores = networks.encode(ids, mask)                 # scores are numpy; the memory never leaves the device
    memory, scores = networks.encode_to_search(ids, mask, lengths)  # nor do the scores (`search`)

In: a trained folder, or an exported one, whose rounded weights are used as they are. Out: what the `Networks` protocol
promises; `ManyAtATime`, by which the corrector makes batches by tokens and keeps several under way; and
`SearchesItself`. Threads may share it: each call waits for its own results asleep, outside of Python's lock.

On CUDA the layers compute in float16, scores and probabilities in float32; on a processor all is float32.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from permend.errors import PermendError, first_line
from permend.method.search import Searchable
from permend.model.networks import Bools, Floats, Ints, TemplateArrays, check_length, check_threads
from permend.model.torch.network import PointerInfiller
from permend.model.torch.networks import TorchNetworks, most_probable
from permend.model.torch.search import DeviceScores, send

_BATCH_TOKENS = {"cuda": 32_768}
_MASKS = {"cuda": 2_048}


def find_device(name: str) -> torch.device | None:
    """Return a device by its name; "auto" is CUDA where there is one, and None otherwise."""
    if name == "auto":
        return torch.device("cuda") if torch.cuda.is_available() else None
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise PermendError(f"the device {name!r} cannot be used: {first_line(error)}") from None
    return device


class DeviceNetworks(TorchNetworks):
    """The `Networks` of a model on a device."""

    def __init__(self, network: PointerInfiller, device: torch.device, half: torch.dtype | None = None) -> None:
        """Move a network to a device; `half` is what its layers compute in, float16 on CUDA unless told otherwise."""
        super().__init__(network.to(device).eval().requires_grad_(False))
        self._device = device
        if device.type == "cuda":
            _attend_without_plans()
        half = half or (torch.float16 if device.type == "cuda" else torch.float32)
        self._half = None if half == torch.float32 else half
        self.batch_tokens = _BATCH_TOKENS.get(device.type, 1_024)
        self.masks = _MASKS.get(device.type, 64)
        self.in_flight = 2

    @classmethod
    def load(cls, folder: str | Path, device: str | torch.device, threads: int | None = None) -> DeviceNetworks:
        """Load a folder; `threads` limits torch's cores, in the whole process."""
        if threads is not None:
            torch.set_num_threads(check_threads(threads))
        found = find_device(str(device)) or torch.device("cpu")
        return cls(PointerInfiller.to_run(folder), found)

    def encode(self, ids: Ints, mask: Bools) -> tuple[Floats, Floats]:
        """Return memory (B, L, d), which only `fill` can read, and pointer scores (B, L, L)."""
        memory, scores = self._encode(ids, mask)
        return cast(Floats, memory), self._fetch([scores])[0]

    def encode_to_search(self, ids: Ints, mask: Bools, lengths: Sequence[int]) -> tuple[Floats, Searchable]:
        """Return memory (B, L, d), of which only `fill` can read rows, and scores to be searched on the device."""
        memory, scores = self._encode(ids, mask)
        if self._device.type == "mps":  # has no float64
            scores = scores.cpu()
        return cast(Floats, _Rows(memory)), DeviceScores(scores, lengths, self.config.slots, self._fetch)

    def _encode(self, ids: Ints, mask: Bools) -> tuple[Tensor, Tensor]:
        check_length(self.config, ids)
        with torch.inference_mode(), self._autocast():
            memory, scores = self._network.encode(*self._tensors(ids, mask))
            return memory, scores.float()

    def fill(self, memory: Floats, mask: Bools, template: TemplateArrays) -> tuple[Ints, Floats]:
        """Return the most probable tokens (F,) at the masks, and their log-probabilities (F,)."""
        own = isinstance(cast(object, memory), Tensor)
        states = cast(Tensor, memory) if own else self._tensors(memory)[0]
        with torch.inference_mode(), self._autocast():
            best, chances = most_probable(self._network.decode(states, *self._tensors(mask, *template)))
            tokens, log_probs = self._fetch([best, chances.float()])
        return tokens, log_probs

    def _fetch(self, tensors: Sequence[Tensor]) -> list[NDArray[Any]]:
        """Wait for tensors and return them as arrays; on CUDA asleep, as torch's own waiting takes all of a core."""
        if self._device.type != "cuda":
            return [tensor.cpu().numpy() for tensor in tensors]
        copies = [tensor.to("cpu", non_blocking=True) for tensor in tensors]
        done = torch.cuda.Event(blocking=True)  # type: ignore[no-untyped-call]
        done.record(torch.cuda.current_stream(self._device))
        done.synchronize()
        return [copy.numpy() for copy in copies]

    def _autocast(self) -> AbstractContextManager[Any]:
        return torch.autocast(self._device.type, self._half) if self._half else nullcontext()

    def _tensors(self, *arrays: NDArray[Any]) -> list[Tensor]:
        return [send(torch.from_numpy(np.ascontiguousarray(array)), self._device) for array in arrays]


def _attend_without_plans() -> None:
    """Let torch choose among attention that wants no plan: cuDNN makes one for every new shape of batch, 15 ms each."""
    torch.backends.cuda.enable_cudnn_sdp(False)


class _Rows:
    """Memory on a device, of which rows can be had without waiting."""

    def __init__(self, memory: Tensor) -> None:
        self._memory = memory

    def __getitem__(self, rows: Sequence[int]) -> Tensor:
        return self._memory[send(torch.tensor(rows), self._memory.device)]
