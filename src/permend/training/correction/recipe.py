"""A recipe for training a corrector: everything that decides a run, as frozen dataclasses, in TOML or in Python.

In: the path of a TOML file and ``key=value`` changes with dotted keys, or values. Out: a checked `Recipe`, or one
sentence that names the key at fault; whether values fit together is checked where they are used. `write_recipe` is the
inverse: the resolved recipe as TOML.

>>> recipe = make_recipe({"data": {"train": ["pairs.tsv"]}}, ["optimisation.steps=100", "data.max_length=40"])
>>> recipe.optimisation.steps, recipe.data.max_length, recipe.model.slots
(100, 40, 8)
>>> make_recipe({}, ["model.inti=encoder"])
Traceback (most recent call last):
permend.errors.PermendError: unknown recipe key 'model.inti': did you mean 'model.init'?

The defaults are the paper's (Section 4.3) wherever it names a value. Paths are relative to the folder that permend is
started from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from permend.errors import PermendError
from permend.method.align import MASKS, MAX_LEN, SLOTS
from permend.training.recipe_form import Named, RecipeForm
from permend.training.settings import OptimiserSettings, OutputSettings, ValidationSettings, at_least, share_below_one

INSTALLED = "installed"
"""What recipes call the model inside the package."""


@dataclass(frozen=True)
class Data:
    """What the network learns from."""

    train: tuple[str, ...] = ()
    """Files of pairs (.tsv, .csv, .jsonl, .m2); an epoch is one pass over all pairs and text, shuffled together."""
    without: str | None = None
    """A file with names, one a line: pairs of .jsonl files whose `repository` is among them are left out."""
    held_out: tuple[str, ...] = ()
    """Files of pairs to measure on: none of their sentences is trained on, in pairs or text (see `leak_tokens`)."""
    text: tuple[str, ...] = ()
    """Clean text (.txt, packed or not) in which errors are made while training, anew every epoch."""
    text_shares: tuple[float, ...] = ()
    """Share of the paragraphs to use, one for each text; by default all."""
    set_aside: float = 0.0
    """Share of the paragraphs of all texts that is never learned from, for measuring; their own text decides which."""
    errors: str | None = None
    """The error model that makes them, from `permend synth fit`."""
    rates: Mapping[str, float] = field(default_factory=dict, hash=False)
    """Factors on the rates of some of its types: so many times the errors of that kind."""
    lines: bool = False
    """Whether each line of the text is a good sentence already, to be taken as it is."""
    misspellings: tuple[str, ...] = ()
    """Lists of real misspellings for it."""
    validation: str | None = None
    """File of pairs to correct while training; none of its sentences is trained on."""
    reverse: bool = False
    """Whether source and target change places: what learns then is a corrupter (`permend synth sample`)."""
    raw: bool = True
    """Whether annotated corpora (.m2), which are published as tokens, are read as a writer would have typed them."""
    max_length: int = 70
    """Longest source or target in tokens, `<s>` and `</s>` not counted; longer pairs are skipped and counted."""
    scheme: Literal["permend", "felix"] = "permend"
    """Labels by Algorithm 1, or FELIX's way of pointing."""
    max_len: int = MAX_LEN
    """How far the ranks of neighbouring spans may differ in Algorithm 1."""
    overflow: Literal["cut", "keep", "drop"] = "cut"
    """An insertion that does not fit its slot: cut it (the paper), keep the source there, or drop the whole pair."""
    bucket: int = 8
    """Rows are padded to a multiple of this many positions; each multiple is one shape of batch."""
    leak_tokens: int = 7
    """Pairs with a sentence of at least this many words that is held out (in the validation file, in `held_out`, or in
    a known development or test set) are dropped; 0 gives up the guard of the recipe's files, known sets stay guarded
    at 7."""
    workers: int | None = None
    """Processes that label pairs while the network learns; by default one for each free core, 0 for none."""

    def __post_init__(self) -> None:
        """Refuse values that cannot be used."""
        at_least("data.max_length", self.max_length, 1)
        at_least("data.max_len", self.max_len, 1)
        at_least("data.bucket", self.bucket, 1)
        share_below_one("data.set_aside", self.set_aside)
        at_least("data.leak_tokens", self.leak_tokens, 0)
        at_least("data.workers", self.workers, 0)

    def check(self) -> None:
        """Refuse text without an error model, and lists that do not fit each other."""
        if self.text and not self.errors:
            raise PermendError("data.text needs data.errors, the error model that makes errors in it")
        if self.text_shares and len(self.text_shares) != len(self.text):
            raise PermendError(f"data.text_shares has {len(self.text_shares)} shares for {len(self.text)} texts")


@dataclass(frozen=True)
class Model:
    """What is trained: exactly one of `encoder`, `start` and `encoder_config` says where it begins."""

    encoder: str | None = None
    """Folder or hub name of a pretrained Hugging Face encoder."""
    start: str | None = None
    """Folder of a trained or exported permend model to go on from, or "installed", the one inside the package; it fixes
    everything else here but `dropout`."""
    encoder_config: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """A Hugging Face configuration, `model_type` included, for an encoder with random weights."""
    tokenizer: str | None = None
    """The tokenizer.json that goes with `encoder_config`."""
    layers: int | None = None
    """Layers of the encoder to use, from the first; by default all."""
    slots: int = SLOTS
    """Insertions a sentence may have: s in the paper."""
    masks: int = MASKS
    """Tokens a slot can hold."""
    decoder_layers: int = 2
    """Blocks of the decoder."""
    init: Literal["random", "encoder"] = "random"
    """Pointer and decoder start at random (the paper), or as copies of the encoder's last layers (ModernBERT)."""
    dropout: float = 0.1
    """Dropout on hidden states."""
    next_bonus: float | None = None
    """Start of a learned bonus on the next source token; by default there is none."""
    memory_input: bool = False
    """Whether the decoder's input also gets a linear map of the permuted memory."""
    output_head: bool = False
    """Whether a dense layer and a norm stand before the tied output."""
    sinkhorn_steps: int = 0
    """Steps of row and column normalisation on the pointer scores."""

    def __post_init__(self) -> None:
        """Refuse values that cannot be used."""
        for name in ("layers", "slots", "masks", "decoder_layers"):
            at_least(f"model.{name}", getattr(self, name), 1)
        at_least("model.sinkhorn_steps", self.sinkhorn_steps, 0)
        share_below_one("model.dropout", self.dropout)

    def check(self) -> None:
        """Refuse a model with no beginning, or with several."""
        given = [name for name in ("encoder", "start", "encoder_config") if getattr(self, name)]
        if len(given) != 1:
            said = "none of them" if not given else " and ".join(given)
            raise PermendError(f"a recipe's model has one of encoder, start and encoder_config, this one has {said}")
        if self.encoder_config and not self.tokenizer:
            raise PermendError("model.encoder_config needs model.tokenizer, the path of a tokenizer.json")


@dataclass(frozen=True)
class Optimisation(OptimiserSettings):
    """How it learns, and for how long: until the first of `epochs`, `steps` and `minutes` is reached."""

    tokens_per_batch: int = 3000
    """Padded source positions, slots included, in one batch of one process."""
    lambda_per: float = 5.0
    """Weight of the pointer loss beside the infill loss."""
    lambda_0: float = 0.25
    """Weight of SUNDAE's first pass; 1 is the vanilla model."""
    edit_weight: float = 1.0
    """Weight of the pointer's decisions that leave the source's own order."""
    source_dropout: float = 0.0
    """Share of the source's tokens that the encoder sees as masks; the labels stay as they are."""

    def __post_init__(self) -> None:
        """Refuse values that cannot be used."""
        super().__post_init__()
        at_least("optimisation.tokens_per_batch", self.tokens_per_batch, 1)
        for name in ("lambda_per", "edit_weight"):
            at_least(f"optimisation.{name}", getattr(self, name), 0)
        share_below_one("optimisation.source_dropout", self.source_dropout)
        if not 0 <= self.lambda_0 <= 1:
            raise PermendError(f"optimisation.lambda_0 must lie between 0 and 1, not {self.lambda_0}")


@dataclass(frozen=True)
class Validation(ValidationSettings):
    """How often the validation file is corrected and scored; the model that scored best is kept."""

    limit: int | None = None
    """Sentences to use, the first ones of the file; by default all."""
    score: Literal["auto", "errant", "edits"] = "auto"
    """ERRANT's F0.5, or that of the word edits; auto is ERRANT where it is installed."""

    def __post_init__(self) -> None:
        """Refuse values that cannot be used."""
        super().__post_init__()
        at_least("validation.limit", self.limit, 1)


@dataclass(frozen=True)
class Output(OutputSettings):
    """What is left behind: the models `last` and `best`, and what every run leaves."""


@dataclass(frozen=True)
class Recipe:
    """A training run."""

    data: Data = field(default_factory=Data)
    model: Model = field(default_factory=Model)
    optimisation: Optimisation = field(default_factory=Optimisation)
    validation: Validation = field(default_factory=Validation)
    output: Output = field(default_factory=Output)

    def check(self) -> None:
        """Refuse a recipe that lacks something without which there is nothing to run."""
        self.data.check()
        self.model.check()
        self.optimisation.check()


def named_files(recipe: Recipe) -> Named:
    """Return the keys that name files, with the files."""
    named: list[tuple[str, str | None]] = [("data.train", path) for path in recipe.data.train]
    named += [("data.without", recipe.data.without)]
    named += [("data.held_out", path) for path in recipe.data.held_out]
    named += [("data.text", path) for path in recipe.data.text]
    named += [("data.misspellings", path) for path in recipe.data.misspellings]
    named += [("data.errors", recipe.data.errors)]
    named += [("data.validation", recipe.data.validation), ("model.tokenizer", recipe.model.tokenizer)]
    named += [("model.start", recipe.model.start)] if recipe.model.start != INSTALLED else []
    return named


FORM = RecipeForm(
    Recipe,
    named_files,
    free=["data.workers"],
    fixed=[f"optimisation.{name}" for name in ("optimizer", "tokens_per_batch", "seed", "ema")],
)
read_recipe, make_recipe, write_recipe = FORM.read, FORM.make, FORM.write
