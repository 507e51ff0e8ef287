"""A pretraining recipe: everything that decides how a tokenizer and an encoder are made from text.

In: values, from a TOML file or from Python. Out: a checked `Recipe`.

>>> recipe = make_recipe({"data": {"text": ["news.txt"]}}, ["optimisation.steps=100", "encoder.config.hidden_size=64"])
>>> recipe.optimisation.steps, dict(recipe.encoder.config), recipe.masking.share
(100, {'hidden_size': 64}, 0.3)

Paths are relative to the folder that permend is started from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from permend.errors import PermendError
from permend.training.recipe_form import Named, RecipeForm
from permend.training.settings import OptimiserSettings, OutputSettings, ValidationSettings, at_least, share_below_one


@dataclass(frozen=True)
class Data:
    """The text."""

    text: tuple[str, ...] = ()
    """Files of clean text, one paragraph a line (.txt, packed or not)."""
    text_shares: tuple[float, ...] = ()
    """Share of the paragraphs to use, one for each file; by default all."""
    held_out: str | None = None
    """A file of text to measure the loss on; by default `held_out_share` of the paragraphs."""
    held_out_share: float = 0.002
    """Share of the paragraphs that is measured on where no file is named; equal paragraphs stay together."""
    row: int = 128
    """Tokens in a row: paragraphs stand one behind the other, and a row is a stretch of so many tokens."""
    cache: str | None = None
    """File (.npz) that keeps the text as tokens for the next run; it is made anew when text or tokenizer differ."""

    def __post_init__(self) -> None:
        """Refuse values that cannot be used."""
        at_least("data.row", self.row, 8)
        share_below_one("data.held_out_share", self.held_out_share)

    def check(self) -> None:
        """Refuse a recipe without text."""
        if not self.text:
            raise PermendError("a pretraining recipe has text to learn from: set data.text to a list of .txt files")
        if self.text_shares and len(self.text_shares) != len(self.text):
            raise PermendError(f"data.text_shares has {len(self.text_shares)} shares for {len(self.text)} texts")


@dataclass(frozen=True)
class Tokenizer:
    """What turns text into ids: learned from the text, or an existing one."""

    path: str | None = None
    """An existing tokenizer.json, or a folder that holds one."""
    vocabulary: int = 24_576
    """Pieces to learn, special tokens and the 256 bytes included."""
    share: float = 1.0
    """Share of the paragraphs to learn them from."""

    def __post_init__(self) -> None:
        """Refuse values that cannot be used."""
        at_least("tokenizer.vocabulary", self.vocabulary, 261)
        if not 0 < self.share <= 1:
            raise PermendError(f"tokenizer.share must lie above 0 and at most at 1, not {self.share}")


@dataclass(frozen=True)
class Encoder:
    """What is trained: a ModernBERT configuration with random weights, or an encoder to go on from."""

    config: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Values of transformers' ModernBertConfig; size of the vocabulary and special ids follow from the tokenizer."""
    start: str | None = None
    """Hugging Face folder of a ModernBERT masked language model, with whose configuration and tokenizer to go on."""

    def check(self) -> None:
        """Refuse an encoder with no beginning."""
        if not (self.config or self.start):
            raise PermendError("a pretraining recipe says what to train: set encoder.config or encoder.start")


@dataclass(frozen=True)
class Masking:
    """Which tokens are to be guessed, and what stands in their place."""

    share: float = 0.3
    """Share of the tokens to guess."""
    late_share: float = 0.2
    """The same, late in training: nearer to what filling in a word is like."""
    late_from: float = 0.6
    """Share of training after which it is late."""
    mask: float = 0.75
    """Share of them that become `<mask>`."""
    other: float = 0.15
    """Share of them that become another token of the batch; the rest stay as they are."""
    held_out: float = 0.15
    """Share of the held-out text's tokens that become `<mask>`."""

    def __post_init__(self) -> None:
        """Refuse values that cannot be used."""
        for name in ("share", "late_share", "held_out"):
            share_below_one(f"masking.{name}", getattr(self, name))
        if min(self.mask, self.other) < 0 or self.mask + self.other > 1:
            raise PermendError("masking.mask and masking.other must be shares that add up to at most 1")


@dataclass(frozen=True)
class Optimisation(OptimiserSettings):
    """How it learns, and for how long."""

    optimizer: Literal["adamw", "muon"] = "muon"
    """Muon for the matrices of linear layers and AdamW for the rest, or AdamW for all weights."""
    learning_rate: float = 2e-3
    """Peak learning rate of AdamW."""
    matrix_learning_rate: float = 0.02
    """Peak learning rate of Muon."""
    betas: tuple[float, float] = (0.9, 0.98)
    """AdamW's decay rates of the two moments."""
    weight_decay: float = 0.05
    """Weight decay on matrices; vectors (norms, biases) have none."""
    schedule: Literal["constant", "linear", "cosine", "warmup-stable-decay"] = "warmup-stable-decay"
    """Course of the learning rate after the warm-up, over the share of training that is done."""
    decay_share: float = 0.45
    """Last share of training in which `warmup-stable-decay` falls to zero."""
    warmup_steps: int = 300
    """Steps of linear warm-up."""
    clip_norm: float = 1.0
    """Largest norm of the gradient; 0 for no limit."""
    accumulate: int = 1
    """Parts in which a batch goes through the network, where all of it does not fit into memory."""
    rows: int = 2048
    """Rows in a batch, over all parts and processes."""

    def __post_init__(self) -> None:
        """Refuse values that cannot be used."""
        super().__post_init__()
        at_least("optimisation.rows", self.rows, 1)
        if self.rows % self.accumulate:
            raise PermendError(f"optimisation.accumulate={self.accumulate} does not divide {self.rows} rows")


@dataclass(frozen=True)
class Validation(ValidationSettings):
    """How often the held-out loss is measured."""

    rows: int = 1024
    """Rows to measure on, the first ones of the held-out text."""
    samples: int = 3
    """Rows whose filled masks are written down."""

    def __post_init__(self) -> None:
        """Refuse values that cannot be used."""
        super().__post_init__()
        at_least("validation.rows", self.rows, 1)
        at_least("validation.samples", self.samples, 0)


@dataclass(frozen=True)
class Output(OutputSettings):
    """What is left behind: the encoder `last`, tokenizer.json, samples.txt, and what every run leaves."""

    folder: str = "runs/encoder"
    """Folder of the run."""
    dtype: Literal["float32", "bfloat16"] = "float32"
    """Numbers in which the encoder is written."""


@dataclass(frozen=True)
class Recipe:
    """A pretraining run."""

    data: Data = field(default_factory=Data)
    tokenizer: Tokenizer = field(default_factory=Tokenizer)
    encoder: Encoder = field(default_factory=Encoder)
    masking: Masking = field(default_factory=Masking)
    optimisation: Optimisation = field(default_factory=Optimisation)
    validation: Validation = field(default_factory=Validation)
    output: Output = field(default_factory=Output)

    def check(self) -> None:
        """Refuse a recipe that lacks something without which there is nothing to run."""
        self.data.check()
        self.encoder.check()
        self.optimisation.check()
        if self.encoder.start and self.tokenizer.path:
            raise PermendError("encoder.start brings its own tokenizer: leave out tokenizer.path")


def _files(recipe: Recipe) -> Named:
    texts: list[tuple[str, str | None]] = [("data.text", path) for path in recipe.data.text]
    one = ("data.held_out", recipe.data.held_out), ("tokenizer.path", recipe.tokenizer.path)
    return [*texts, *one, ("encoder.start", recipe.encoder.start)]


FORM = RecipeForm(
    Recipe,
    _files,
    free=["data.cache"],
    fixed=[f"optimisation.{name}" for name in ("optimizer", "rows", "seed", "ema")],
)
read_recipe, make_recipe, write_recipe = FORM.read, FORM.make, FORM.write
