"""A rolling restart under load: two servers behind nginx, restarted one after the other while clients ask.

Run: python -m benchmarks.replicas [MODEL] [--rounds 3] [--clients 8] [--alone]

nginx is Debian's (`apt-get install nginx-light`) and runs with the project's own nginx.conf, with ports of the loopback
device in it. Clients ask in three ways (`/api/check`, its stream, LanguageTool's), some on connections that they keep,
others on a new one each time, and wait for their answers, so that the load is bounded; every answer is compared with
what a server says that is left alone. A retry is a request that nginx took to the second server. ``--alone`` takes the
retrying out of nginx's configuration, to see what it is worth.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlencode

import click

CONFIG = Path(__file__).parents[1] / "nginx.conf"
TEXTS = [
    f"In the year {number} he go to school by bus. She have {number} books, and they was happy about it."
    for number in range(1900, 1940)
]
PATIENCE = 60.0


@dataclass
class Counts:
    """What became of all requests."""

    requests: int = 0
    failures: list[str] = field(default_factory=list)
    retries: int = 0
    """Requests that nginx took to the second server."""
    restarts: int = 0
    seconds: list[float] = field(default_factory=list)
    """Of each request."""

    def __str__(self) -> str:
        """Say it in a line."""
        return (
            f"{self.requests} requests, {len(self.failures)} failures, {self.retries} retries, "
            f"{self.restarts} restarts; median {1000 * statistics.median(self.seconds):.0f} ms, "
            f"slowest {1000 * max(self.seconds):.0f} ms"
        )


def free_port() -> int:
    """Return a port that nobody has."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port


class Replica:
    """A server at a port of its own, which can be restarted."""

    def __init__(self, model: str | None, home: Path, *options: str) -> None:
        self.port = free_port()
        self._home = home
        command = [sys.executable, "-m", "permend", "serve", "--read-only", "--quiet", "--port", str(self.port)]
        self._command = [*command, *(["--model", model] if model else []), *options]
        self.start()

    def start(self) -> None:
        """Start it, without waiting for it."""
        self.process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, cwd=self._home)

    def wait(self) -> None:
        """Wait until it is ready."""
        deadline = time.monotonic() + PATIENCE
        while ask(self.port, "/api/ready")[0] != 200:
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise RuntimeError("a server did not start")
            time.sleep(0.05)

    def end(self) -> None:
        """End it as compose does, and wait until it has answered what it had."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(PATIENCE)
        finally:
            self.process.kill()


def ask(port: int, path: str, body: bytes | None = None, kept: HTTPConnection | None = None) -> tuple[int, bytes]:
    """Return the status and the body of an answer; the status is 0 where there was none."""
    connection = kept or HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    kind = "application/x-www-form-urlencoded" if path.startswith("/v2") else "application/json"
    try:
        connection.request("POST" if body else "GET", path, body, {"Content-Type": kind})
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, HTTPException) as error:
        connection.close()
        return 0, error.__class__.__name__.encode()
    finally:
        if kept is None:
            connection.close()


def question(number: int) -> tuple[str, bytes]:
    """Return a path and a body."""
    text = TEXTS[number % len(TEXTS)]
    path = ("/api/check", "/api/check/stream", "/v2/check")[number % 3]
    form = urlencode({"language": "en-US", "text": text}).encode()
    return path, form if path.startswith("/v2") else json.dumps({"text": text}).encode()


@contextmanager
def nginx(ports: list[int], home: Path, alone: bool = False) -> Iterator[tuple[int, Path]]:
    """Start nginx before servers, and yield its port and its log."""
    port, log = free_port(), home / "access.log"
    config = CONFIG.read_text(encoding="utf-8").replace("/tmp/", f"{home}/").replace("/dev/stdout", str(log))
    config = config.replace("listen 8080;", f"listen 127.0.0.1:{port};")
    for number, each in enumerate(ports, 1):
        config = config.replace(f"server permend-{number}:8081 ", f"server 127.0.0.1:{each} ")
    if alone:
        config = re.sub(r"proxy_next_upstream error.*;", "proxy_next_upstream off;", config)
    where = home / "nginx.conf"
    where.write_text(config, encoding="utf-8")
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") or "nginx"
    process = subprocess.Popen([program, "-c", where, "-p", home, "-e", home / "errors.log", "-g", "daemon off;"])
    try:
        deadline = time.monotonic() + PATIENCE
        while ask(port, "/api/health")[0] != 200:
            if time.monotonic() > deadline or process.poll() is not None:
                raise RuntimeError("nginx did not start")
            time.sleep(0.05)
        yield port, log
    finally:
        process.terminate()
        process.wait(PATIENCE)


def load(port: int, expected: list[bytes], number: int, ended: threading.Event, counts: Counts) -> None:
    """Ask until told to end; every other client keeps its connection."""
    kept = HTTPConnection("127.0.0.1", port, timeout=PATIENCE) if number % 2 else None
    while not ended.is_set():
        place = number % len(expected)
        number += 7
        began = time.perf_counter()
        status, answer = ask(port, *question(place), kept)
        counts.seconds.append(time.perf_counter() - began)
        counts.requests += 1
        if (status, answer) != (200, expected[place]):
            counts.failures.append(f"{question(place)[0]}: {status} {answer[:80]!r}")
    if kept is not None:
        kept.close()


def roll(
    model: str | None = None, *options: str, rounds: int = 1, clients: int = 4, alone: bool = False, pause: float = 1.0
) -> Counts:
    """Restart both servers, so many times, while clients ask."""
    with ExitStack() as held:
        home = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="permend-replicas-")))
        home.chmod(0o755)  # nginx's workers may be another user
        replicas = [Replica(model, home, *options) for _ in range(2)]
        for each in replicas:
            held.callback(each.end)
        for each in replicas:
            each.wait()
        expected = [ask(replicas[0].port, *question(place))[1] for place in range(3 * len(TEXTS))]
        port, log = held.enter_context(nginx([each.port for each in replicas], home, alone))
        ended, parts = threading.Event(), [Counts() for _ in range(clients)]
        threads = [
            threading.Thread(target=load, args=(port, expected, number, ended, part))
            for number, part in enumerate(parts)
        ]
        for thread in threads:
            thread.start()
        try:
            for _ in range(rounds):
                for each in replicas:
                    time.sleep(pause)
                    each.end()
                    each.start()
                    each.wait()
            time.sleep(pause)
        finally:
            ended.set()
            for thread in threads:
                thread.join(PATIENCE)
        lines = log.read_text(encoding="ascii").splitlines()
    return Counts(
        requests=sum(part.requests for part in parts),
        failures=[failure for part in parts for failure in part.failures],
        retries=sum(", " in line.partition(";")[0] for line in lines),
        restarts=2 * rounds,
        seconds=[second for part in parts for second in part.seconds],
    )


@click.command()
@click.argument("model", required=False)
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True, help="Restarts of each server.")
@click.option("--clients", type=click.IntRange(1), default=8, show_default=True, help="Requests at a time.")
@click.option("--workers", default="1", show_default=True, help="Processes of each server.")
@click.option("--alone", is_flag=True, help="Without retries.")
def main(model: str | None, rounds: int, clients: int, workers: str, alone: bool) -> None:
    """Print what became of all requests; the exit code is 1 where one failed."""
    counts = roll(model, "--workers", workers, "--threads", "1", rounds=rounds, clients=clients, alone=alone)
    print(counts)
    for failure in sorted(set(counts.failures))[:10]:
        print(" ", failure)
    sys.exit(bool(counts.failures))


if __name__ == "__main__":
    main()
