"""From a recipe to a trained corrector: the parts of correction, put together as a `Task` for the loop.

In: a `Recipe`, and listeners. Out: an `Outcome`, with the model, the log and the checkpoint in the recipe's folder.

    train(read_recipe("experiments/recipes/toy.toml"), [MyListener()])

Started once it uses one GPU, or the CPU; started by ``accelerate launch`` or ``torchrun`` it is one of many processes.
Pairs come from the recipe's files, or from any other source that is handed in.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Literal, cast

from accelerate import Accelerator
from torch import nn

from permend.corpora.pairs import Pair
from permend.errors import PermendError
from permend.evaluation.devset import PairDevSet
from permend.evaluation.errant import has_errant
from permend.method.label import Labeler
from permend.model.config import ModelConfig
from permend.model.torch.network import PointerInfiller
from permend.text.tokens import Tokenizer
from permend.training.correction.batches import Batch, ShapePacker, Tensors, empty_batch, plan_shapes, show_batch
from permend.training.correction.data import PairSource, make_guard, make_source, read_corpus, refuse_held_out_files
from permend.training.correction.examples import E, ExampleMaker, Examples
from permend.training.correction.loss import Objective, counts, layers_of
from permend.training.correction.recipe import FORM, Data, Recipe, write_recipe
from permend.training.correction.start import make_network, tokenizer_of
from permend.training.correction.stream import Maker, Packer, Stream
from permend.training.log import Listener
from permend.training.loop import Outcome, run
from permend.training.settings import OptimiserSettings
from permend.training.task import B, Goal, LogForm, Probe, Scores, Standing, Task, Term

Evaluate = Callable[[PointerInfiller], dict[str, float]]
"""Scores a network; the key `score` decides which one is kept."""
_AT_ONCE = 128
_SAMPLE = 2048
_MOST_WORKERS = 16
LOG = LogForm(
    progress=(
        *("step", "share", "epochs", "minutes", "loss", "pointer_loss", "infill_loss"),
        *("pointer_accuracy", "infill_accuracy", "gradient", "rate", "tokens_per_second", "waiting"),
    ),
    scores=("precision", "recall", "score"),
    drawn={"pointer_loss": "pointer", "infill_loss": "infill"},
    goal=Goal("score", "F0.5"),
)


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

    def make_task(accelerator: Accelerator, listener: Listener) -> CorrectionTask:
        return CorrectionTask(recipe, accelerator, source, evaluate)

    return run(recipe, FORM, make_task, listeners, resume=resume)


class CorrectionTask(Task[Batch]):
    """Learns to point and to fill in."""

    log = LOG
    batch_suffix = ".tsv"

    def __init__(
        self,
        recipe: Recipe,
        accelerator: Accelerator,
        source: PairSource | None = None,
        evaluate: Evaluate | None = None,
    ) -> None:
        """Make the network, its streams of batches and its validation."""
        self.recipe: Recipe = recipe
        self.network = self._network = make_network(recipe.model, recipe.optimisation.seed)
        self._tokenizer, self._device = tokenizer_of(self._network), accelerator.device
        held_out = list(read_corpus(recipe.data.validation, recipe.data.raw)) if recipe.data.validation else []
        self.feeds = make_streams(recipe, self._network.config, self._tokenizer, source, held_out, accelerator)
        self._shapes = cast(ShapePacker, self.feeds[0].packer).shapes
        if evaluate is None and held_out:
            evaluate = Validator(held_out[: recipe.validation.limit], self._tokenizer, recipe.validation.score)
        self._evaluate, self.validates = evaluate, evaluate is not None
        self.terms = (
            Term("pointer_loss", recipe.optimisation.lambda_per),
            Term("infill_loss", 1.0),
            Term("pointer_accuracy"),
            Term("infill_accuracy"),
        )

    def objective(self) -> nn.Module:
        """Return the network with its losses."""
        options = self.recipe.optimisation
        return Objective(self._network, options, options.in_bfloat16(self._device.type))

    def compiled(self, objective: nn.Module) -> Iterable[nn.Module]:
        """Return the network's layers."""
        return layers_of(self._network)

    def inputs(self, batch: Batch, share: float, seed: int) -> tuple[Tensors]:
        """Return the tensors of a batch."""
        return (batch.tensors.to(self._device),)

    def counts(self, batch: Batch, share: float) -> Sequence[float]:
        """Return the weight of the decisions, and the numbers of fills, decisions and fills."""
        return counts(batch, self.recipe.optimisation.edit_weight)

    def probes(self, every_shape: bool) -> list[Probe[Batch]]:
        """Return empty batches: one takes as much memory as a full one, and its gradients are zero."""
        shapes = sorted(self._shapes.values(), key=lambda shape: -shape.width)
        if not every_shape:
            shapes = list(dict.fromkeys([shapes[0], max(shapes, key=lambda shape: shape.fills)]))
        return [Probe(empty_batch(shape, self._network.config)) for shape in shapes]

    def validate(self, network: nn.Module) -> Scores:
        """Correct the validation file and score the corrections."""
        if self._evaluate is None:
            raise PermendError("the recipe has no validation file: set data.validation")
        return Scores(self._evaluate(cast(PointerInfiller, network)))

    def describe(self, batch: Batch) -> str:
        """Return the pairs of a batch."""
        return show_batch(batch, self._tokenizer)

    def write(self, network: nn.Module, folder: Path, standing: Standing) -> None:
        """Write a model folder."""
        best = standing.best
        score = "" if best is None else f" Best validation score so far: F0.5 {best:.4f}."
        notes = f"Trained for {standing.step:,} steps.{score}\n\n```toml\n{write_recipe(self.recipe)}```"
        cast(PointerInfiller, network).save_pretrained(folder, notes)

    def advice(self, batch: Batch) -> str:
        """Recommend smaller batches, and more of them."""
        options = self.recipe.optimisation
        tokens, shape = options.tokens_per_batch, batch.shape
        return (
            f"batches of {tokens} tokens do not fit into the device's memory ({shape.rows} rows of {shape.width}): "
            f"set optimisation.tokens_per_batch={max(1, tokens // 2)} and "
            f"optimisation.accumulate={2 * options.accumulate} for the same steps"
        )


class Validator:
    """Corrects the same pairs again and again: a network in, precision, recall and the score F0.5 out.

    An edit is right when the reference has the same one. Edits are ERRANT's where it is installed, else edits of words.
    """

    def __init__(
        self, pairs: Sequence[Pair], tokenizer: Tokenizer, score: Literal["auto", "errant", "edits"] = "auto"
    ) -> None:
        """Choose the way to score."""
        by_errant = score == "errant" or (score == "auto" and has_errant())
        self._devset = PairDevSet("validation", pairs, "errant" if by_errant else "edits")
        self._tokenizer = tokenizer

    def __call__(self, network: PointerInfiller) -> dict[str, float]:
        """Correct and score."""
        from permend.corrector.corrector import Corrector
        from permend.model.torch.networks import TorchNetworks

        corrector = Corrector.of(TorchNetworks(network), self._tokenizer)
        corrections = corrector.correct_batch(self._devset.texts, _AT_ONCE)
        result = self._devset.score([correction.text for correction in corrections])
        return {"precision": result.precision, "recall": result.recall, "score": result.f(0.5)}


def make_streams(
    recipe: Recipe,
    config: ModelConfig,
    tokenizer: Tokenizer,
    source: PairSource | None,
    held_out: Sequence[Pair],
    accelerator: Accelerator,
) -> list[Stream[Examples, Batch]]:
    """Return this process's streams of batches: one for each batch of a step."""
    data, options = recipe.data, recipe.optimisation
    maker = make_examples(data, config, tokenizer, held_out)
    pairs = make_source(data) if source is None else source
    sample = maker.make(islice(pairs.read(0, options.seed, 0, min(_SAMPLE, len(pairs))), _SAMPLE))
    shapes = plan_shapes(sample.examples, maker.widths, options.tokens_per_batch, config.slots * config.masks)
    return share_out(pairs, maker, ShapePacker(shapes, config), recipe.data.workers, options, accelerator)


def share_out(
    source: PairSource,
    maker: Maker[E],
    packer: Packer[E, B],
    workers: int | None,
    options: OptimiserSettings,
    accelerator: Accelerator,
) -> list[Stream[E, B]]:
    """Return one process's streams: one for each batch of a step, with the cores shared out among them."""
    cores = free_cores() if workers is None else workers
    return [
        Stream(
            source=source,
            maker=maker,
            packer=packer,
            seed=options.seed,
            epochs=options.epochs,
            number=accelerator.process_index * options.accumulate + place,
            streams=accelerator.num_processes * options.accumulate,
            workers=-(-cores // options.accumulate),
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
