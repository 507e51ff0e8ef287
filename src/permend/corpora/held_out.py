"""Development and test sets that nothing may learn from, known by their hashes.

In: files. Out: their sentences as a `HashedSet`; or an `InputError` where a file to learn from is one of the sets whose
hashes come with permend: W&I+LOCNESS dev, FCE dev and test, CoNLL-2013, JFLEG dev, CWEB dev.

    permend train my.toml data.train=ABCN.dev.gold.bea19.m2
    Error: ABCN.dev.gold.bea19.m2: this is the W&I+LOCNESS dev set, which is for validation only: …

``scripts/hash-held-out`` makes the file of hashes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path

from permend.corpora.detokenize import detokenize_pair
from permend.corpora.fingerprints import HashedSet, fingerprints, read_hashes
from permend.corpora.lines import content_suffix, read_lines
from permend.corpora.m2 import M2Sentence, read_m2
from permend.corpora.pairs import Pair, read_pairs
from permend.errors import InputError

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
