"""Pairs in tables: TSV, CSV and JSON lines, packed or not.

In: a path. Out: source and target of every row, with the row's line number. Columns are found by their names where the
file has a header (or JSON keys) and by their order where it has none. Known layouts:

- two columns without a header: source, target (cLang-8's ``clang8_source_target_en.tsv`` is such a file);
- C4_200M's ``input`` and ``target``, whose inputs may begin with the words ``grammar:``;
- cLang-8's published ``clang8_en.detokenized.tsv`` has no sources in it, and is refused with that explanation.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from permend.corpora.lines import read_lines
from permend.errors import InputError

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


def read_jsonl(path: str | Path) -> Iterator[Row]:
    """Yield the objects of a file with one JSON object a line."""
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
        yield number, source.removeprefix(_PROMPT), target
