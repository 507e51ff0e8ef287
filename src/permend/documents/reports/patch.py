r"""Findings as a unified diff, which `patch` and ``git apply`` can carry out; in colours for people.

In: checked documents. Out: a hunk wherever something changes, with three lines around it; as UTF-8, with errors that
escape surrogates, its lines have the bytes that they have in the documents.

>>> from permend.documents.checker import CheckedBlock, Finding
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

Files are named from the working folder, as ``patch -p1`` and ``git apply`` take them there. A file that lies elsewhere
has its full name, for ``patch -d / -p1`` and ``git -C / apply``. Where lines do not end in the byte of a line feed, as
in UTF-16, there can be no such diff.

With colours, the words that change stand out in their lines.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from permend.documents import Encoding
from permend.documents.checker import CheckedBlock, CheckedDocument
from permend.errors import InputError, PermendError
from permend.text.edits import Edit
from permend.text.visible import visible

CONTEXT = 3
"""Unchanged lines around a change."""
_ESCAPES = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", '"': '"', "\\": "\\"}
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


def patchable(documents: Iterable[CheckedDocument], tell: Callable[[PermendError], None]) -> Iterator[CheckedDocument]:
    """Pass on the documents that a diff can be written of, and tell of the others."""
    for document in documents:
        try:
            _refuse_wide(document)
        except PermendError as error:
            tell(error)
        else:
            yield document


def write_patch(documents: Iterable[CheckedDocument], colour: bool = False, escaped: bool = False) -> Iterator[str]:
    """Write the diff of every document in which something changes; escaped, nothing in it steers a terminal."""
    for document in documents:
        _refuse_wide(document)
        rows = _Rows(document.encoding, colour, escaped)
        names = (_visible(row) if escaped else row for row in _names(document.name))
        head = "".join(_paint(row, _HEAD, colour) + "\n" for row in names)
        for hunk in _hunks(_stretches(document.blocks), rows):
            place = f"@@ -{_range(hunk.old_line, hunk.old)} +{_range(hunk.new_line, hunk.new)} @@"
            yield head + _paint(place, _PLACE, colour) + "\n" + "".join(hunk.rows)
            head = ""


def _refuse_wide(document: CheckedDocument) -> None:
    if document.encoding.encode("\n") != b"\n":
        name = document.encoding.name.upper()
        message = f"a diff cannot hold text in {name}; correct the file in place, or ask for another report"
        raise InputError(message, document.name)


def _names(name: str) -> tuple[str, str]:
    """Name both sides as git does, so that its tools find the file."""
    if name == "-":
        return "--- -", "+++ -"
    path = Path(os.path.realpath(name))
    if not path.exists():  # what a shell hands over as /dev/fd/63 leads to no file
        path = Path(name).absolute()
    with suppress(OSError, ValueError):  # where there is no working folder, or the file lies outside it
        inside = path.relative_to(os.path.realpath(os.curdir)).as_posix()
        return f"--- {_quoted(f'a/{inside}')}", f"+++ {_quoted(f'b/{inside}')}"
    return f"--- {_quoted(path.as_posix())}", f"+++ {_quoted(path.as_posix())}"


def _quoted(name: str) -> str:
    r"""Write a name so that it can be told where it ends.

    >>> print(_quoted("a/b.txt"), _quoted('a/"b"\t\x1b.txt'), repr(_quoted("a/b c.txt")))
    a/b.txt "a/\"b\"\t\033.txt" 'a/b c.txt\t'
    """
    if any(sign < " " or sign in _ESCAPES or sign == "\x7f" for sign in name):
        return f'"{"".join(map(_escaped, name))}"'
    return f"{name}\t" if " " in name else name


def _escaped(sign: str) -> str:
    if sign in _ESCAPES:
        return f"\\{_ESCAPES[sign]}"
    return f"\\{ord(sign):03o}" if sign < " " or sign == "\x7f" else sign


def _range(line: int, count: int) -> str:
    return str(line) if count == 1 else f"{line if count else line - 1},{count}"


def _hunks(stretches: Iterable[_Stretch], rows: _Rows) -> Iterator[_Hunk]:
    before: deque[str] = deque(maxlen=CONTEXT)
    hunk: _Hunk | None = None
    old_line = new_line = 1  # of the stretch at hand
    for stretch in stretches:
        if stretch.edits:
            hunk = hunk or _Hunk(old_line - len(before), new_line - len(before), list(before), len(before), len(before))
            old_side, new_side = stretch.sides()
            old, new = rows.write("-", old_side, _OLD, old_line == 1), rows.write("+", new_side, _NEW, old_line == 1)
            hunk.rows += [*old, *new]
            hunk.old, hunk.new, hunk.trailing = hunk.old + len(old), hunk.new + len(new), 0
            old_line, new_line = old_line + len(old), new_line + len(new)
            before.clear()
            continue
        [row] = rows.write(" ", [(stretch.text, False)], "", old_line == 1)
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


@dataclass(frozen=True)
class _Rows:
    """Writes the lines of a document into a diff."""

    encoding: Encoding
    colour: bool
    escaped: bool = False

    def write(self, sign: str, parts: Sequence[tuple[str, bool]], style: str, first: bool) -> list[str]:
        """Write lines behind a sign; what differs in them stands out, and the first of a document has its mark."""
        mark = [(self.encoding.mark.decode(), False)] if first else []
        return [self._row(sign, line, style) for line in _lines([*mark, *parts])]

    def _row(self, sign: str, line: Sequence[tuple[str, bool]], style: str) -> str:
        if self.escaped:
            line = [(_visible(part), differs) for part, differs in line]
        text = "".join(part for part, _ in line)
        end = "" if text.endswith("\n") else "\n\\ No newline at end of file\n"
        if self.colour and style:
            styles = (f"{style};{_STRONG}" if differs else style for _, differs in line)
            return _paint(sign, style) + "".join(map(_paint, (part for part, _ in line), styles)) + end
        return sign + self.encoding.encode(text).decode("utf-8", "surrogateescape") + end


def _visible(text: str) -> str:
    """Write out what steers a terminal, but for the end of a line."""
    end = next((each for each in ("\r\n", "\n") if text.endswith(each)), "")
    return visible(text.removesuffix(end), keep="\t") + end


def _lines(parts: Iterable[tuple[str, bool]]) -> list[list[tuple[str, bool]]]:
    """Split text in parts behind its line feeds, and nowhere else."""
    lines: list[list[tuple[str, bool]]] = [[]]
    for text, differs in parts:
        *ended, rest = text.split("\n")
        for piece in ended:
            lines[-1].append((f"{piece}\n", differs))
            lines.append([])
        if rest:
            lines[-1].append((rest, differs))
    return lines if lines[-1] else lines[:-1]


def _paint(text: str, style: str, colour: bool = True) -> str:
    """Colour a text, but not the end of its line."""
    body = text.removesuffix("\n")
    return f"\x1b[{style}m{body}\x1b[0m{text[len(body) :]}" if colour and body else text


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
            if done and _reach(done[-1]) >= start + cut:
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
            end = max(end, _line_end(text, _reach(here[place])))
            place += 1
        mine = (Edit(edit.start - at, edit.end - at, edit.before, edit.after) for edit in here[first:place])
        yield _Stretch(text[at:end], tuple(mine))
        at = end


def _reach(edit: Edit) -> int:
    """Return a place in the last line that an edit changes: the next one where it takes a line's end away."""
    joins = edit.before.endswith("\n") and not edit.after.endswith("\n")
    return edit.end if joins else max(edit.start, edit.end - 1)


def _line_end(text: str, at: int) -> int:
    return text.find("\n", at) + 1 or len(text)
