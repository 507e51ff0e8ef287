"""Everyday sentences with one slip each, and everyday sentences without any: `everyday.txt`, `everyday-test.txt`.

In: one of these files, where ``{wrong|right|also right}`` is a slip. Out: `Slip`s, by kind, and the correct sentences.

>>> read_slip("a or an", "We waited for {a|an} hour.")
Slip(kind='a or an', wrong='We waited for a hour.', rights=('We waited for an hour.',))
>>> slips, correct = read_everyday()
>>> len(slips), len(correct)
(300, 100)
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from permend.corpora.lines import read_lines

FILE, TEST = (Path(__file__).with_name(name) for name in ("everyday.txt", "everyday-test.txt"))
"""What models may be chosen with, and what none was chosen with."""
_SLIP = re.compile(r"\{([^{}]*)\}")
_CORRECT = "correct"


class Slip(NamedTuple):
    """A sentence with one slip, and all that it may become."""

    kind: str
    wrong: str
    rights: tuple[str, ...]


def read_slip(kind: str, line: str) -> Slip:
    """Read a line."""
    before, choices, behind = _SLIP.split(line)
    wrong, *rights = (f"{before}{choice}{behind}" for choice in choices.split("|"))
    return Slip(kind, wrong, tuple(rights))


def read_everyday(path: Path = FILE) -> tuple[list[Slip], list[str]]:
    """Read the sentences with a slip, and those without."""
    slips: list[Slip] = []
    correct: list[str] = []
    kind = ""
    for line in read_lines(path):
        if line.startswith("= "):
            kind = line.removeprefix("= ")
        elif line and not line.startswith("#"):
            if kind == _CORRECT:
                correct.append(line)
            else:
                slips.append(read_slip(kind, line))
    return slips, correct
