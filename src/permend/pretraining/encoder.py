"""The encoder with its masked-language head: a ModernBERT of transformers, made, loaded and written.

In: the recipe's encoder and a tokenizer. Out: a `ModernBertForMaskedLM` in float32, or a Hugging Face folder that
``AutoModelForMaskedLM``, ``AutoModel``, ``AutoTokenizer`` and the ``model.encoder`` of a training recipe read.
"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import ModernBertConfig, ModernBertForMaskedLM, PreTrainedTokenizerFast

from permend.errors import PermendError
from permend.model.backbone import config_from_dict, load_config, quiet
from permend.pretraining.masking import IGNORED
from permend.pretraining.recipe import Encoder
from permend.text.tokens import SubwordTokenizer


class Guesser(nn.Module):
    """Encoder, head and loss as one module, which is what is compiled."""

    def __init__(self, network: ModernBertForMaskedLM, bfloat16: bool) -> None:
        """Guess with this network."""
        super().__init__()
        self.network, self._bfloat16 = network, bfloat16

    def forward(self, ids: Tensor, places: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        """Return the sum of −log p over the targets (k,), and how many are the most probable token."""
        logits = self.guess(ids, places).float()
        loss = functional.cross_entropy(logits, targets, ignore_index=IGNORED, reduction="sum")
        return loss, (logits.detach().argmax(-1) == targets).sum()

    def guess(self, ids: Tensor, places: Tensor) -> Tensor:
        """Return the logits (k, V) at places of the flattened rows ids (B, L)."""
        network = cast(Any, self.network)
        with torch.autocast(ids.device.type, torch.bfloat16, enabled=self._bfloat16):
            hidden = network.model(input_ids=ids).last_hidden_state  # (B, L, d)
            return cast(Tensor, network.decoder(network.head(hidden.flatten(0, 1)[places])))


def plan_config(encoder: Encoder, size: int, row: int) -> ModernBertConfig:
    """Return the configuration for a vocabulary of so many pieces, if rows of that length fit."""
    config = load_config(encoder.start) if encoder.start else _config({**encoder.config, "vocab_size": size})
    if not isinstance(config, ModernBertConfig):
        raise PermendError(f"{encoder.start or 'encoder.config'}: only ModernBERT encoders are trained here")
    if config.vocab_size < size:
        raise PermendError(f"the tokenizer has {size} pieces, the encoder's vocabulary {config.vocab_size}")
    if config.max_position_embeddings < row:
        raise PermendError(f"rows of {row} are longer than the encoder's {config.max_position_embeddings} positions")
    return config


def _config(values: dict[str, Any]) -> object:
    if values.get("model_type", "modernbert") != "modernbert":
        raise PermendError(f"encoder.config: only ModernBERT encoders are trained here, not {values['model_type']}")
    # transformers checks the special ids against the vocabulary; the real ones follow with the tokenizer.
    unset = dict.fromkeys(("pad_token_id", "bos_token_id", "eos_token_id", "cls_token_id", "sep_token_id"))
    return config_from_dict({**unset, **values, "model_type": "modernbert"})


def make_network(encoder: Encoder, tokenizer: SubwordTokenizer, row: int, seed: int) -> ModernBertForMaskedLM:
    """Build an encoder with random weights, or load the one to go on from."""
    config = plan_config(encoder, tokenizer.size, row)
    torch.manual_seed(seed)
    if encoder.start is None:
        config.pad_token_id, config.mask_token_id = tokenizer.pad, tokenizer.mask
        config.bos_token_id = config.cls_token_id = tokenizer.start
        config.eos_token_id = config.sep_token_id = tokenizer.end
        try:
            return ModernBertForMaskedLM(config)
        except (ValueError, TypeError, ZeroDivisionError) as error:
            raise PermendError(f"encoder.config does not make an encoder ({error})") from error
    with quiet():
        try:
            network, info = cast(Any, ModernBertForMaskedLM).from_pretrained(
                encoder.start, dtype=torch.float32, output_loading_info=True
            )
        except (OSError, ValueError, RuntimeError) as error:
            raise PermendError(f"{encoder.start}: the encoder cannot be loaded ({error})") from error
    absent = sorted(info["missing_keys"])
    if absent:
        raise PermendError(f"{encoder.start}: {len(absent)} weights are missing, e.g. {absent[0]}")
    return cast(ModernBertForMaskedLM, network)


def write_folder(
    network: ModernBertForMaskedLM, definition: str, folder: Path, dtype: torch.dtype = torch.float32, notes: str = ""
) -> None:
    """Write a Hugging Face folder, its notes as README.md; `definition` is the text of the tokenizer.json."""
    tokenizer = SubwordTokenizer(definition)
    names = {"bos_token": tokenizer.start, "cls_token": tokenizer.start, "eos_token": tokenizer.end}
    names |= {"sep_token": tokenizer.end, "pad_token": tokenizer.pad, "mask_token": tokenizer.mask}
    names |= {} if tokenizer.unknown is None else {"unk_token": tokenizer.unknown}
    folder.mkdir(parents=True)
    (folder / "tokenizer.json").write_text(definition, encoding="utf-8")
    with quiet():
        spoken = {name: tokenizer.piece(token) for name, token in names.items()}
        limit = int(network.config.max_position_embeddings)
        cast(Any, PreTrainedTokenizerFast)(
            tokenizer_file=str(folder / "tokenizer.json"), model_max_length=limit, **spoken
        ).save_pretrained(folder)
        written = network if dtype == torch.float32 else cast(Any, copy.deepcopy(network)).to(dtype)
        written.save_pretrained(folder)
    (folder / "tokenizer.json").write_text(definition, encoding="utf-8")  # as it was, not as transformers puts it
    (folder / "README.md").write_text(notes, encoding="utf-8")
