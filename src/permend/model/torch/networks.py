"""The networks in torch behind the runtime's protocol: for evaluation while training, and to check exports against.

In and out: numpy, as `permend.model.networks` says; the same `Corrector` runs on these and on the ONNX graphs.

    networks = TorchNetworks.from_pretrained("model")
    memory, scores = networks.encode(ids, mask)
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from permend.model.config import ModelConfig
from permend.model.networks import Bools, Floats, Ints, TemplateArrays, check_length, check_threads
from permend.model.torch.network import PointerInfiller


class TorchNetworks:
    """The `Networks` of a torch module, on whatever device its weights are."""

    def __init__(self, network: PointerInfiller) -> None:
        """Wrap `network`; its weights stay shared."""
        self._network = network

    @classmethod
    def from_pretrained(
        cls, folder: str | Path, device: str | torch.device = "cpu", threads: int | None = None
    ) -> TorchNetworks:
        """Load the networks of a trained model's folder; `threads` limits torch's cores, in the whole process."""
        if threads is not None:
            torch.set_num_threads(check_threads(threads))
        return cls(PointerInfiller.from_pretrained(folder, device=device))

    @property
    def config(self) -> ModelConfig:
        """The network's config."""
        return self._network.config

    @property
    def weights(self) -> int:
        """How many numbers the network has learned."""
        return sum(each.numel() for each in self._network.parameters())

    def encode(self, ids: Ints, mask: Bools) -> tuple[Floats, Floats]:
        """Return memory (B, L, d) and pointer scores (B, L, L)."""
        check_length(self.config, ids)
        with _evaluating(self._network):
            memory, scores = self._network.encode(*self._tensors(ids, mask))
        return _array(memory), _array(scores)

    def fill(self, memory: Floats, mask: Bools, template: TemplateArrays) -> tuple[Ints, Floats]:
        """Return the most probable tokens (F,) at the masks, and their log-probabilities (F,)."""
        with _evaluating(self._network):
            tokens, log_probs = most_probable(self._network.decode(*self._tensors(memory, mask, *template)))
        return tokens.cpu().numpy(), _array(log_probs)

    def _tensors(self, *arrays: NDArray[Any]) -> list[Tensor]:
        device = self._network.backbone.embeddings.device
        return [torch.from_numpy(np.ascontiguousarray(a)).to(device) for a in arrays]


def most_probable(logits: Tensor) -> tuple[Tensor, Tensor]:
    """Return the best token (F,) of logits (F, V) and its log-probability (F,)."""
    # With logsumexp, onnxruntime takes ten times as long.
    return _largest(logits.float().log_softmax(dim=-1))


def _largest(x: Tensor) -> tuple[Tensor, Tensor]:
    """Return the places (F,) of the largest numbers of `x` (F, V), and the numbers (F,).

    Places are looked for in the best block of a row: onnxruntime finds a largest number ten times as fast as its place.
    """
    width = x.shape[1]
    size = next(size for size in range(math.isqrt(width), 0, -1) if width % size == 0)
    blocks = x.view(-1, width // size, size)  # (F, V / size, size)
    most = blocks.amax(2)  # (F, V / size)
    best = most.argmax(1, keepdim=True)  # (F, 1)
    block = blocks.gather(1, best[:, :, None].expand(-1, -1, size))[:, 0]  # (F, size)
    return best[:, 0] * size + block.argmax(1), most.amax(1)


@contextmanager
def _evaluating(network: PointerInfiller) -> Iterator[None]:
    """Evaluation mode without gradients; afterwards the network is as it was."""
    was_training = network.training
    network.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        network.train(was_training)


def _array(tensor: Tensor) -> Floats:
    return tensor.float().cpu().numpy()
