"""How many pairs a second Algorithm 1 labels, beside the paper's triple loop.  Run: python -m benchmarks.align"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

import click
from rich.console import Console
from rich.table import Table

from benchmarks.naive_alignment import naive_align
from permend.method.align import Alignment, align

Pairs = list[tuple[list[int], list[int]]]


def make_pairs(count: int, length: int, seed: int = 0) -> Pairs:
    """Make pairs of ids: frequent words repeat as in English, and about one word in nine is wrong."""
    random_ = random.Random(seed)
    pairs = []
    for _ in range(count):
        words = [
            random_.randrange(8) if random_.random() < 0.4 else random_.randrange(8, 400) for _ in range(length - 2)
        ]
        target = [400, *words, 401]
        pairs.append((_corrupt(target, random_), target))
    return pairs


def _corrupt(target: list[int], random_: random.Random) -> list[int]:
    source = [target[0]]
    for word in target[1:-1]:
        dice = random_.random()
        if dice < 0.04:
            continue
        source.append(random_.randrange(8, 400) if dice < 0.08 else word)
        if dice > 0.97:
            source.append(random_.randrange(8))
    return [*source, target[-1]]


def rate(label: Callable[[Sequence[int], Sequence[int]], Alignment[int]], pairs: Pairs) -> float:
    """Return the pairs labelled in a second."""
    begin = time.perf_counter()
    for source, target in pairs:
        label(source, target)
    return len(pairs) / (time.perf_counter() - begin)


@click.command(help=__doc__)
def main() -> None:
    """Print the table."""
    table = Table("tokens", "naive, pairs/s", "fast, pairs/s", "ratio", title="Algorithm 1 on one core")
    for length in (10, 30, 60):
        pairs = make_pairs(2000, length)
        few = pairs[: 20000 // length**2 + 10]
        assert all(naive_align(*pair) == align(*pair) for pair in few), "the two versions disagree"
        naive, fast = rate(naive_align, few), rate(align, pairs)
        table.add_row(str(length), f"{naive:,.0f}", f"{fast:,.0f}", f"{fast / naive:,.0f}×")
    Console().print(table)


if __name__ == "__main__":
    main()
