"""Paragraphs to sentences.

In: a paragraph. Out: its sentences, split by ``sentencex`` (MIT, of the Wikimedia Foundation, about 300 languages;
the ``synth`` extra). A few stay together in twos, as learners' annotated lines often hold two sentences: without those
nobody could learn that a comma does not end one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Any, cast

from permend.errors import MissingExtraError

_LONGEST_JOINED = 220  # characters of two sentences that stay together


@cache
def _load_splitter() -> Callable[[str, str], Any]:
    try:
        return cast(Callable[[str, str], Any], import_module("sentencex").segment)
    except ImportError:
        raise MissingExtraError("Splitting paragraphs into sentences (sentencex)", "synth") from None


def split_sentences(paragraph: str, language: str = "en") -> list[str]:
    """Split a paragraph; whitespace around sentences is dropped."""
    sentences = (sentence.strip() for sentence in _load_splitter()(language, paragraph))
    return [sentence for sentence in sentences if sentence]


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
