"""Rows on their way: what of them is corrected, what is carried along, what is put aside.

A format (`jsonl`, `delimited`, `lines`, `parquet`) reads a shard as `Piece`s, each some rows that are corrected
together, and writes each piece again with its `Answer`s. Where pieces end depends on the rows alone, so that the result
does, too. Rows that cannot be read are put `Aside`, with the reason and the place.
"""

from __future__ import annotations

import base64
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import IO, Any, NamedTuple, Protocol

from permend.errors import ArgumentError, InputError, check_characters

ROWS, CHARACTERS, BYTES = 512, 16_000, 4_000_000
"""A piece ends with the row that reaches one of these: rows, characters to correct, bytes that are carried along."""
LAST = 2
"""Pieces at the end of a shard that are cut smaller and smaller, so that no worker waits long for the last one."""
LEAST = 1 / 8
"""Of a piece: what is not cut any further."""
ON_DEVICE = 16
"""How many times as many rows and characters a piece has for a device: some batches of it, so that it can be computing
one while another is searched."""
LONGEST = 64_000_000
"""Bytes that a row may have."""
_SHOWN = 10_000  # bytes of a row that are written aside


class Answer(NamedTuple):
    """A corrected text, and all that is known about each finding."""

    text: str
    findings: list[dict[str, Any]]


class Aside(NamedTuple):
    """A row that cannot be corrected."""

    row: int
    """Its number, from 1; in files of lines, that of its first line."""
    reason: str
    content: bytes | None = None

    def as_json(self) -> str:
        """Return a line: the place, the reason, and the row itself as far as it was read."""
        found: dict[str, Any] = {"row": self.row, "reason": self.reason}
        if self.content is not None:
            start = self.content[:_SHOWN]
            try:
                found["content"] = start.decode("utf-8") if len(start) == len(self.content) else None
            except UnicodeDecodeError:
                found["content"] = None
            if found["content"] is None:
                found["base64"] = base64.b64encode(start).decode("ascii")
        return json.dumps(found, ensure_ascii=False) + "\n"


class Row(NamedTuple):
    """A row of a file of lines."""

    raw: Any
    """What the format needs to write it again."""
    text: str | None
    """None where there is nothing that can be corrected."""
    size: int
    aside: Aside | None = None
    written: bool = True
    """Whether it stands in the output, too."""


@dataclass
class Piece:
    """Rows that are corrected together."""

    rows: Any
    texts: list[str | None]
    """One for each of the rows."""
    aside: list[Aside] = field(default_factory=list)
    size: int = 0
    """Bytes of the shard that have been read for it."""

    @property
    def wanted(self) -> list[str]:
        """What there is to correct."""
        return [text for text in self.texts if text is not None]

    def answered(self, answers: Sequence[Answer]) -> list[Answer | None]:
        """Return an answer or None for each of the rows."""
        given = iter(answers)
        return [None if text is None else next(given) for text in self.texts]


@dataclass(frozen=True)
class Columns:
    """Which column is corrected, and what is added."""

    text: str = "text"
    into: str = "corrected"
    findings: str | None = None
    """The name of a column for findings, if they are wanted."""
    encoding: str = "utf-8"
    delimiter: str | None = None
    quotes: bool | None = None
    larger: int = 1
    """How many times as much is corrected together."""

    @property
    def added(self) -> list[str]:
        """The names of new columns."""
        return [self.into] if self.findings is None else [self.into, self.findings]

    def check(self, names: Sequence[str], shard: str) -> None:
        """Refuse columns that lack the one to correct, or have one that is to be added."""
        if self.text not in names:
            known = ", ".join(map(repr, names[:30])) or "none"
            raise InputError(f"there is no column {self.text!r}; there are {known}", shard)
        if names.count(self.text) > 1:
            raise InputError(f"there are several columns {self.text!r}", shard)
        for each in self.added:
            if each in names:
                raise InputError(
                    f"there is a column {each!r} already: name another with --into or --findings-into", shard
                )


class Table(Protocol):
    """A shard that is being read, and written again."""

    def pieces(self) -> Iterator[Piece]:
        """Yield its rows."""

    def write(self, sink: IO[bytes], piece: Piece, answers: list[Answer | None]) -> None:
        """Write some rows."""

    def finish(self, sink: IO[bytes]) -> None:
        """Write what stands behind the last row; all pieces have been read."""

    def drop(self) -> None:
        """Write no more, whether or not all is written."""


def gather(rows: Iterable[Row], read: Iterator[int], larger: int = 1) -> Iterator[Piece]:
    """Put rows together; `read` tells how many bytes of the shard have been read by now."""
    return tapered(_gathered(rows, read, larger), lambda kept, start, end: kept[start:end], larger)


def tapered(pieces: Iterable[Piece], cut: Callable[[Any, int, int], Any], larger: int = 1) -> Iterator[Piece]:
    """Cut the last pieces, each part being half of what is left; `cut` takes a piece's rows, a start and an end.

    Rows of 8,000 characters each, in pieces of two:

    >>> texts = ["x" * 8_000] * 2
    >>> parts = tapered([Piece([1, 2], texts), Piece([3, 4], texts), Piece([5, 6], texts)], lambda *each: each)
    >>> [part.rows for part in parts]
    [[1, 2], ([3, 4], 0, 2), ([5, 6], 0, 1), ([5, 6], 1, 2)]
    """
    held: deque[Piece] = deque()
    for piece in pieces:
        held.append(piece)
        if len(held) > LAST:
            yield held.popleft()
    shares = [[max(1 / ROWS, len(text or "") / CHARACTERS) / larger for text in piece.texts] for piece in held]
    left = sum(map(sum, shares))
    for piece, each in zip(held, shares, strict=True):
        ends = [0]
        begun = 0.0
        for end, share in enumerate(each, start=1):
            begun += share
            if begun >= max(left / 2, LEAST) or end == len(each):
                ends.append(end)
                left, begun = left - begun, 0.0
        for start, end in pairwise(ends):
            yield replace(
                piece,
                rows=cut(piece.rows, start, end),
                texts=piece.texts[start:end],
                aside=[] if start else piece.aside,
                size=piece.size if end == len(each) else 0,
            )
        if not each:
            yield piece  # rows that are put aside, and nothing else


def _gathered(rows: Iterable[Row], read: Iterator[int], larger: int) -> Iterator[Piece]:
    most_rows, most_characters = larger * ROWS, larger * CHARACTERS
    kept: list[Row] = []
    aside: list[Aside] = []
    characters = size = before = 0
    for row in rows:
        kept += [row] if row.written else []
        aside += [row.aside] if row.aside else []
        characters += len(row.text or "")
        size += row.size
        if len(kept) + len(aside) >= most_rows or characters >= most_characters or size >= BYTES:
            now = next(read)
            yield Piece(kept, [each.text for each in kept], aside, now - before)
            kept, aside, characters, size, before = [], [], 0, 0, now
    if kept or aside:
        yield Piece(kept, [each.text for each in kept], aside, next(read) - before)


def raw_lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes, str | None]]:
    """Yield lines with their numbers, and what is wrong with one that is too long, of which the start is left."""
    number = 0
    while line := stream.readline(LONGEST):
        number += 1
        if len(line) < LONGEST or line.endswith(b"\n"):
            yield number, line, None
            continue
        while (rest := stream.readline(LONGEST)) and not rest.endswith(b"\n"):
            pass
        yield number, line[:_SHOWN], f"is longer than {LONGEST / 1e6:g} MB"


def unusable(value: Any) -> str | None:
    """Say why a value cannot be corrected; None where it can."""
    if value is None:
        return "is null"
    if not isinstance(value, str):
        return f"is {_called(value)}, not text"
    try:
        check_characters("text", value)
    except ArgumentError as error:
        return str(error).removeprefix("text ")
    return None


def _called(value: Any) -> str:
    """Return what JSON calls a value."""
    match value:
        case bool():
            return str(value).lower()
        case int() | float():
            return "a number"
        case list():
            return "an array"
    return "an object"
