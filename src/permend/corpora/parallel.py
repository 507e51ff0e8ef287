"""Pairs that lie in parallel files: one sentence a line, line by line the same sentence.

In: the paths of the sources and of the targets, or a folder of the JFLEG kind, which holds ``dev.src`` and references
``dev.ref0``, ``dev.ref1``, … Out: source and target of every line. Where there are several references each gives a
row of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from permend.corpora.lines import read_lines
from permend.corpora.tables import Row
from permend.errors import InputError

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
