"""Clean text, one paragraph a line, from ``.txt`` files, packed (``.gz``, ``.xz``) or not.

In: paths. Out: paragraphs with their whitespace made single spaces; empty lines are passed over. Some can be set aside,
for measuring: a paragraph's own text decides, so the choice is the same in every run and in every file.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
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


def is_set_aside(paragraph: str, share: float) -> bool:
    """Say whether a paragraph belongs to the share that is never trained on; a larger share holds the smaller ones."""
    digest = blake2b(paragraph.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") < share * 2**64
