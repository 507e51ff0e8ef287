"""Parquet files: all columns with their types, the schema's metadata and the compression stay as they are.

Row groups are read a few rows at a time, however large they are, and end where those of the input do, or when they hold
32 MB. A row whose text is null is put aside and stays, with null in its new columns. Findings are a list of structs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

from permend.batch.rows import BYTES, CHARACTERS, Answer, Aside, Columns, Piece, tapered, unusable
from permend.errors import InputError, MissingExtraError, first_line

_ROWS = 128
_GROUP = 32_000_000  # bytes of rows that wait until they are written


def load_pyarrow() -> Any:
    """Import pyarrow with its Parquet part."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("Parquet", "batch") from None
    return pyarrow


class Parquet:
    """A shard in Parquet."""

    def __init__(self, stream: IO[bytes], columns: Columns, shard: str, size: int) -> None:
        """Take an open file that can be read from anywhere, and its size."""
        self._arrow = load_pyarrow()
        self._columns, self._shard, self._size = columns, shard, size
        try:
            self._file = self._arrow.parquet.ParquetFile(stream, pre_buffer=False, buffer_size=1 << 20)
        except (self._arrow.ArrowException, OSError) as error:
            raise InputError(f"is no whole Parquet file ({first_line(error)})", shard) from None
        schema = self._file.schema_arrow
        columns.check(schema.names, shard)
        kind = schema.field(columns.text).type
        if self._arrow.types.is_dictionary(kind):
            kind = kind.value_type
        types = self._arrow.types
        if not any(is_text(kind) for is_text in (types.is_string, types.is_large_string, types.is_string_view)):
            raise InputError(f"the column {columns.text!r} holds {kind}, not text", shard)
        self._schema = schema.append(self._arrow.field(columns.into, self._arrow.string()))
        if columns.findings is not None:
            self._schema = self._schema.append(self._arrow.field(columns.findings, self._finding_type()))
        self._writer: Any = None
        self._waiting: list[Any] = []
        self._bytes = 0

    def pieces(self) -> Iterator[Piece]:
        """Yield its rows."""
        return tapered(self._pieces(), _cut, self._columns.larger)

    def _pieces(self) -> Iterator[Piece]:
        row = 0
        for group in range(self._file.num_row_groups):
            batches = self._batches(group)
            following = next(batches, None)
            while following is not None:
                batch, following = following, next(batches, None)
                yield from self._parts(batch, row, ends=following is None)
                row += batch.num_rows

    def _batches(self, group: int) -> Iterator[Any]:
        try:
            yield from self._file.iter_batches(self._columns.larger * _ROWS, row_groups=[group], use_threads=False)
        except (self._arrow.ArrowException, OSError) as error:
            raise InputError(f"row group {group + 1} cannot be read ({first_line(error)})", self._shard) from None

    def _parts(self, batch: Any, first: int, ends: bool) -> Iterator[Piece]:
        """Part a batch, so that no piece is too large to be corrected together."""
        try:
            texts = batch.column(self._schema.get_field_index(self._columns.text)).to_pylist()
        except UnicodeDecodeError:
            raise InputError(f"the text of rows {first + 1:,} and following is not UTF-8", self._shard) from None
        start = characters = 0
        per_row = batch.nbytes // max(1, batch.num_rows)
        for place, text in enumerate(texts, start=1):
            characters += len(text or "")
            last = place == len(texts)
            if last or characters >= self._columns.larger * CHARACTERS or (place - start) * per_row >= BYTES:
                yield self._piece(batch.slice(start, place - start), texts[start:place], first + start, ends and last)
                start, characters = place, 0

    def _piece(self, batch: Any, texts: list[str | None], first: int, ends: bool) -> Piece:
        troubles = [unusable(text) for text in texts]
        aside = [
            Aside(first + place, f"{self._columns.text} {trouble}")
            for place, trouble in enumerate(troubles, start=1)
            if trouble
        ]
        size = self._size * batch.num_rows // max(1, self._file.metadata.num_rows)
        usable = [None if trouble else text for text, trouble in zip(texts, troubles, strict=True)]
        return Piece((batch, ends), usable, aside, size)

    def write(self, sink: IO[bytes], piece: Piece, answers: list[Answer | None]) -> None:
        """Write some rows."""
        batch, ends = piece.rows
        added = [self._arrow.array([each and each.text for each in answers], self._arrow.string())]
        if self._columns.findings is not None:
            kind = self._schema.field(self._columns.findings).type
            added.append(self._arrow.array([each and each.findings for each in answers], kind))
        self._waiting.append(self._arrow.record_batch([*batch.columns, *added], schema=self._schema))
        self._bytes += batch.nbytes
        if ends or self._bytes >= _GROUP:
            self._flush(sink)

    def finish(self, sink: IO[bytes]) -> None:
        """Write the foot of the file."""
        self._flush(sink)
        self._writer.close()

    def drop(self) -> None:
        """Keep the writer from writing a foot when it is forgotten: its file is gone by then."""
        if self._writer is not None:
            self._writer.is_open = False

    def _flush(self, sink: IO[bytes]) -> None:
        if self._writer is None:
            self._writer = self._arrow.parquet.ParquetWriter(sink, self._schema, compression=self._compression())
        if self._waiting:
            self._writer.write_table(self._arrow.Table.from_batches(self._waiting, self._schema))
        self._waiting, self._bytes = [], 0

    def _compression(self) -> str:
        metadata = self._file.metadata
        if not metadata.num_row_groups or not metadata.num_columns:
            return "snappy"
        return str(metadata.row_group(0).column(0).compression).lower().replace("uncompressed", "none")

    def _finding_type(self) -> Any:
        arrow = self._arrow
        text, number, share = arrow.string(), arrow.int64(), arrow.float64()
        other = arrow.struct([("after", text), ("probability", share)])
        fields = [("start", number), ("end", number), ("line", number), ("column", number), ("before", text)]
        fields += [("after", text), ("probability", share), ("type", text), ("explanation", text)]
        return arrow.list_(
            arrow.struct([*fields, ("alternatives", arrow.list_(other)), ("sentence", text), ("id", text)])
        )


def _cut(rows: tuple[Any, bool], start: int, end: int) -> tuple[Any, bool]:
    batch, ends = rows
    return batch.slice(start, end - start), ends and end == batch.num_rows
