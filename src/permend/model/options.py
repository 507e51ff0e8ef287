"""How a corrector decides: its options, the modes of a model (named options) and how sure an edit is.

In: numbers, or a model folder with `modes.json` and `calibration.json`, read without torch. Out: `Options`, `Modes` and
a `Calibration`, or an error that says which number means nothing.

>>> Options(bias=0.3).steps
2

    modes = read_modes("model")
    modes.options("precise")    # Options(bias=0.4, min_margin=0.08, …)
    modes.options()             # those of `balanced`; plain Options() where the folder has no modes.json

Three modes are usual: `thorough` finds most; `balanced`, the default, seldom touches a correct sentence; `precise`
hardly ever does. `permend tune` chooses them on annotated sentences, and learns the calibration: of the edits with a
probability of 0.8, about 80% are right.

>>> weights = {"intercept": -0.2, "share": 0.3, "fill": 0.5, "bias": 3.3, "margin": 0.1}
>>> calibration = Calibration(**weights, types={"R:SPELL": 1.1, "R:OTHER": -1.2})
>>> round(calibration(Evidence(share=0.9, fill=-0.1, bias=0.1, margin=4.0, type="R:SPELL")), 2)
0.9
>>> round(calibration(Evidence(share=0.9, fill=-0.1, bias=0.1, margin=4.0, type="R:OTHER")), 2)
0.48

It is a logistic function of five things: how much of the hypotheses' probability agrees with the edit, as log-odds; how
sure the decoder is of the words that it wrote; the confidence bias, since what a biased search still changes is more
often right; by how much the hypothesis beats the unchanged sentence, per edit; and the error type, since a network that
spells well may still be a poor judge of style.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from permend.errors import ArgumentError, InputError, PermendError, check_count, check_number, check_text, shown
from permend.model.folder import HASHES, write_hashes
from permend.text.json_file import read_json

MOST_HYPOTHESES, MOST_STEPS = 1_000, 1_000
"""What the search and the decoder may be asked for: more gives nothing but waiting."""
MOST_READINGS = 20
"""Times that a sentence is read, whatever is asked for: one that still changes then would never come to rest."""


@dataclass(frozen=True)
class Options:
    """How to search, rank and decide."""

    beam: int = 5
    """Hypotheses that the search keeps at each step."""
    alternatives: int = 5
    """Hypotheses that come back, the unchanged sentence not counted."""
    bias: float = 0.0
    """Confidence bias c: how much the search favours the next source token."""
    steps: int = 2
    """Passes of the decoder; 1 is the vanilla model's way."""
    joint: bool = True
    """Rank by log p(π) + log p(y | π), per length; False ranks by the pointer alone, as the paper does."""
    min_margin: float = 0.0
    """Leave a sentence alone unless the log-probability of the best hypothesis exceeds its own by this much."""
    slip_margin: float | None = None
    """Where the margin is below `min_margin`, but not below this, mend slips all the same and nothing else.

    Slips are what the text itself shows to be wrong (`permend.corrector.slips`): a word that nobody knows, one that
    stands twice, spaces around signs. None: they want the same margin as everything else.
    """
    min_confidence: float = 0.0
    """Leave a stretch alone where the edit is less probable than this; the other edits of its sentence stay."""
    readings: int = 1
    """Times that a sentence is read, as long as it changes: words that an error hid are seen when it is gone.

    Never more than `MOST_READINGS`, nor again when it has come back to what it was.
    """
    vetted: bool = True
    """Offer no edit that leaves an unknown word, half a clause or a word twice, where the language has a word list."""
    prune: bool = True
    """Fill only hypotheses that can still win: the same corrections, faster, with fewer alternatives.

    Its key in `modes.json` is ``thrifty``.
    """
    shared: bool = False
    """Fill a gap between the same two tokens once for all hypotheses but the best: faster, hardly another answer.

    Only where the decoder passes once (`steps`).
    """

    leave_below: float = 0.0
    """Leave a sentence alone after the encoder's first layers where it is less probable than this that it will change.

    0: never. Only models with a head can say (`permend.model.networks.Parts`); others read every sentence to the end.
    """

    def __post_init__(self) -> None:
        """Refuse values that mean nothing."""
        check_count("beam", self.beam, MOST_HYPOTHESES)
        check_count("alternatives", self.alternatives, MOST_HYPOTHESES)
        check_count("steps", self.steps, MOST_STEPS)
        check_count("readings", self.readings)
        for name in ("bias", "min_confidence", "leave_below"):
            if not 0 <= check_number(name, getattr(self, name)) <= 1:
                raise ArgumentError(f"{name} must be between 0 and 1, not {getattr(self, name)}")
        margins = {"min_margin": self.min_margin} | (
            {} if self.slip_margin is None else {"slip_margin": self.slip_margin}
        )
        for name, margin in margins.items():
            if math.isnan(check_number(name, margin)):
                raise ArgumentError(f"{name} must be a number")
        for name in ("joint", "vetted", "prune", "shared"):
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name} must be True or False, not {shown(getattr(self, name))}")

    @property
    def least_margin(self) -> float:
        """The margin below which a sentence stays as it is, whatever is wrong with it."""
        return self.min_margin if self.slip_margin is None else min(self.min_margin, self.slip_margin)


MODES = "modes.json"
"""File name inside a model folder."""
NAMES = ("thorough", "balanced", "precise")
THOROUGH, DEFAULT = "thorough", "balanced"
FORMAT = 1
"""The version of `modes.json` that this release writes, and the newest it can read."""
_KEYS = {"prune": "thrifty"}  # options whose key in `modes.json` has another name


@dataclass(frozen=True)
class Measured:
    """What a mode did on the sentences that it was chosen on; shares are from 0 to 1."""

    precision: float
    recall: float
    f: float
    """F0.5"""
    correct_changed: int
    """Sentences without an error that it changed all the same."""
    correct: int
    """Sentences without an error."""

    def __post_init__(self) -> None:
        """Refuse what nobody can have measured."""
        for name in ("precision", "recall", "f"):
            if not 0 <= check_number(name, getattr(self, name)) <= 1:
                raise ArgumentError(f"{name} must be between 0 and 1, not {getattr(self, name)}")
        for name in ("correct_changed", "correct"):
            check_count(name, getattr(self, name), least=0)

    def f_beta(self, beta: float) -> float:
        """Return F with another weight of recall."""
        weighted = beta**2 * self.precision + self.recall
        return (1 + beta**2) * self.precision * self.recall / weighted if weighted else 0.0


@dataclass(frozen=True)
class Mode:
    """An operating point."""

    options: Options
    measured: Measured | None = None


@dataclass(frozen=True)
class Modes:
    """All operating points of a model."""

    modes: Mapping[str, Mode] = field(default_factory=dict)
    chosen_on: str = ""
    """The data behind the choice, in words."""

    def options(self, name: str | None = None) -> Options:
        """Return the options of a mode; without a name those of the default one, or plain ones where there is none."""
        if name is None:
            return self.modes[DEFAULT].options if DEFAULT in self.modes else Options()
        if name not in self.modes:
            known = f"it has {', '.join(self.modes)}" if self.modes else f"it comes without {MODES}"
            raise ArgumentError(f"this model has no mode {name!r}: {known}")
        return self.modes[name].options

    def as_dict(self) -> dict[str, Any]:
        """Return what `modes.json` holds."""
        return {"format": FORMAT, "chosen_on": self.chosen_on, "modes": {n: _values(m) for n, m in self.modes.items()}}


def read_modes(folder: str | Path) -> Modes:
    """Read a folder's modes; there are none where it has no `modes.json`."""
    file = Path(folder) / MODES
    try:
        values = read_json(file)
    except FileNotFoundError:
        return Modes()
    try:
        if check_count("format", values["format"]) > FORMAT:
            version = shown(values["format"])
            raise PermendError(f"the modes have format {version}, this permend reads up to {FORMAT}: upgrade permend")
        modes = {name: _mode(each) for name, each in values["modes"].items()}
        return Modes(modes, check_text("chosen_on", values.get("chosen_on", "")))
    except PermendError as error:
        raise InputError(str(error), file) from None
    except (TypeError, KeyError, AttributeError) as error:
        raise InputError(f"the model's modes cannot be read ({error.__class__.__name__}: {error})", file) from None


def write_modes(folder: str | Path, modes: Modes) -> None:
    """Write `modes.json` into a model folder, and bring its hashes up to date."""
    where = Path(folder)
    (where / MODES).write_text(json.dumps(modes.as_dict(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    if (where / HASHES).is_file():
        write_hashes(where)


def _values(mode: Mode) -> dict[str, Any]:
    measured = {} if mode.measured is None else {"measured": dataclasses.asdict(mode.measured)}
    return {"options": option_values(mode.options), **measured}


def option_values(options: Options) -> dict[str, Any]:
    """Return options by their keys in `modes.json`."""
    return {_KEYS.get(name, name): value for name, value in dataclasses.asdict(options).items()}


def _mode(values: dict[str, Any]) -> Mode:
    measured = values.get("measured")
    names = {key: name for name, key in _KEYS.items()}
    options = Options(**{names.get(key, key): value for key, value in values["options"].items()})
    return Mode(options, None if measured is None else Measured(**measured))


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
