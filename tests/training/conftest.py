"""Recipes small enough to run in a test, of every kind of training: the loop's promises hold for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from permend.training.correction import loss
from permend.training.correction import recipe as correction
from permend.training.correction.run import train
from permend.training.loop import Outcome
from permend.training.pretraining import masked
from permend.training.pretraining import recipe as pretraining
from permend.training.pretraining.run import pretrain
from permend.training.task import Scores
from tests.training import regression
from tests.training.listening import Memory

RECIPES = Path(__file__).parents[2] / "experiments" / "recipes"
TINY = (
    "model.encoder_config.hidden_size=16",
    "model.encoder_config.num_hidden_layers=1",
    "model.encoder_config.num_attention_heads=2",
    "model.encoder_config.intermediate_size=16",
    "model.decoder_layers=1",
    "optimisation.tokens_per_batch=256",
    "optimisation.epochs=none",
    "output.log_steps=1",
)
TINY_ENCODER = (
    "encoder.config.hidden_size=32",
    "encoder.config.num_hidden_layers=1",
    "encoder.config.num_attention_heads=2",
    "encoder.config.intermediate_size=32",
    "output.log_steps=1",
)


@dataclass(frozen=True)
class Kind:
    """A kind of training, as the tests of the loop see it."""

    name: str
    make: Callable[[list[str]], Any]
    """From changes to a recipe."""
    start: Callable[..., Outcome]
    objective: type[nn.Module]
    """Whose `forward` gives the sums of a batch."""
    folder: Path
    """Where runs go."""
    leaves: set[str]
    """Files of a run without a validation, beside the usual ones."""
    dropout: tuple[str, ...] = ()
    """Changes that bring random numbers into the network."""
    compiles: frozenset[str] = frozenset()
    """Classes of the modules that are compiled."""
    learns: float = 0.9
    """What the loss falls to in 40 steps, as a share of its beginning, at least."""
    doing: str = "training"
    high: bool = True
    """Whether a high score is good."""
    suffix: str = ".txt"
    keeps_best: bool = True
    score: str = "score"
    options: dict[str, Any] = field(default_factory=dict)
    """For `start`."""

    def recipe(self, *changes: str) -> Any:
        """Return a tiny recipe."""
        return self.make([f"output.folder={self.folder}", *changes])

    def run(self, *changes: str, memory: Memory | None = None, resume: bool = False) -> tuple[Any, Outcome]:
        """Run a tiny recipe; return what a listener heard, and the outcome."""
        memory = memory or Memory()
        return memory, self.start(self.recipe(*changes), [memory], resume=resume, **self.options)


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """Tiny products are slower with several threads, and much slower on a busy machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(RECIPES.parents[1])  # where the toys' paths lead from


@pytest.fixture
def tiny(tmp_path: Path, _at_the_root: None) -> Callable[..., correction.Recipe]:
    """Return a maker of tiny recipes with the given changes; runs go to ``tmp_path / "run"``."""

    def make(*changes: str) -> correction.Recipe:
        return correction.read_recipe(RECIPES / "toy.toml", [*TINY, f"output.folder={tmp_path / 'run'}", *changes])

    return make


def kind_of(name: str, folder: Path) -> Kind:
    """Return a kind of training by its name."""
    if name == "correction":
        return Kind(
            name,
            lambda changes: correction.read_recipe(RECIPES / "toy.toml", [*TINY, *changes]),
            train,
            loss.Objective,
            folder,
            leaves=set(),
            dropout=("model.dropout=0.1", "optimisation.lambda_0=0.25"),
            compiles=frozenset({"Block", "ModernBertEncoderLayer"}),
            learns=0.8,
            suffix=".tsv",
        )
    if name == "pretraining":
        plain = ("validation.every_steps=none", "optimisation.steps=none", "data.held_out_share=0")
        return Kind(
            name,
            lambda changes: pretraining.read_recipe(RECIPES / "pretrain-toy.toml", [*TINY_ENCODER, *plain, *changes]),
            pretrain,
            masked.Guesser,
            folder,
            leaves={"tokenizer.json"},
            dropout=("encoder.config.mlp_dropout=0.1",),
            compiles=frozenset({"Guesser"}),
            doing="pretraining",
            high=False,
            keeps_best=False,
            score="held_out_loss",
        )
    quick = ["optimisation.warmup_steps=1", "optimisation.learning_rate=0.05", "output.log_steps=1"]
    return Kind(
        name,
        lambda changes: regression.FORM.make({}, [*quick, *changes]),
        regression.learn,
        regression.SquaredError,
        folder,
        leaves={"samples.txt", "best"},
        compiles=frozenset({"SquaredError"}),
        learns=0.8,
        high=False,
        score="error",
    )


@pytest.fixture(params=["correction", "pretraining", "regression"])
def kind(request: pytest.FixtureRequest, tmp_path: Path, _at_the_root: None) -> Kind:
    """Return each kind of training in turn; runs go to ``tmp_path / "run"``."""
    return kind_of(request.param, tmp_path / "run")


@pytest.fixture
def scripted(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[nn.Module], float]], Kind]:
    """Return a maker of kinds whose validation is a function of the network."""

    def make(score: Callable[[nn.Module], float]) -> Kind:
        if kind.name == "correction":
            kind.options["evaluate"] = lambda network: {"score": score(network)}
        elif kind.name == "pretraining":

            def measure(self: Any, guesser: masked.Guesser, device: torch.device, samples: int) -> Scores:
                return Scores({"held_out_loss": score(guesser.network), "held_out_accuracy": 0.5})

            monkeypatch.setattr(masked.HeldOut, "measure", measure)
        else:
            monkeypatch.setattr(
                regression.RegressionTask, "validate", lambda self, network: Scores({"error": score(network)})
            )
        return kind

    return make
