"""What the engine of `permend batch` costs and gains: sentences a second in one process, in two, on Ray; memory.

Run: python -m benchmarks.batch [MODEL] [--sentences 16000] [--gigabytes 10]

The same sentences go through a bare loop over the corrector, through the whole of it in one process and in two, and
through a Ray of its own with two actors; rounds alternate, and the median counts. Starting (the model, Ray) is not in
the seconds: it is paid once a corpus. What all of them write is compared. Workers get pieces of 16,000 characters: of
few sentences there are too few pieces to share them out evenly, and that is measured instead.

Memory is that of an interpreter of its own for a corpus of 100 MB and for a larger one, both one document repeated in
JSON lines, packed; there, texts come back as they are, since correcting 10 GB takes days. So this also tells how many
rows a second can be read and written at most. Run it on an idle machine.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import cycle, islice
from pathlib import Path
from types import TracebackType
from typing import Self

import click
from rich.console import Console

from benchmarks.everyday import read_everyday
from benchmarks.speed import processor
from benchmarks.tables import Grid
from permend.batch.correcting import Correcting
from permend.batch.engine import Engine
from permend.batch.ledger import Ledger
from permend.batch.places import Place
from permend.batch.pool import Pool
from permend.batch.ray_pool import RayPool
from permend.batch.rows import Answer, Columns
from permend.batch.run import run
from permend.batch.shards import find_shards, open_table

PROCESSES = 2
SMALL = 100_000_000
SENTENCES = 25
"""Of a document whose memory is measured."""


class Timed:
    """An engine that notes when it was ready."""

    def __init__(self, engine: Engine[list[str], list[Answer]]) -> None:
        """Take an engine."""
        self._engine, self.ready = engine, 0.0

    def __enter__(self) -> Self:
        """Get ready."""
        self._engine.__enter__()
        self.ready = time.perf_counter()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Note the end, and end."""
        self.seconds = time.perf_counter() - self.ready
        self._engine.__exit__(kind, error, trace)

    def map(self, chunks: Iterable[list[str]], /) -> Iterator[list[Answer]]:
        """Hand over."""
        return self._engine.map(chunks)


def through(engine: Engine[list[str], list[Answer]], corpus: Path, out: Path) -> tuple[float, bytes]:
    """Return how many seconds a corpus takes, and what was written."""
    place, timed = Place.of(str(out)), Timed(engine)
    run(find_shards([str(corpus)], place), Columns(), timed, Ledger(place, {}))
    return timed.seconds, (out / corpus.name).read_bytes()


def bare(work: Correcting, corpus: Path) -> float:
    """Return how many seconds a loop over the same chunks takes, without reading and writing."""
    [shard] = find_shards([str(corpus)], Place.of("nowhere"))
    with open_table(shard, Columns()) as table:
        chunks = [piece.wanted for piece in table.pieces()]
    correct = work()
    begin = time.perf_counter()
    for chunk in chunks:
        correct(chunk)
    return time.perf_counter() - begin


def speeds(model: str | None, count: int, rounds: int, folder: Path) -> Grid:
    """Measure the rates."""
    slips, clean = read_everyday()
    texts = list(islice(cycle([*(slip.wrong for slip in slips), *clean]), count))
    corpus = folder / "corpus.jsonl"
    corpus.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
    work = Correcting(model, sentences=True)
    engines: dict[str, Callable[[], Engine[list[str], list[Answer]]]] = {
        "one process": lambda: Pool(work, 1),
        f"{PROCESSES} processes": lambda: Pool(work, PROCESSES),
        f"Ray, {PROCESSES} actors": lambda: RayPool(work, PROCESSES),
    }
    seconds: dict[str, list[float]] = {"a bare loop": [], **{name: [] for name in engines}}
    written: set[bytes] = set()
    for turn in range(rounds):
        seconds["a bare loop"].append(bare(work, corpus))
        for name, make in engines.items():
            took, content = through(make(), corpus, folder / f"{name} {turn}")
            seconds[name].append(took)
            written.add(content)
    middle = {name: statistics.median(each) for name, each in seconds.items()}
    loop, one, two, ray = middle.values()
    ratios = ["", f"{loop / one:.3f} × the loop", f"{one / two:.2f} × one process (bar: 1.9)"]
    ratios.append(f"{two / ray:.2f} × {PROCESSES} processes (bar: 0.9)")
    rows = [[name, f"{count / middle[name]:.1f}", ratio] for name, ratio in zip(middle, ratios, strict=True)]
    same = "the same bytes from all" if len(written) == 1 else f"{len(written)} DIFFERENT OUTPUTS"
    title = f"{count:,} sentences, {rounds} rounds, {processor()}; {same}"
    return Grid(title, ["engine", "sentences/s", "ratio"], rows)


class Unchanged:
    """Returns texts as they are."""

    def __call__(self) -> Callable[[list[str]], list[Answer]]:
        """Return the function."""
        return lambda texts: [Answer(text, []) for text in texts]


def hold(size: int) -> tuple[float, float, float]:
    """Return the most MB that the first process and a worker hold over a corpus of so many bytes, and rows a second."""
    command = [sys.executable, "-m", "benchmarks.batch", "--hold", str(size)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    first, worker, rate = json.loads(done.stdout)
    return first, worker, rate


def _hold(size: int, folder: Path) -> None:
    import zstandard

    text = " ".join(["He go to school yesterday, and she have many informations."] * SENTENCES)
    block = (json.dumps({"id": 7, "text": text}) + "\n").encode() * 1_000
    corpus = folder / "corpus.jsonl.zst"
    with corpus.open("wb") as file, zstandard.ZstdCompressor().stream_writer(file) as packed:
        for _ in range(size // len(block)):
            packed.write(block)
    place = Place.of(str(folder / "out"))
    begin = time.perf_counter()
    totals = run(find_shards([str(corpus)], place), Columns(), Pool(Unchanged(), PROCESSES), Ledger(place, {}))
    rate = totals.rows / (time.perf_counter() - begin)
    held = [resource.getrusage(kind).ru_maxrss / 1000 for kind in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(json.dumps([*held, rate]))


def memory(gigabytes: float) -> Grid:
    """Measure the memory."""
    small, large = hold(SMALL), hold(int(gigabytes * 1e9))
    rows = [
        [name, *(f"{number:,.0f}" for number in found), ratio]
        for name, found, ratio in (
            ("100 MB", small, ""),
            (f"{gigabytes:g} GB", large, f"{large[0] / small[0]:.3f} × 100 MB (bar: 1)"),
        )
    ]
    return Grid("Most memory, MB", ["corpus", "first process", "a worker", "rows/s, uncorrected", "ratio"], rows)


@click.command()
@click.argument("model", required=False)
@click.option("--sentences", default=16_000, show_default=True)
@click.option("--rounds", default=1, show_default=True)
@click.option("--gigabytes", default=1.0, show_default=True, help="The larger corpus; 0 leaves memory out.")
@click.option("--hold", "held", type=int, hidden=True)
def main(model: str | None, sentences: int, rounds: int, gigabytes: float, held: int | None) -> None:
    """Print the tables."""
    with tempfile.TemporaryDirectory() as name:
        if held is not None:
            _hold(held, Path(name))
            return
        console = Console(highlight=False)
        if gigabytes:  # first: a process counts what its parent held when it began
            console.print(memory(gigabytes).drawn())
        if rounds:
            console.print(speeds(model, sentences, rounds, Path(name)).drawn())


if __name__ == "__main__":
    main()
