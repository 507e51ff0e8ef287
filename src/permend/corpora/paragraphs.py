"""Clean text, one paragraph a line, from ``.txt`` files, packed (``.gz``, ``.xz``) or not.

In: paths. Out: paragraphs with their whitespace made single spaces; empty lines are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from permend.corpora.lines import read_lines
from permend.errors import InputError


def read_paragraphs(path: str | Path) -> Iterator[str]:
    """Yield the paragraphs of a file; one without any is an `InputError`."""
    empty = True
    for line in read_lines(path):
        paragraph = " ".join(line.split())
        if paragraph:
            empty = False
            yield paragraph
    if empty:
        raise InputError("this file holds no text", path)
