"""A held-out set of invented sentences, for tests that must not hold sentences of a real one."""

from __future__ import annotations

from pathlib import Path

import pytest

from permend.corpora import held_out
from permend.corpora.held_out import hash_corpus, write_hashes

NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
WRONG = [f"The {number} blue lamps in our attic was never do n't lit ." for number in NUMBERS]
RIGHT = [sentence.replace("was never do n't", "were n't ever") for sentence in WRONG]


def write_invented(path: Path) -> Path:
    """Write the set as M2."""
    edit = "A 7 11|||R:OTHER|||were n't ever|||REQUIRED|||-NONE-|||0"
    path.write_text("".join(f"S {sentence}\n{edit}\n\n" for sentence in WRONG), encoding="utf-8")
    return path


def hold_out_invented(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the set the only one that permend holds out; return its M2 file."""
    path = write_invented(folder / "lamps.m2")
    write_hashes(folder / "hashes.bin", [hash_corpus("lamps dev", path)])
    monkeypatch.setattr(held_out, "SHIPPED", folder / "hashes.bin")
    return path
