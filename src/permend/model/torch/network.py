"""The whole network: one encoder shared by the pointer and the decoder (Section 3.1).

In: ids of sentences with their slots, and templates made from plans. Out: memory and pointer scores, and logits at
the masks. One sentence `<s> I be busy </s>` with two slots, V = 40, d = 32:

    memory, scores = network.encode(ids, mask)          # ids, mask (1, 7) → (1, 7, 32), (1, 7, 7)
    logits = network.decode(memory, mask, *template)    # templates (1, T), 3 masks → (3, 40)

The network knows nothing of tokenizing, plans or search. It carries the text of its tokenizer only so that
`save_pretrained` leaves a folder that is complete.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import torch
from torch import Tensor, nn
from transformers.initialization import no_init_weights

from permend.errors import InputError, PermendError, first_line
from permend.model.config import ModelConfig
from permend.model.torch.backbone import Backbone, build_backbone, config_from_dict
from permend.model.torch.decoder import Decoder
from permend.model.torch.folder import CONFIG, is_exported, read_folder, read_tokenizer, write_folder
from permend.model.torch.pointer import Pointer


class PointerInfiller(nn.Module):
    """Encoder, pointer and decoder of GEC-DePenD."""

    def __init__(self, config: ModelConfig, backbone: Backbone | None = None) -> None:
        """Build the network; without a `backbone` its encoder gets random weights from `config.encoder`."""
        super().__init__()
        if backbone is None:
            encoder = config_from_dict(config.encoder)
            backbone = build_backbone(encoder, config.encoder_layers, config.slots, config.dropout)
        _check(config, backbone)
        shape = dataclasses.replace(backbone.shape, dropout=config.dropout)
        self.config = config
        self.tokenizer_json: str | None = None
        self.backbone = backbone
        self.pointer = Pointer(shape, config.next_bonus, config.sinkhorn_steps)
        self.decoder = Decoder(config, shape)

    def encode(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return memory (B, L, d) and pointer scores (B, L, L) of `ids` (B, L), valid where `mask` is True."""
        memory = self.backbone(ids, mask)
        source = mask & (ids < self.config.vocab_size)  # (B, L): tokens, not slots
        return memory, self.pointer(memory, mask, source)

    def decode(
        self,
        memory: Tensor,
        memory_mask: Tensor,
        template_ids: Tensor,
        template_source: Tensor,
        coordinates: Tensor,
        template_mask: Tensor,
        fill_index: Tensor,
        template_row: Tensor | None = None,
    ) -> Tensor:
        """Return logits (F, V) at `fill_index` (F,), places among the B·T elements of the templates (B, T).

        `template_row` (B,) says which row of the memory each template looks at, where several share one.
        """
        logits: Tensor = self.decoder(
            self.backbone.embeddings,
            memory,
            memory_mask,
            template_ids,
            template_source,
            coordinates,
            template_mask,
            fill_index,
            template_row,
        )
        return logits

    def save_pretrained(self, folder: str | Path, notes: str = "") -> None:
        """Write config.json, model.safetensors, tokenizer.json and a model card; `notes` go into the card."""
        write_folder(Path(folder), self.config, self.state_dict(), self.tokenizer_json, notes)

    @classmethod
    def from_pretrained(
        cls, folder: str | Path, dropout: float | None = None, device: str | torch.device = "cpu"
    ) -> PointerInfiller:
        """Load a folder that `save_pretrained` wrote, in evaluation mode; `dropout` replaces the saved one."""
        return cls._loaded(folder, *read_folder(Path(folder)), dropout).to(device)

    @classmethod
    def from_exported(cls, folder: str | Path, dropout: float | None = None) -> PointerInfiller:
        """Load a folder that `export` wrote, to train on from it; rounded weights come back about as they were."""
        from permend.model.torch.import_onnx import import_onnx  # here, so that only this needs onnx

        where = Path(folder)
        return cls._loaded(folder, exported_config(where), import_onnx(where), read_tokenizer(where), dropout)

    @classmethod
    def to_run(cls, folder: str | Path) -> PointerInfiller:
        """Load a trained or an exported folder, to correct with: rounded weights as they are, the config as it is."""
        from permend.model.torch.import_onnx import import_onnx

        where = Path(folder)
        if not is_exported(where):
            return cls.from_pretrained(folder)
        config = ModelConfig.from_file(where / CONFIG)
        if not config.encoder:
            raise PermendError(f"{folder}: config.json does not describe the encoder: export the model anew")
        return cls._loaded(folder, config, import_onnx(where, spread=False), None, None)

    @classmethod
    def _loaded(
        cls,
        folder: str | Path,
        config: ModelConfig,
        weights: dict[str, Tensor],
        tokenizer_json: str | None,
        dropout: float | None,
    ) -> PointerInfiller:
        if dropout is not None:
            config = dataclasses.replace(config, dropout=dropout)
        try:
            with no_init_weights():  # every weight is about to be replaced, and drawing them takes seconds
                network = cls(config)
        except PermendError:
            raise
        except Exception as error:  # the encoder's part is transformers' own, which checks little of it
            raise InputError(
                f"config.json describes no encoder that can be built ({first_line(error)})", folder
            ) from None
        load_weights(network, weights, folder)
        network.tokenizer_json = tokenizer_json
        return network.eval()


def exported_config(folder: Path) -> ModelConfig:
    """Return the config of an exported network as one to train: `permend export --longest` binds only the export."""
    config = ModelConfig.from_file(folder / CONFIG)
    if not config.encoder:
        raise PermendError(f"{folder}: config.json does not describe the encoder: export the model anew")
    with torch.device("meta"):  # shapes without weights
        positions = PointerInfiller(config).backbone.max_positions
    return dataclasses.replace(config, max_length=positions or config.max_length)


def load_weights(network: nn.Module, weights: dict[str, Tensor], where: str | Path) -> None:
    """Load `weights` into `network`, or say in one sentence how the two differ."""
    own = {name: tuple(value.shape) for name, value in network.state_dict().items()}
    given = {name: tuple(value.shape) for name, value in weights.items()}
    for names, fault in (
        (own.keys() - given.keys(), "lacks"),
        (given.keys() - own.keys(), "has the unknown"),
    ):
        if names:
            raise PermendError(f"{where}: the weights are of another config: it {fault} {_some(names)}")
    if differing := {name for name in own if own[name] != given[name]}:
        name = min(differing)
        raise PermendError(f"{where}: the weights are of another config: {name} is {given[name]}, expected {own[name]}")
    network.load_state_dict(weights)


def _some(names: set[str]) -> str:
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"{min(names)}{more}"


def _check(config: ModelConfig, backbone: Backbone) -> None:
    rows, width = backbone.embeddings.shape
    if width != config.d:
        raise PermendError(f"the encoder's states are {width} wide, the config says d = {config.d}")
    if rows != config.vocab_size + config.slots:
        raise PermendError(
            f"the encoder embeds {rows} ids, the config needs {config.vocab_size} tokens + {config.slots} slots"
        )
    if backbone.max_positions is not None and config.max_length > backbone.max_positions:
        raise PermendError(
            f"max_length is {config.max_length}, but the encoder has only {backbone.max_positions} positions"
        )
