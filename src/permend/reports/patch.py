r"""Findings as a unified diff, which `patch` and ``git apply`` can carry out; in colours for people.

In: checked documents. Out: a hunk wherever something changes, with three lines around it.

>>> from permend.checking import CheckedBlock, Finding
>>> from permend.documents import Document
>>> [block] = Document.from_text("All is well.\nHe go there.\n")
>>> finding = Finding(16, 18, "go", "goes", 0.9)
>>> checked = CheckedBlock(block, (finding,), block.apply([finding]))
>>> print("".join(write_patch([CheckedDocument("a.txt", iter([checked]))])), end="")
--- a/a.txt
+++ b/a.txt
@@ -1,2 +1,2 @@
 All is well.
-He go there.
+He goes there.

With colours, the words that change stand out in their lines.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from permend.checking import CheckedBlock
from permend.reports.places import CheckedDocument
from permend.text.edits import Edit

CONTEXT = 3
"""Unchanged lines around a change."""
_OLD, _NEW, _PLACE, _HEAD, _STRONG = "31", "32", "36", "1", "7"  # ANSI: red, green, cyan, bold, reverse


@dataclass(frozen=True)
class _Stretch:
    """A line of a document (several, where an edit reaches over a line's end) and its edits."""

    text: str
    edits: tuple[Edit, ...]

    def sides(self) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
        """Return what stands there and what should, in parts that differ or not."""
        old: list[tuple[str, bool]] = []
        new: list[tuple[str, bool]] = []
        done = 0
        for edit in self.edits:
            same = (self.text[done : edit.start], False)
            old += same, (edit.before, True)
            new += same, (edit.after, True)
            done = edit.end
        rest = (self.text[done:], False)
        return [*old, rest], [*new, rest]


@dataclass
class _Hunk:
    """Rows of a diff, and where they belong."""

    old_line: int
    new_line: int
    rows: list[str] = field(default_factory=list)
    old: int = 0
    """How many lines were."""
    new: int = 0
    """How many lines will be."""
    trailing: int = 0
    """Unchanged lines at its end."""


def write_patch(documents: Iterable[CheckedDocument], colour: bool = False) -> Iterator[str]:
    """Write the diff of every document in which something changes."""
    for document in documents:
        head = "".join(_paint(row, _HEAD, colour) + "\n" for row in _names(document.name))
        for hunk in _hunks(_stretches(document.blocks), colour):
            place = f"@@ -{_range(hunk.old_line, hunk.old)} +{_range(hunk.new_line, hunk.new)} @@"
            yield head + _paint(place, _PLACE, colour) + "\n" + "".join(hunk.rows)
            head = ""


def _names(name: str) -> tuple[str, str]:
    """Name both sides as git does, so that its tools find the file."""
    if os.path.isabs(name) or name == "-":
        return f"--- {name}", f"+++ {name}"
    return f"--- a/{name}", f"+++ b/{name}"


def _range(line: int, count: int) -> str:
    return str(line) if count == 1 else f"{line if count else line - 1},{count}"


def _hunks(stretches: Iterable[_Stretch], colour: bool) -> Iterator[_Hunk]:
    before: deque[str] = deque(maxlen=CONTEXT)
    hunk: _Hunk | None = None
    old_line = new_line = 1  # of the stretch at hand
    for stretch in stretches:
        if stretch.edits:
            hunk = hunk or _Hunk(old_line - len(before), new_line - len(before), list(before), len(before), len(before))
            old, new = (_rows(*side, colour) for side in zip("-+", stretch.sides(), (_OLD, _NEW), strict=True))
            hunk.rows += [*old, *new]
            hunk.old, hunk.new, hunk.trailing = hunk.old + len(old), hunk.new + len(new), 0
            old_line, new_line = old_line + len(old), new_line + len(new)
            before.clear()
            continue
        [row] = _rows(" ", [(stretch.text, False)], "", False)
        old_line, new_line = old_line + 1, new_line + 1
        before.append(row)
        if hunk:
            hunk.rows.append(row)
            hunk.old, hunk.new, hunk.trailing = hunk.old + 1, hunk.new + 1, hunk.trailing + 1
            if hunk.trailing > 2 * CONTEXT:
                yield _trimmed(hunk)
                hunk = None
    if hunk:
        yield _trimmed(hunk)


def _trimmed(hunk: _Hunk) -> _Hunk:
    """Take the unchanged lines off that stand too far behind the last change."""
    if (surplus := hunk.trailing - CONTEXT) > 0:
        del hunk.rows[-surplus:]
        hunk.old, hunk.new = hunk.old - surplus, hunk.new - surplus
    return hunk


def _rows(sign: str, parts: Sequence[tuple[str, bool]], style: str, colour: bool) -> list[str]:
    """Write lines of a diff behind a sign; what differs in them stands out."""
    rows: list[str] = []
    row = ""
    for text, differs in parts:
        for piece in _lines(text):
            body = piece.removesuffix("\n")
            row += _paint(body, f"{style};{_STRONG}" if differs else style, colour)
            if body != piece:
                rows.append(f"{_paint(sign, style, colour)}{row}\n")
                row = ""
    if row:
        rows.append(f"{_paint(sign, style, colour)}{row}\n\\ No newline at end of file\n")
    return rows


def _lines(text: str) -> list[str]:
    """Split text behind its line feeds, and nowhere else."""
    parts = text.split("\n")
    return [*(f"{part}\n" for part in parts[:-1]), *filter(None, parts[-1:])]


def _paint(text: str, style: str, colour: bool) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if colour and text else text


def _stretches(blocks: Iterable[CheckedBlock]) -> Iterator[_Stretch]:
    """Yield the lines of a document; the last one of a block may go on in the next."""
    parts: list[str] = []
    edits: list[Edit] = []
    start = 0
    for checked in blocks:
        parts.append(checked.block.text)
        edits += checked.findings
        if "\n" in checked.block.text:
            text = "".join(parts)
            cut = text.rfind("\n") + 1
            done = [edit for edit in edits if edit.start < start + cut]
            if done and done[-1].end > start + cut:
                cut = text.rfind("\n", 0, done.pop().start - start) + 1
                done = [edit for edit in done if edit.start < start + cut]
            yield from _split(text[:cut], start, done)
            parts, edits, start = [text[cut:]], edits[len(done) :], start + cut
    yield from _split("".join(parts), start, edits)


def _split(text: str, start: int, edits: Sequence[Edit]) -> Iterator[_Stretch]:
    """Cut a text that begins somewhere in its document into lines with their edits."""
    here = [Edit(edit.start - start, edit.end - start, edit.before, edit.after) for edit in edits]
    at = place = 0
    while at < len(text):
        end = _line_end(text, at)
        first = place
        while place < len(here) and (here[place].start < end or end == len(text)):
            if here[place].end > end:
                end = _line_end(text, here[place].end - 1)
            place += 1
        mine = (Edit(edit.start - at, edit.end - at, edit.before, edit.after) for edit in here[first:place])
        yield _Stretch(text[at:end], tuple(mine))
        at = end


def _line_end(text: str, at: int) -> int:
    return text.find("\n", at) + 1 or len(text)
