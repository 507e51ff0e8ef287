"""From a recipe to a trained model: the parts of training, put together.

In: a `Recipe`, and listeners. Out: an `Outcome`, with the model, the log and the checkpoint in the recipe's folder.

    train(read_recipe("experiments/recipes/toy.toml"), [MyListener()])

Started once it uses one GPU, or the CPU; started by ``accelerate launch`` or ``torchrun`` it is one of many processes.
Pairs come from the recipe's files, or from any other source that is handed in.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import torch
from accelerate import Accelerator, PartialState

from permend.corpora.pairs import Pair
from permend.errors import PermendError
from permend.method.label import Labeler
from permend.model.config import ModelConfig
from permend.text.tokens import Tokenizer
from permend.training.checkpoint import load_state, refuse_overwriting
from permend.training.correction.batches import plan_shapes
from permend.training.correction.data import PairSource, make_guard, make_source, read_corpus, refuse_held_out_files
from permend.training.correction.examples import ExampleMaker
from permend.training.correction.recipe import Data, Recipe
from permend.training.correction.start import make_network, tokenizer_of
from permend.training.correction.stream import Stream
from permend.training.correction.validation import Evaluate, Validator
from permend.training.keeper import Keeper
from permend.training.log import Everybody, Listener, Record
from permend.training.loop import Loop, Outcome
from permend.training.step import Stepper

_SAMPLE = 2048
_MOST_WORKERS = 16


def train(
    recipe: Recipe,
    listeners: Sequence[Listener] = (),
    *,
    resume: bool = False,
    source: PairSource | None = None,
    evaluate: Evaluate | None = None,
) -> Outcome:
    """Train as the recipe says; `evaluate` replaces the recipe's own validation."""
    recipe.check()
    if source is None and not (recipe.data.train or recipe.data.text):
        raise PermendError("a recipe has pairs to learn from: set data.train to a list of .tsv or .m2 files")
    refuse_held_out_files(recipe.data)
    # `Objective` sees to the precision itself; several processes without a GPU are only found when told so.
    accelerator = Accelerator(mixed_precision="no", cpu=not torch.accelerator.is_available())
    torch.set_float32_matmul_precision("high")
    folder = Path(recipe.output.folder)
    number = accelerator.num_processes * recipe.optimisation.accumulate
    state = load_state(folder, recipe, number) if resume else None
    if not resume:
        refuse_overwriting(folder)
        accelerator.wait_for_everyone()
    network = make_network(recipe.model, recipe.optimisation.seed)
    tokenizer = tokenizer_of(network)
    held_out = list(read_corpus(recipe.data.validation, recipe.data.raw)) if recipe.data.validation else []
    streams = make_streams(recipe, network.config, tokenizer, source, held_out, accelerator)
    if evaluate is None and held_out:
        evaluate = Validator(held_out[: recipe.validation.limit], tokenizer, recipe.validation.score)
    stepper = Stepper(network, recipe.optimisation, accelerator)
    record = Record(folder, 0 if state is None else state.step) if accelerator.is_main_process else None
    everybody = Everybody([record, *listeners] if record else [])
    keeper = Keeper(recipe, stepper, everybody, evaluate)
    loop = Loop(recipe, stepper, streams, tokenizer, keeper, everybody)
    if state is not None:
        loop.restore(state)
    try:
        return loop.run()
    finally:
        if record:
            record.draw()


def leave_processes() -> None:
    """Say goodbye to the other processes, if there are any; nothing can be trained after that."""
    PartialState().destroy_process_group()


def make_streams(
    recipe: Recipe,
    config: ModelConfig,
    tokenizer: Tokenizer,
    source: PairSource | None,
    held_out: Sequence[Pair],
    accelerator: Accelerator,
) -> list[Stream]:
    """Return this process's streams of batches: one for each batch of a step."""
    data, options = recipe.data, recipe.optimisation
    maker = make_examples(data, config, tokenizer, held_out)
    pairs = make_source(data) if source is None else source
    sample = maker.make(islice(pairs.read(0, options.seed, 0, min(_SAMPLE, len(pairs))), _SAMPLE))
    shapes = plan_shapes(sample.examples, maker.widths, options.tokens_per_batch, config.slots * config.masks)
    workers = free_cores() if data.workers is None else data.workers
    return [
        Stream(
            source=pairs,
            maker=maker,
            shapes=shapes,
            config=config,
            seed=options.seed,
            epochs=options.epochs,
            number=accelerator.process_index * options.accumulate + place,
            streams=accelerator.num_processes * options.accumulate,
            workers=-(-workers // options.accumulate),
            pin=(accelerator.device.index or 0) if accelerator.device.type == "cuda" else None,
        )
        for place in range(options.accumulate)
    ]


def make_examples(data: Data, config: ModelConfig, tokenizer: Tokenizer, held_out: Sequence[Pair]) -> ExampleMaker:
    """Return what turns pairs into examples for a network of this config."""
    overflow = "keep" if data.overflow == "drop" else data.overflow
    labeler = Labeler(tokenizer, data.scheme, config.slots, config.masks, data.max_len, overflow)
    guard = make_guard(data, held_out)
    maker = ExampleMaker(labeler, data.max_length, data.bucket, guard, only_exact=data.overflow == "drop")
    if maker.longest > config.max_length:
        room = config.max_length // data.bucket * data.bucket - config.slots - 2
        raise PermendError(
            f"data.max_length={data.max_length} needs {maker.longest} positions with slots and padding, "
            f"the encoder has {config.max_length}: set data.max_length={room} or less"
        )
    return maker


def free_cores() -> int:
    """Return the cores that this process may use for labelling, one being busy with the network."""
    local = int(os.environ.get("LOCAL_WORLD_SIZE", "1"))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(_MOST_WORKERS, max(1, cores // local - 1))
