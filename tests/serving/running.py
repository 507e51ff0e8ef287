"""`permend serve` as people start it: a process, a port of its own, and nobody's words.

with running("--model", folder) as server:
    server.get("/v2/languages").json()
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).parents[2]
ENDED_BY = {signal.SIGINT: 130, signal.SIGTERM: 143}
"""Exit codes, as those of every command."""
PATIENCE = 60.0  # seconds, for a machine may be busy


@dataclass
class Running:
    """A server that answers."""

    process: subprocess.Popen[str]
    url: str
    home: Path

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    @property
    def log(self) -> str:
        """What it has written to standard error so far."""
        return (self.home / "log").read_text(encoding="utf-8")

    def get(self, path: str, **options: Any) -> httpx.Response:
        return httpx.get(self.url + path, timeout=PATIENCE, **options)

    def check(self, **form: str) -> httpx.Response:
        """Send a form as LanguageTool's clients do."""
        return httpx.post(f"{self.url}/v2/check", data={"language": "en-US", **form}, timeout=PATIENCE)

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal, and return the exit code."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@contextmanager
def running(*arguments: str | Path, before: tuple[str, ...] = (), **environment: str) -> Iterator[Running]:
    """Start a server (with another program before it, such as a tracer), and end it by SIGTERM if it still runs."""
    with tempfile.TemporaryDirectory(prefix="permend-tests-") as folder:
        home = Path(folder)
        with (home / "log").open("w", encoding="utf-8") as log:
            process = start(*arguments, before=before, home=home, log=log, **environment)
        with process:
            try:
                assert process.stdout
                told = process.stdout.readline()
                found = re.match(r"permend is at (http://\S+) ", told)
                assert found, (told, (home / "log").read_text(encoding="utf-8"))
                yield Running(process, found[1], home)
            finally:
                if process.poll() is None:
                    process.terminate()
                try:
                    process.wait(PATIENCE)
                finally:
                    process.kill()


def start(
    *arguments: str | Path, before: tuple[str, ...] = (), home: Path, log: Any, **environment: str
) -> subprocess.Popen[str]:
    """Start a server at a free port, with an empty home."""
    given = {name: value for name, value in os.environ.items() if name not in ("PERMEND_TOKEN", "PERMEND_DEBUG")}
    where = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "APPDATA": str(home / "config")}
    return subprocess.Popen(
        [*before, sys.executable, "-m", "permend", "serve", "--port", "0", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=log,
        stdin=subprocess.DEVNULL,
        text=True,
        cwd=home,
        env={**given, **where, **environment},
    )
