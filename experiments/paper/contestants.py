"""The rows of the tables: a trained system, and how it corrects.

In: a work folder with trainings. Out: `Contestant`s that can be opened as correctors. One training makes several rows
(greedy and aggressive decoding; one, three and five steps). Where a row has a `grid`, its options are those that score
best on the development set, as the systems' own papers choose them; the table says which.

As in the paper, permend ranks by the pointer alone, reads once and vets nothing; the shipped model has its own row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

import torch

from experiments.paper.trainings import PERMEND, Training, families, model_of
from experiments.rivals.corrector import RivalCorrector
from permend.corrector.corrector import Corrector
from permend.documents.checker import Corrects
from permend.model.options import Options, read_modes
from permend.model.pretrained import model_folder
from permend.model.torch.device import DeviceNetworks
from permend.model.torch.network import PointerInfiller
from permend.text.tokens import SubwordTokenizer

OptionValues: TypeAlias = Mapping[str, Any]
PAPERS: OptionValues = {"joint": False, "prune": False, "vetted": False, "steps": 2}
BIASES = (0.0, 0.1, 0.2, 0.3)
"""Values of the confidence bias c to choose from (Section 4.3)."""
THRESHOLDS = {"keep_bias": (0.0, 0.2), "min_error": (0.0, 0.5)}
"""GECToR's, to choose from."""
MARGINS = (0.0, 1.0, 2.0, 3.0)
"""Values of the least margin over the unchanged sentence to choose from."""
INSTALLED = "permend, as it ships"
STEPS = (1, 2, 3)
LAMBDAS = {"0.75": "lambda-0.75", "0.25": "sundae", "0.01": "lambda-0.01"}
"""The trainings with each λ₀ of Table 4."""


@dataclass(frozen=True)
class Contestant:
    """A row."""

    name: str
    training: Training | None
    """What was trained for it; None for the model inside the package."""
    options: OptionValues = field(default_factory=dict, hash=False)
    grid: Mapping[str, Sequence[Any]] = field(default_factory=dict, hash=False)
    """Options to choose from."""
    published: str = ""
    """The paper's name for it."""

    def choices(self) -> Iterator[OptionValues]:
        """Yield all options that it may correct with."""
        for values in product(*self.grid.values()):
            yield {**self.options, **dict(zip(self.grid, values, strict=True))}

    def fixed(self, options: OptionValues) -> Contestant:
        """Return it with options that are chosen already."""
        return replace(self, options=options, grid={})

    def open(self, work: Path, device: torch.device, options: OptionValues) -> Corrects:
        """Load it."""
        if self.training is None:
            return Corrector(threads=torch.get_num_threads())
        folder = model_of(work, self.training)
        if self.training.system != PERMEND:
            return RivalCorrector.load(folder, device, **options)
        network = PointerInfiller.from_pretrained(folder)
        networks = DeviceNetworks(network, device, torch.float32)  # as the rivals compute
        tokenizer = SubwordTokenizer.from_path(folder / "tokenizer.json")
        return Corrector.of(networks, tokenizer, Options(**options))


def comparison() -> list[Contestant]:
    """Return the rows of Tables 2 and 3."""
    last = {family: trainings[-1] for family, trainings in families().items()}
    rows = [Contestant("AR(12+2), greedy", last["ar"], {"decoding": "greedy"}, published="BART(12+2), greedy")]
    rows.append(
        Contestant("AR(12+2), aggressive", last["ar"], {"decoding": "aggressive"}, published="BART(12+2), aggressive")
    )
    rows.append(Contestant("LevT", last["levt"], published="LevT"))
    rows.append(Contestant("FELIX", last["felix"], published="FELIX"))
    rows.append(Contestant("PIE, 1 round", last["pie"], {"rounds": 1}))
    rows.append(Contestant("PIE, 4 rounds", last["pie"], {"rounds": 4}, published="PIE, BERT-large"))
    for steps, plural in ((1, ""), (3, "s"), (5, "s")):
        name, published = (f"{who}, {steps} step{plural}" for who in ("GECToR", "GECToR-large"))
        rows.append(Contestant(name, last["gector"], {"steps": steps}, THRESHOLDS, published))
    one = {**PAPERS, "alternatives": 1}  # only the best plan is filled
    biases = {"bias": BIASES}
    vanilla = Contestant(
        "permend, vanilla", last["permend-vanilla"], {**one, "steps": 1}, biases, "GEC-DePenD, vanilla"
    )
    shipped = Contestant("permend, SUNDAE, shipped options", last["permend"], _shipped(), {"min_margin": MARGINS})
    sundae = Contestant("permend, SUNDAE", last["permend"], one, biases, "GEC-DePenD, SUNDAE")
    return [*rows, vanilla, sundae, shipped, Contestant(INSTALLED, None)]


def _shipped() -> dict[str, Any]:
    """Return the options of the installed model's default mode, without thresholds that fit that model alone."""
    return {**asdict(read_modes(model_folder(None)).options()), "bias": 0.0, "min_confidence": 0.0, "leave_below": 0.0}


def ablated(family: str, stages: int, steps: int) -> Contestant:
    """Return a training of the ablation, after so many of its stages, with so many decoder steps."""
    training = families()[f"ablation-{family}"][stages - 1]
    name = f"{family} {training.stage}, {steps} step{'s' if steps > 1 else ''}"
    return Contestant(name, training, {**PAPERS, "steps": steps}, {"bias": BIASES})


def ablation() -> list[Contestant]:
    """Return all that Table 4 asks."""
    vanilla = [ablated(family, 2, 1) for family in ("felix-labels", "vanilla", "sinkhorn")]
    early = [ablated("vanilla", 1, 1), ablated("sundae", 1, 2)]
    steps = [ablated(family, 2, count) for family in LAMBDAS.values() for count in STEPS]
    return [*vanilla, *early, *steps]
