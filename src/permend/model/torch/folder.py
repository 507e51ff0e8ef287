"""A model as a folder of four files, all one needs: config, weights, tokenizer, model card.

    my-model/config.json         ModelConfig, the encoder's own configuration inside it
    my-model/model.safetensors   every weight once (the output is tied to the embeddings and not stored again)
    my-model/tokenizer.json      as the `tokenizers` library reads it
    my-model/README.md           the model card

In and out: exactly these, as plain values; the network itself is built by `network`.
"""

from __future__ import annotations

from pathlib import Path

from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from permend.errors import InputError, PermendError
from permend.model.config import ModelConfig
from permend.model.folder import model_card
from permend.model.onnx import ENCODER
from permend.text.json_file import read_text
from permend.text.tokens import LARGEST

CONFIG, WEIGHTS, TOKENIZER, CARD = "config.json", "model.safetensors", "tokenizer.json", "README.md"


def write_folder(
    folder: Path, config: ModelConfig, weights: dict[str, Tensor], tokenizer_json: str | None, notes: str = ""
) -> None:
    """Write the four files (three without a tokenizer), making the folder where needed."""
    if folder.exists() and not folder.is_dir():
        raise InputError("a file is in the way of the model folder", folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CONFIG).write_text(config.to_json(), encoding="utf-8")
    save_file({name: value.detach().contiguous() for name, value in weights.items()}, folder / WEIGHTS)
    if tokenizer_json is not None:
        (folder / TOKENIZER).write_text(tokenizer_json, encoding="utf-8")
    parameters = sum(value.numel() for value in weights.values() if value.is_floating_point())
    (folder / CARD).write_text(model_card(folder.name, config, parameters, notes), encoding="utf-8")


def is_exported(folder: Path) -> bool:
    """Whether a folder holds graphs and no weights of a trained model."""
    return (folder / ENCODER).is_file() and not (folder / WEIGHTS).is_file()


def read_folder(folder: Path) -> tuple[ModelConfig, dict[str, Tensor], str | None]:
    """Read config, weights and the tokenizer's text; without a tokenizer file the last is None."""
    if not folder.is_dir():
        raise InputError("no such model folder", folder)
    config = ModelConfig.from_file(folder / CONFIG)
    if is_exported(folder):
        raise PermendError(f"{folder}: this is an exported model; only a trained one will do here")
    if not config.encoder:
        raise PermendError(f"{folder}: config.json has no encoder configuration")
    try:
        weights = load_file(folder / WEIGHTS)
    except FileNotFoundError as error:
        raise InputError("the model folder has no model.safetensors", folder) from error
    except (SafetensorError, OSError) as error:
        raise InputError(f"not a readable safetensors file ({error})", folder / WEIGHTS) from error
    return config, weights, read_tokenizer(folder)


def read_tokenizer(folder: Path) -> str | None:
    """Read the tokenizer's text; None where the folder has none."""
    try:
        return read_text(folder / TOKENIZER, LARGEST)
    except FileNotFoundError:
        return None
