"""What a comparison is made of: data, encoder, amounts of training, sentences to be timed.

In: a TOML file. Out: `Settings`; or one sentence that names what is missing. Sections of recipes are written as in
recipes of `permend train`, once for all systems:

    [common]                                          # every training
    model = { encoder = "data/base", init = "encoder" }
    [stage.I]                                         # what else this stage says
    data = { text = ["data/news.txt.xz"], errors = "experiments/errors/en.json" }
    optimisation = { minutes = 2.0, compile = true }
    [test]
    dev = "data/ABCN.dev.gold.bea19.m2"               # options are chosen here, as the paper does
    files = []                                        # further M2 files, for testing only
    [timing]
    sentences = 200                                   # of dev, spread evenly
"""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, get_args

from permend.errors import InputError, PermendError

Stage = Literal["I", "II", "III"]
STAGES: tuple[Stage, ...] = get_args(Stage)
Values = Mapping[str, Mapping[str, Any]]
"""Sections of a recipe."""


@dataclass(frozen=True)
class Timing:
    """Which sentences are timed, one at a time."""

    sentences: int = 200
    """Of the development set, spread evenly: the speed-up is over these."""
    each_length: int = 20
    """At least so many for each ten tokens of length, where there are as many: for latency over length."""
    repeats: int = 3
    """Times that each is corrected; the median counts."""


@dataclass(frozen=True)
class Settings:
    """A comparison."""

    dev: str
    """The development set."""
    files: tuple[str, ...] = ()
    """Other test sets."""
    common: Values = field(default_factory=dict, hash=False)
    """What all trainings have in common."""
    stages: Mapping[Stage, Values] = field(default_factory=dict, hash=False)
    """What each stage says beyond that."""
    timing: Timing = Timing()
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, hash=False)
    """Options of single systems, by name."""
    batch: int = 64
    """Sentences that are corrected together where nothing is timed."""
    sentences: int | None = None
    """Of each test set only so many, the first ones; None for all."""

    def recipe(self, stage: Stage) -> dict[str, dict[str, Any]]:
        """Return the sections of a stage's recipe."""
        return merged(self.common, self.stages.get(stage, {}))

    def inputs(self) -> list[str]:
        """Return all files that the comparison reads."""
        named = [self.dev, *self.files]
        for stage in STAGES:
            values = self.recipe(stage)
            data, model = values.get("data", {}), values.get("model", {})
            named += [*data.get("train", ()), *data.get("text", ())]
            named += [str(each) for each in (data.get("errors"), model.get("tokenizer"), model.get("encoder")) if each]
        return list(dict.fromkeys(named))


def merged(*layers: Values) -> dict[str, dict[str, Any]]:
    """Return sections with the values of all layers, later ones before earlier ones.

    >>> merged({"data": {"a": 1}}, {"data": {"b": 2}, "model": {"c": 3}})
    {'data': {'a': 1, 'b': 2}, 'model': {'c': 3}}
    """
    out: dict[str, dict[str, Any]] = {}
    for layer in layers:
        for section, values in layer.items():
            out.setdefault(section, {}).update(copy.deepcopy(dict(values)))
    return out


def read_settings(path: str | Path) -> Settings:
    """Read a file, and see that all that it names is there."""
    try:
        values = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError("there is no such file of settings", path) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"cannot be read: {error}", path) from None
    try:
        settings = make_settings(values)
    except PermendError as error:
        raise InputError(str(error), path) from None
    for name in settings.inputs():
        if not Path(name).exists():
            raise InputError(f"no such file or folder ({path} names it)", name)
    return settings


def make_settings(values: Mapping[str, Any]) -> Settings:
    """Build settings from nested values."""
    if unknown := sorted(values.keys() - {"common", "stage", "test", "timing", "options"}):
        raise PermendError(f"unknown section {unknown[0]!r}; there are common, stage, test, timing and options")
    stages = _table(values, "stage")
    if other := sorted(stages.keys() - set(STAGES)):
        raise PermendError(f"unknown stage {other[0]!r}; there are I, II and III")
    test = dict(_table(values, "test"))
    if "dev" not in test:
        raise PermendError("test.dev is missing, the development set")
    timing = _table(values, "timing")
    known = {each.name for each in fields(Timing)}
    if wrong := sorted(timing.keys() - known):
        raise PermendError(f"unknown key timing.{wrong[0]}; there are {', '.join(sorted(known))}")
    return Settings(
        dev=str(test["dev"]),
        files=tuple(test.get("files", ())),
        common=_table(values, "common"),
        stages={stage: stages[stage] for stage in STAGES if stage in stages},
        timing=Timing(**timing),
        options=_table(values, "options"),
        batch=int(test.get("batch", Settings.batch)),
        sentences=test.get("sentences"),
    )


def _table(values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = values.get(name, {})
    if not isinstance(table, Mapping):
        raise PermendError(f"{name} must be a table of values, not {table!r}")
    return table
