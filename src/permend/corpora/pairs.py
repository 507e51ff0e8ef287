"""Sentence pairs, whatever file they lie in.

In: the path of a ``.tsv`` file (source and target in two columns) or of an ``.m2`` file (source and annotations, of
which the first annotator's are applied). Out: a stream of `Pair`; empty lines are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from permend.corpora.lines import read_lines
from permend.corpora.m2 import read_m2
from permend.errors import InputError


@dataclass(frozen=True)
class Pair:
    """A sentence as somebody wrote it, and as it should be."""

    source: str
    target: str


def read_pairs(path: str | Path) -> Iterator[Pair]:
    """Yield the pairs of a file; its ending says what it holds."""
    readers = {".tsv": _read_tsv, ".m2": _read_m2}
    reader = readers.get(Path(path).suffix.lower())
    if reader is None:
        raise InputError(f"pairs are read from {' and '.join(readers)} files, not from this one", path)
    empty = True
    for pair in reader(path):
        empty = False
        yield pair
    if empty:
        raise InputError("this file holds no pairs", path)


def _read_tsv(path: str | Path) -> Iterator[Pair]:
    for number, line in enumerate(read_lines(path), start=1):
        if line.strip():
            columns = line.split("\t")
            if len(columns) != 2:
                raise InputError(f"a pair has two columns with a tab between them, not {len(columns)}", path, number)
            yield Pair(*columns)


def _read_m2(path: str | Path) -> Iterator[Pair]:
    for sentence in read_m2(path):
        yield Pair(" ".join(sentence.tokens), " ".join(sentence.corrected(min(sentence.annotations))))
