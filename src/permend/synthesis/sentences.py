"""Paragraphs to sentences.

In: a paragraph. Out: its sentences, split as documents are (`documents.splitting`). A few stay together in twos, as
learners' annotated lines often hold two sentences: without those nobody could learn that a comma does not end one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from permend.documents.splitting import sentence_ranges

_LONGEST_JOINED = 220  # characters of two sentences that stay together


def split_sentences(paragraph: str, language: str = "en") -> list[str]:
    """Split a paragraph; whitespace around sentences is dropped."""
    return [paragraph[start:end] for start, end in sentence_ranges(paragraph, language)]


def join_some(sentences: list[str], share: float, random_: random.Random) -> Iterator[str]:
    """Join a share of neighbouring sentences in twos."""
    place = 0
    while place < len(sentences):
        two = " ".join(sentences[place : place + 2])
        if place + 1 < len(sentences) and len(two) <= _LONGEST_JOINED and random_.random() < share:
            yield two
            place += 2
        else:
            yield sentences[place]
            place += 1
