r"""Tables with commas, tabs, semicolons or bars between their fields; the first row names the columns.

Rows are carried as they are, byte for byte, and get new fields behind their last one: ``1,"He go, I go."`` becomes
``1,"He go, I go.","He goes, I go."``. The sign between fields is the most frequent one of the first row, unless it is
given. In ``.csv``, fields may stand in quotation marks and then hold line ends; in ``.tsv`` they may not, as its
standard has it. Rows with another number of fields than the first one are put aside and are not in the output. A
correction that the encoding cannot write is not made, and findings are then escaped.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from itertools import chain
from typing import IO, Any

from permend.batch.rows import LONGEST, Answer, Aside, Columns, Piece, Row, gather, raw_lines
from permend.errors import InputError

_SIGNS = ",;\t|"


class Delimited:
    """A shard of records."""

    def __init__(self, stream: IO[bytes], columns: Columns, shard: str, read: Iterator[int], tabs: bool) -> None:
        """Take an open file; `tabs` says whether its name ends in ``.tsv``."""
        self._stream, self._columns, self._shard, self._read, self._tabs = stream, columns, shard, read, tabs
        self._quotes = not tabs if columns.quotes is None else columns.quotes
        self._taken: list[bytes] = []
        self._number = 0
        self._at_end = False
        self._sign = columns.delimiter or ("\t" if tabs else ",")
        self._header: bytes | None = None

    def pieces(self) -> Iterator[Piece]:
        """Yield its rows."""
        return gather(self._rows(), self._read, self._columns.larger)

    def _decoded(self) -> Iterator[str]:
        for number, raw, trouble in raw_lines(self._stream):
            if trouble:
                raise InputError(f"a line {trouble}", self._shard, number)
            self._number = number
            self._taken.append(raw)
            text = raw.decode(self._columns.encoding, "surrogateescape")
            yield text.removeprefix("\ufeff") if number == 1 else text
        self._at_end = True

    def _rows(self) -> Iterator[Row]:
        csv.field_size_limit(LONGEST)
        lines = self._decoded()
        first = next(lines, None)
        if first is None:
            raise InputError("this file is empty: the first row names the columns", self._shard)
        if self._columns.delimiter is None and not self._tabs:
            self._sign = max(_SIGNS, key=lambda sign: (first.count(sign), -_SIGNS.index(sign)))
        quoting: Any = csv.QUOTE_MINIMAL if self._quotes else csv.QUOTE_NONE
        records = csv.reader(chain([first], lines), delimiter=self._sign, quoting=quoting)
        names, trouble = self._next(records, 1)
        if trouble:
            raise InputError(f"the first row {trouble}", self._shard)
        self._columns.check(names, self._shard)
        self._header = b"".join(self._taken)
        place = names.index(self._columns.text)
        while True:
            self._taken = []
            began = self._number + 1
            try:
                record, trouble = self._next(records, began)
            except StopIteration:
                return
            raw = b"".join(self._taken)
            if trouble is None and len(record) != len(names):
                trouble = f"has {len(record)} fields where the first row has {len(names)}"
            if trouble is None and any("\udc80" <= sign <= "\udcff" for field in record for sign in field):
                trouble = f"is not valid {self._columns.encoding}"
            if trouble is None:
                yield Row(raw, record[place], len(raw))
            else:
                yield Row(raw, None, len(raw), Aside(began, trouble, raw), written=False)

    def _next(self, records: Iterator[list[str]], began: int) -> tuple[list[str], str | None]:
        """Return the next record, or what is wrong; a field that never ends would hold all rows behind it."""
        try:
            record = next(records)
        except csv.Error as error:
            if "field limit" not in str(error):
                return [], "has a carriage return outside of quotation marks"
        else:
            if not self._at_end:  # which is seen behind the last record, or else within a field
                return record, None
        raise InputError("a field never ends: is a quotation mark missing?", self._shard, began)

    def write(self, sink: IO[bytes], piece: Piece, answers: list[Answer | None]) -> None:
        """Write some rows."""
        self._write_header(sink)
        for row, answer in zip(piece.rows, answers, strict=True):
            assert answer is not None
            assert row.text is not None
            fields = [self._writable(answer.text, row.text)]
            if self._columns.findings is not None:
                shown = json.dumps(answer.findings, ensure_ascii=False)
                fields.append(self._writable(shown, json.dumps(answer.findings)))
            sink.write(self._longer(row.raw, fields))

    def finish(self, sink: IO[bytes]) -> None:
        """Write the first row, where there is no other."""
        self._write_header(sink)

    def drop(self) -> None:
        """Hold nothing."""

    def _write_header(self, sink: IO[bytes]) -> None:
        if self._header is not None:
            sink.write(self._longer(self._header, self._columns.added))
            self._header = None

    def _writable(self, text: str, otherwise: str) -> str:
        """Return a text, or another one if there are signs in it that the encoding does not have."""
        try:
            text.encode(self._columns.encoding)
        except UnicodeError:
            return otherwise
        return text

    def _longer(self, raw: bytes, fields: list[str]) -> bytes:
        end = b"\r\n" if raw.endswith(b"\r\n") else b"\n" if raw.endswith(b"\n") else b""
        new = "".join(self._sign + self._field(each) for each in fields)
        return raw[: len(raw) - len(end)] + new.encode(self._columns.encoding, "replace") + end

    def _field(self, text: str) -> str:
        special = {self._sign, "\r", "\n"} | ({'"'} if self._quotes else set())
        if not special.intersection(text):
            return text
        if not self._quotes:
            return text.translate({ord(sign): " " for sign in special})
        return '"' + text.replace('"', '""') + '"'
