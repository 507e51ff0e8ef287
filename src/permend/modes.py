"""A model's operating points: how eager it is to change a sentence, as `modes.json` in its folder, read without torch.

In: a model folder. Out: its `Modes`, each a name, the `Options` behind it and what was measured with them.

    modes = read_modes("model")
    modes.options("precise")    # Options(bias=0.4, min_margin=0.08, …)
    modes.options()             # those of `balanced`; plain Options() where the folder has no modes.json

Three are usual: `thorough` finds most; `balanced`, the default, seldom touches a correct sentence; `precise` hardly
ever does. `permend tune` chooses them on annotated sentences.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from permend.arguments import check_count, check_number, check_text, shown
from permend.errors import ArgumentError, InputError, PermendError
from permend.json_file import read_json
from permend.options import Options
from permend.runtime.integrity import HASHES, write_hashes

MODES = "modes.json"
"""File name inside a model folder."""
NAMES = ("thorough", "balanced", "precise")
THOROUGH, DEFAULT = "thorough", "balanced"
FORMAT = 1
"""The version of `modes.json` that this release writes, and the newest it can read."""


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
    return {"options": dataclasses.asdict(mode.options), **measured}


def _mode(values: dict[str, Any]) -> Mode:
    measured = values.get("measured")
    return Mode(Options(**values["options"]), None if measured is None else Measured(**measured))
