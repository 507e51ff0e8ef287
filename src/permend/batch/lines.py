"""Plain text, a row a line: the corrected line takes its place, and line ends stay as they are.

A line whose bytes do not fit the encoding is put aside and also stays as it is, so that lines keep their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import IO

from permend.batch.rows import Answer, Aside, Columns, Piece, Row, gather, raw_lines
from permend.errors import InputError

_MARK = b"\xef\xbb\xbf"


class Lines:
    """A shard of lines."""

    def __init__(self, stream: IO[bytes], columns: Columns, shard: str, read: Iterator[int]) -> None:
        """Take an open file."""
        self._stream, self._encoding, self._shard, self._read = stream, columns.encoding, shard, read
        self._larger = columns.larger

    def pieces(self) -> Iterator[Piece]:
        """Yield its rows."""
        return gather(map(self._row, raw_lines(self._stream)), self._read, self._larger)

    def _row(self, line: tuple[int, bytes, str | None]) -> Row:
        number, raw, trouble = line
        if trouble is not None:  # what is left of it is not the line
            raise InputError(f"a line {trouble}", self._shard, number)
        if b"\0" in raw:
            raise InputError("this is a binary file, not text", self._shard, number)
        before = _MARK if number == 1 and raw.startswith(_MARK) else b""
        end = b"\r\n" if raw.endswith(b"\r\n") else b"\n" if raw.endswith(b"\n") else b""
        body = raw[len(before) : len(raw) - len(end)]
        try:
            return Row((before, body, end), body.decode(self._encoding), len(raw))
        except UnicodeError:
            aside = Aside(number, f"is not valid {self._encoding}", raw)
            return Row((before, body, end), None, len(raw), aside)

    def write(self, sink: IO[bytes], piece: Piece, answers: list[Answer | None]) -> None:
        """Write some rows; one whose correction the encoding cannot write stays as it is."""
        for row, answer in zip(piece.rows, answers, strict=True):
            before, body, end = row.raw
            if answer is not None and answer.text != row.text:
                with suppress(UnicodeError):
                    body = answer.text.encode(self._encoding)
            sink.write(before + body + end)

    def finish(self, sink: IO[bytes]) -> None:
        """Write nothing."""

    def drop(self) -> None:
        """Hold nothing."""
