"""From a pretraining recipe to an encoder: tokenizer, packed text, network and loop, put together.

In: a `Recipe`, and listeners. Out: an `Outcome`, with the encoder in the folder ``last`` of the run's folder.

    pretrain(read_recipe("experiments/recipes/pretrain-toy.toml"))
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch

from permend.errors import InputError
from permend.text.tokens import SubwordTokenizer
from permend.training.checkpoint import refuse_overwriting, replace_folder
from permend.training.pretraining import checkpoint
from permend.training.pretraining.loop import Loop, Outcome
from permend.training.pretraining.masked import HeldOut, make_network, write_folder
from permend.training.pretraining.progress import Listener
from permend.training.pretraining.recipe import Recipe, write_recipe
from permend.training.pretraining.record import Record
from permend.training.pretraining.step import Stepper
from permend.training.pretraining.text import Rows, pack, sampled, train_tokenizer


def pretrain(recipe: Recipe, listeners: Sequence[Listener] = (), *, resume: bool = False) -> Outcome:
    """Make an encoder as the recipe says."""
    recipe.check()
    torch.set_float32_matmul_precision("high")
    device = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else None
    device = device or torch.device("cpu")
    folder, options, often = Path(recipe.output.folder), recipe.optimisation, recipe.validation
    state = checkpoint.load(folder, recipe) if resume else None
    if not resume:
        refuse_overwriting(folder)
    definition = _definition(recipe, listeners, resume)
    tokenizer = SubwordTokenizer(definition, folder / "tokenizer.json")
    network = make_network(recipe.encoder, tokenizer, recipe.data.row, options.seed)
    _tell(listeners, "reading the text")
    packed = pack(recipe.data, definition)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tokenizer.json").write_text(definition, encoding="utf-8")
    (folder / "recipe.toml").write_text(write_recipe(recipe), encoding="utf-8")
    stepper = Stepper(network, tokenizer, recipe.masking, options, device)
    held_out = None
    if packed.held_out.size:
        share = recipe.masking.held_out
        held_out = HeldOut(packed.held_out, recipe.data.row, often.rows, share, stepper.masker, tokenizer)
    rows = Rows(packed.learned, recipe.data.row, options.rows, options.seed, device)
    record = Record(folder, 0 if state is None else state.step)
    loop = Loop(recipe, stepper, rows, held_out, [record, *listeners])
    if state is not None:
        loop.restore(state)
    try:
        outcome = loop.run()
    finally:
        record.draw()
    if not outcome.interrupted:
        dtype, notes = getattr(torch, recipe.output.dtype), _notes(recipe, outcome)
        replace_folder(folder / "last", lambda new: write_folder(network, definition, new, dtype, notes))
    return outcome


def _definition(recipe: Recipe, listeners: Sequence[Listener], resume: bool) -> str:
    """Return the text of the tokenizer.json: the run's own, an existing one, or a new one."""
    kept = Path(recipe.output.folder) / "tokenizer.json" if resume else None
    given = kept or recipe.encoder.start or recipe.tokenizer.path
    if given is not None:
        path = Path(given) / "tokenizer.json" if Path(given).is_dir() else Path(given)
        try:
            return path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path) from None
    _tell(listeners, "learning the vocabulary")
    return train_tokenizer(sampled(recipe.data, recipe.tokenizer.share), recipe.tokenizer.vocabulary)


def _tell(listeners: Sequence[Listener], stage: str) -> None:
    for listener in listeners:
        listener.stage(stage)


def _notes(recipe: Recipe, outcome: Outcome) -> str:
    """Return what the encoder's README.md says."""
    found = outcome.measured
    loss = "" if found is None else f" Held-out loss at {recipe.masking.held_out:.0%} masks: {found.loss:.4f}."
    return (
        f"# An encoder made by permend pretrain\n\nTrained for {outcome.step:,} steps, {outcome.passes:.1f} passes "
        f"over the text.{loss}\n\n```toml\n{write_recipe(recipe)}```\n"
    )
