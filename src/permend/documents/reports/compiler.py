"""Findings as compilers print theirs, which editors and people can jump to.

In: checked documents. Out: a line for each finding.

    notes.md:3:4: R:VERB:SVA go → goes  The verb “go” should agree with its subject: “goes”. [7f0ae2c411]
    notes.md:7:12: M:DET to → to the  The article “the” is missing before “cinema”. [03b5d1e9fa]

At the end of a line stands the finding's id, with which ``permend dict ignore`` dismisses it. What would steer a
terminal, in a file's name or in its text, is written out: a line is a finding, whatever is in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from permend.documents.checker import CheckedDocument
from permend.documents.reports.places import Located, locate
from permend.text.visible import visible

_NOTHING = "∅"
_LEFT, _RIGHT = re.compile(r"\S*\Z"), re.compile(r"\S*")


def write_messages(documents: Iterable[CheckedDocument]) -> Iterator[str]:
    """Write a line for each finding."""
    for document in documents:
        for found in locate(document.blocks):
            where = f"{document.name}:{found.start.line}:{column(found)}"
            name = f" [{found.finding.id}]" if found.finding.id else ""
            yield visible(f"{where}: {found.finding.type} {change(found)}  {found.finding.explanation}{name}") + "\n"


def column(found: Located) -> int:
    """Return where the first word begins that is shown."""
    wide = found.widened()
    before = wide.finding.before
    return wide.start.column + (len(before) - len(before.lstrip()) if before.strip() else 0)


def change(found: Located) -> str:
    """Show what becomes of what, with a word beside it where there is nothing else to see."""
    wide = found.widened().finding
    before, after = " ".join(wide.before.split()), " ".join(wide.after.split())
    if before == after:  # only whitespace changes
        left, right = _around(found)
        before, after = (left + middle + right for middle in (found.finding.before, found.finding.after))
    return f"{before or _NOTHING} → {after or _NOTHING}"


def _around(found: Located) -> tuple[str, str]:
    left, right = _LEFT.search(found.left), _RIGHT.match(found.right)
    return left.group() if left else "", right.group() if right else ""
