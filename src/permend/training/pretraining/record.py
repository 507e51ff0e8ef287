"""What a pretraining run leaves to read: log.csv, loss.png and samples.txt, the masks as they were filled.

In: the reports of a run (it is a listener). Out: the files in the run's folder; a resumed run goes on with them.
"""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path

from permend.training.log import Log, draw_log
from permend.training.pretraining.masked import Measured
from permend.training.pretraining.progress import Report

_COLUMNS = (*(field.name for field in fields(Report)), "held_out_loss", "held_out_accuracy")


class Record:
    """Writes the log of a run, and draws it."""

    def __init__(self, folder: Path, from_step: int = 0) -> None:
        """Begin a log, or go on with one behind `from_step`."""
        self._log, self._plot, self._samples = (
            Log(folder, _COLUMNS, from_step),
            folder / "loss.png",
            folder / "samples.txt",
        )
        if not from_step:
            self._samples.unlink(missing_ok=True)

    def stage(self, text: str) -> None:
        """Stages leave no trace."""

    def progress(self, report: Report) -> None:
        """Add a line."""
        self._log.add({name: float(value) for name, value in asdict(report).items()})

    def measured(self, step: int, found: Measured) -> None:
        """Add a line with the held-out loss, and the samples."""
        self._log.add({"step": float(step), "held_out_loss": found.loss, "held_out_accuracy": found.accuracy})
        with self._samples.open("a", encoding="utf-8") as file:
            file.write(f"step {step}, held-out loss {found.loss:.4f}\n")
            file.writelines(f"    {sample}\n" for sample in found.samples)

    def draw(self) -> None:
        """Write loss.png."""
        draw_log(self._log.rows, self._plot, {"loss": "training", "held_out_loss": "held out"})
