"""Sentence pairs, whatever file they lie in.

In: the path of an ``.m2`` file, of a ``.tsv``, ``.csv`` or ``.jsonl`` table (``.gz`` and ``.xz`` as well), or of a
folder of the JFLEG kind. Out: a stream of `Pair`; empty lines are passed over. Two parallel files are read by
`read_parallel_pairs`.

Annotated corpora are published as tokens (*I do n't know .*). They come as they are, tokens with a space between, or,
with ``raw=True``, as a writer would have typed them (*I don't know.*), both sides spaced alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from permend.corpora.detokenize import detokenize_pair
from permend.corpora.lines import content_suffix
from permend.corpora.m2 import read_m2
from permend.corpora.parallel import read_jfleg, read_parallel
from permend.corpora.tables import Row, read_csv, read_jsonl, read_tsv
from permend.errors import InputError

_TABLES: dict[str, Callable[[str | Path], Iterator[Row]]] = {".tsv": read_tsv, ".csv": read_csv, ".jsonl": read_jsonl}


@dataclass(frozen=True)
class Pair:
    """A sentence as somebody wrote it, and as it should be."""

    source: str
    target: str


def read_pairs(path: str | Path, *, raw: bool = False, annotator: int | None = None) -> Iterator[Pair]:
    """Yield the pairs of a file or folder; its ending says what it holds.

    `annotator` chooses among several annotators of an M2 file (by default the first of each sentence) or references
    of a folder (by default all of them, one after the other). `raw` turns tokens into text as it is written.
    """
    suffix = content_suffix(path)
    pairs: Iterator[Pair]
    if Path(path).is_dir():
        pairs = (Pair(source, target) for _, source, target in read_jfleg(path, annotator))
    elif suffix == ".m2":
        pairs = _read_m2(path, annotator)
    elif suffix in _TABLES:
        pairs = (Pair(source, target) for _, source, target in _TABLES[suffix](path))
    else:
        kinds = ", ".join([".m2", *_TABLES])
        raise InputError(f"pairs are read from {kinds} files and from folders, not from this one", path)
    yield from _checked(_detokenized(pairs) if raw else pairs, path)


def read_parallel_pairs(source: str | Path, target: str | Path, *, raw: bool = False) -> Iterator[Pair]:
    """Yield the pairs of two files with one sentence a line."""
    pairs = (Pair(left, right) for _, left, right in read_parallel(source, target))
    yield from _checked(_detokenized(pairs) if raw else pairs, source)


def _read_m2(path: str | Path, annotator: int | None) -> Iterator[Pair]:
    for sentence in read_m2(path):
        chosen = min(sentence.annotations) if annotator is None else annotator
        yield Pair(" ".join(sentence.tokens), " ".join(sentence.corrected(chosen)))


def _detokenized(pairs: Iterable[Pair]) -> Iterator[Pair]:
    for pair in pairs:
        source, target = detokenize_pair(pair.source.split(), pair.target.split())
        yield Pair(source.text, target.text)


def _checked(pairs: Iterable[Pair], path: str | Path) -> Iterator[Pair]:
    empty = True
    for pair in pairs:
        empty = False
        yield pair
    if empty:
        raise InputError("this file holds no pairs", path)
