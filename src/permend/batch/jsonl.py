r"""Lines of JSON: each an object, to which the corrected text is added behind all that it holds, byte for byte.

``{"id": 1, "text": "He go."}`` becomes ``{"id": 1, "text": "He go.", "corrected": "He goes."}``. A line that is no
object is put aside; so is one whose text is null or no text, which also stays, with null in its new columns. A shard
whose first objects all lack the column is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import IO, Any

from permend.batch.rows import ROWS, Answer, Aside, Columns, Piece, Row, gather, raw_lines, unusable

_MARK = b"\xef\xbb\xbf"


class JsonLines:
    """A shard of JSON lines."""

    def __init__(self, stream: IO[bytes], columns: Columns, shard: str, read: Iterator[int]) -> None:
        """Take an open file."""
        self._stream, self._columns, self._shard, self._read = stream, columns, shard, read
        self._lacking: list[list[str]] | None = []  # the names in objects, until one has the column

    def pieces(self) -> Iterator[Piece]:
        """Yield its rows."""
        yield from gather(map(self._row, raw_lines(self._stream)), self._read, self._columns.larger)
        if self._lacking:
            self._columns.check(self._lacking[0], self._shard)

    def _row(self, line: tuple[int, bytes, str | None]) -> Row:
        number, raw, trouble = line
        value: Any = None
        if trouble is None:
            value, trouble = _parse(raw.removeprefix(_MARK) if number == 1 else raw)
        if trouble is not None:
            return Row(raw, None, len(raw), Aside(number, trouble, raw), written=False)
        if self._columns.text in value:
            self._lacking = None
        elif self._lacking is not None:
            self._lacking.append(list(value))
            if len(self._lacking) == ROWS:
                self._columns.check(self._lacking[0], self._shard)
        if any(name in value for name in self._columns.added):
            self._columns.check([*{self._columns.text: None, **value}], self._shard)
        text = value.get(self._columns.text)
        trouble = unusable(text) if self._columns.text in value else "is missing"
        if trouble is None:
            return Row(raw, text, len(raw))
        return Row(raw, None, len(raw), Aside(number, f"{self._columns.text} {trouble}", raw))

    def write(self, sink: IO[bytes], piece: Piece, answers: list[Answer | None]) -> None:
        """Write some rows."""
        for row, answer in zip(piece.rows, answers, strict=True):
            body = row.raw.rstrip()
            added: dict[str, Any] = {self._columns.into: answer and answer.text}
            if self._columns.findings is not None:
                added[self._columns.findings] = answer and answer.findings
            new = json.dumps(added, ensure_ascii=False)[1:].encode()
            inside = body[:-1].rstrip()
            sink.write(inside + (b", " if not inside.endswith(b"{") else b"") + new + row.raw[len(body) :])

    def finish(self, sink: IO[bytes]) -> None:
        """Write nothing."""

    def drop(self) -> None:
        """Hold nothing."""


def _parse(raw: bytes) -> tuple[Any, str | None]:
    """Return an object, or what is wrong; numbers are not read, they are carried as they are."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return None, f"is not valid UTF-8 (byte {error.start + 1})"
    if not text.strip():
        return None, "is an empty line"
    try:
        value = json.loads(text, parse_int=float, parse_float=float)
    except RecursionError:
        return None, "is nested too deep"
    except ValueError as error:
        return None, f"is not valid JSON ({error})"
    return (value, None) if isinstance(value, dict) else (None, "is no JSON object")
