"""A bar on standard error while a command works through a list, where somebody looks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from rich.console import Console
from rich.progress import track

T = TypeVar("T")


def tracked(items: Sequence[T], what: str) -> Iterable[T]:
    """Draw the bar while items are taken."""
    console = Console(stderr=True)
    return track(items, what, console=console, transient=True, disable=not console.is_terminal)
