"""What the language server takes: at a keystroke, at the start, with ten documents open; and an hour played back.

Run: python -m benchmarks.lsp [--json FILE]
     python -m benchmarks.lsp --replay [--seconds 3600] [--cancellations 1000]

The document has 20,000 invented words; a keystroke changes a sentence of 20 words in its middle. Server time is the
processor time of the server's process, all threads, from the change to the diagnostics of that version; the clock is
given beside it. The start is by the clock: from the command to the first diagnostics, the median of some. The replay
takes a corrector of three rules, for it is about positions and versions, not about networks.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase

import click
from rich.console import Console

from benchmarks.documents import make_document
from benchmarks.editing.client import Client
from benchmarks.editing.replay import Played, play, resident
from benchmarks.tables import Grid

WORDS, KEYS, STARTS, DOCUMENTS = 20_000, 40, 5, 10
SENTENCE = "My neighbour keep a small boat near the station in the next village because the weather was so good then."
SERVER = (sys.executable, "-m", "permend", "lsp")


@dataclass(frozen=True)
class Costs:
    """All that was measured."""

    key_seconds: float
    """Processor time at a keystroke, the median."""
    worst_key_seconds: float
    key_clock: float
    worst_key_clock: float
    resident: int
    start_clock: float
    start_seconds: float
    """Processor time until the first diagnostics."""
    load: float

    def grid(self) -> Grid:
        """Return the table."""
        rows = [
            ["keystroke, server time, ms", f"{1e3 * self.key_seconds:.0f}", "< 60"],
            ["keystroke, the slowest", f"{1e3 * self.worst_key_seconds:.0f}", ""],
            ["keystroke, by the clock, ms", f"{1e3 * self.key_clock:.0f}", ""],
            ["keystroke, by the clock, the slowest", f"{1e3 * self.worst_key_clock:.0f}", ""],
            [f"{DOCUMENTS} documents open, MB", f"{self.resident / 1e6:.0f}", "< 350"],
            ["start to first diagnostics, s", f"{self.start_clock:.2f}", "< 2"],
            ["start, processor time, s", f"{self.start_seconds:.2f}", ""],
        ]
        title = f"permend lsp, a sentence of {len(SENTENCE.split())} words in a document of {WORDS:,}"
        return Grid(title, ["", "measured", "wanted"], rows, f"load {self.load:.1f}")


def used_by_all(client: Client) -> float:
    """Return the seconds that a server has run, to a hundredth, with threads that have ended."""
    fields = Path(f"/proc/{client.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def used(client: Client) -> float:
    """Return the seconds that all threads of a server have run that are still there, exactly."""
    total = 0
    for task in Path(f"/proc/{client.process.pid}/task").iterdir():
        total += int((task / "schedstat").read_text(encoding="ascii").split()[0])
    return total / 1e9


async def measure_start() -> tuple[float, float]:
    """Return the seconds from the command to the first diagnostics, by the clock and of the processor."""
    begin = time.perf_counter()
    async with Client.start(SERVER) as client:
        await client.initialize()
        document = client.open("file:///letter.md", "markdown", "He go to school yesterday.\n")
        while not document.known:
            await client.news()
        taken = time.perf_counter() - begin, used_by_all(client)
        await client.end()
        return taken


async def measure_keys() -> tuple[list[float], list[float], int]:
    """Return what each keystroke takes, of the processor and by the clock, and the bytes held with all documents."""
    text = make_document(WORDS)
    middle = text.index("\n\n", len(text) // 2) + 2
    text = text[:middle] + SENTENCE + " " + text[middle:]
    async with Client.start(SERVER) as client:
        await client.initialize()
        document = client.open("file:///book.md", "markdown", text)
        await client.settle(document, 600)
        at = middle + SENTENCE.index("small")
        word = "small"
        processor, clock = [], []
        for number in range(KEYS):
            before, begin = used(client), time.perf_counter()
            before_it, word = word, f"s{ascii_lowercase[number % 26]}{ascii_lowercase[number // 26]}ll"  # no two alike
            client.edit(document, at, at + len(before_it), word)
            while document.known != document.version:
                await client.news()
            clock.append(time.perf_counter() - begin)
            processor.append(used(client) - before)
            said, count = document.diagnostics, client.published
            await client.settle(document)
            if (client.published, document.diagnostics) != (count, said):
                raise RuntimeError("there was more to say: this was not the answer to the keystroke")
        for number in range(1, DOCUMENTS):
            other = client.open(f"file:///other{number}.md", "markdown", make_document(WORDS // 10, seed=number + 1))
            await client.settle(other, 600)
        held = resident(client)
        await client.end()
        return processor, clock, held


async def measure() -> Costs:
    """Measure everything."""
    load = os.getloadavg()[0]
    starts = [await measure_start() for _ in range(STARTS)]
    processor, clock, held = await measure_keys()
    return Costs(
        key_seconds=statistics.median(processor),
        worst_key_seconds=max(processor),
        key_clock=statistics.median(clock),
        worst_key_clock=max(clock),
        resident=held,
        start_clock=statistics.median(each for each, _ in starts),
        start_seconds=statistics.median(each for _, each in starts),
        load=load,
    )


def replay_grid(played: Played, seconds: float) -> Grid:
    """Return the table of a replay."""
    rows = [
        ["changes, twice the recording", f"{played.events:,}", ""],
        ["requests cancelled / answered", f"{played.cancelled:,} / {played.answered:,}", "all answered"],
        ["diagnostics published", f"{played.published:,}", ""],
        ["positions compared", f"{played.positions:,}", ""],
        ["MB when played once, twice", f"{played.early / 1e6:.0f}, {played.late / 1e6:.0f}", "no growth"],
        ["faults", f"{len(played.faults):,}", "0"],
    ]
    return Grid(f"{seconds / 60:.0f} minutes of writing, played back", ["", "measured", "wanted"], rows)


@click.command()
@click.option("--replay", is_flag=True, help="Play an hour of writing back.")
@click.option("--seconds", default=3600.0, show_default=True, help="How much writing.")
@click.option("--cancellations", default=1000, show_default=True, help="Requests that are cancelled, each time.")
@click.option("--seed", default=1, show_default=True, help="Which recording.")
@click.option("--json", "json_path", metavar="FILE", help="Write all numbers here.")
def main(replay: bool, seconds: float, cancellations: int, seed: int, json_path: str | None) -> None:
    """Print a table."""
    console = Console(highlight=False)
    found: Played | Costs
    if replay:
        found = asyncio.run(play(seconds, cancellations, seed))
        console.print(replay_grid(found, seconds).drawn())
        for fault in found.faults[:20]:
            console.print(fault, markup=False)
    else:
        found = asyncio.run(measure())
        console.print(found.grid().drawn())
    if json_path is not None:
        Path(json_path).write_text(json.dumps(dataclasses.asdict(found), indent=1) + "\n", encoding="utf-8")
    if isinstance(found, Played) and found.faults:
        sys.exit(1)


if __name__ == "__main__":
    main()
