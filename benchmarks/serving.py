"""What a server of permend does under load: alone, crowded, at half load, overloaded, at a keystroke.

Run: python -m benchmarks.serving [MODEL] [--minutes 10] [--workers 1] [--json FILE]

The server is a process of its own, asked over the loopback device in LanguageTool's way, one invented sentence a
request, no two alike, so that nothing is remembered. Clients and server share the cores of the machine, and speeds are
by the clock, so nothing else should run. The overload offers twice as many requests as the crowd got answers, for as
many minutes; memory is read from the system every second. A keystroke is a change in the middle of a checked document
of 20,000 words, sent whole to ``/api/check/stream``; it is measured in the server's processor time.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import signal
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from urllib.parse import urlencode

import click
from rich.console import Console

from benchmarks.documents import _sentence, make_document
from benchmarks.speed import processor
from benchmarks.tables import Grid

CLIENTS = 32
ALONE, CROWD = 150, 1200
"""Requests of one client, and of the crowd."""
WORDS = 20_000
KEYSTROKES = 12
LOST = 0
"""The status of a request that was never answered."""


class Asked:
    """Sentences that nobody has asked for before."""

    def __init__(self, seed: int = 7) -> None:
        self._random, self._numbers = Random(seed), count(1000)

    def next(self) -> bytes:
        """Return a form to check the next one."""
        sentence = f"{_sentence(self._random)[:-1]}, in the year {next(self._numbers)}."
        return urlencode({"language": "en-US", "text": sentence}).encode()


class Client:
    """A connection that is kept; as little work as can be, since the server wants the processor."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, path: str, body: bytes, kind: str = "application/x-www-form-urlencoded") -> tuple[int, bytes]:
        """Return the status and the body of an answer; the status is `LOST` where none comes."""
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
        if self._streams is not None and self._streams[0].at_eof():
            self._streams = None  # the server has closed it while nobody asked anything
        try:
            return await self._ask(head.encode() + body)
        except (asyncio.IncompleteReadError, ConnectionError):
            self._streams = None
            return LOST, b""

    async def _ask(self, request: bytes) -> tuple[int, bytes]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        writer.write(request)
        lines = (await reader.readuntil(b"\r\n\r\n")).lower().split(b"\r\n")
        headers = dict(line.split(b": ", 1) for line in lines[1:] if b": " in line)
        if headers.get(b"transfer-encoding") == b"chunked":
            found = await _chunks(reader)
        else:
            found = await reader.readexactly(int(headers.get(b"content-length", b"0")))
        return int(lines[0].split()[1]), found


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    found = b""
    while size := int((await reader.readuntil(b"\r\n")).strip(), 16):
        found += (await reader.readexactly(size + 2))[:-2]
    await reader.readexactly(2)
    return found


@dataclass
class Load:
    """What came of some requests."""

    seconds: float = 0.0
    times: list[float] = field(default_factory=list)
    """Of the requests that were answered, to their answers."""
    statuses: Counter[int] = field(default_factory=Counter)

    @property
    def rate(self) -> float:
        """Answers a second."""
        return self.statuses[200] / self.seconds

    def percentile(self, share: float) -> float:
        """Return the time within which so many requests were answered."""
        return sorted(self.times)[min(len(self.times) - 1, int(share * len(self.times)))]


async def closed(port: int, clients: int, requests: int, asked: Asked) -> Load:
    """Let clients ask, each when it has its answer."""
    load, left = Load(), iter(range(requests))
    begin = time.perf_counter()

    async def one() -> None:
        client = Client(port)
        for _ in left:
            started = time.perf_counter()
            status, _body = await client.ask("/v2/check", asked.next())
            load.statuses[status] += 1
            load.times.append(time.perf_counter() - started)

    await asyncio.gather(*(one() for _ in range(clients)))
    load.seconds = time.perf_counter() - begin
    return load


async def open_load(port: int, rate: float, seconds: float, asked: Asked) -> Load:
    """Ask so many times a second, whatever comes back; gaps are as those of people who do not know of each other."""
    load, random = Load(), Random(3)
    idle: list[Client] = []
    waiting: set[asyncio.Task[None]] = set()

    async def one() -> None:
        client = idle.pop() if idle else Client(port)
        started = time.perf_counter()
        status, _body = await client.ask("/v2/check", asked.next())
        load.statuses[status] += 1
        if status == 200:
            load.times.append(time.perf_counter() - started)
        idle.append(client)

    begin = due = time.perf_counter()
    while due < begin + seconds:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        task = asyncio.create_task(one())
        waiting.add(task)
        task.add_done_callback(waiting.discard)
        due += random.expovariate(rate)
    await asyncio.gather(*waiting)
    load.seconds = time.perf_counter() - begin
    return load


def processes(pid: int) -> list[int]:
    """Return a process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *map(int, children)]


def resident(pid: int) -> int:
    """Return the bytes that a process and its children hold, what they share counted once."""
    lines = [line for each in processes(pid) for line in Path(f"/proc/{each}/smaps_rollup").read_text().splitlines()]
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process and its children."""
    ticks = 0
    for each in processes(pid):
        parts = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        ticks += int(parts[11]) + int(parts[12])
    return ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def started(*options: str) -> Iterator[tuple[int, int, float]]:
    """Start a server; give its process, its port, and how long it took."""
    command = [sys.executable, "-m", "permend", "serve", "--port", "0", "--quiet", *options]
    begin = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            port = int(process.stdout.readline().split("://127.0.0.1:")[1].split()[0])
            asyncio.run(Client(port).ask("/v2/check", b"language=en-US&text=He+go+home."))
            yield process.pid, port, time.perf_counter() - begin
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(120)


async def watch_memory(pid: int, found: list[int]) -> None:
    """Note the memory every second."""
    while True:
        found.append(resident(pid))
        await asyncio.sleep(1)


async def overload(pid: int, port: int, rate: float, seconds: float, asked: Asked) -> tuple[Load, list[int]]:
    """Ask for more than there can be, and watch the memory."""
    memory: list[int] = []
    watching = asyncio.create_task(watch_memory(pid, memory))
    load = await open_load(port, rate, seconds, asked)
    watching.cancel()
    return load, memory


async def first_findings(port: int) -> float:
    """Return the seconds until the first findings of a long document are there."""
    body = json.dumps({"text": make_document(WORDS, seed=6)}).encode()
    head = f"POST /api/check/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n"
    head += "Content-Type: application/json"
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    begin = time.perf_counter()
    writer.write(head.encode() + b"\r\n\r\n" + body)
    await reader.readuntil(b'"findings": [{')
    seconds = time.perf_counter() - begin
    writer.close()
    return seconds


async def type_keys(pid: int, port: int) -> list[float]:
    """Return the processor seconds that a server takes for each change of a long document."""
    client, text = Client(port), make_document(WORDS, seed=5)
    found = []
    for number in range(KEYSTROKES + 1):
        middle = text.index(". ", len(text) // 2) + 2
        changed = text[:middle] + "It was number " + "1" * number + ". " + text[middle:]
        before = processor_seconds(pid)
        body = json.dumps({"text": changed}).encode()
        status, _body = await client.ask("/api/check/stream", body, "application/json")
        assert status == 200
        found.append(processor_seconds(pid) - before)
    return found[1:]  # the first one checks the document


@dataclass(frozen=True)
class Costs:
    """All that was measured."""

    processor: str
    workers: int
    start_seconds: float
    resident: int
    alone: float
    crowd: float
    median: float
    p99: float
    over_seconds: float
    over_statuses: dict[int, int]
    over_memory: list[int]
    keystroke: float
    first: float

    def grid(self) -> Grid:
        """Return the table."""
        tenth = max(1, len(self.over_memory) // 10)
        later = self.over_memory[tenth:] or self.over_memory
        begin, last = statistics.mean(later[:tenth]), statistics.mean(later[-tenth:])
        memory = ", ".join(f"{each / begin:.3f}" for each in (min(later), max(later), last))
        rows = [
            ["start to the first answer, s", f"{self.start_seconds:.2f}", "LanguageTool's server: 18"],
            ["memory after the start, MB", f"{self.resident / 1e6:.0f}", "LanguageTool: 1,350"],
            ["one client, sentences/s", f"{self.alone:.1f}", "LanguageTool: 12 to 18"],
            [f"{CLIENTS} clients, sentences/s", f"{self.crowd:.1f}", ""],
            ["times one client", f"{self.crowd / self.alone:.2f}", "≥ 1.8"],
            ["half of that load: median, ms", f"{1000 * self.median:.0f}", ""],
            ["p99 in medians", f"{self.p99 / self.median:.1f}", "< 5"],
            [
                f"twice that load for {self.over_seconds / 60:.0f} min: answers",
                ", ".join(f"{number:,} × {status}" for status, number in sorted(self.over_statuses.items())),
                "200 and 503 only",
            ],
            ["memory behind the first tenth, times the second: least, most, last tenth", memory, "0.95 to 1.05"],
            [f"keystroke in {WORDS:,} words, ms of processor", f"{1000 * self.keystroke:.0f}", "< 100"],
            [f"first findings of {WORDS:,} words, s", f"{self.first:.2f}", "< 1"],
        ]
        return Grid(f"permend serve, {self.workers} process(es), {self.processor}", ["", "measured", "wanted"], rows)


def measure(model: str | None, minutes: float, workers: int) -> Costs:
    """Measure everything."""
    asked = Asked()
    options = ["--workers", str(workers), *(["--model", model] if model else [])]
    with started(*options) as (pid, port, seconds):
        held = resident(pid)
        alone = asyncio.run(closed(port, 1, ALONE, asked))
        crowd = asyncio.run(closed(port, CLIENTS, CROWD, asked))
        first = asyncio.run(first_findings(port))
        half = asyncio.run(open_load(port, crowd.rate / 2, 30, asked))
        over, memory = asyncio.run(overload(pid, port, 2 * crowd.rate, 60 * minutes, asked))
    with started(*options, "--threads", "1") as (pid, port, _seconds):
        keys = asyncio.run(type_keys(pid, port))
    return Costs(
        processor=f"{processor()}, {len(os.sched_getaffinity(0))} cores",
        workers=workers,
        start_seconds=seconds,
        resident=held,
        alone=alone.rate,
        crowd=crowd.rate,
        median=half.percentile(0.5),
        p99=half.percentile(0.99),
        over_seconds=over.seconds,
        over_statuses=dict(over.statuses),
        over_memory=memory,
        keystroke=statistics.median(keys),
        first=first,
    )


@click.command()
@click.argument("model", required=False)
@click.option("--minutes", default=10.0, show_default=True, help="How long the overload lasts.")
@click.option("--workers", default=1, show_default=True, help="Processes of the server.")
@click.option("--json", "json_path", metavar="FILE", help="Write all numbers here.")
def main(model: str | None, minutes: float, workers: int, json_path: str | None) -> None:
    """Print the table."""
    found = measure(model, minutes, workers)
    Console(highlight=False).print(found.grid().drawn())
    if json_path is not None:
        Path(json_path).write_text(json.dumps(dataclasses.asdict(found), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
