"""The sections that every recipe has: how weights are updated and for how long, when to validate, what to leave behind.

In: values, from `recipe_form` or from Python. Out: frozen dataclasses; a value out of its bounds is refused with a
sentence that names its key.

>>> OptimiserSettings(steps=0)
Traceback (most recent call last):
permend.errors.PermendError: optimisation.steps must be at least 1, not 0
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from permend.errors import PermendError


def at_least(key: str, value: float | None, least: int) -> None:
    """Refuse a value that is set, and lower than `least`."""
    if value is not None and not value >= least:  # NaN compares false
        raise PermendError(f"{key} must be at least {least}, not {value}")


def share_below_one(key: str, value: float) -> None:
    """Refuse a value outside [0, 1)."""
    if not 0 <= value < 1:
        raise PermendError(f"{key} must lie in [0, 1), not {value}")


@dataclass(frozen=True)
class OptimiserSettings:
    """How it learns, and for how long: until the first of `epochs`, `steps` and `minutes` is reached."""

    optimizer: Literal["adamw", "muon"] = "adamw"
    """AdamW for all weights (the paper), or Muon for the matrices of linear layers and AdamW for the rest."""
    learning_rate: float = 3e-5
    """Peak learning rate of AdamW."""
    matrix_learning_rate: float = 6e-3
    """Peak learning rate of Muon."""
    betas: tuple[float, float] = (0.9, 0.999)
    """AdamW's decay rates of the two moments."""
    epsilon: float = 1e-8
    """AdamW's ε."""
    momentum: float = 0.95
    """Muon's momentum."""
    weight_decay: float = 0.01
    """Weight decay on matrices; vectors (norms, biases) have none."""
    schedule: Literal["constant", "linear", "cosine", "warmup-stable-decay"] = "constant"
    """Course of the learning rate after the warm-up, over the share of training that is done."""
    decay_share: float = 0.2
    """Last share of training in which `warmup-stable-decay` falls to zero."""
    warmup_steps: int = 500
    """Steps of linear warm-up."""
    epochs: int | None = None
    """Passes over the training files."""
    steps: int | None = None
    """Updates of the weights."""
    minutes: float | None = None
    """Time spent on steps; compiling, validating and saving do not count."""
    clip_norm: float = 0.0
    """Largest norm of the gradient; 0 for no limit."""
    seed: int = 1
    """Seed of shuffling, dropout, sampling and new weights."""
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    """Arithmetic of the network; auto is bfloat16 on a GPU and float32 on a CPU. Weights stay in float32."""
    compile: bool = False
    """Whether to compile the layers with torch.compile, once for each shape of batch, before the clock starts."""
    accumulate: int = 1
    """Batches whose gradients are summed before a step; as good as so many times the processes."""
    ema: float = 0.0
    """Decay of a moving average of the weights, which is then what is validated and kept; 0 for none."""

    def __post_init__(self) -> None:
        """Refuse values that cannot be used."""
        for name in ("epochs", "steps", "accumulate"):
            at_least(f"optimisation.{name}", getattr(self, name), 1)
        for name in ("learning_rate", "matrix_learning_rate", "weight_decay", "warmup_steps", "clip_norm", "seed"):
            at_least(f"optimisation.{name}", getattr(self, name), 0)
        at_least("optimisation.epsilon", self.epsilon, 0)
        share_below_one("optimisation.momentum", self.momentum)
        share_below_one("optimisation.ema", self.ema)
        if not 0 < self.decay_share <= 1:
            raise PermendError(f"optimisation.decay_share must lie above 0 and at most at 1, not {self.decay_share}")
        if self.minutes is not None and self.minutes <= 0:
            raise PermendError(f"optimisation.minutes must be positive, not {self.minutes}")

    def in_bfloat16(self, device: str) -> bool:
        """Whether the network computes in bfloat16 on that type of device."""
        return self.precision == "bfloat16" or (self.precision == "auto" and device == "cuda")

    def check(self) -> None:
        """Refuse a run without an end."""
        if self.epochs is None and self.steps is None and self.minutes is None:
            raise PermendError("a recipe says when to stop: set optimisation.epochs, steps or minutes")


@dataclass(frozen=True)
class ValidationSettings:
    """When the run is measured on text that it does not learn; it is at the end anyway."""

    every_minutes: float | None = None
    """Minutes from one measurement to the next."""
    every_steps: int | None = None
    """Steps from one measurement to the next."""

    def __post_init__(self) -> None:
        """Refuse values that cannot be used."""
        at_least("validation.every_steps", self.every_steps, 1)
        if self.every_minutes is not None and self.every_minutes <= 0:
            raise PermendError(f"validation.every_minutes must be positive, not {self.every_minutes}")


@dataclass(frozen=True)
class OutputSettings:
    """What is left behind, and how often it is brought up to date."""

    folder: str = "runs/model"
    """Folder of the run: its results, the checkpoint, recipe.toml, log.csv, loss.png."""
    save_minutes: float = 10.0
    """Minutes from one checkpoint to the next; there is one at the end and when the run is interrupted anyway."""
    log_steps: int = 10
    """Steps behind one line of log.csv."""

    def __post_init__(self) -> None:
        """Refuse values that cannot be used."""
        at_least("output.log_steps", self.log_steps, 1)
        if self.save_minutes <= 0:
            raise PermendError(f"output.save_minutes must be positive, not {self.save_minutes}")
