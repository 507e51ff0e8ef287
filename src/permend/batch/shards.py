"""Which shards there are: files, folders with all the files in them that are tables, patterns, addresses.

In: arguments. Out: `Shard`s, each with the name that it will have in the output, which is its own: behind the folder
that was given, or without any folder where a file was. Kinds go by endings: ``.jsonl``/``.ndjson``, ``.csv``, ``.tsv``,
``.parquet``, ``.txt``, packed or not.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any

from permend.batch.delimited import Delimited
from permend.batch.jsonl import JsonLines
from permend.batch.lines import Lines
from permend.batch.packing import damages, parts, unpacked
from permend.batch.parquet import Parquet
from permend.batch.places import Place, reaching
from permend.batch.rows import Columns, Table
from permend.errors import InputError, PermendError

KINDS = {
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".tsv": "tsv", ".parquet": "parquet", ".pq": "parquet",
    ".txt": "text", ".text": "text",
}  # fmt: skip
"""What endings mean."""


@dataclass(frozen=True)
class Shard:
    """A file to correct."""

    name: str
    place: Place
    kind: str
    size: int


def find_shards(inputs: Iterable[str], out: Place, kind: str | None = None) -> list[Shard]:
    """Return the shards that arguments mean; `kind` is that of all of them, whatever their endings."""
    found: dict[str, Shard] = {}
    for argument in inputs:
        for name, place in _files(argument, out, kind):
            size = place.size()
            if size is None:
                raise InputError("no such file", str(place))
            if place.system is None and not os.path.isfile(place.path):
                raise InputError("this is a pipe or a device: only files can be read again after a crash", place.path)
            chosen = kind or KINDS.get(parts(name)[0])
            if chosen is None:
                raise InputError("its ending does not tell what it holds: say so with --table", str(place))
            if name in found:
                raise PermendError(f"{found[name].place} and {place} would both become {out.at(name)}")
            if out.system is None and place.system is None and _real(out.at(name).path) == _real(place.path):
                raise InputError("the output would take the place of the input", str(place))
            found[name] = Shard(name, place, chosen, size)
    if not found:
        raise PermendError("there is nothing to correct: no file with an ending such as .jsonl, .parquet, .csv or .txt")
    return list(found.values())


def _files(argument: str, out: Place, kind: str | None) -> Iterator[tuple[str, Place]]:
    given = Place.of(argument)
    if not given.is_folder():
        matches = given.matches()
        if not matches:
            raise InputError("no such file", str(given))
        yield from ((each.path.rpartition("/")[2], each) for each in matches)
        return
    if out.system == given.system and (_real(out.path) + "/").startswith(_real(given.path).rstrip("/") + "/"):
        raise PermendError(f"the output {out} lies inside of the input {given}: choose a folder outside of it")
    for name in given.names():
        if kind or parts(name)[0] in KINDS:
            yield name, given.at(name)


def _real(path: str) -> str:
    return os.path.realpath(path)


class _Counting:
    """A file that counts the bytes read from it, and says in a sentence that its address is lost."""

    def __init__(self, file: IO[bytes], place: Place) -> None:
        self._file, self._place, self.count = file, place, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def read(self, size: int = -1) -> bytes:
        return self._counted(self._file.read, size)

    def readline(self, size: int = -1) -> bytes:
        return self._counted(self._file.readline, size)

    def _counted(self, read: Callable[[int], bytes], size: int) -> bytes:
        if self._place.system is None:
            data = read(size)
        else:
            with reaching(str(self._place)):
                data = read(size)
        self.count += len(data)
        return data

    def counts(self) -> Iterator[int]:
        """Yield how many bytes have been read by now, again and again."""
        while True:
            yield self.count


@contextmanager
def open_table(shard: Shard, columns: Columns) -> Iterator[Table]:
    """Open a shard."""
    name = str(shard.place)
    with shard.place.open() as file:
        counting: Any = _Counting(file, shard.place)
        if shard.kind == "parquet":
            yield Parquet(counting, columns, name, shard.size)
            return
        try:
            with unpacked(counting, parts(shard.name)[1]) as stream:
                if shard.kind == "jsonl":
                    yield JsonLines(stream, columns, name, counting.counts())
                elif shard.kind == "text":
                    yield Lines(stream, columns, name, counting.counts())
                else:
                    yield Delimited(stream, columns, name, counting.counts(), shard.kind == "tsv")
        except damages():
            raise InputError("cannot be unpacked: it is damaged, or cut off", name) from None
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}", name) from None
