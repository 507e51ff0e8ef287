"""How long a device was needed: trainings may run side by side, so minutes are not simply added up.

In: the work folder. Out: a line of JSON in `spent.jsonl` for each piece of work, and the minutes in which at least one
of them ran. What a stopped piece had done until then counts, too.

    {"what": "train permend-I", "begun": 1763600000.0, "ended": 1763600450.0, "device": "NVIDIA H200"}
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import torch

from permend.errors import InputError

FILE = "spent.jsonl"


class Spent(NamedTuple):
    """A piece of work."""

    what: str
    begun: float
    """Seconds of the clock."""
    ended: float
    device: str


@contextmanager
def spending(work: Path, what: str, device: torch.device | None = None) -> Iterator[None]:
    """Note how long the work inside takes."""
    begun = time.time()
    try:
        yield
    finally:
        line = json.dumps(Spent(what, begun, time.time(), device_name(device))._asdict())
        work.mkdir(parents=True, exist_ok=True)
        with (work / FILE).open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def device_name(device: torch.device | None = None) -> str:
    """Return what a device is called; without one, what trainings run on."""
    cuda = torch.cuda.is_available() if device is None else device.type == "cuda"
    return torch.cuda.get_device_name() if cuda else "CPU"


def read_spent(work: Path) -> list[Spent]:
    """Return all pieces of work; none where nothing was done."""
    file = work / FILE
    try:
        return [Spent(**json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"this says not how long what took ({error.__class__.__name__})", file) from None


def minutes(pieces: Iterable[Spent]) -> float:
    """Return the minutes in which at least one of the pieces ran.

    >>> minutes([Spent("a", 0, 120, ""), Spent("b", 60, 180, ""), Spent("c", 600, 660, "")])
    4.0
    """
    total = until = 0.0
    for piece in sorted(pieces, key=lambda each: each.begun):
        total += max(0.0, piece.ended - max(piece.begun, until))
        until = max(until, piece.ended)
    return total / 60
