"""How sure an edit is, as a probability that means something: of the edits with 0.8, about 80% are right.

In: the evidence for an edit. Out: a probability.

>>> weights = {"intercept": -0.2, "share": 0.3, "fill": 0.5, "bias": 3.3, "margin": 0.1}
>>> calibration = Calibration(**weights, types={"R:SPELL": 1.1, "R:OTHER": -1.2})
>>> round(calibration(Evidence(share=0.9, fill=-0.1, bias=0.1, margin=4.0, type="R:SPELL")), 2)
0.9
>>> round(calibration(Evidence(share=0.9, fill=-0.1, bias=0.1, margin=4.0, type="R:OTHER")), 2)
0.48

A logistic function of five things: how much of the hypotheses' probability agrees with the edit, as log-odds; how sure
the decoder is of the words that it wrote; the confidence bias, since what a biased search still changes is more often
right; by how much the hypothesis beats the unchanged sentence, per edit; and the error type, since a network that
spells well may still be a poor judge of style. A model's weights lie in its folder as `calibration.json`; `permend
tune` learns them.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from permend.arguments import check_number
from permend.errors import ArgumentError, InputError
from permend.json_file import read_json
from permend.runtime.integrity import HASHES, write_hashes

CALIBRATION = "calibration.json"
"""File name inside a model folder."""
SUREST = 0.99
"""Shares beyond this count as this, for a short list of hypotheses tells no more; those below 1 - 0.99 likewise."""
LEAST_FILL = -10.0
LARGEST_MARGIN = 8.0
LEAST_TOTAL = -500.0  # of which the exponential is just about a number


class Evidence(NamedTuple):
    """What a corrector knows of an edit."""

    share: float
    """The share of the hypotheses' probability that agrees with it."""
    fill: float
    """log p(y | π) of the hypothesis that it comes from."""
    bias: float
    """Confidence bias c of the search."""
    margin: float
    """Log-odds of that hypothesis over the unchanged sentence, per edit."""
    type: str
    """Error type, such as ``R:VERB:SVA``."""


@dataclass(frozen=True)
class Calibration:
    """Weights of a logistic function."""

    intercept: float
    share: float
    fill: float
    bias: float
    margin: float = 0.0
    types: Mapping[str, float] = field(default_factory=dict)
    """What each error type adds; 0 for types that were never seen."""

    def __call__(self, evidence: Evidence) -> float:
        """Return the probability that an edit is right."""
        weights = self.intercept, self.share, self.fill, self.bias, self.margin
        total = sum(weight * value for weight, value in zip(weights, features(evidence), strict=True))
        total += self.types.get(evidence.type, 0.0)
        return 1 / (1 + math.exp(-max(total, LEAST_TOTAL)))


def features(evidence: Evidence) -> tuple[float, ...]:
    """Return what the weights belong to, the first of them to the intercept."""
    share = min(max(evidence.share, 1 - SUREST), SUREST)
    fill, margin = max(evidence.fill, LEAST_FILL), min(evidence.margin, LARGEST_MARGIN)
    return 1.0, math.log(share / (1 - share)), fill, evidence.bias, margin


def read_calibration(folder: str | Path) -> Calibration | None:
    """Read a folder's calibration; None where it has none."""
    file = Path(folder) / CALIBRATION
    try:
        values = read_json(file)
    except FileNotFoundError:
        return None
    try:
        types = {name: check_number(name, weight) for name, weight in values.pop("types").items()}
        return Calibration(types=types, **{name: check_number(name, weight) for name, weight in values.items()})
    except (ArgumentError, TypeError, KeyError, AttributeError) as error:
        message = f"the model's calibration cannot be read ({error.__class__.__name__}: {error})"
        raise InputError(message, file) from None


def write_calibration(folder: str | Path, calibration: Calibration) -> None:
    """Write `calibration.json` into a model folder, and bring its hashes up to date."""
    where = Path(folder)
    text = json.dumps(dataclasses.asdict(calibration), indent=2) + "\n"
    (where / CALIBRATION).write_text(text, encoding="utf-8")
    if (where / HASHES).is_file():
        write_hashes(where)
