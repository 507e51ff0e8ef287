"""Two models, or two exports of one, side by side: what each part of a correction costs, and how many answers differ.

Run: python -m benchmarks.compare OLD NEW... SENTENCES [--mode balanced] [--limit 1000]

SENTENCES is an M2 file or has one sentence a line. All models run in one process on one core and take turns, a few
hundred sentences each, so that whatever else the machine does falls on all alike; times are processor time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from benchmarks.inference import Timed
from benchmarks.speed import BATCH, read_sentences
from permend.corrector.corrector import Correction, Corrector

TURN = 256
"""Sentences until the next model's turn."""


@dataclass
class Side:
    """A model, what it took, and what it made of the sentences."""

    corrector: Corrector
    timed: Timed
    seconds: float = 0.0
    corrections: list[Correction] = field(default_factory=list)

    @classmethod
    def load(cls, folder: str, mode: str | None) -> Side:
        """Load a model and put a watch on its networks."""
        loaded = Corrector.from_pretrained(folder, mode=mode, threads=1)
        timed = Timed(loaded.networks)
        side = cls(Corrector.of(timed, loaded.tokenizer, loaded.options, loaded.calibration), timed)
        side.corrector.correct("He go to school yesterday.")
        timed.seconds.update(encode=0.0, fill=0.0)
        return side

    def take(self, texts: Sequence[str]) -> None:
        """Correct some sentences."""
        begin = time.process_time()
        self.corrections += self.corrector.correct_batch(texts, BATCH)
        self.seconds += time.process_time() - begin


def differing(ours: Sequence[Correction], theirs: Sequence[Correction]) -> tuple[int, float]:
    """Return how many texts differ, and by how much the probabilities of edits do where texts do not, on average."""
    pairs = list(zip(ours, theirs, strict=True))
    edits = [each for a, b in pairs if a.text == b.text for each in zip(a.edits, b.edits, strict=False)]
    apart = sum(abs(a.probability - b.probability) for a, b in edits)
    return sum(a.text != b.text for a, b in pairs), apart / max(1, len(edits))


@click.command()
@click.argument("models", nargs=-1, required=True)
@click.argument("sentences")
@click.option("--mode", help="A mode of the models; their default one unless stated.")
@click.option("--limit", type=int, help="Only so many sentences, from all over the file.")
def main(models: tuple[str, ...], sentences: str, mode: str | None, limit: int | None) -> None:
    """Print the table."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    texts = read_sentences(sentences, None)
    texts = texts[:: max(1, len(texts) // limit)][:limit] if limit else texts
    sides = {folder: Side.load(folder, mode) for folder in models}
    for start in range(0, len(texts), TURN):
        for side in sides.values():
            side.take(texts[start : start + TURN])
    first = next(iter(sides.values()))
    columns = "model", "ms", "encoder", "decoder", "rest", "changed", "other texts", "probabilities apart"
    table = Table(*columns, title=f"{len(texts):,} sentences, ms of processor time a sentence")
    for folder, side in sides.items():
        whole, encode, fill = (
            1000 * each / len(texts)
            for each in (side.seconds, side.timed.seconds["encode"], side.timed.seconds["fill"])
        )
        others, apart = differing(first.corrections, side.corrections)
        changed = sum(each.text != each.source for each in side.corrections)
        times = (f"{each:.2f}" for each in (whole, encode, fill, whole - encode - fill))
        table.add_row(Path(folder).name, *times, str(changed), str(others), f"{apart:.4f}")
    Console(highlight=False).print(table)


if __name__ == "__main__":
    main()
