"""The whole of it: shards in, an engine in the middle, shards out.

    with Pool(Correcting(…), workers=8) as engine:
        totals = run(shards, columns, engine, Ledger(out, settings), report=…, progress=…)

Rows are read and written here, in this process, and corrected by the engine; so what is written does not depend on the
engine. A shard that cannot be read is reported and passed by; one that cannot be written ends the run. What is finished
stays finished, and is passed by when the same is run again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, field
from typing import IO, Protocol

from permend.batch.engine import Engine
from permend.batch.ledger import Ledger, Record
from permend.batch.packing import packed, parts
from permend.batch.places import Sink
from permend.batch.rows import Answer, Columns, Piece, Table
from permend.batch.shards import Shard, open_table
from permend.errors import InputError, PermendError, describe


class Progress(Protocol):
    """Hears how much is done."""

    def expect(self, size: int) -> None:
        """Be told how many bytes there are."""

    def advance(self, size: int, rows: int) -> None:
        """Be told that so many more bytes and rows are done."""


@dataclass
class Totals:
    """What became of all shards."""

    done: int = 0
    before: int = 0
    """Shards that were finished by an earlier run."""
    troubles: int = 0
    rows: int = 0
    changed: int = 0
    rejected: int = 0

    def add(self, record: Record) -> None:
        """Count a shard."""
        self.rows += record.rows
        self.changed += record.changed
        self.rejected += record.rejected


@dataclass
class _Open:
    """A shard that is being written."""

    shard: Shard
    table: Table
    record: Record
    held: ExitStack
    sink: Sink
    file: IO[bytes]
    aside: Sink | None = None


@dataclass
class _Step:
    """What has been read: a piece of a shard, or its end."""

    shard: Shard
    table: Table | None = None
    piece: Piece | None = None
    error: PermendError | None = None


@dataclass
class _Run:
    columns: Columns
    ledger: Ledger
    report: Callable[[PermendError], None]
    progress: Progress | None
    totals: Totals = field(default_factory=Totals)
    steps: deque[_Step] = field(default_factory=deque)
    writing: _Open | None = None

    def read(self, shards: list[Shard]) -> Iterator[list[str]]:
        """Yield what is to be corrected; what else has been read waits in `steps`."""
        for shard in shards:
            table: Table | None = None
            error: PermendError | None = None
            try:
                with open_table(shard, self.columns) as table:
                    for piece in table.pieces():
                        self.steps.append(_Step(shard, table, piece))
                        yield piece.wanted
            except PermendError as trouble:
                error = trouble
            except (OSError, MemoryError) as trouble:
                error = InputError(describe(trouble), str(shard.place))
            self.steps.append(_Step(shard, table, error=error))

    def take(self, answers: list[Answer]) -> None:
        """Write the next piece with its answers."""
        self.end_shards()
        step = self.steps.popleft()
        assert step.table is not None
        assert step.piece is not None
        writing = self.writing = self.writing or self._begin(step.shard, step.table)
        piece, record = step.piece, writing.record
        answered = piece.answered(answers)
        try:
            self._write(writing, piece, answered)
        except OSError as error:
            raise writing.sink.trouble(error) from None
        record.rows += len(piece.texts)
        pairs = zip(piece.texts, answered, strict=True)
        record.changed += sum(answer is not None and answer.text != text for text, answer in pairs)
        if record.findings is not None:
            record.findings += sum(len(each.findings) for each in answers)
        record.rejected += len(piece.aside)
        if self.progress:
            self.progress.advance(piece.size, len(piece.texts))

    def _write(self, writing: _Open, piece: Piece, answered: list[Answer | None]) -> None:
        writing.table.write(writing.file, piece, answered)
        if piece.aside:
            if writing.aside is None:
                writing.aside = writing.held.enter_context(self.ledger.rejected(writing.shard).sink())
            lines = "".join(each.as_json() for each in piece.aside)
            writing.aside.file.write(lines.encode("utf-8", "backslashreplace"))

    def end_shards(self) -> None:
        """End the shards whose last piece is written."""
        while self.steps and self.steps[0].piece is None:
            step = self.steps.popleft()
            if step.error is not None:
                self._give_up(step.error)
                continue
            assert step.table is not None
            self._end(self.writing or self._begin(step.shard, step.table))

    def _begin(self, shard: Shard, table: Table) -> _Open:
        held = ExitStack()
        held.callback(table.drop)
        sink = held.enter_context(self.ledger.out.at(shard.name).sink())
        packing = "" if shard.kind == "parquet" else parts(shard.name)[1]
        file = held.enter_context(packed(sink.file, packing)) if packing else sink.file
        record = Record(shard.size, findings=None if self.columns.findings is None else 0)
        self.writing = _Open(shard, table, record, held, sink, file)
        return self.writing

    def _end(self, writing: _Open) -> None:
        with writing.held:
            writing.table.finish(writing.file)
            if writing.file is not writing.sink.file:
                writing.file.close()  # which writes the end of what is packed
            if writing.aside is None:
                self.ledger.rejected(writing.shard).remove()  # what an earlier try has left
            else:
                writing.aside.commit()
            self.ledger.write(writing.shard, writing.record)
            writing.sink.commit()
        self.writing = None
        self.totals.done += 1
        self.totals.add(writing.record)

    def _give_up(self, error: PermendError) -> None:
        if self.writing is not None:
            self.writing.held.close()
            self.writing = None
        self.totals.troubles += 1
        self.report(error)


def run(
    shards: list[Shard],
    columns: Columns,
    engine: Engine[list[str], list[Answer]],
    ledger: Ledger,
    report: Callable[[PermendError], None] = lambda error: None,
    progress: Progress | None = None,
) -> Totals:
    """Correct all shards that are not finished yet; `report` is told which cannot be read, and why."""
    going = _Run(columns, ledger, report, progress)
    todo: list[Shard] = []
    with ledger.alone():
        ledger.out.clear_leftovers()
        for shard in shards:
            try:
                record = ledger.find(shard)
            except PermendError as error:
                going._give_up(error)
                continue
            if record is None:
                todo.append(shard)
            else:
                going.totals.before += 1
                going.totals.add(record)
        if progress:
            progress.expect(sum(shard.size for shard in todo))
        with engine if todo else nullcontext():
            try:
                for answers in engine.map(going.read(todo)) if todo else ():
                    going.take(answers)
                going.end_shards()
            finally:
                if going.writing is not None:
                    going.writing.held.close()
    return going.totals
