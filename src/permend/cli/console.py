r"""Consoles that people look at: tables and colours of permend's own, and nothing that steers the terminal from a text.

>>> import sys
>>> SafeConsole(file=sys.stdout).print("[b]He go\x1b[2J\u202e :smile:")
[b]He go\x1b[2J\u202e :smile:
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from permend.text.visible import visible


class SafeConsole(Console):
    """A console that writes out the control characters of what it shows, and takes no text for markup."""

    def __init__(self, **options: Any) -> None:
        """Take the options of rich's console."""
        super().__init__(**{"highlight": False, "markup": False, "emoji": False, **options})

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Draw something as pieces of text, each with its style."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else visible(text, keep="\n"), style, control)
