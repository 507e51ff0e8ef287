"""Tiny random networks of every family, and inputs for them, made the slow and obvious way."""

from __future__ import annotations

import functools
import json
import random
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import onnx
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit
from torch import Tensor
from transformers import (
    AutoModel,
    BartConfig,
    BertConfig,
    DistilBertConfig,
    ModernBertConfig,
    PretrainedConfig,
    RobertaConfig,
    T5Config,
)

from permend.model.config import ModelConfig
from permend.model.folder import write_hashes
from permend.model.networks import TemplateArrays
from permend.model.torch.backbone import config_to_dict
from permend.model.torch.export import export, save_graphs
from permend.model.torch.fuse import fuse_graph
from permend.model.torch.network import PointerInfiller
from permend.model.torch.parity import Sample
from permend.model.torch.quantize import Quantization, quantize_graph

VOCAB, WIDTH, SLOTS = 40, 32, 3
SPECIAL = {"start_id": 0, "pad_id": 1, "end_id": 2, "unknown_id": 3, "mask_id": 4}
_SIZES: dict[str, Any] = {"vocab_size": VOCAB, "hidden_size": WIDTH, "num_hidden_layers": 3, "num_attention_heads": 4}
_IDS: dict[str, Any] = {"pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2}
FAMILIES = ("modernbert", "bart", "bert", "distilbert", "roberta", "t5")


def encoder_config(family: str) -> PretrainedConfig:
    """Return a tiny configuration of one family."""
    if family == "modernbert":  # its second and third layer look only 4 positions to either side
        own: dict[str, Any] = {"intermediate_size": 48, "max_position_embeddings": 64, "local_attention": 8}
        return ModernBertConfig(**_SIZES, **_IDS, **own, cls_token_id=0, sep_token_id=2)
    if family == "bart":
        own = {"decoder_layers": 1, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64, "decoder_attention_heads": 4}
        return BartConfig(**_SIZES, **_IDS, **own, max_position_embeddings=64)
    if family == "bert":
        return BertConfig(**_SIZES, **_IDS, intermediate_size=64, max_position_embeddings=64)
    if family == "distilbert":
        return DistilBertConfig(**_SIZES, **_IDS, hidden_dim=64, max_position_embeddings=64)
    if family == "roberta":  # its positions begin behind <pad>: 66 rows are 64 positions
        return RobertaConfig(**_SIZES, **_IDS, intermediate_size=64, max_position_embeddings=66)
    return T5Config(**_SIZES, pad_token_id=1, eos_token_id=2, d_kv=8, d_ff=64, feed_forward_proj="gated-gelu")


def model_config(family: str = "modernbert", **options: Any) -> ModelConfig:
    """Return a tiny model config; every option on, unless told otherwise."""
    defaults: dict[str, Any] = {"slots": SLOTS, "next_bonus": 2.0, "memory_input": True, "output_head": True}
    fields = {"vocab_size": VOCAB, "d": WIDTH, "max_length": 64, "encoder": config_to_dict(encoder_config(family))}
    return ModelConfig(**{**fields, **SPECIAL, **defaults, **options})


def network(family: str = "modernbert", seed: int = 0, **options: Any) -> PointerInfiller:
    """Return a tiny network in evaluation mode, with weights large enough to make a difference."""
    torch.manual_seed(seed)
    made = PointerInfiller(model_config(family, **options)).eval()
    with torch.no_grad():
        for parameter in made.parameters():
            if parameter.dim() == 2:
                parameter.normal_(std=0.2)
    return made


def tokenizer_json() -> str:
    """Return a tokenizer of `VOCAB` words: w5 … w39."""
    names = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "<mask>": 4}
    raw = Tokenizer(WordLevel({**names, **{f"w{i}": i for i in range(5, VOCAB)}}, unk_token="<unk>"))
    raw.pre_tokenizer = WhitespaceSplit()
    return raw.to_str()


def texts(count: int, seed: int = 0) -> list[str]:
    """Return sentences of that tokenizer's words."""
    draw = random.Random(seed)
    return [" ".join(f"w{draw.randrange(5, VOCAB)}" for _ in range(draw.randrange(3, 15))) for _ in range(count)]


def pretrained(family: str, kind: Any = AutoModel) -> Any:
    """Return a tiny transformers model of one family, in evaluation mode."""
    return kind.from_config(encoder_config(family)).eval()


def write_checkpoint(model: Any, folder: Path) -> Path:
    """Save a transformers model as a checkpoint folder with a tokenizer."""
    model.save_pretrained(folder)
    (folder / "tokenizer.json").write_text(tokenizer_json(), encoding="utf-8")
    (folder / "tokenizer_config.json").write_text(json.dumps({}), encoding="utf-8")
    return folder


class Sentences(NamedTuple):
    """Ids (B, L) with their slots, the mask, and each sentence's n."""

    ids: Tensor
    mask: Tensor
    lengths: Tensor


def sentences(lengths: Sequence[int] = (9, 5), seed: int = 0) -> Sentences:
    """Return random sentences of the given lengths n, each followed by its slots, then padding."""
    draw = torch.Generator().manual_seed(seed)
    rows = [torch.randint(5, VOCAB, (n,), generator=draw) for n in lengths]
    width = max(lengths) + SLOTS
    ids = torch.full((len(rows), width), SPECIAL["pad_id"])
    for b, (row, n) in enumerate(zip(rows, lengths, strict=True)):
        row[0], row[-1] = SPECIAL["start_id"], SPECIAL["end_id"]
        ids[b, : n + SLOTS] = torch.cat([row, torch.arange(VOCAB, VOCAB + SLOTS)])
    mask = torch.arange(width) < torch.tensor(lengths)[:, None] + SLOTS
    return Sentences(ids, mask, torch.tensor(lengths))


class Templates(NamedTuple):
    """The decoder's tensors, in the order of `decode`."""

    ids: Tensor
    source: Tensor
    coordinates: Tensor
    mask: Tensor
    fill_index: Tensor


def templates(batch: Sentences, plans: Sequence[Sequence[int]]) -> Templates:
    """Return the templates of one plan per sentence, three masks per slot."""
    rows: list[list[tuple[int, int, float, bool]]] = []
    for b, plan in enumerate(plans):
        row: list[tuple[int, int, float, bool]] = []
        for position in plan:
            if position < batch.lengths[b]:
                row.append((int(batch.ids[b, position]), position, float(position), False))
            else:
                behind = row[-1][2]
                row += [(SPECIAL["mask_id"], position, behind + 0.25 * k, True) for k in (1, 2, 3)]
        rows.append(row)
    width = max(map(len, rows))
    blank = (SPECIAL["pad_id"], 0, 0.0, False)
    columns = list(zip(*[zip(*(row + [blank] * (width - len(row))), strict=True) for row in rows], strict=True))
    return Templates(
        ids=torch.tensor(columns[0]),
        source=torch.tensor(columns[1]),
        coordinates=torch.tensor(columns[2]),
        mask=torch.arange(width) < torch.tensor([len(row) for row in rows])[:, None],
        fill_index=torch.tensor(
            [b * width + t for b, row in enumerate(rows) for t, element in enumerate(row) if element[3]]
        ),
    )


PLANS = ((0, 9, 2, 3, 10, 5, 8), (0, 1, 5, 3, 4))
"""Plans for `sentences()`: two slots in the first, one in the second (the paper's Figure 1)."""


def sample(batch: Sentences, plans: Sequence[Sequence[int]]) -> Sample:
    """Return the same inputs as arrays."""
    ids, mask = batch.ids.numpy(), batch.mask.numpy()
    tensors = (*templates(batch, plans), torch.arange(len(ids)))
    return Sample(ids, mask, TemplateArrays(*(x.numpy() for x in tensors)))


_folder = tempfile.TemporaryDirectory(prefix="permend-tests-")


def exported(family: str = "modernbert", quantize: Quantization = "none") -> tuple[PointerInfiller, Path]:
    """Return a tiny network and the folder it is exported to; made once, for it takes seconds."""
    return _exported(family, quantize)


@functools.cache
def _exported(family: str, quantize: Quantization) -> tuple[PointerInfiller, Path]:
    folder = Path(_folder.name) / f"{family}-{quantize}"
    if quantize == "none":
        layers = 2 if family == "modernbert" else 1  # one of full, one of sliding attention
        net = network(family, encoder_layers=layers, decoder_layers=1)
        net.tokenizer_json = tokenizer_json()
        export(net, folder)
        return net, folder
    net, plain = _exported(family, "none")
    shutil.copytree(plain, folder)
    graphs = {name: onnx.load(plain / name) for name in ("encoder.onnx", "decoder.onnx")}
    save_graphs({name: fuse_graph(quantize_graph(graph, quantize), quantize) for name, graph in graphs.items()}, folder)
    write_hashes(folder)
    return net, folder
