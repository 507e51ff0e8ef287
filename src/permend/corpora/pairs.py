"""Sentence pairs, whatever file they lie in.

In: the path of an ``.m2`` file, of a ``.tsv``, ``.csv`` or ``.jsonl`` table (``.gz`` and ``.xz`` as well), or of a
folder of the JFLEG kind. Out of `read_pairs`: a stream of `Pair`; empty lines are passed over.

    next(read_pairs("clang8_source_target_en.tsv"))     # Pair(source='…', target='…')

- M2 files and folders hold tokens (*I do n't know .*). They come as they are, tokens with a space between, or, with
  ``raw=True``, as a writer would have typed them (*I don't know.*), both sides spaced alike.
- The columns of a table are found by their names where it has a header (or JSON keys), else source comes before target.
  C4_200M's inputs may begin with the words ``grammar:``. cLang-8's published ``clang8_en.detokenized.tsv`` has no
  sources in it and is refused with that explanation.
- A folder of the JFLEG kind has one sentence a line in ``dev.src`` and in the references ``dev.ref0``, ``dev.ref1``, …
  Each reference of a sentence gives a pair of its own.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from permend.corpora.lines import content_suffix, read_lines
from permend.corpora.m2 import read_m2
from permend.errors import InputError
from permend.text.tokenized import detokenize_pair

Row = tuple[int, str, str]

NAMES = (
    ("source", "target"),
    ("input", "target"),
    ("input", "output"),
    ("src", "tgt"),
    ("src", "trg"),
    ("incorrect", "correct"),
    ("original", "corrected"),
    ("sentence", "correction"),
)
"""What the two columns or keys of a pair may be called."""

_PROMPT = "grammar: "
_CLANG8_TARGETS = 5


def read_tsv(path: str | Path) -> Iterator[Row]:
    """Yield the rows of a tab-separated file; tabs cannot be quoted."""
    return _read_rows(((n, line.split("\t")) for n, line in enumerate(read_lines(path), 1)), path, "tab")


def read_csv(path: str | Path) -> Iterator[Row]:
    """Yield the rows of a comma-separated file, quoted where needed."""
    reader = csv.reader((line + "\n" for line in read_lines(path)), strict=True)
    try:
        yield from _read_rows(((reader.line_num, row) for row in reader), path, "comma")
    except csv.Error as error:
        raise InputError(f"this is not a CSV row: {error}", path, reader.line_num) from None


def _read_rows(rows: Iterable[tuple[int, Sequence[str]]], path: str | Path, separator: str) -> Iterator[Row]:
    places, width = (0, 1), 2
    first = True
    for number, row in rows:
        if not any(cell.strip() for cell in row):
            continue
        header = _header(row) if first else None
        first = False
        if header is not None:
            places, width = header, len(row)
            continue
        if len(row) != width:
            if separator == "tab" and len(row) == _CLANG8_TARGETS and row[2].isdecimal():
                hint = "run cLang-8's own preparation script and read the file that it writes"
                raise InputError(f"this is cLang-8's file of targets, which holds no sources: {hint}", path, number)
            count = "two columns" if width == 2 else f"{width} columns"
            raise InputError(f"a pair has {count} with a {separator} between them, not {len(row)}", path, number)
        yield number, row[places[0]].removeprefix(_PROMPT), row[places[1]]


def _header(row: Sequence[str]) -> tuple[int, int] | None:
    cells = [cell.strip().lower() for cell in row]
    for source, target in NAMES:
        if source in cells and target in cells:
            return cells.index(source), cells.index(target)
    return None


def read_jsonl(path: str | Path, without: Collection[str] = ()) -> Iterator[Row]:
    """Yield the objects of a file with one JSON object a line, but those of some repositories."""
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError(f"this is not JSON: {error.msg} (column {error.colno})", path, number) from None
        except (ValueError, RecursionError) as error:  # numbers of thousands of digits, values nested too deep
            raise InputError(f"this is not JSON that can be read: {error}", path, number) from None
        keys = next((keys for keys in NAMES if isinstance(item, dict) and all(key in item for key in keys)), None)
        if keys is None:
            raise InputError('an object has the keys "source" and "target"', path, number)
        source, target = item[keys[0]], item[keys[1]]
        if not isinstance(source, str) or not isinstance(target, str):
            raise InputError(f'"{keys[0]}" and "{keys[1]}" must be strings', path, number)
        if not without or item.get("repository") not in without:
            yield number, source.removeprefix(_PROMPT), target


_REFERENCE = re.compile(r"\.ref(\d*)$")


def read_parallel(source: str | Path, target: str | Path) -> Iterator[Row]:
    """Yield the lines of two files side by side; both must have the same number of lines."""
    lines = zip_longest(read_lines(source), read_lines(target))
    for number, (left, right) in enumerate(lines, start=1):
        if left is None or right is None:
            shorter, longer = (source, target) if left is None else (target, source)
            raise InputError(f"ends after {number - 1} lines, but {longer} goes on", shorter)
        if left.strip() or right.strip():
            yield number, left.strip(), right.strip()


def read_jfleg(folder: str | Path, reference: int | None = None) -> Iterator[Row]:
    """Yield the sentences of every ``NAME.src`` in a folder with all of their references, or with that number."""
    found = False
    for source in sorted(Path(folder).glob("*.src")):
        name = source.name.removesuffix(".src")
        references = sorted(path for path in Path(folder).glob(f"{name}.ref*") if _REFERENCE.search(path.name))
        for path in references:
            if reference is None or path.name == f"{name}.ref{reference}":
                found = True
                yield from read_parallel(source, path)
    if not found:
        which = "references NAME.ref0, NAME.ref1, …" if reference is None else f"a reference NAME.ref{reference}"
        raise InputError(f"a folder of pairs holds sources NAME.src and {which} beside them", folder)


_TABLES: dict[str, Callable[[str | Path], Iterator[Row]]] = {".tsv": read_tsv, ".csv": read_csv, ".jsonl": read_jsonl}


@dataclass(frozen=True)
class Pair:
    """A sentence as somebody wrote it, and as it should be."""

    source: str
    target: str


class EpochOrder:
    """The order of an epoch: so many places, shuffled anew for every epoch and seed."""

    def __init__(self, size: int, *salt: int) -> None:
        """Shuffle `size` places; another salt gives another order."""
        self._size, self._salt = size, salt
        self._shuffled: tuple[tuple[int, int], NDArray[np.int64]] | None = None

    def __call__(self, epoch: int, seed: int) -> NDArray[np.int64]:
        """Return the places in their order; the last one asked for is kept."""
        if self._shuffled is None or self._shuffled[0] != (epoch, seed):
            random = np.random.default_rng([seed, epoch, *self._salt])
            self._shuffled = (epoch, seed), random.permutation(self._size)
        return self._shuffled[1]


def read_pairs(
    path: str | Path, *, raw: bool = False, annotator: int | None = None, without: Collection[str] = ()
) -> Iterator[Pair]:
    """Yield the pairs of a file or folder; its ending says what it holds.

    `annotator` chooses among several annotators of an M2 file (by default the first of each sentence) or references
    of a folder (by default all of them, one after the other). `raw` turns tokens into text as it is written. Pairs of
    JSON lines whose ``repository`` is among those to be `without` are left out.
    """
    suffix = content_suffix(path)
    pairs: Iterator[Pair]
    if Path(path).is_dir():
        pairs = (Pair(source, target) for _, source, target in read_jfleg(path, annotator))
    elif suffix == ".m2":
        pairs = _read_m2(path, annotator)
    elif suffix == ".jsonl":
        pairs = (Pair(source, target) for _, source, target in read_jsonl(path, without))
    elif suffix in _TABLES:
        pairs = (Pair(source, target) for _, source, target in _TABLES[suffix](path))
    else:
        kinds = ", ".join([".m2", *_TABLES])
        raise InputError(f"pairs are read from {kinds} files and from folders, not from this one", path)
    yield from _checked(_detokenized(pairs) if raw else pairs, path)


def holds_pairs(path: str | Path) -> bool:
    """Whether `read_pairs` knows this kind of file, by its ending, or it is a folder."""
    return content_suffix(path) in (".m2", *_TABLES) or Path(path).is_dir()


def is_tokenised(path: str | Path) -> bool:
    """Whether pairs come as tokens unless they are read with ``raw=True``."""
    return content_suffix(path) == ".m2" or Path(path).is_dir()


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
