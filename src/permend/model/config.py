"""What a model is, apart from its weights: the `config.json` of a model folder, read without torch.

In: a JSON text or a file. Out: a `ModelConfig`, or a `PermendError` whose sentence says what is wrong.
Training, export and the torch-free runtime all read the same object, so a folder is all one needs.

>>> config = ModelConfig(vocab_size=40, d=32, max_length=64, start_id=0, end_id=2, pad_id=1, mask_id=4)
>>> config.slots, config.masks, config.slot_id(0)
(8, 3, 40)
>>> config.unfillable
(0, 2, 4)
>>> ModelConfig.from_json(config.to_json()) == config
True

The defaults are the paper's (Section 4.3): eight slots, three masks each, two decoder layers, no extras.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import NoneType
from typing import Any

from permend.errors import InputError, PermendError, shown
from permend.text.json_file import SETTINGS, parse_json, read_text

FORMAT = 1
"""The version of `config.json` that this release writes, and the newest it can read."""
MOST: Mapping[str, int] = {
    "vocab_size": 10_000_000,
    "d": 100_000,
    "max_length": 100_000,
    "slots": 1_000,
    "masks": 100,
    "decoder_layers": 1_000,
    "encoder_layers": 1_000,
    "sinkhorn_steps": 1_000,
}
"""Values far above those of any network: a larger one is a mistake, or meant to fill the memory."""

_KEYS = {"tokenizer_size": "tokens"}  # fields whose key in `config.json` has another name
_KINDS: Mapping[str, tuple[type, ...]] = {
    "int": (int,),
    "int | None": (int, NoneType),
    "float": (int, float),
    "float | None": (int, float, NoneType),
    "bool": (bool,),
    "str": (str,),
    "Mapping[str, Any]": (Mapping,),
}


@dataclass(frozen=True)
class ModelConfig:
    """Shapes, special tokens and options of one network; every field is a key of `config.json`."""

    vocab_size: int
    """Number of ids V that the encoder embeds; slot k has the id V + k in the enlarged embedding matrix."""
    d: int
    """Width of the encoder's states, and of everything built on them."""
    max_length: int
    """Longest row of ids the encoder takes, slots included."""
    start_id: int
    """Id of `<s>`, the first token of every sentence."""
    end_id: int
    """Id of `</s>`, the last token of every sentence."""
    pad_id: int
    """Id of `<pad>`: padding, and the fill of a mask that stays empty."""
    mask_id: int
    """Id of `<mask>`, which stands in the template until it is filled."""
    unknown_id: int | None = None
    """Id of `<unk>`; None where the vocabulary can spell every text."""
    tokenizer_size: int | None = None
    """Number of ids that the tokenizer has, where the embeddings were padded to more; None where it has all V.

    Its key in `config.json` is ``tokens``.
    """
    slots: int = 8
    """Insertion slots s appended to a sentence, at most."""
    masks: int = 3
    """Masks that a used slot becomes in the template."""
    decoder_layers: int = 2
    """Blocks of the decoder."""
    sinkhorn_steps: int = 0
    """Steps of row and column normalisation on the pointer scores (an ablation of the paper's)."""
    next_bonus: float | None = None
    """Starting value of a learned bonus on the next source token; None leaves it out, as in the paper."""
    memory_input: bool = False
    """Whether the decoder's input also gets a linear map of the permuted memory H[π]."""
    output_head: bool = False
    """Whether a dense layer and a norm stand before the tied output, as in a masked-language head."""
    dropout: float = 0.1
    """Dropout on hidden states while training, in the encoder and in what is built on it."""
    encoder_layers: int | None = None
    """Layers of the encoder that are used, from the first; None for all."""
    language: str = ""
    """What it corrects, as ``en``; chooses what types, explains and vets edits (`permend.corrector.explaining`)."""
    encoder: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """The encoder's own Hugging Face configuration; only torch code reads it."""
    format: int = FORMAT
    """Version of this file's format."""

    def __post_init__(self) -> None:
        """Refuse values that no network can have."""
        _check_types(self)
        if self.format > FORMAT:
            raise PermendError(
                f"the model has config format {self.format}, this permend reads up to {FORMAT}: upgrade permend"
            )
        for name in ("format", "vocab_size", "d", "max_length", "slots", "masks", "decoder_layers"):
            if getattr(self, name) < 1:
                raise PermendError(f"model config: {name} must be at least 1, not {getattr(self, name)}")
        if self.sinkhorn_steps < 0:
            raise PermendError(f"model config: sinkhorn_steps must not be negative, not {self.sinkhorn_steps}")
        if self.encoder_layers is not None and self.encoder_layers < 1:
            raise PermendError(f"model config: encoder_layers must be at least 1, not {self.encoder_layers}")
        for name, most in MOST.items():
            if (getattr(self, name) or 0) > most:
                raise PermendError(f"model config: {name} must be at most {most:,}, not {shown(getattr(self, name))}")
        if not 0 <= self.dropout < 1:
            raise PermendError(f"model config: dropout must be in [0, 1), not {self.dropout}")
        if self.tokenizer_size is not None and not 1 <= self.tokenizer_size <= self.vocab_size:
            raise PermendError(
                f"model config: {self.tokenizer_size} tokens do not fit a vocabulary of {self.vocab_size}"
            )
        for name in ("start_id", "end_id", "pad_id", "mask_id", "unknown_id"):
            if not 0 <= (getattr(self, name) or 0) < self.known_ids:
                raise PermendError(f"model config: {name} {getattr(self, name)} is outside the vocabulary")

    @property
    def known_ids(self) -> int:
        """Number of ids that the tokenizer has."""
        return self.tokenizer_size or self.vocab_size

    def slot_id(self, k: int) -> int:
        """Return the id of slot `k`, counted from 0."""
        return self.vocab_size + k

    @property
    def unfillable(self) -> tuple[int, ...]:
        """Ids that the decoder never writes: special tokens but `<pad>`, and what the tokenizer does not know."""
        special = {i for i in (self.start_id, self.end_id, self.mask_id, self.unknown_id) if i is not None}
        return (*sorted(special - {self.pad_id}), *range(self.known_ids, self.vocab_size))

    def to_json(self) -> str:
        """Return the text of `config.json`."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, sort_keys=True) + "\n"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values by their keys in `config.json`."""
        return {_KEYS.get(name, name): value for name, value in dataclasses.asdict(self).items()}

    @classmethod
    def from_json(cls, text: str) -> ModelConfig:
        """Read what `to_json` wrote."""
        try:
            values = parse_json(text)
        except PermendError as error:
            raise PermendError(f"model config: {error}") from None
        if not isinstance(values, dict):
            raise PermendError("model config: not a JSON object")
        return cls.from_dict(values)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ModelConfig:
        """Build a config from plain values by their keys in `config.json`; unknown and missing ones are refused."""
        version = values.get("format", FORMAT)
        if isinstance(version, int) and version > FORMAT:  # before its new keys look like mistakes
            raise PermendError(
                f"the model has config format {version}, this permend reads up to {FORMAT}: upgrade permend"
            )
        known = {_KEYS.get(f.name, f.name): f for f in dataclasses.fields(cls)}
        if unknown := sorted(set(values) - set(known)):
            raise PermendError(f"model config: unknown key {', '.join(map(shown, unknown))}")
        required = [
            name
            for name, f in known.items()
            if f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING
        ]
        if missing := [name for name in required if name not in values]:
            raise PermendError(f"model config: missing key {', '.join(map(repr, missing))}")
        return cls(**{known[key].name: value for key, value in values.items()})

    @classmethod
    def from_file(cls, path: str | Path) -> ModelConfig:
        """Read a `config.json`; errors name the file."""
        try:
            text = read_text(path, SETTINGS)
        except FileNotFoundError:
            raise InputError("the model's config cannot be read: there is no such file", path) from None
        try:
            return cls.from_json(text)
        except PermendError as error:
            raise InputError(str(error), path) from None


def _check_types(config: ModelConfig) -> None:
    for own in dataclasses.fields(config):
        value = getattr(config, own.name)
        fits = isinstance(value, _KINDS[str(own.type)]) and (own.type == "bool" or not isinstance(value, bool))
        if not fits:
            raise PermendError(
                f"model config: {_KEYS.get(own.name, own.name)} has a value of the wrong kind: {shown(value)}"
            )
