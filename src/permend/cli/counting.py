"""Pairs written to a file or to standard output, counted on the way."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import IO

from rich.console import Console
from rich.progress import Progress, TextColumn

from permend.corpora.lines import open_for_writing


@contextmanager
def counter(what: str, limit: int | None) -> Iterator[Callable[[int], object]]:
    """Draw a bar that counts pairs."""
    console = Console(stderr=True)
    columns = [*Progress.get_default_columns(), TextColumn("{task.completed:,.0f} pairs")]
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(what, total=limit)
        yield lambda pairs: progress.advance(task, pairs)


def writer(path: str) -> AbstractContextManager[IO[str]]:
    """Open a file for writing, or standard output for ``-``."""
    return nullcontext(sys.stdout) if path == "-" else open_for_writing(path)
