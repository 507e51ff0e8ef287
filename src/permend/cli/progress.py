"""Bars on standard error while a command works, where somebody looks.

In: how much there is to do, and how much is done. Out: a bar, drawn when more than two seconds are left by the speed so
far; it goes when the work is done, and steps aside when something is written to the same terminal.

    with Bar("correcting") as bar:
        bar.expect(10_000_000)
        for piece in pieces:
            bar.step_aside(sys.stdout)
            write(piece)
            bar.advance(len(piece))
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from types import TracebackType
from typing import TextIO, TypeVar

from rich.console import Console
from rich.progress import Progress, track

T = TypeVar("T")

AFTER, LEFT = 1.0, 2.0
"""Seconds of work after which the rest can be estimated, and seconds left that are worth a bar."""


class Bar:
    """How many bytes are done of those that there are."""

    def __init__(self, what: str = "correcting") -> None:
        """Name the work."""
        self._what = what
        self._total = self._done = 0
        self._began = 0.0
        self._drawn: Progress | None = None

    def __enter__(self) -> Bar:
        """Begin."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bar away."""
        if self._drawn is not None:
            self._drawn.stop()

    def expect(self, size: int) -> None:
        """Say how many bytes there are; without that, there is no bar."""
        self._total = size
        self._began = time.monotonic()

    def advance(self, size: int) -> None:
        """Count bytes as done."""
        self._done += size
        if self._drawn is not None:
            self._drawn.update(self._drawn.task_ids[0], completed=self._done)
            self._drawn.start()  # it may have stepped aside
        elif self._is_worth_it() and sys.stderr.isatty():
            self._draw()

    def step_aside(self, stream: TextIO) -> None:
        """Take the bar away until the next part is done: something is written to what may be the same terminal."""
        if self._drawn is not None and stream.isatty():
            self._drawn.stop()

    def _is_worth_it(self) -> bool:
        seconds = time.monotonic() - self._began
        return seconds > AFTER and seconds * (self._total - self._done) > LEFT * self._done > 0

    def _draw(self) -> None:
        self._drawn = Progress(
            console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False
        )
        self._drawn.add_task(self._what, total=self._total, completed=self._done)
        self._drawn.start()


def tracked(items: Iterable[T], what: str) -> Iterable[T]:
    """Draw a bar while items are taken."""
    console = Console(stderr=True)
    return track(items, what, console=console, transient=True, disable=not console.is_terminal)
