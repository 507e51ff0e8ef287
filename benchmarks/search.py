"""What beam search over one pointer matrix costs, alone and in batches.  Run: python -m benchmarks.search"""

from __future__ import annotations

import time

import click
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from permend.method.search import search

SLOTS = 8


def make_scores(length: int, generator: np.random.Generator) -> NDArray[np.float32]:
    """Make scores like a trained pointer's: most rows are nearly sure of the next token, some hesitate."""
    size = length + SLOTS
    scores = generator.normal(-8, 1, (size, size))
    next_token = np.arange(length - 1)
    scores[next_token, next_token + 1] = generator.choice([4.0, 0.5], length - 1, p=[0.85, 0.15])
    scores[:length, length:] = generator.normal(-3, 1, (length, SLOTS))
    scores[length:, :length] = generator.normal(0, 1.5, (SLOTS, length))
    return scores.astype(np.float32)


def milliseconds(batches: list[list[NDArray[np.float32]]], length: int, beam: int, bias: float) -> float:
    """Return the time a sentence takes, the best of three runs."""
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        for batch in batches:
            search(batch, [length] * len(batch), beam=beam, bias=bias)
        times.append(time.perf_counter() - begin)
    return 1000 * min(times) / sum(map(len, batches))


@click.command(help=__doc__)
def main() -> None:
    """Print the table."""
    generator = np.random.default_rng(0)
    table = Table("tokens", "beam", "bias", "alone, ms", "batch of 32, ms", title="Search on one core, a sentence")
    for length in (10, 30, 60):
        scores = [make_scores(length, generator) for _ in range(32)]
        for beam, bias in ((1, 0.0), (5, 0.0), (5, 0.3)):
            alone = milliseconds([[matrix] for matrix in scores], length, beam, bias)
            together = milliseconds([scores], length, beam, bias)
            table.add_row(str(length), str(beam), str(bias), f"{alone:.2f}", f"{together:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
