"""From a recipe to a trained rival: the same loop, data, batches of the same size and validation as permend's own.

In: a `RivalRecipe`, and listeners. Out: an `Outcome`; the rival, the log and the checkpoint are in the recipe's folder.

    train_rival(read_recipe("experiments/recipes/rivals/ar.toml"), [MyListener()])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, cast

import torch
from accelerate import Accelerator
from torch import Tensor, nn

from experiments.rivals import find_system
from experiments.rivals.corrector import RivalCorrector
from experiments.rivals.labels import Batch, RowMaker, RowPacker
from experiments.rivals.recipe import FORM, RivalRecipe, write_recipe
from experiments.rivals.system import System, load_system, tokenizer_of
from permend.errors import PermendError
from permend.evaluation.devset import PairDevSet
from permend.evaluation.errant import has_errant
from permend.model.config import ModelConfig
from permend.model.pretrained import model_folder
from permend.model.torch.backbone import build_backbone, config_from_dict, config_to_dict, load_backbone, load_config
from permend.model.torch.start import token_fields, tokenizer_text
from permend.text.tokens import SubwordTokenizer
from permend.training.correction.data import PairSource, make_guard, make_source, read_corpus, refuse_held_out_files
from permend.training.correction.recipe import Model
from permend.training.correction.run import share_out
from permend.training.log import Listener
from permend.training.loop import Outcome, run
from permend.training.task import Goal, LogForm, Probe, Scores, Standing, Task

LEARNED_FROM = 50_000
"""Pairs from which tags and the like are learned before training."""
_AT_ONCE = 64
_UNBOUNDED = 512


def train_rival(
    recipe: RivalRecipe,
    listeners: Sequence[Listener] = (),
    *,
    resume: bool = False,
    source: PairSource | None = None,
) -> Outcome:
    """Train as the recipe says, on its own pairs or on others."""
    recipe.check()
    if source is None and not (recipe.data.train or recipe.data.text):
        raise PermendError("a recipe has pairs to learn from: set data.train to a list of .tsv or .m2 files")
    refuse_held_out_files(recipe.data)

    def make_task(accelerator: Accelerator, listener: Listener) -> RivalTask:
        listener.stage("reading the pairs")
        return RivalTask(recipe, accelerator, source or make_source(recipe.data))

    return run(recipe, FORM, make_task, listeners, resume=resume)


class RivalTask(Task[Batch]):
    """Learns what a rival's labels say."""

    batch_suffix = ".tsv"

    def __init__(self, recipe: RivalRecipe, accelerator: Accelerator, source: PairSource) -> None:
        """Make the network, its streams of batches and its validation."""
        self.recipe: RivalRecipe = recipe
        self._system = make_system(recipe, source)
        self.network, self.terms, self.log = self._system, self._system.terms, _log_form(self._system)
        self._device = accelerator.device
        self._tokenizer = tokenizer_of(self._system)
        data, options = recipe.data, recipe.optimisation
        held_out = list(read_corpus(data.validation, data.raw)) if data.validation else []
        labels = self._system.labels(self._tokenizer)
        guard = make_guard(data, held_out)
        longest = self._system.config.max_length // data.bucket * data.bucket
        maker = RowMaker(labels, self._tokenizer, data.max_length, longest, data.bucket, guard)
        self._longest = min(longest, -(-(data.max_length + 2) // data.bucket) * data.bucket)
        self._packer = RowPacker(labels, maker.blank(), options.tokens_per_batch)
        self.feeds = share_out(source, maker, self._packer, data.workers, options, accelerator)
        self.validates = bool(held_out)
        by_errant = recipe.validation.score == "errant" or (recipe.validation.score == "auto" and has_errant())
        limit = recipe.validation.limit
        self._devset = PairDevSet("validation", held_out[:limit], "errant" if by_errant else "edits")

    def objective(self) -> nn.Module:
        """Return the network with its losses."""
        return Objective(self._system, self.recipe.optimisation.in_bfloat16(self._device.type))

    def compiled(self, objective: nn.Module) -> Iterable[nn.Module]:
        """Return the network's layers."""
        stacks = [module for module in self._system.modules() if isinstance(module, nn.ModuleList)]
        return [layer for stack in stacks for layer in stack]

    def inputs(self, batch: Batch, share: float, seed: int) -> tuple[dict[str, Tensor]]:
        """Return the columns of a batch."""
        return ({name: column.to(self._device, non_blocking=True) for name, column in batch.columns.items()},)

    def counts(self, batch: Batch, share: float) -> Sequence[float]:
        """Return what the labels counted."""
        return batch.counts

    def probes(self, every_shape: bool) -> list[Probe[Batch]]:
        """Return empty batches, which take as much memory as full ones."""
        bucket = self.recipe.data.bucket
        widths = range(self._longest, 0, -bucket) if every_shape else [self._longest]
        shortest = max(map(len, self._packer.blank.values()))
        return [Probe(self._packer.empty(width)) for width in widths if width >= shortest]

    def validate(self, network: nn.Module) -> Scores:
        """Correct the validation file and score the corrections."""
        corrector = RivalCorrector(cast(System, network), self._tokenizer)
        corrections = corrector.correct_batch(self._devset.texts, _AT_ONCE)
        result = self._devset.score([correction.text for correction in corrections])
        return Scores({"precision": result.precision, "recall": result.recall, "score": result.f(0.5)})

    def describe(self, batch: Batch) -> str:
        """Return the columns of a batch, a line each."""
        return "".join(
            f"{name}\t{' '.join(map(str, row.tolist()))}\n"
            for number in range(batch.examples)
            for name, row in ((name, column[number]) for name, column in batch.columns.items())
        )

    def write(self, network: nn.Module, folder: Path, standing: Standing) -> None:
        """Write the rival's folder, with its recipe."""
        cast(System, network).save(folder)
        (folder / "recipe.toml").write_text(write_recipe(self.recipe), encoding="utf-8")


class Objective(nn.Module):
    """A system in the wanted arithmetic."""

    def __init__(self, system: System, in_bfloat16: bool) -> None:
        """Wrap the system."""
        super().__init__()
        self.system, self.in_bfloat16 = system, in_bfloat16

    def forward(self, columns: dict[str, Tensor]) -> tuple[Tensor, ...]:
        """Return the sums of a batch."""
        with torch.autocast(self.system.device.type, dtype=torch.bfloat16, enabled=self.in_bfloat16):
            sums: tuple[Tensor, ...] = self.system(columns)
        return sums


def make_system(recipe: RivalRecipe, source: PairSource) -> System:
    """Build the network to train; what it learns beforehand comes from the source's first pairs."""
    model, seed = recipe.model, recipe.optimisation.seed
    model.check()
    torch.manual_seed(seed)
    if model.start:
        system = load_system(model_folder(model.start), model.dropout)
        if system.name != recipe.system.name:
            raise PermendError(f"{model.start}: this is {system.name!r}, the recipe's system is {recipe.system.name!r}")
        return system.train()
    kind = find_system(recipe.system.name)
    config, text = _config(model)
    tokenizer = SubwordTokenizer(text)
    pairs = islice(source.read(0, seed, 0, min(LEARNED_FROM, len(source))), LEARNED_FROM)
    learned = kind.learn(pairs, tokenizer, recipe.system.options)
    if model.encoder:
        backbone = load_backbone(model.encoder, model.layers, config.slots, config.mask_id, model.dropout)
    else:
        backbone = build_backbone(config_from_dict(config.encoder), model.layers, config.slots, model.dropout)
    system = kind(config, learned, backbone)
    system.tokenizer_json = text
    if model.init == "encoder":
        system.start_from_encoder()
    return system.train()


def _config(model: Model) -> tuple[ModelConfig, str]:
    """Return what a new network looks like, and its tokenizer's text."""
    text = tokenizer_text(model.encoder) if model.encoder else Path(str(model.tokenizer)).read_text(encoding="utf-8")
    known = token_fields(SubwordTokenizer(text))
    if model.encoder:
        encoder = load_config(model.encoder)
    else:
        own = {"pad_token_id": known["pad_id"], "vocab_size": known["tokens"], "cls_token_id": known["start_id"]}
        ids = {"bos_token_id": known["start_id"], "eos_token_id": known["end_id"], "sep_token_id": known["end_id"]}
        encoder = config_from_dict({**own, **ids, **model.encoder_config})
    fields: dict[str, Any] = {
        "vocab_size": encoder.vocab_size,
        "d": encoder.hidden_size,
        "max_length": getattr(encoder, "max_position_embeddings", None) or _UNBOUNDED,
        "encoder_layers": model.layers,
        "encoder": config_to_dict(encoder),
        "decoder_layers": model.decoder_layers,
        "dropout": model.dropout,
        "slots": model.slots,
        "masks": model.masks,
        **known,
    }
    return ModelConfig.from_dict(fields), text


def _log_form(system: System) -> LogForm:
    own = tuple(term.column for term in system.terms)
    return LogForm(
        progress=(
            "step",
            "share",
            "epochs",
            "minutes",
            "loss",
            *own,
            "gradient",
            "rate",
            "tokens_per_second",
            "waiting",
        ),
        scores=("precision", "recall", "score"),
        drawn={term.column: term.column.replace("_", " ") for term in system.terms if term.weight is not None},
        goal=Goal("score", "F0.5"),
    )
