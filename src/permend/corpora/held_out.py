"""Development and test sets that nothing may learn from, known by hashes: recognised, but not to be read.

In: text. Out of `fingerprints`: six bytes of BLAKE2 for the text and for each longer sentence in it. Only letters and
digits count, without regard to case, so that it does not matter how a text is tokenised:

>>> fingerprints("I do n't know .") == fingerprints("I don't know")
True
>>> holds("Really? We stayed at home. It rained.", fingerprints("we stayed at home"))
True

In: a file to learn from. Out of `refuse_held_out`: an `InputError` where it is one of the sets whose hashes come with
permend: W&I+LOCNESS dev, FCE dev and test, CoNLL-2013, JFLEG dev, CWEB dev.

    permend train my.toml data.train=ABCN.dev.gold.bea19.m2
    Error: ABCN.dev.gold.bea19.m2: this is the W&I+LOCNESS dev set, which is for validation only: …

A file of hashes is one line of JSON, ``[{"name": "my dev set", "sentences": 2, "hashes": 3}]``, and then the hashes of
these sets one after the other, each set sorted. ``scripts/hash-held-out`` makes it with `hash_corpus`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from itertools import islice
from pathlib import Path

from permend.corpora.lines import content_suffix, read_lines
from permend.corpora.m2 import M2Sentence, read_m2
from permend.corpora.pairs import Pair, read_pairs
from permend.errors import InputError
from permend.text.tokenized import detokenize_pair

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


SHIPPED = Path(__file__).parent.parent / "data" / "held-out.bin"
LEAST_WORDS = 7
"""Shorter sentences (*Thank you very much.*) occur everywhere and say nothing about where a text comes from."""
_LOOKED_AT = 2000
_TOLERATED = 0.1


def held_out_sets() -> tuple[HashedSet, ...]:
    """Return the sets whose hashes come with permend."""
    return _read(SHIPPED)


def held_out_hashes() -> frozenset[bytes]:
    """Return all their hashes."""
    return frozenset[bytes]().union(*(each.hashes for each in held_out_sets()))


@cache
def _read(path: Path) -> tuple[HashedSet, ...]:
    return read_hashes(path)


def refuse_held_out(path: str | Path, texts: Iterable[str]) -> None:
    """Refuse a file to learn from when more than a tenth of its first sentences belong to a held-out set."""
    looked_at, found = 0, Counter[str]()
    for hashes in islice(filter(None, (fingerprints(text, LEAST_WORDS) for text in texts)), _LOOKED_AT):
        looked_at += 1
        found.update(each.name for each in held_out_sets() if not each.hashes.isdisjoint(hashes))
    name, count = max(found.items(), key=lambda item: item[1], default=("", 0))
    if count > _TOLERATED * looked_at:
        raise InputError(
            f"this is the {name} set, which is for validation only: {count:,} of the first {looked_at:,} sentences "
            "are in it, and a model that learns them cannot be measured any more",
            path,
        )


def hash_corpus(
    name: str, path: str | Path, least_words: int = 1, without: Collection[bytes] = frozenset()
) -> HashedSet:
    """Hash all sides of a corpus, less the pairs that have a sentence in `without`, as the leak guard drops them."""
    number, hashes = 0, set[bytes]()
    for pairs in read_items(path):
        sides = [[*fingerprints(p.source, least_words), *fingerprints(p.target, least_words)] for p in pairs]
        kept = [each for each in sides if not any(found in without for found in each)]
        number += bool(kept)
        hashes.update(*kept)
    if not hashes:
        raise InputError("this holds no sentences to hash", path)
    return HashedSet(name, number, frozenset(hashes))


def read_items(path: str | Path) -> Iterator[list[Pair]]:
    """Yield every sentence of a corpus with each of its corrections, whoever made it."""
    if Path(path).is_dir():
        files = [*sorted(Path(path).glob("*.src")), *sorted(Path(path).glob("*.ref*"))]
        for first, *others in zip(*map(read_lines, files), strict=False):
            yield [Pair(first, other) for other in others]
    elif content_suffix(path) == ".m2":
        yield from map(_corrections, read_m2(path))
    else:
        yield from ([pair] for pair in read_pairs(path))


def _corrections(sentence: M2Sentence) -> list[Pair]:
    """Return a pair for each annotator; edits that overlap leave the source alone."""
    pairs = []
    for annotator in sentence.annotations:
        try:
            target = sentence.corrected(annotator)
        except InputError:
            target = list(sentence.tokens)
        source, corrected = detokenize_pair(sentence.tokens, target)
        pairs.append(Pair(source.text, corrected.text))
    return pairs
