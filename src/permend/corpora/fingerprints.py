r"""Sentences as hashes: what they are can be recognised, what they say cannot be read.

In: text. Out: six bytes of BLAKE2 for the text and for each longer sentence in it. Only letters and digits count,
without regard to case, so that it does not matter how a text is tokenised:

>>> fingerprints("I do n't know .") == fingerprints("I don't know")
True
>>> holds("Really? We stayed at home. It rained.", fingerprints("we stayed at home"))
True

A file of hashes is one line of JSON, ``[{"name": "my dev set", "sentences": 2, "hashes": 3}]``, and then the hashes of
these sets one after the other, each set sorted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from permend.errors import InputError

WIDTH = 6  # bytes: a sentence is mistaken for one of 30,000 others once in 10 billion times
_WORD = re.compile(r"\w+")
_END = re.compile(r"[.!?]\W*\s")
_LEAST_INSIDE = 4  # words of a sentence inside a text: the *Mr* of *Mr. Smith* is none
_NO_LETTERS = bytes(code for code in range(128) if not _WORD.match(chr(code)))


def fingerprints(text: str, least_words: int = 1) -> list[bytes]:
    """Return the hashes of a text and of its sentences, of those with at least so many words."""
    return [found for found, sentence, least in _hashed(text) if _count(sentence) >= max(least, least_words)]


def holds(text: str, known: Collection[bytes], least_words: int = 1) -> bool:
    """Whether a text, or a sentence of it with at least so many words, is among known ones."""
    # training asks this for every pair: words are counted only where it matters
    return any(
        found in known and _count(sentence) >= max(least, least_words) for found, sentence, least in _hashed(text)
    )


def _hashed(text: str) -> Iterator[tuple[bytes, str, int]]:
    """Yield a text, then its sentences if it has several: hash, words, and how many there must be."""
    folded = text.casefold()
    yield _hash(folded), folded, 1
    if _END.search(folded):
        for sentence in _END.split(folded):
            yield _hash(sentence), sentence, _LEAST_INSIDE


def _hash(folded: str) -> bytes:
    if folded.isascii():  # the same, four times as fast
        letters = folded.encode().translate(None, _NO_LETTERS)
    else:
        letters = "".join(_WORD.findall(folded)).encode()
    return blake2b(letters, digest_size=WIDTH).digest()


def _count(sentence: str) -> int:
    return len(_WORD.findall(sentence))


@dataclass(frozen=True)
class HashedSet:
    """The sentences of a corpus."""

    name: str
    sentences: int
    """How many there are, each with all its corrections."""
    hashes: frozenset[bytes]


def write_hashes(path: str | Path, sets: Iterable[HashedSet]) -> None:
    """Write a file of hashes."""
    sets = list(sets)
    head = [{"name": each.name, "sentences": each.sentences, "hashes": len(each.hashes)} for each in sets]
    body = b"".join(part for each in sets for part in sorted(each.hashes))
    try:
        Path(path).write_bytes(json.dumps(head, ensure_ascii=False).encode() + b"\n" + body)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path) from None


def read_hashes(path: str | Path) -> tuple[HashedSet, ...]:
    """Read a file of hashes; one that is damaged is an `InputError`."""
    try:
        head, _, body = Path(path).read_bytes().partition(b"\n")
        rows = [(str(row["name"]), int(row["sentences"]), int(row["hashes"])) for row in json.loads(head)]
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path) from None
    except (ValueError, TypeError, KeyError, RecursionError):
        raise InputError("this is no file of hashes", path) from None
    if len(body) != WIDTH * sum(count for _, _, count in rows):
        raise InputError("this file of hashes is damaged: its length is not what its first line says", path)
    parts = (body[place : place + WIDTH] for place in range(0, len(body), WIDTH))
    return tuple(HashedSet(name, number, frozenset(next(parts) for _ in range(count))) for name, number, count in rows)
