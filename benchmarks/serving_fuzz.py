"""Whether a server stands whatever it is sent: no 500, no silence, no growth.

Run: python -m benchmarks.serving_fuzz [MODEL] [--requests 20000] [--examples 300] [--seed 0] [--clients 8]

Requests of two kinds go to a process of its own: hostile bytes to ``/v2/check`` (`fuzzing.requests`), and what
schemathesis makes of the description (`fuzzing.description`). Memory, threads and open files are those of the server,
after a tenth of the requests and at the end.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console

from benchmarks.fuzzing.description import fuzz_description
from benchmarks.fuzzing.requests import make_request, send
from benchmarks.tables import Grid


@contextmanager
def served(model: str | None, *options: str) -> Iterator[tuple[int, str]]:
    """Start a server with nobody's words, and yield the number of its process and its address."""
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-m", "permend", "serve", "--port", "0", "--quiet", *options]
        process = subprocess.Popen(
            [*command, "--model", model] if model else command,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "HOME": home, "XDG_CONFIG_HOME": home},
        )
        try:
            found = re.search(r"http://\S+", process.stdout.readline() if process.stdout else "")
            assert found, "the server has not started"
            yield process.pid, found[0]
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


def held(number: int) -> tuple[float, int, int]:
    """Return a process's memory in MiB, its threads and its open files."""
    status = Path(f"/proc/{number}/status").read_text(encoding="ascii")
    numbers = {line.partition(":")[0]: line.split()[1] for line in status.splitlines() if len(line.split()) > 1}
    files = len(list(Path(f"/proc/{number}/fd").iterdir()))
    return int(numbers["VmRSS"]) / 1024, int(numbers["Threads"]), files


def bombard(port: int, numbers: range, seed: int, clients: int) -> tuple[Counter[int], float]:
    """Send requests, some at a time; return how often each status came, and how long the slowest took."""

    def one(number: int) -> tuple[int, float]:
        began = time.perf_counter()
        return send(port, make_request(seed, number)), time.perf_counter() - began

    with ThreadPoolExecutor(clients) as pool:
        answers = list(pool.map(one, numbers))
    return Counter(status for status, _ in answers), max(seconds for _, seconds in answers)


@click.command()
@click.argument("model", required=False)
@click.option("--requests", default=20_000, show_default=True, help="Hostile requests to /v2/check.")
@click.option("--examples", default=300, show_default=True, help="Requests to each operation of the description.")
@click.option("--seed", default=0, show_default=True)
@click.option("--clients", default=8, show_default=True, help="Requests at a time.")
def main(model: str | None, requests: int, examples: int, seed: int, clients: int) -> None:
    """Send a server what nobody should."""
    console = Console()
    with served(model) as (number, url):
        port = int(url.rpartition(":")[2])
        tenth = requests // 10
        first, slow = bombard(port, range(tenth), seed, clients)
        before = held(number)
        second, slower = bombard(port, range(tenth, requests), seed, clients)
        after = held(number)
        good, said = fuzz_description(url, examples) if examples else (True, "")
        last = held(number)
    rows = [
        [name, *(f"{values[at]:.0f}" for values in (before, after, last))]
        for at, name in enumerate(("memory, MiB", "threads", "open files"))
    ]
    statuses = first + second
    console.print(
        Grid("What the server holds", ["", "after a tenth", "after all", "after the description"], rows).drawn()
    )
    console.print(f"statuses of {requests} hostile requests: {dict(sorted(statuses.items()))}")
    console.print(
        f"the slowest took {max(slow, slower):.2f} s; the description: {'as it says' if good else said[-3000:]}"
    )
    sys.exit(0 if good and not any(status >= 500 for status in statuses if status != 503) else 1)


if __name__ == "__main__":
    main()
