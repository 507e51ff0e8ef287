"""A failing input made short.

In: a text, and a function that says whether a text still fails in the same way. Out: a text of which no half, quarter
and so on down to a single character can be taken away, or what was reached when the patience was at its end.

>>> minimise("He go to school.", lambda text: "g" in text and "." in text)
'g.'
"""

from __future__ import annotations

from collections.abc import Callable

PATIENCE = 3_000
"""Attempts."""


def minimise(text: str, fails: Callable[[str], bool], patience: int = PATIENCE) -> str:
    """Take away as much as possible."""
    size = max(1, len(text) // 2)
    while True:
        at, shorter = 0, False
        while at < len(text) and patience > 0:
            patience -= 1
            without = text[:at] + text[at + size :]
            if fails(without):
                text, shorter = without, True
            else:
                at += size
        if patience <= 0 or (size == 1 and not shorter):
            return text
        size = max(1, size // 2)
