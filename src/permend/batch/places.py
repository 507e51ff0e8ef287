"""Where shards lie: on this machine's disks, or at any address that fsspec knows (``s3://…``, ``memory://…``).

    place = Place.of("s3://bucket/corpus")
    for name, size in place.files():
        with place.open(name) as file: ...
    with out.sink("a.jsonl") as sink:       # the file appears when all is written and `commit` was called
        sink.file.write(…)
        sink.commit()

On a disk a file is written under a hidden name beside its own, and gets its own in one step. Elsewhere it is written to
a temporary file on this machine and uploaded whole.
"""

from __future__ import annotations

import os
import re
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from glob import has_magic
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, cast

from permend.documents.saving import UNFINISHED
from permend.errors import InputError, MissingExtraError, first_line

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_LEFT = re.compile(r"\..*\.[0-9a-f]{12}\.permend")
_IN_ONE_STEP = frozenset({"abfs", "abfss", "adl", "az", "gcs", "gs", "memory", "oss", "s3", "s3a"})
"""Stores in which a file appears when its upload has ended."""


@dataclass(frozen=True)
class Place:
    """A folder or a file."""

    path: str
    system: Any = None
    """A file system of fsspec; None for this machine's disks."""

    @classmethod
    def of(cls, address: str) -> Place:
        """Take a path or an address."""
        if not _ADDRESS.match(address):
            return cls(address)
        try:
            import fsspec
        except ImportError:
            raise MissingExtraError(f"The address {address}", "batch") from None
        with reaching(address):
            system, path = fsspec.core.url_to_fs(address)
        return cls(path) if "file" in _protocols(system) else cls(path, system)

    def __str__(self) -> str:
        """Return what a user would write."""
        return self.path if self.system is None else f"{_protocols(self.system)[0]}://{self.path.lstrip('/')}"

    def at(self, name: str) -> Place:
        """Return a file or folder inside of this one."""
        return Place(f"{self.path.rstrip('/') or '/'}/{name}".replace("//", "/") if name else self.path, self.system)

    def is_folder(self) -> bool:
        """Whether this is a folder."""
        if self.system is None:
            return os.path.isdir(self.path)
        with reaching(str(self)):
            return bool(self.system.isdir(self.path))

    def size(self) -> int | None:
        """Return the size of a file; None where there is none."""
        if self.system is None:
            try:
                return os.stat(self.path).st_size
            except FileNotFoundError:
                return None
            except OSError as error:
                raise InputError(f"cannot be read: {error.strerror or error}", self.path) from None
        with reaching(str(self)):
            try:
                return int(self.system.info(self.path)["size"] or 0)
            except FileNotFoundError:
                return None

    def matches(self) -> list[Place]:
        """Return the files that a pattern such as ``corpus/*.jsonl`` means; a name without signs means itself."""
        if not has_magic(self.path) or self.size() is not None:
            return [self]
        if self.system is None:
            import glob

            return [Place(path) for path in sorted(glob.glob(self.path, recursive=True)) if os.path.isfile(path)]
        with reaching(str(self)):
            return [Place(path, self.system) for path in sorted(self.system.glob(self.path))]

    def names(self) -> list[str]:
        """Return the names of all files in this folder and those inside of it; hidden ones and ``_…`` are none."""
        if self.system is None:
            root = Path(self.path)
            found = [path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()]
        else:
            with reaching(str(self)):
                found = [path[len(self.path.rstrip("/")) :].lstrip("/") for path in self.system.find(self.path)]
        return sorted(name for name in found if not any(part[0] in "._" for part in name.split("/")))

    def open(self) -> IO[bytes]:
        """Open a file for reading."""
        if self.system is None:
            try:
                return open(self.path, "rb")
            except OSError as error:
                raise InputError(f"cannot be read: {error.strerror or error}", self.path) from None
        with reaching(str(self)):
            return cast(IO[bytes], self.system.open(self.path, "rb"))

    def read(self) -> bytes | None:
        """Return a small file whole; None where there is none."""
        if self.size() is None:
            return None
        with self.open() as file:
            return file.read()

    def write(self, content: bytes) -> None:
        """Write a small file, whole or not at all."""
        with self.sink() as sink:
            sink.file.write(content)
            sink.commit()

    def remove(self) -> None:
        """Take a file away, if there is one."""
        if self.system is None:
            Path(self.path).unlink(missing_ok=True)
            return
        if self.size() is not None:
            with reaching(str(self)):
                self.system.rm_file(self.path)

    def sink(self) -> Sink:
        """Begin a file."""
        return Sink(self)

    def clear_leftovers(self) -> None:
        """Take away what a program that was killed has left in this folder of a disk."""
        if self.system is None:
            for path in Path(self.path).rglob(".*.permend"):
                if _LEFT.fullmatch(path.name):
                    path.unlink(missing_ok=True)


class Sink:
    """A file that appears when it is committed."""

    file: IO[bytes]

    def __init__(self, place: Place) -> None:
        """Take the place where it shall be."""
        self._place = place
        self._path = Path()

    def __enter__(self) -> Self:
        """Begin to write."""
        try:
            if self._place.system is None:
                path = Path(self._place.path)
                path.parent.mkdir(parents=True, exist_ok=True)
                self._path = path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}.permend")
            else:
                self._path = Path(tempfile.gettempdir()) / f".permend.{secrets.token_hex(6)}.permend"
            UNFINISHED.add(self._path)
            self.file = open(self._path, "xb")
        except OSError as error:
            raise self.trouble(error) from None
        return self

    def commit(self) -> None:
        """Have the file appear."""
        try:
            self.file.flush()
            os.fsync(self.file.fileno())
            self.file.close()
            if self._place.system is None:
                self._path.replace(self._place.path)
                return
        except OSError as error:
            raise self.trouble(error) from None
        with reaching(str(self._place)):
            system, path = self._place.system, self._place.path
            folder, _, name = path.rpartition("/")
            system.makedirs(folder, exist_ok=True)
            if _IN_ONE_STEP.intersection(_protocols(system)):
                system.put_file(str(self._path), path)
                return
            hidden = f"{folder}/.{name}.{secrets.token_hex(6)}.permend"
            system.put_file(str(self._path), hidden)
            system.mv(hidden, path)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take away what was not committed."""
        with suppress(OSError):  # what could not be written is of no use
            self.file.close()
        self._path.unlink(missing_ok=True)
        UNFINISHED.discard(self._path)
        if isinstance(error, OSError):
            raise self.trouble(error) from None

    def trouble(self, error: OSError) -> InputError:
        """Return what to say where writing failed."""
        first = "" if self._place.system is None else f" into {tempfile.gettempdir()}, from which it is uploaded"
        return InputError(f"cannot be written{first}: {error.strerror or error}", str(self._place))


def _protocols(system: Any) -> tuple[str, ...]:
    return (system.protocol,) if isinstance(system.protocol, str) else tuple(system.protocol)


@contextmanager
def reaching(address: str) -> Iterator[None]:
    """Say in a sentence why an address cannot be reached; every store raises errors of its own."""
    try:
        yield
    except (InputError, FileNotFoundError):
        raise
    except ImportError as error:
        raise InputError(f"this address needs another package ({first_line(error)})", address) from None
    except Exception as error:
        raise InputError(f"cannot be reached: {first_line(error)}", address) from None
