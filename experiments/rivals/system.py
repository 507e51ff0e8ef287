"""What a rival is: a network on the same encoder and tokenizer as permend's, with labels of its own.

In: a `ModelConfig`, what was `learned` from the pairs before training (tags, for instance), an encoder. Out: sums of a
batch's losses while it learns, `Guess`es for sentences when it corrects. Everything else, data, batches, loop,
checkpoints, scores, is the same for all of them and for permend itself.

A rival is one file with a `System`: `labels` says what a pair looks like to it, `forward` what a batch costs, `guess`
what it makes of sentences. It is saved as a folder:

    config.json · model.safetensors · tokenizer.json     as a permend model's (`permend.model.torch.folder`)
    system.json                                          {"system": "ar", "learned": {}}
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import torch
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn import functional

from experiments.rivals.labels import Labels
from permend.corpora.pairs import Pair
from permend.errors import InputError, PermendError
from permend.model.config import ModelConfig
from permend.model.torch.backbone import Backbone, build_backbone, config_from_dict
from permend.model.torch.folder import CONFIG, TOKENIZER, WEIGHTS, read_folder
from permend.model.torch.network import load_weights
from permend.text.json_file import SETTINGS, parse_json, read_text
from permend.text.tokens import SubwordTokenizer, Tokenizer, Tokens
from permend.training.task import Term

SYSTEM = "system.json"


@dataclass(frozen=True)
class Decoding:
    """How a rival corrects: every rival has a dataclass of its own, frozen, with defaults."""


@dataclass(frozen=True)
class Guess:
    """What a rival makes of a sentence."""

    text: str
    confidence: float = 0.0
    """Log-odds or log-probability; only comparable among the sentences of one rival."""
    passes: int = 1
    """How often a network was run for it, one after the other: what makes a system slow."""


class System(nn.Module):
    """A rival's network."""

    name: ClassVar[str]
    """What recipes and folders call it."""
    terms: ClassVar[tuple[Term, ...]]
    """What its loss is made of, and what is only reported."""
    decodings: ClassVar[type[Decoding]] = Decoding
    """How it can be made to correct."""

    def __init__(self, config: ModelConfig, learned: Mapping[str, Any], backbone: Backbone) -> None:
        """Build the network; a subclass adds its layers."""
        super().__init__()
        self.config, self.learned = config, dict(learned)
        self.backbone = backbone
        self.tokenizer_json: str | None = None

    @classmethod
    def learn(cls, pairs: Iterable[Pair], tokenizer: Tokenizer, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return plain values that are settled before training, from the first pairs and the recipe's options."""
        return dict(options)

    @abstractmethod
    def labels(self, tokenizer: Tokenizer) -> Labels:
        """Return what turns pairs into rows."""

    def start_from_encoder(self) -> None:
        """Start new layers as copies of the encoder's last ones, where the rival has layers like these."""

    @abstractmethod
    def forward(self, columns: Mapping[str, Tensor]) -> tuple[Tensor, ...]:
        """Return the sums of the terms over a batch, in their order."""

    @abstractmethod
    def guess(self, sentences: Sequence[Tokens], tokenizer: Tokenizer, how: Any) -> list[Guess]:
        """Correct sentences of any lengths, all at once; `how` is one of its `decodings`."""

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.backbone.embeddings.device

    def memory(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        """Return the encoder's states (B, L, d) of `ids` (B, L), -1 where there is nothing, and where they hold."""
        mask = ids >= 0
        states: Tensor = self.backbone(torch.where(mask, ids, self.config.pad_id), mask)
        return states, mask

    def batch_of(self, rows: Sequence[Sequence[int]]) -> Tensor:
        """Return rows of numbers as a tensor (B, L) on the network's device, padded with -1."""
        width = max(map(len, rows))
        return torch.tensor([[*row, *[-1] * (width - len(row))] for row in rows], device=self.device)

    def save(self, folder: Path) -> None:
        """Write a folder, which does not exist yet."""
        folder.mkdir(parents=True)
        (folder / CONFIG).write_text(self.config.to_json(), encoding="utf-8")
        weights = {name: value.detach().contiguous() for name, value in self.state_dict().items()}
        save_file(weights, folder / WEIGHTS)
        (folder / TOKENIZER).write_text(str(self.tokenizer_json), encoding="utf-8")
        said = {"system": self.name, "learned": self.learned}
        (folder / SYSTEM).write_text(json.dumps(said, ensure_ascii=False) + "\n", encoding="utf-8")


class Output(nn.Module):
    """A masked-language head whose matrix is the embeddings', as permend's decoder has one."""

    forbidden: Tensor

    def __init__(self, config: ModelConfig, allowed: Sequence[int] = ()) -> None:
        """Make the bias; of the special tokens only those that are `allowed` can come out."""
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))
        never = {*config.unfillable, config.pad_id} - set(allowed)
        forbidden = torch.zeros(config.vocab_size)
        forbidden[sorted(never)] = float("-inf")
        self.register_buffer("forbidden", forbidden, persistent=False)

    def forward(self, states: Tensor, embeddings: Tensor) -> Tensor:
        """Return float32 logits (…, V) of states (…, d)."""
        return functional.linear(states, embeddings[: len(self.bias)]).float() + self.bias + self.forbidden


Sums: TypeAlias = tuple[Tensor, Tensor]


def cross_entropy(logits: Tensor, targets: Tensor, weights: Tensor | None = None) -> Sums:
    """Return the sum of −log p over the targets (…,) that are not -1, and how many are the most probable.

    `logits` (…, V); `weights` (V,) multiply the loss of some targets.
    """
    flat, wanted = logits.flatten(0, -2).float(), targets.flatten()
    loss = functional.cross_entropy(flat, wanted, weights, ignore_index=-1, reduction="sum")
    return loss, (flat.detach().argmax(-1) == wanted).sum()


def load_system(folder: str | Path, dropout: float | None = None) -> System:
    """Load the folder of any rival, in evaluation mode."""
    from experiments.rivals import find_system

    where = Path(folder)
    config, weights, tokenizer_json = read_folder(where)
    name, learned = _read_system(where)
    kind = find_system(name)
    encoder = config_from_dict(config.encoder)
    backbone = build_backbone(
        encoder, config.encoder_layers, config.slots, config.dropout if dropout is None else dropout
    )
    system = kind(config, learned, backbone)
    load_weights(system, weights, folder)
    system.tokenizer_json = tokenizer_json
    return system.eval()


def tokenizer_of(system: System) -> SubwordTokenizer:
    """Return a system's tokenizer, if it fits."""
    if system.tokenizer_json is None:
        raise PermendError("the system has no tokenizer")
    tokenizer = SubwordTokenizer(system.tokenizer_json)
    if tokenizer.size > system.config.vocab_size:
        raise PermendError(
            f"the tokenizer has {tokenizer.size} tokens, the encoder embeds only {system.config.vocab_size}"
        )
    return tokenizer


def _read_system(folder: Path) -> tuple[str, dict[str, Any]]:
    try:
        values = parse_json(read_text(folder / SYSTEM, SETTINGS))
        return str(values["system"]), dict(values["learned"])
    except FileNotFoundError:
        raise InputError("this is no rival's folder: it has no system.json", folder) from None
    except (PermendError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"no readable description of a rival ({error})", folder / SYSTEM) from None
