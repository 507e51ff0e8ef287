"""Paragraphs to learn from and paragraphs to measure on, which never meet.

In: the recipe's data. Out: paragraphs. Where no held-out file is named, a paragraph's own characters decide where it
belongs: the choice is the same in every run, and a paragraph that occurs twice is not in both parts.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from permend.corpora.paragraphs import read_paragraphs
from permend.pretraining.recipe import Data

_KEEP, _HOLD_OUT, _VOCABULARY = range(3)


def learned(data: Data) -> Iterator[str]:
    """Yield the paragraphs to learn from."""
    return (paragraph for paragraph in _used(data) if not _is_held_out(paragraph, data))


def held_out(data: Data) -> Iterator[str]:
    """Yield the paragraphs to measure on."""
    if data.held_out is not None:
        return read_paragraphs(data.held_out)
    return (
        (paragraph for paragraph in _used(data) if _is_held_out(paragraph, data)) if data.held_out_share else iter(())
    )


def sampled(data: Data, share: float) -> Iterator[str]:
    """Yield a share of the paragraphs to learn from: those that the vocabulary is learned from."""
    return (paragraph for paragraph in learned(data) if _draw(paragraph, _VOCABULARY) < share)


def _used(data: Data) -> Iterator[str]:
    shares = data.text_shares or (1.0,) * len(data.text)
    for path, share in zip(data.text, shares, strict=True):
        for paragraph in read_paragraphs(path):
            if share >= 1 or _draw(paragraph, _KEEP) < share:
                yield paragraph


def _is_held_out(paragraph: str, data: Data) -> bool:
    return data.held_out is None and _draw(paragraph, _HOLD_OUT) < data.held_out_share


def _draw(paragraph: str, purpose: int) -> float:
    """Return a number in [0, 1) that depends on the paragraph and on what it is drawn for."""
    return zlib.crc32(f"{purpose} {paragraph}".encode(errors="replace")) / 2**32
