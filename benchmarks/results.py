"""What systems did on test sets, as counts: everything that a table or a model card says is made of these.

In: results, set by set and system by system. Out: a `Report`, to a JSON file and back.

    Report("model", fingerprint("model"), [Measured("dev.m2", "errant", {"balanced": result})]).write("report.json")

A report knows its model by a fingerprint, so that no card can be made of another model's numbers.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from permend.errors import InputError
from permend.evaluation.score import Score

Metric = Literal["errant", "m2", "gleu", "clean"]


@dataclass(frozen=True)
class Result:
    """A system on a test set."""

    sentences: int
    changed: int
    """Sentences that the system changed."""
    correct: int = 0
    """Sentences without an error."""
    correct_changed: int = 0
    """Those of them that the system changed all the same."""
    edits: Score | None = None
    """Right, wrong and missed edits, where the set has gold ones."""
    types: dict[str, Score] = field(default_factory=dict)
    """The same by ERRANT's types."""
    gleu: float | None = None
    parts: dict[str, Result] = field(default_factory=dict)
    """The same for parts of the set, such as the levels of its writers."""

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Result:
        """Read what `dataclasses.asdict` gives."""
        return cls(
            **{
                **values,
                "edits": None if values["edits"] is None else Score(**values["edits"]),
                "types": {name: Score(**counts) for name, counts in values["types"].items()},
                "parts": {name: cls.from_dict(part) for name, part in values["parts"].items()},
            }
        )


@dataclass(frozen=True)
class Measured:
    """Systems on one test set."""

    name: str
    metric: Metric
    systems: dict[str, Result]
    at_recall: float | None = None
    """A recall of interest: that of a peer."""
    alarms: int | None = None
    """Correct sentences changed there, at the best threshold on the margin; None where it is not reached."""


@dataclass(frozen=True)
class Report:
    """A model, and the sets it was measured on."""

    model: str
    fingerprint: str
    sets: Sequence[Measured]

    def write(self, path: str | Path) -> None:
        """Write all counts as JSON."""
        Path(path).write_text(json.dumps(dataclasses.asdict(self), indent=1, ensure_ascii=False) + "\n", "utf-8")

    @classmethod
    def read(cls, path: str | Path) -> Report:
        """Read what was written."""
        try:
            values = json.loads(Path(path).read_text(encoding="utf-8"))
            sets = [
                Measured(**{**each, "systems": {n: Result.from_dict(r) for n, r in each["systems"].items()}})
                for each in values.pop("sets")
            ]
            return cls(**values, sets=sets)
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise InputError(f"this is no report of benchmarks.quality ({error.__class__.__name__})", path) from None


def fingerprint(folder: str | Path) -> str:
    """Return a hash of all that a model is: its files but for the card, and for the hashes of the others."""
    digest = hashlib.sha256()
    for file in sorted(Path(folder).iterdir()):
        if file.is_file() and file.name not in ("README.md", "hashes.json"):
            digest.update(f"{file.name} {hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()[:16]
