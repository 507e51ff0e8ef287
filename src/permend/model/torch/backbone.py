"""The encoder of any Hugging Face checkpoint: ids in, last hidden states H out (Section 3.1).

In: a folder, a hub name or a transformers configuration. Out: a `Backbone` whose forward is the same for
every family: `backbone(ids, mask)` gives the memory (B, L, d). An encoder–decoder model gives its encoder,
poolers are dropped, only the first k layers are kept where asked for, and the embedding matrix gains one row
per insertion slot, which starts as the row of `<mask>` plus a little noise.

    backbone = load_backbone("answerdotai/ModernBERT-base", layers=12, slots=8, mask_id=50284)
    memory = backbone(ids, mask)    # ids (B, L) with slot k = vocab_size + k; mask (B, L), True where valid

Padding stands at the end of a row; families count their positions from the row's start either way.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import AutoConfig, AutoModel, PretrainedConfig
from transformers.utils import logging as transformers_logging

from permend.errors import PermendError, first_line
from permend.model.torch.layers import BlockShape

_MLP_WIDTHS = ("intermediate_size", "encoder_ffn_dim", "hidden_dim", "d_ff")
_NORM_EPSILONS = ("norm_eps", "layer_norm_eps", "layer_norm_epsilon")
_DROPOUTS = ("dropout", "dropout_rate", "hidden_dropout_prob", "embedding_dropout", "mlp_dropout")
_DECODER_DEPTHS = ("decoder_layers", "num_decoder_layers")
_NOT_KEPT = ("architectures", "dtype", "id2label", "label2id", "transformers_version")
_NO_BIAS = ("t5", "mt5", "umt5", "longt5")


class Backbone(nn.Module):
    """A family's encoder behind one forward, with the facts that the layers built on it need."""

    def __init__(self, encoder: nn.Module, config: PretrainedConfig, shape: BlockShape) -> None:
        """Take an encoder whose embeddings are already enlarged; `config` is the one before that."""
        super().__init__()
        self.encoder = encoder
        self.config = config
        self.shape = shape
        self.max_positions = _max_positions(encoder, config)
        if hasattr(encoder, "layerdrop"):
            # BART draws a random number per layer in Python, which breaks a compiled graph: see `train`.
            norm = cast(nn.Module, encoder.layernorm_embedding)
            norm.register_forward_hook(partial(_drop_output, p=float(getattr(config, "dropout", 0.0))))

    @property
    def embeddings(self) -> nn.Parameter:
        """The embedding matrix (V + s, d), slots last."""
        return cast(nn.Parameter, cast(Any, self.encoder).get_input_embeddings().weight)

    def train(self, mode: bool = True) -> Backbone:
        """Switch to training; BART's outer module stays in evaluation, its dropout being done by a hook."""
        super().train(mode)
        if hasattr(self.encoder, "layerdrop"):
            self.encoder.training = False
        return self

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return the memory (B, L, d) of `ids` (B, L); `mask` (B, L) is True at valid positions."""
        if self.max_positions is not None and ids.shape[1] > self.max_positions:
            raise PermendError(f"a row of {ids.shape[1]} positions is longer than the encoder's {self.max_positions}")
        output = self.encoder(input_ids=ids, attention_mask=mask, return_dict=True)
        return cast(Tensor, output.last_hidden_state)  # (B, L, d)


def build_backbone(
    config: PretrainedConfig, layers: int | None = None, slots: int = 8, dropout: float | None = None
) -> Backbone:
    """Build an encoder with random weights from a transformers configuration, which is left as it is."""
    own = _adapted(config, layers, dropout)
    enlarged = copy.deepcopy(own)
    enlarged.vocab_size = own.vocab_size + slots
    encoder = _encoder_of(cast(Any, AutoModel).from_config(enlarged))
    return Backbone(encoder, own, _shape(own))


def load_backbone(
    path: str | Path,
    layers: int | None = None,
    slots: int = 8,
    mask_id: int | None = None,
    dropout: float | None = None,
) -> Backbone:
    """Load a pretrained encoder from a folder or the hub, in float32; slots start as the row `mask_id`."""
    own = _adapted(load_config(path), layers, dropout)
    with quiet():
        try:
            model, info = AutoModel.from_pretrained(path, config=own, dtype=torch.float32, output_loading_info=True)
        except (OSError, ValueError, RuntimeError) as error:
            raise PermendError(f"{path}: the encoder's weights cannot be loaded ({first_line(error)})") from error
    absent = sorted(k for k in info["missing_keys"] if "pooler" not in k and not _is_decoder_key(k))
    if absent:
        raise PermendError(f"{path}: the checkpoint lacks {len(absent)} weights of the encoder, e.g. {absent[0]}")
    encoder = _encoder_of(model)
    _enlarge(encoder, slots, mask_id)
    return Backbone(encoder, own, _shape(own))


def load_config(path: str | Path) -> PretrainedConfig:
    """Read the transformers configuration of a folder or a hub name."""
    try:
        return cast(PretrainedConfig, AutoConfig.from_pretrained(path))
    except (OSError, ValueError) as error:
        raise PermendError(f"{path}: no Hugging Face configuration there ({first_line(error)})") from error


def config_to_dict(config: PretrainedConfig) -> dict[str, Any]:
    """Return what a model's `config.json` keeps of a transformers configuration: no dtype, origin or labels."""
    return {key: value for key, value in config.to_dict().items() if key not in _NOT_KEPT and not key.startswith("_")}


def config_from_dict(values: Mapping[str, Any]) -> PretrainedConfig:
    """Turn the encoder's part of a model's `config.json` back into a transformers configuration."""
    options = dict(values)
    try:
        return AutoConfig.for_model(options.pop("model_type"), **options)
    except (KeyError, ValueError, TypeError) as error:
        raise PermendError(f"the model's encoder configuration is unusable ({first_line(error)})") from error


def _adapted(config: PretrainedConfig, layers: int | None, dropout: float | None) -> PretrainedConfig:
    """Return a copy of `config` with the wanted depth and dropout, and no decoder."""
    own = copy.deepcopy(config)
    own.dtype = torch.float32  # weights are float32 however the checkpoint stores them; autocast does the rest
    if layers is not None:
        if not 1 <= layers <= own.num_hidden_layers:
            raise PermendError(f"the encoder has {own.num_hidden_layers} layers, {layers} were asked for")
        own.num_hidden_layers = layers
        if getattr(own, "layer_types", None):  # ModernBERT: full or sliding attention, layer by layer
            own.layer_types = own.layer_types[:layers]
    for name in _DROPOUTS if dropout is not None else ():
        if hasattr(own, name):
            setattr(own, name, dropout)
    for name in _DECODER_DEPTHS if own.is_encoder_decoder else ():
        if hasattr(own, name):
            setattr(own, name, 0)
    return own


def _encoder_of(model: Any) -> nn.Module:
    encoder = model.get_encoder() if model.config.is_encoder_decoder else model
    if getattr(encoder, "pooler", None) is not None:
        encoder.pooler = None
    return cast(nn.Module, encoder)


def _enlarge(encoder: Any, slots: int, mask_id: int | None) -> None:
    """Add `slots` rows to the embeddings, in place so that scaled embeddings keep their class."""
    table = encoder.get_input_embeddings()
    weight: Tensor = table.weight.detach()  # (V, d)
    seed = weight.mean(0) if mask_id is None else weight[mask_id]
    rows = seed + 0.1 * weight.std() * torch.randn(slots, weight.shape[1])  # (s, d)
    table.weight = nn.Parameter(torch.cat([weight, rows.to(weight)]))
    table.num_embeddings = table.weight.shape[0]


def _shape(config: PretrainedConfig) -> BlockShape:
    """Read off the encoder what the blocks built on it should look like."""
    width = int(config.hidden_size)
    heads = int(config.num_attention_heads)
    if width % heads or (width // heads) % 2:  # some T5s have heads that do not divide the width
        heads = max(1, width // 64)
    modern = config.model_type == "modernbert"
    return BlockShape(
        width=width,
        heads=heads,
        hidden=int(_first(config, _MLP_WIDTHS, 4 * width)),
        gated=modern or bool(getattr(config, "is_gated_act", False)),
        bias=bool(getattr(config, "mlp_bias", config.model_type not in _NO_BIAS)),
        norm_eps=float(_first(config, _NORM_EPSILONS, 1e-5)),
        rope_theta=_rope_theta(config),
        dropout=float(_first(config, _DROPOUTS, 0.0)),
    )


def _rope_theta(config: PretrainedConfig) -> float:
    """Return the rotary base of the encoder's last layer, or the usual one where it has none."""
    parameters = getattr(config, "rope_parameters", None) or {}
    types = getattr(config, "layer_types", None)
    parameters = parameters.get(types[-1], parameters) if types else parameters
    return float(parameters.get("rope_theta", 10_000.0))


def _max_positions(encoder: nn.Module, config: PretrainedConfig) -> int | None:
    """Return how many positions the encoder has; None where they are relative and unbounded."""
    limit = getattr(config, "max_position_embeddings", None)
    if limit is None:
        return None
    table = getattr(getattr(encoder, "embeddings", None), "position_embeddings", None)
    first = getattr(table, "padding_idx", None)
    return int(limit) if first is None else int(limit) - first - 1  # RoBERTa counts from behind <pad>


def _first(config: PretrainedConfig, names: tuple[str, ...], default: float) -> float:
    return next((getattr(config, name) for name in names if getattr(config, name, None) is not None), default)


def _drop_output(module: nn.Module, inputs: object, output: Tensor, p: float) -> Tensor:
    return functional.dropout(output, p, module.training)


def _is_decoder_key(key: str) -> bool:
    return key.startswith(("decoder.", "model.decoder.", "shared."))


@contextmanager
def quiet() -> Iterator[None]:
    """Keep transformers from drawing bars and from reporting the weights that are left out on purpose."""
    log = cast(Any, transformers_logging)
    level, bars = log.get_verbosity(), log.is_progress_bar_enabled()
    log.set_verbosity_error()
    log.disable_progress_bar()
    try:
        yield
    finally:
        log.set_verbosity(level)
        if bars:
            log.enable_progress_bar()
