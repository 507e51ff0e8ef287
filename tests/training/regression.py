"""A third task, to show that it needs no third loop: a line through points (x, 2x + 1), learned by least squares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import torch
from accelerate import Accelerator
from torch import Tensor, nn

from permend.training.log import Listener
from permend.training.loop import Outcome, run
from permend.training.recipe_form import RecipeForm
from permend.training.settings import OptimiserSettings, OutputSettings, ValidationSettings
from permend.training.task import Delivery, Goal, LogForm, Probe, Scores, Standing, Task, Term

PER_EPOCH = 8


@dataclass(frozen=True)
class Recipe:
    """A run."""

    optimisation: OptimiserSettings = field(default_factory=OptimiserSettings)
    validation: ValidationSettings = field(default_factory=ValidationSettings)
    output: OutputSettings = field(default_factory=OutputSettings)


FORM = RecipeForm(Recipe, lambda recipe: [], fixed=["optimisation.seed"])


@dataclass(frozen=True)
class Points:
    """Batches of five points: the n-th is always the same."""

    number: int
    epochs: int | None

    def open(self, position: Sequence[int] = ()) -> Iterator[Delivery[Tensor]]:
        """Yield the batches behind a position."""
        at = position[0] if position else 0
        while self.epochs is None or at < self.epochs * PER_EPOCH:
            x = torch.randn(5, 1, generator=torch.Generator().manual_seed(100 * self.number + at))
            at += 1
            yield Delivery(x, (at,), at / PER_EPOCH, tokens=5)


class SquaredError(nn.Module):
    """The sum of squared errors, and how many are small."""

    def __init__(self, network: nn.Module) -> None:
        """Wrap a network."""
        super().__init__()
        self.network = network

    def forward(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        """Return the two sums."""
        error = self.network(x) - y
        return (error**2).sum(), (error.abs() < 0.1).sum()


class RegressionTask(Task[Tensor]):
    """Learns slope and intercept."""

    log = LogForm(
        ("step", "loss", "close", "gradient"), ("error",), {"loss": "training"}, Goal("error", "error", False)
    )
    terms = (Term("squares", 1.0), Term("close"))

    def __init__(self, recipe: Recipe, accelerator: Accelerator) -> None:
        """Begin anywhere."""
        torch.manual_seed(recipe.optimisation.seed)
        self.recipe: Recipe = recipe
        self.network = nn.Linear(1, 1)
        first = accelerator.process_index * recipe.optimisation.accumulate
        numbers = range(first, first + recipe.optimisation.accumulate)
        self.feeds = [Points(number, recipe.optimisation.epochs) for number in numbers]

    def objective(self) -> nn.Module:
        """Return the loss."""
        return SquaredError(self.network)

    def inputs(self, batch: Tensor, share: float, seed: int) -> tuple[Tensor, Tensor]:
        """Return points."""
        return batch, 2 * batch + 1

    def counts(self, batch: Tensor, share: float) -> Sequence[float]:
        """Count the points, for either term."""
        return len(batch), len(batch)

    def probes(self, every_shape: bool) -> list[Probe[Tensor]]:
        """Return a batch: all have one shape."""
        return [Probe(torch.zeros(5, 1))]

    def validate(self, network: nn.Module) -> Scores:
        """Measure the error at one point."""
        return Scores({"error": abs(float(network(torch.ones(1)).detach()) - 3)}, samples=("x = 1",))

    def describe(self, batch: Tensor) -> str:
        """Return the numbers."""
        return f"{batch.flatten().tolist()}\n"

    def write(self, network: nn.Module, folder: Path, standing: Standing) -> None:
        """Write the weights."""
        folder.mkdir(parents=True)
        torch.save(network.state_dict(), folder / "weights.pt")


def learn(recipe: Recipe, listeners: Sequence[Listener] = (), *, resume: bool = False) -> Outcome:
    """Fit the line."""
    return run(recipe, FORM, lambda accelerator, _: RegressionTask(recipe, accelerator), listeners, resume=resume)
