"""A new network on a pretrained encoder: random layers as in the paper, or copies of the encoder's own.

In: a Hugging Face folder or hub name and the options of `ModelConfig`. Out: a `PointerInfiller` ready to train.

    network = new_network("answerdotai/ModernBERT-base", init="encoder", next_bonus=4.0, output_head=True)

With ``init="encoder"`` the pointer's block and the decoder's blocks start as the encoder's last layers
(cross-attention as their self-attention), norms likewise, and an output head as the checkpoint's masked-language
head. Only a layout like ours can be copied: pre-norm, rotary, ModernBERT's.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, cast

import torch
from torch import Tensor, nn
from transformers import AutoModelForMaskedLM, AutoTokenizer

from permend.errors import InputError, PermendError
from permend.model.config import ModelConfig
from permend.model.torch.backbone import Backbone, config_to_dict, load_backbone, load_config, quiet
from permend.model.torch.layers import Block
from permend.model.torch.network import PointerInfiller
from permend.text.tokens import SubwordTokenizer, Tokenizer

Init = Literal["random", "encoder"]
_UNBOUNDED_LENGTH = 512  # for encoders with relative positions, which have no limit of their own


def new_network(
    path: str | Path,
    init: Init = "random",
    encoder_layers: int | None = None,
    max_length: int | None = None,
    **options: Any,
) -> PointerInfiller:
    """Build a network on the encoder at `path`; `options` are further fields of `ModelConfig`."""
    tokenizer_json = tokenizer_text(path)
    known = token_fields(SubwordTokenizer(tokenizer_json, path))
    source = load_config(path)
    fields: dict[str, Any] = {"vocab_size": source.vocab_size, "d": source.hidden_size, **known, **options}
    draft = ModelConfig.from_dict({**fields, "max_length": 1})  # checks the options before anything is loaded
    backbone = load_backbone(path, encoder_layers, draft.slots, draft.mask_id, draft.dropout)
    limit = backbone.max_positions or max_length or _UNBOUNDED_LENGTH
    config = ModelConfig.from_dict(
        {
            **fields,
            "max_length": min(limit, max_length or limit),
            "encoder_layers": encoder_layers,
            "encoder": config_to_dict(source),
        }
    )
    network = PointerInfiller(config, backbone)
    network.tokenizer_json = tokenizer_json
    if init == "encoder":
        copy_encoder_layers(network)
        copy_output_head(network, path)
    elif init != "random":
        raise PermendError(f"init must be 'random' or 'encoder', not {init!r}")
    return network


def token_fields(tokenizer: Tokenizer) -> dict[str, int | None]:
    """Return those fields of a `ModelConfig` that its tokenizer decides."""
    return {
        "start_id": tokenizer.start,
        "end_id": tokenizer.end,
        "pad_id": tokenizer.pad,
        "mask_id": tokenizer.mask,
        "unknown_id": tokenizer.unknown,
        "tokens": tokenizer.size,
    }


@torch.no_grad()
def copy_encoder_layers(network: PointerInfiller) -> None:
    """Start the pointer's and the decoder's blocks from the encoder's last layers."""
    pointer, decoder = network.pointer, network.decoder
    copy_layers(network.backbone, [pointer.block], pointer.norm)
    copy_layers(network.backbone, [cast(Block, block) for block in decoder.blocks], decoder.norm, decoder.input_norm)


@torch.no_grad()
def copy_layers(
    backbone: Backbone, blocks: Sequence[Block], norm: nn.LayerNorm, input_norm: nn.LayerNorm | None = None
) -> None:
    """Start blocks, the norm behind and the norm before them from the encoder's last layers and its norms."""
    _require_modernbert(backbone)
    encoder = cast(Any, backbone.encoder)
    layers = list(encoder.layers)
    if len(layers) < len(blocks):
        raise PermendError(f"{len(blocks)} decoder layers cannot start from an encoder of {len(layers)}")
    for layer, block in zip(layers[len(layers) - len(blocks) :], blocks, strict=True):
        _copy_layer(layer, block)
    _copy(encoder.final_norm.weight, norm.weight)
    if input_norm is not None:
        _copy(encoder.embeddings.norm.weight, input_norm.weight)


@torch.no_grad()
def copy_output_head(network: PointerInfiller, path: str | Path) -> None:
    """Start the output from the masked-language head of the checkpoint at `path`, where the network has one."""
    head = network.decoder.head
    if head is None:
        return
    with quiet():
        model, info = AutoModelForMaskedLM.from_pretrained(path, dtype=torch.float32, output_loading_info=True)
    if any(key.startswith(("head.", "decoder.bias")) for key in info["missing_keys"]):
        raise PermendError(f"{path}: no masked-language head to start the output from: set output_head to false")
    _copy(model.head.dense.weight, head.dense.weight)
    _copy(model.head.norm.weight, head.norm.weight)
    if model.decoder.bias is not None:
        _copy(model.decoder.bias, network.decoder.output_bias)


def _copy_layer(layer: Any, block: Block) -> None:
    """Copy one ModernBERT layer into one of our blocks."""
    pairs: list[tuple[Tensor, Tensor]] = [
        (layer.attn.Wqkv.weight, block.attention.qkv.weight),
        (layer.attn.Wo.weight, block.attention.out.weight),
        (layer.mlp_norm.weight, block.mlp_norm.weight),
        (layer.mlp.Wi.weight, block.mlp.up.weight),
        (layer.mlp.Wo.weight, block.mlp.down.weight),
    ]
    norms: list[nn.LayerNorm] = [block.attention_norm]
    if block.cross is not None and block.cross_norm is not None:
        d = block.cross.q.weight.shape[0]
        pairs += [
            (layer.attn.Wqkv.weight[:d], block.cross.q.weight),
            (layer.attn.Wqkv.weight[d:], block.cross.kv.weight),
            (layer.attn.Wo.weight, block.cross.out.weight),
        ]
        norms.append(block.cross_norm)
    if isinstance(layer.attn_norm, nn.LayerNorm):  # the very first layer has none
        pairs += [(layer.attn_norm.weight, norm.weight) for norm in norms]
    for source, target in pairs:
        _copy(source, target)


def _copy(source: Tensor, target: Tensor) -> None:
    if source.shape != target.shape:
        raise PermendError(f"a weight of shape {tuple(source.shape)} cannot start one of {tuple(target.shape)}")
    target.copy_(source)


def _require_modernbert(backbone: Backbone) -> None:
    family = backbone.config.model_type
    if family != "modernbert" or backbone.shape.bias:
        raise PermendError(
            f"init = 'encoder' needs a ModernBERT without biases, whose layers are like ours; "
            f"a {family} encoder takes init = 'random'"
        )


def tokenizer_text(path: str | Path) -> str:
    """Return the text of the tokenizer.json that belongs to a folder or a hub name."""
    local = Path(path) / "tokenizer.json"
    if local.is_file():
        return local.read_text(encoding="utf-8")
    try:
        return cast(str, AutoTokenizer.from_pretrained(path).backend_tokenizer.to_str())
    except (OSError, ValueError, AttributeError) as error:
        raise InputError("no tokenizer.json there, nor a tokenizer that can be made into one", path) from error
