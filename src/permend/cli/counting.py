"""Pairs written to a file or to standard output, counted on the way."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import IO

from rich.console import Console
from rich.progress import Progress, TextColumn

from permend.corpora.lines import open_for_writing
from permend.errors import InputError


@contextmanager
def counter(what: str, limit: int | None) -> Iterator[Callable[[int], object]]:
    """Draw a bar that counts pairs."""
    console = Console(stderr=True)
    columns = [*Progress.get_default_columns(), TextColumn("{task.completed:,.0f} pairs")]
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(what, total=limit)
        yield lambda pairs: progress.advance(task, pairs)


@contextmanager
def writer(path: str) -> Iterator[IO[str]]:
    """Open a file for writing, or standard output for ``-``; both get UTF-8, whatever a terminal would."""
    if path == "-":
        file = TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="\n")
        try:
            yield file
        finally:
            file.detach()  # it is written, but stays open
        return
    try:
        with open_for_writing(path) as file:
            yield file
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path) from None
