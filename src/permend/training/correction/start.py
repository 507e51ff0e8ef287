"""Where a run begins: the recipe's model as a network.

In: the model section of a recipe. Out: a `PointerInfiller` with its tokenizer's text, in training mode. It begins as a
pretrained encoder with new layers on top, as a trained or exported permend model, or as nothing but a configuration.
`plan_config` tells what it will look like without loading or making any weights, `estimate_memory` what it will weigh.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from permend.errors import InputError, PermendError
from permend.model.config import ModelConfig
from permend.model.pretrained import model_folder
from permend.model.torch.backbone import config_from_dict, config_to_dict, load_config
from permend.model.torch.folder import is_exported
from permend.model.torch.network import PointerInfiller, exported_config
from permend.model.torch.start import new_network, token_fields
from permend.text.tokens import SubwordTokenizer
from permend.training.correction.recipe import INSTALLED, Model, Recipe
from permend.training.memory import Estimate, estimate

_OPTIONS = (
    "slots",
    "masks",
    "decoder_layers",
    "sinkhorn_steps",
    "next_bonus",
    "memory_input",
    "output_head",
    "dropout",
)
_SPECIAL = ("start_id", "end_id", "pad_id", "mask_id")
_UNBOUNDED_LENGTH = 512  # for encoders with relative positions, as for pretrained ones
_MASKS_PER_POSITION = 0.15  # masks to fill for each source position, typically


def make_network(model: Model, seed: int) -> PointerInfiller:
    """Build the network to train; new weights depend on the seed alone."""
    model.check()
    torch.manual_seed(seed)
    if model.start:
        folder = _start(model.start)
        load = PointerInfiller.from_exported if is_exported(folder) else PointerInfiller.from_pretrained
        network = load(folder, dropout=model.dropout)
    elif model.encoder:
        network = new_network(model.encoder, model.init, model.layers, **_options(model))
    else:
        if model.init == "encoder":
            raise PermendError("model.init = 'encoder' copies pretrained layers: it needs model.encoder")
        network = PointerInfiller(plan_config(model))
        network.tokenizer_json = _read_tokenizer(model)
    return network.train()


def plan_config(model: Model) -> ModelConfig:
    """Return the config of the network that `make_network` would build; a pretrained encoder's weights stay unread."""
    model.check()
    if model.start:
        folder = _start(model.start)
        if is_exported(folder):
            return exported_config(folder)
        return ModelConfig.from_file(folder / "config.json")
    if model.encoder:
        source = load_config(model.encoder)
        known: dict[str, int | None] = dict.fromkeys(_SPECIAL, 0)  # sizes do not depend on the special tokens
    else:
        known = token_fields(SubwordTokenizer(_read_tokenizer(model), str(model.tokenizer)))
        source = config_from_dict({**_from_tokenizer(known), **model.encoder_config})
    fields: dict[str, Any] = {
        "vocab_size": source.vocab_size,
        "d": source.hidden_size,
        "max_length": getattr(source, "max_position_embeddings", None) or _UNBOUNDED_LENGTH,
        "encoder_layers": model.layers,
        "encoder": config_to_dict(source),
        **known,
    }
    return ModelConfig.from_dict({**fields, **_options(model)})


def estimate_memory(recipe: Recipe) -> Estimate:
    """Estimate what a run of the recipe takes on a GPU."""
    config, options = plan_config(recipe.model), recipe.optimisation
    with torch.device("meta"):
        network = PointerInfiller(config)
    tokens, passes = options.tokens_per_batch, 1 if options.lambda_0 == 1 else 2
    blocks = int(network.backbone.config.num_hidden_layers) + 1 + 2 * config.decoder_layers
    logits = passes * int(tokens * _MASKS_PER_POSITION) * config.vocab_size
    return estimate(network, options, tokens * config.d * blocks, logits)


def tokenizer_of(network: PointerInfiller) -> SubwordTokenizer:
    """Return the tokenizer that a network carries, if it fits."""
    if network.tokenizer_json is None:
        raise PermendError("the model has no tokenizer.json: training needs one")
    tokenizer = SubwordTokenizer(network.tokenizer_json)
    if tokenizer.size > network.config.vocab_size:
        raise PermendError(
            f"the tokenizer has {tokenizer.size} tokens, the encoder embeds only {network.config.vocab_size}"
        )
    return tokenizer


def _start(name: str) -> Path:
    """Return the folder to go on from; exported files are compared with their hashes."""
    return model_folder(None if name == INSTALLED else name)


def _options(model: Model) -> dict[str, Any]:
    return {name: getattr(model, name) for name in _OPTIONS}


def _from_tokenizer(known: dict[str, int | None]) -> dict[str, int | None]:
    """Return what a tokenizer says about an encoder's configuration, under Hugging Face's names."""
    start, end = known["start_id"], known["end_id"]
    return {
        "vocab_size": known["tokens"],
        "pad_token_id": known["pad_id"],
        **dict.fromkeys(("bos_token_id", "cls_token_id", "decoder_start_token_id"), start),
        **dict.fromkeys(("eos_token_id", "sep_token_id"), end),
    }


def _read_tokenizer(model: Model) -> str:
    path = Path(str(model.tokenizer))
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the tokenizer cannot be read: {error}", path) from None
