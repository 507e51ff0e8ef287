"""Small corpora of our own in every format, and a corrector that needs no model."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from permend.batch.ledger import Ledger
from permend.batch.places import Place
from permend.batch.pool import Pool
from permend.batch.rows import Answer, Columns
from permend.batch.run import Totals, run
from permend.batch.shards import find_shards
from permend.errors import PermendError

SENTENCES = ["w5 w6 w7", "w8 w9, w10", 'w11 "w12" w13', "", "w14 é 😀 w15"]


@dataclass(frozen=True)
class Shouting:
    """Writes texts in capitals, and finds one thing in each."""

    def __call__(self) -> Callable[[list[str]], list[Answer]]:
        """Return the function."""
        return shout


def shout(texts: list[str]) -> list[Answer]:
    """Write texts in capitals."""
    return [Answer(text.upper(), [{"start": 0, "before": text[:1], "after": text[:1].upper()}]) for text in texts]


def rows(count: int) -> list[dict[str, Any]]:
    """Return rows with several columns."""
    return [{"id": number, "text": SENTENCES[number % 5], "rest": f"r,{number}"} for number in range(count)]


def jsonl(count: int) -> bytes:
    """Return rows as JSON lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows(count)).encode()


def table(count: int, **dialect: Any) -> bytes:
    """Return rows as CSV."""
    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, ["id", "text", "rest"], **dialect)
    writer.writeheader()
    writer.writerows(rows(count))
    return file.getvalue().encode()


def correct(
    inputs: list[str | Path], out: str | Path, columns: Columns | None = None, workers: int = 1, **settings: Any
) -> tuple[Totals, list[str]]:
    """Run all of it, and return what is counted and told."""
    told: list[PermendError] = []
    place = Place.of(str(out))
    shards = find_shards(map(str, inputs), place)
    totals = run(
        shards, columns or Columns(), Pool(Shouting(), workers), Ledger(place, {"a": 1, **settings}), told.append
    )
    return totals, [str(error) for error in told]


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def needs(*packages: str) -> None:
    """Skip a test where packages are missing."""
    for package in packages:
        pytest.importorskip(package)
