"""What the comparison trains, in which order; a run that was stopped goes on where it was.

In: `Settings`. Out: a folder for each training under the work folder, with the model in `last`, the loop's log, and
`done.json`: steps, minutes and the device. A training that has that file is done, one with a checkpoint is resumed.

Every system goes through the three stages (Section 4.1), with the same settings. The ablation (Table 4) does without
stage I, as in the paper, and changes one thing at a time:

    permend   I → II → III      ar   I → II → III      gector   I → II → III      …
    ablation-sundae   II → III      ablation-vanilla   II → III      ablation-felix-labels   II → III      …
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from experiments.paper.settings import STAGES, Settings, Stage, Values, merged
from experiments.paper.spent import device_name, spending
from experiments.rivals import SYSTEMS
from experiments.rivals import recipe as rival_recipe
from experiments.rivals.run import train_rival
from permend.errors import InputError, PermendError
from permend.training.checkpoint import FILE
from permend.training.correction import recipe as permend_recipe
from permend.training.correction.run import train
from permend.training.log import Listener
from permend.training.loop import Outcome

PERMEND = "permend"
DONE = "done.json"
_ABLATION = "ablation-"
VANILLA: Values = {"optimisation": {"lambda_0": 1.0}}
ABLATIONS: Mapping[str, Values] = {
    "sundae": {"optimisation": {"lambda_0": 0.25}},
    "vanilla": VANILLA,
    "felix-labels": {"optimisation": {"lambda_0": 1.0}, "data": {"scheme": "felix"}},
    "lambda-0.75": {"optimisation": {"lambda_0": 0.75}},
    "lambda-0.01": {"optimisation": {"lambda_0": 0.01}},
    "sinkhorn": {"optimisation": {"lambda_0": 1.0}, "model": {"sinkhorn_steps": 16}},
}
"""What each row group of Table 4 changes."""


@dataclass(frozen=True)
class Training:
    """One run of the loop."""

    family: str
    """What it belongs to: a system, or a row of the ablation."""
    system: str
    """What learns: permend or a rival."""
    stage: Stage
    after: Training | None = None
    """Whose model it starts from; None for the encoder."""
    changes: Values = field(default_factory=dict, hash=False)

    @property
    def name(self) -> str:
        """Its folder's name."""
        return f"{self.family}-{self.stage}"


@dataclass(frozen=True)
class Done:
    """What a training took."""

    name: str
    steps: int
    epochs: float
    """Passes over the stage's data."""
    minutes: float
    """Of steps alone."""
    device: str


def families() -> dict[str, list[Training]]:
    """Return the trainings of every system and ablation, stage by stage."""
    systems = {PERMEND: PERMEND, f"{PERMEND}-vanilla": PERMEND, **{name: name for name in sorted(SYSTEMS)}}
    changes: dict[str, Values] = {f"{PERMEND}-vanilla": VANILLA}
    found = {family: _chain(family, system, STAGES, changes.get(family, {})) for family, system in systems.items()}
    for name, change in ABLATIONS.items():
        found[_ABLATION + name] = _chain(_ABLATION + name, PERMEND, ("II", "III"), change)
    return found


def is_ablation(family: str) -> bool:
    """Whether a family is a row of Table 4, not a system."""
    return family.startswith(_ABLATION)


def _chain(family: str, system: str, stages: Iterable[Stage], changes: Values) -> list[Training]:
    chain: list[Training] = []
    for stage in stages:
        chain.append(Training(family, system, stage, chain[-1] if chain else None, changes))
    return chain


def choose(names: Sequence[str]) -> list[Training]:
    """Return the trainings of the named families, each behind what it starts from; all without names."""
    known = families()
    if unknown := [name for name in names if name not in known]:
        raise PermendError(f"there is no training {unknown[0]!r}; there are {', '.join(known)}")
    return [training for name in names or known for training in known[name]]


def read_done(work: Path, training: Training) -> Done | None:
    """Return what a training took; None where it is not done."""
    file = work / training.name / DONE
    try:
        return Done(**json.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"this says not what a training took ({error.__class__.__name__})", file) from None


def model_of(work: Path, training: Training) -> Path:
    """Return the folder with a training's model."""
    return work / training.name / "last"


def carry_out(work: Path, settings: Settings, training: Training, listeners: Sequence[Listener] = ()) -> Done:
    """Train, or go on, unless it is done."""
    done = read_done(work, training)
    if done is not None:
        return done
    if training.after is not None and read_done(work, training.after) is None:
        raise PermendError(f"{training.name} starts from {training.after.name}, which is not trained yet")
    folder = work / training.name
    resume = (folder / FILE).exists()
    with spending(work, f"train {training.name}"):
        outcome = _run(recipe_values(work, settings, training), training.system, listeners, resume)
    if outcome.interrupted:
        raise KeyboardInterrupt
    done = Done(training.name, outcome.step, outcome.epochs, outcome.seconds / 60, device_name())
    (folder / DONE).write_text(json.dumps(asdict(done), indent=1) + "\n", encoding="utf-8")
    return done


def recipe_values(work: Path, settings: Settings, training: Training) -> dict[str, dict[str, Any]]:
    """Return the sections of a training's recipe."""
    values = merged(
        settings.recipe(training.stage), training.changes, {"output": {"folder": str(work / training.name)}}
    )
    if training.after is not None:
        model = values.get("model", {})
        values["model"] = {key: model[key] for key in ("dropout",) if key in model}
        values["model"]["start"] = str(model_of(work, training.after))
    if training.system != PERMEND:
        values["system"] = {"name": training.system, "options": dict(settings.options.get(training.system, {}))}
    return values


def _run(values: dict[str, dict[str, Any]], system: str, listeners: Sequence[Listener], resume: bool) -> Outcome:
    if system == PERMEND:
        return train(permend_recipe.make_recipe(values), listeners, resume=resume)
    return train_rival(rival_recipe.make_recipe(values), listeners, resume=resume)
