"""From a pretraining recipe to an encoder: vocabulary, text, masks and network, put together as a `Task` for the loop.

In: a `Recipe`, and listeners. Out: an `Outcome`, with the encoder in the folder ``last`` of the run's folder.

    pretrain(read_recipe("experiments/recipes/pretrain-toy.toml"))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import torch
from accelerate import Accelerator
from torch import nn
from transformers import ModernBertForMaskedLM

from permend.errors import InputError, PermendError
from permend.text.tokens import SubwordTokenizer
from permend.training.log import Listener
from permend.training.loop import Outcome, run
from permend.training.pretraining.masked import (
    Guesser,
    HeldOut,
    Masked,
    Masker,
    make_network,
    special_ids,
    write_folder,
)
from permend.training.pretraining.recipe import FORM, Recipe, write_recipe
from permend.training.pretraining.text import RowBatch, RowFeed, Rows, pack, sampled, train_tokenizer
from permend.training.task import Goal, LogForm, Probe, Scores, Standing, Task, Term

LOG = LogForm(
    progress=(
        *("step", "share", "passes", "minutes", "loss", "accuracy", "masked"),
        *("gradient", "rate", "tokens_per_second"),
    ),
    scores=("held_out_loss", "held_out_accuracy"),
    drawn={"loss": "training", "held_out_loss": "held out"},
    goal=Goal("held_out_loss", "held-out loss", high=False),
)


def pretrain(recipe: Recipe, listeners: Sequence[Listener] = (), *, resume: bool = False) -> Outcome:
    """Make an encoder as the recipe says."""
    recipe.check()

    def make_task(accelerator: Accelerator, listener: Listener) -> PretrainingTask:
        with accelerator.main_process_first():  # the others find the vocabulary, and the cache of the text
            known = resume or not accelerator.is_main_process
            return PretrainingTask(recipe, _definition(recipe, listener, known), accelerator, listener)

    return run(recipe, FORM, make_task, listeners, resume=resume)


class PretrainingTask(Task[RowBatch]):
    """Learns to guess hidden tokens."""

    log = LOG
    doing = "pretraining"
    keeps_best = False
    terms = (Term("loss", 1.0), Term("accuracy"))

    def __init__(self, recipe: Recipe, definition: str, accelerator: Accelerator, listener: Listener) -> None:
        """Make the network and the rows of its text; `definition` is the text of the tokenizer.json."""
        self.recipe: Recipe = recipe
        data, options, folder = recipe.data, recipe.optimisation, Path(recipe.output.folder)
        self._definition, self._device = definition, accelerator.device
        self._tokenizer = SubwordTokenizer(definition, folder / "tokenizer.json")
        self._network = make_network(recipe.encoder, self._tokenizer, data.row, options.seed)
        self.network = cast(nn.Module, self._network)
        listener.stage("reading the text")
        packed = pack(data, definition)
        if accelerator.is_main_process:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "tokenizer.json").write_text(definition, encoding="utf-8")
        self._masker = Masker(recipe.masking, self._tokenizer, int(self._network.config.vocab_size), self._device)
        special = special_ids(self._tokenizer)
        self._rows = Rows(packed.learned, data.row, options.rows, options.seed, self._device, special)
        self.feeds = _feeds(self._rows, recipe, accelerator)
        self.validates = packed.held_out.size > 0
        rows, share = recipe.validation.rows, recipe.masking.held_out
        self._held_out = HeldOut(packed.held_out, data.row, rows, share, self._masker, self._tokenizer)

    def objective(self) -> Guesser:
        """Return the network with its loss."""
        return self._guesser(self._network)

    def _guesser(self, network: nn.Module) -> Guesser:
        bfloat16 = self.recipe.optimisation.in_bfloat16(self._device.type)
        return Guesser(cast(ModernBertForMaskedLM, network), bfloat16)

    def inputs(self, batch: RowBatch, share: float, seed: int) -> Masked:
        """Hide tokens, fewer of them late in training."""
        return self._masker.hide(batch.ids, self._masker.share(share), seed)

    def counts(self, batch: RowBatch, share: float) -> Sequence[float]:
        """Return the number of tokens to guess, for the loss and for the right guesses."""
        count = min(self._masker.count(batch.ids.numel(), self._masker.share(share)), batch.words)
        return count, count

    def probes(self, every_shape: bool) -> list[Probe[RowBatch]]:
        """Return rows with early and with late masking, the two shapes of a step."""
        batch = self._rows.batch(0, 0, self.feeds[0].feeds)
        shares = {self._masker.share(done): done for done in (1.0, 0.0)}
        return [Probe(batch, done) for _, done in sorted(shares.items(), reverse=True)]

    def details(self, share: float, epochs: float) -> Mapping[str, float]:
        """Return the passes over the text, and the share of tokens that are hidden."""
        return {"passes": epochs, "masked": self._masker.share(share)}

    def validate(self, network: nn.Module) -> Scores:
        """Guess the masks of the held-out text."""
        return self._held_out.measure(self._guesser(network), self._device, self.recipe.validation.samples)

    def describe(self, batch: RowBatch) -> str:
        """Return the rows of a batch."""
        return "".join(f"{' '.join(self._tokenizer.decode(row).split())}\n" for row in batch.ids.tolist())

    def write(self, network: nn.Module, folder: Path, standing: Standing) -> None:
        """Write a Hugging Face folder."""
        recipe, scores, loss = self.recipe, standing.scores, ""
        if scores is not None:
            found = scores.values[LOG.goal.column]
            loss = f" Held-out loss at {recipe.masking.held_out:.0%} masks: {found:.4f}."
        notes = (
            f"# An encoder made by permend pretrain\n\nTrained for {standing.step:,} steps, "
            f"{standing.epochs:.1f} passes over the text.{loss}\n\n```toml\n{write_recipe(recipe)}```\n"
        )
        dtype = getattr(torch, recipe.output.dtype)
        write_folder(cast(ModernBertForMaskedLM, network), self._definition, folder, dtype, notes)

    def advice(self, batch: RowBatch) -> str:
        """Recommend more parts."""
        rows, tokens = batch.ids.shape
        return (
            f"{rows} rows of {tokens} tokens do not fit into the device's memory: "
            f"set optimisation.accumulate={2 * self.recipe.optimisation.accumulate} for the same steps"
        )

    def upgraded(self, values: dict[str, Any]) -> dict[str, Any]:
        """Complete a checkpoint from before pretraining shared the loop, whose rows followed from the step alone."""
        step = values["step"]
        positions = [(step,)] * values["recipe"]["optimisation"]["accumulate"]
        absent = {"epochs": self._rows.passes(step), "best": None, "positions": positions, "average": None}
        return {**absent, **values}


def _feeds(rows: Rows, recipe: Recipe, accelerator: Accelerator) -> list[RowFeed]:
    """Return this process's feeds: one for each part of a step's rows."""
    options, here = recipe.optimisation, recipe.optimisation.accumulate
    feeds = accelerator.num_processes * here
    if options.rows % feeds:
        raise PermendError(f"{accelerator.num_processes} processes × {here} parts do not divide {options.rows} rows")
    first = accelerator.process_index * here
    return [RowFeed(rows, options.epochs, number, feeds) for number in range(first, first + here)]


def _definition(recipe: Recipe, listener: Listener, known: bool) -> str:
    """Return the text of the tokenizer.json: the run's own where it is `known`, an existing one, or a new one."""
    kept = Path(recipe.output.folder) / "tokenizer.json" if known else None
    given = kept or recipe.encoder.start or recipe.tokenizer.path
    if given is not None:
        path = Path(given) / "tokenizer.json" if Path(given).is_dir() else Path(given)
        try:
            return path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path) from None
    listener.stage("learning the vocabulary")
    return train_tokenizer(sampled(recipe.data, recipe.tokenizer.share), recipe.tokenizer.vocabulary)
