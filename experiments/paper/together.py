"""Trainings side by side begin a stage together, so that each has the same share of the device all the time.

In: the names of the families, in every process of theirs. Out: files under the work folder, by which they find each
other: a training that has compiled waits until the others have, too, or are done, or have failed.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from experiments.paper.trainings import DONE, Training
from permend.training.log import Report
from permend.training.task import Scores, Task

FOLDER = "together"
_PAUSE = 0.1


def failed(work: Path, family: str) -> None:
    """Let nobody wait for a family."""
    _mark(work, f"{family}-failed")


def begin(work: Path) -> None:
    """Forget who was ready in an earlier run."""
    for file in (work / FOLDER).glob("*"):
        file.unlink()


class Together:
    """Holds a training until its neighbours are as far."""

    def __init__(self, work: Path, training: Training, families: Sequence[str]) -> None:
        """Take a training and the families side by side, its own among them."""
        self._work, self._training, self._families = work, training, families

    def stage(self, text: str) -> None:
        """Wait, where steps are about to begin."""
        if text != Task.doing:
            return
        _mark(self._work, self._training.name)
        while not all(map(self._is_ready, self._families)):
            time.sleep(_PAUSE)

    def progress(self, report: Report) -> None:
        """Go on."""

    def validated(self, step: int, scores: Scores) -> None:
        """Go on."""

    def _is_ready(self, family: str) -> bool:
        name = f"{family}-{self._training.stage}"
        files = (self._work / FOLDER / name, self._work / FOLDER / f"{family}-failed", self._work / name / DONE)
        return any(file.exists() for file in files)


def _mark(work: Path, name: str) -> None:
    folder = work / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).touch()
