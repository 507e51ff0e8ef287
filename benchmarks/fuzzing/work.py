"""Many cases, one after the other: what a process does, and what it tells.

In: numbers of cases. Out: a `Tally`, which can be added to another one.
"""

from __future__ import annotations

import signal
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import FrameType

from benchmarks.fuzzing.inputs import Case, make_case
from benchmarks.fuzzing.minimise import minimise
from benchmarks.fuzzing.properties import Broken, examine
from permend.corrector.corrector import Corrector
from permend.documents import FORMATS

PATCH_SHARE = 10_000
"""One in so many diffs is carried out by `patch`, too."""
MODEL_SHARE = 500
"""One in so many is corrected by the real networks, where they are wanted."""
MODEL_LONGEST = 1_000
_PATIENCE = 5  # times the limit, after which a case is broken off


@dataclass(frozen=True)
class Setting:
    """What holds for all cases."""

    seed: int = 0
    limit: float = 2.0
    """Seconds of processor time that a case may take."""
    model: bool = False


@dataclass(frozen=True)
class Failure:
    """A case for which something does not hold."""

    case: Case
    kind: str
    """Where it failed, the same for all cases that fail alike."""
    details: str


@dataclass
class Tally:
    """What came of cases."""

    inputs: Counter[str] = field(default_factory=Counter)
    """By format."""
    refused: Counter[str] = field(default_factory=Counter)
    edited: Counter[str] = field(default_factory=Counter)
    edits: Counter[str] = field(default_factory=Counter)
    modelled: Counter[str] = field(default_factory=Counter)
    """Cases that real networks corrected."""
    slowest: dict[str, tuple[float, int]] = field(default_factory=dict)
    """Seconds and number."""
    failures: list[Failure] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Take in another one."""
        for name in ("inputs", "refused", "edited", "edits", "modelled"):
            getattr(self, name).update(getattr(other, name))
        for form, each in other.slowest.items():
            self.slowest[form] = max(each, self.slowest.get(form, each))
        self.failures += other.failures

    def count(self, case: Case, edits: int, seconds: float) -> None:
        """Count a case."""
        form = case.format
        self.inputs[form] += 1
        self.refused[form] += edits < 0
        self.edited[form] += edits > 0
        self.edits[form] += max(edits, 0)
        self.slowest[form] = max((seconds, case.number), self.slowest.get(form, (0.0, 0)))


class _TooLongError(Exception):
    """A case is broken off."""


def work(numbers: Iterable[int], setting: Setting, corrector: Corrector | None = None) -> Tally:
    """Go through cases; a corrector is for the share of the real networks."""
    tally = Tally()
    for number in numbers:
        case = make_case(setting.seed, number)
        real = corrector if number // len(FORMATS) % MODEL_SHARE == 0 and len(case.text) <= MODEL_LONGEST else None
        tally.modelled[case.format] += real is not None
        begin = time.process_time()
        failure, edits = attempt(case, setting, real)
        if real is None:
            tally.count(case, edits, time.process_time() - begin)
        else:
            tally.count(case, edits, 0.0)
        if failure:
            tally.failures.append(failure)
    return tally


def attempt(case: Case, setting: Setting, corrector: Corrector | None = None) -> tuple[Failure | None, int]:
    """Examine a case; return what is wrong, and the edits."""
    edits = 0
    limit = setting.limit * (1 if corrector is None else 20)
    begin = time.process_time()
    try:
        with _limited(_PATIENCE * limit):
            edits = examine(case, setting.seed, corrector, case.number % PATCH_SHARE == 0)
    except _TooLongError:
        pass
    except Exception as error:
        return Failure(case, _kind(error), "".join(traceback.format_exception(error)[-4:])), 0
    seconds = time.process_time() - begin
    if seconds > limit:
        return Failure(case, "too slow", f"{seconds:.1f} seconds"), edits
    return None, edits


def shorten(failure: Failure, setting: Setting) -> Failure:
    """Return the shortest case that fails alike."""
    best = failure

    def fails(text: str) -> bool:
        nonlocal best
        found, _ = attempt(replace(failure.case, text=text), setting)
        alike = found is not None and found.kind == failure.kind
        best = found if found and alike else best
        return alike

    minimise(failure.case.text, fails, 100 if failure.kind == "too slow" else 3_000)
    return best


def _kind(error: Exception) -> str:
    if isinstance(error, Broken):
        return str(error).partition(":")[0] if str(error).startswith("refused") else str(error)
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {frame.name}"


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Break off what takes longer."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise _TooLongError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
