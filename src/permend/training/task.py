"""What the loop asks of a kind of training: a `Task`.

In: a recipe, which `correction` or `pretraining` makes into a task. Out: all that `loop`, `step`, `memory`,
`checkpoint` and `log` know of networks and data. A step's loss is made of terms. Each is a sum over all batches of all
processes, divided by its own count over all of them; a term without a weight is only reported:

    loss = 5 · Σ pointer / Σ decisions + 1 · Σ infill / Σ fills

>>> terms = (Term("pointer_loss", 5.0), Term("infill_loss", 1.0), Term("pointer_accuracy"))
>>> loss_of(terms, sums=(10.0, 6.0, 15.0), counts=(20.0, 3.0, 20.0))
4.5
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from torch import Tensor, nn

from permend.training.settings import OptimiserSettings, OutputSettings, ValidationSettings

B = TypeVar("B")
N = TypeVar("N", float, Tensor)
LEAST = 1e-9
"""What a sum over nothing is divided by."""


class Term(NamedTuple):
    """One of the sums that a batch gives."""

    column: str
    """What its mean is called in reports."""
    weight: float | None = None
    """Its weight in the loss; None where it is only reported."""


def loss_of(terms: Sequence[Term], sums: Sequence[N], counts: Sequence[float]) -> N:
    """Return Σ weight · sum / count over the terms that have a weight."""
    parts = [
        term.weight * value / max(count, LEAST)
        for term, value, count in zip(terms, sums, counts, strict=True)
        if term.weight is not None
    ]
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


class Delivery(NamedTuple, Generic[B]):
    """A batch, and where its feed stands after it."""

    batch: B
    after: tuple[int, ...]
    """The feed's position."""
    epochs: float
    """Epochs done, with the share of the one under way."""
    tokens: int
    """Positions of the batch, padding included."""
    tally: Mapping[str, int] = {}
    """What became of the data read since the delivery before: numbers to be added up over a run."""


class Feed(Protocol[B]):
    """One endless or finite sequence of batches, the same ones whenever it is opened at the same position."""

    @property
    def number(self) -> int:
        """Which of the run's feeds this is, over all processes."""

    def open(self, position: Sequence[int] = ()) -> Iterator[Delivery[B]]:
        """Return the batches behind a position; the empty one is the beginning."""


class Probe(NamedTuple, Generic[B]):
    """A batch that is as large as batches come, for a share of training that is done."""

    batch: B
    share: float = 0.0


@dataclass(frozen=True)
class Scores:
    """What a validation found."""

    values: Mapping[str, float]
    """Scores by column of the log."""
    samples: tuple[str, ...] = ()
    """Lines to look at, for samples.txt."""


class Goal(NamedTuple):
    """The score that tells which network is best."""

    column: str
    label: str
    """How it is written for people."""
    high: bool = True
    """Whether more is better."""

    def is_better(self, score: float, best: float | None) -> bool:
        """Whether a score is better than the best so far."""
        return best is None or (score > best if self.high else score < best)


@dataclass(frozen=True)
class LogForm:
    """What log.csv and loss.png show."""

    progress: tuple[str, ...]
    """Columns of reports, in their order: of `Report`, of the task's terms and of its details."""
    scores: tuple[str, ...]
    """Columns of validations."""
    drawn: Mapping[str, str]
    """Columns to draw as losses, with their labels."""
    goal: Goal


@dataclass(frozen=True)
class Standing:
    """Where a run stands when its network is written down."""

    step: int
    epochs: float
    best: float | None
    """Best score so far."""
    scores: Scores | None = None
    """The last validation since the start or the resume."""


class RunRecipe(Protocol):
    """The sections that recipes of every kind have."""

    @property
    def optimisation(self) -> OptimiserSettings:
        """How the network learns, and for how long."""

    @property
    def validation(self) -> ValidationSettings:
        """When it is validated."""

    @property
    def output(self) -> OutputSettings:
        """What the run leaves behind."""


class Task(Protocol[B]):
    """A kind of training: inherit from it, set the attributes, and the loop does the rest."""

    recipe: RunRecipe
    network: nn.Module
    """What is optimised and saved."""
    terms: Sequence[Term]
    log: LogForm
    feeds: Sequence[Feed[B]]
    """This process's feeds: as many as it takes batches a step."""
    doing: str = "training"
    """What the run is called while it takes steps."""
    validates: bool = True
    """Whether there is something to validate on."""
    keeps_best: bool = True
    """Whether the best network is kept beside the last one."""
    batch_suffix: str = ".txt"
    """Of files that show a batch."""

    @abstractmethod
    def objective(self) -> nn.Module:
        """Return a module that computes the sums of the terms, in their order, from the inputs of a batch."""

    @abstractmethod
    def inputs(self, batch: B, share: float, seed: int) -> tuple[Any, ...]:
        """Return the objective's arguments, on the device; random ones depend on the seed alone."""

    @abstractmethod
    def counts(self, batch: B, share: float) -> Sequence[float]:
        """Return what a batch adds to the terms' counts, without waiting for the device."""

    @abstractmethod
    def probes(self, every_shape: bool) -> Sequence[Probe[B]]:
        """Return batches to try before the first step, the largest first: of every shape, or those large enough."""

    @abstractmethod
    def describe(self, batch: B) -> str:
        """Return a batch as text, for a person who wants to know why its loss was not a number."""

    @abstractmethod
    def write(self, network: nn.Module, folder: Path, standing: Standing) -> None:
        """Write a network as a folder, which does not exist yet."""

    def validate(self, network: nn.Module) -> Scores:
        """Score a network on data that it does not learn; the first process does it."""
        raise NotImplementedError

    def compiled(self, objective: nn.Module) -> Iterable[nn.Module]:
        """Return the modules to compile, by default the whole objective."""
        return [objective]

    def details(self, share: float, epochs: float) -> Mapping[str, float]:
        """Return further columns of a report."""
        return {}

    def advice(self, batch: B) -> str:
        """Say what to change when a batch does not fit into memory."""
        return "a batch does not fit into the device's memory: make batches smaller"

    def upgraded(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return the values of a checkpoint, an old one's in today's form."""
        return values
