"""Packed files: ``.gz``, ``.xz`` and ``.zst`` are unpacked and packed as their names say, the same bytes every time.

>>> parts("news.jsonl.gz"), parts("table.CSV")
(('.jsonl', '.gz'), ('.csv', ''))
"""

from __future__ import annotations

import gzip
import io
import lzma
import zlib
from contextlib import AbstractContextManager, nullcontext
from pathlib import PurePosixPath
from typing import IO, Any, TypeAlias, cast

from permend.errors import MissingExtraError

PACKED = (".gz", ".xz", ".zst")
_Opened: TypeAlias = AbstractContextManager[IO[bytes]]


def parts(name: str) -> tuple[str, str]:
    """Return the ending that says what a file holds, and that of its packing."""
    path = PurePosixPath(name)
    ending = path.suffix.lower()
    return (PurePosixPath(path.stem).suffix.lower(), ending) if ending in PACKED else (ending, "")


def unpacked(stream: IO[bytes], packing: str) -> _Opened:
    """Read a packed file."""
    if packing == ".gz":
        return cast(_Opened, gzip.GzipFile(fileobj=stream, mode="rb"))
    if packing == ".xz":
        return cast(_Opened, lzma.LZMAFile(stream, "rb"))
    if packing == ".zst":
        return cast(_Opened, io.BufferedReader(_Unpacking(stream), 1 << 20))
    return nullcontext(stream)


def packed(stream: IO[bytes], packing: str) -> _Opened:
    """Write a packed file, without name and time in it."""
    if packing == ".gz":
        return cast(_Opened, gzip.GzipFile("", "wb", 6, stream, mtime=0))
    if packing == ".xz":
        return cast(_Opened, lzma.LZMAFile(stream, "wb"))
    if packing == ".zst":
        return cast(_Opened, _zstandard().ZstdCompressor().stream_writer(stream, closefd=False))
    return nullcontext(stream)


_BITE = 256
"""Packed bytes that are unpacked at a time: even so few may hold 8 MB."""


class _Unpacking(io.RawIOBase):
    """Zstandard's frames one after the other; its own reader takes a file that is cut off for a whole one."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._unpacker = stream, _zstandard().ZstdDecompressor()
        self._frame: Any = None
        self._packed = self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while not self._ready:
            rest = self._frame.unused_data if self._frame and self._frame.eof else b""
            if not rest and not self._packed:
                self._packed = memoryview(self._stream.read(1 << 16))
            packed = rest or self._packed[:_BITE]
            if not packed:
                if self._frame and not self._frame.eof:
                    raise EOFError
                return 0
            if not rest:
                self._packed = self._packed[_BITE:]
            if self._frame is None or self._frame.eof:
                self._frame = self._unpacker.decompressobj()
            self._ready = memoryview(self._frame.decompress(packed))
        taken = self._ready[: len(buffer)]
        self._ready = self._ready[len(taken) :]
        buffer[: len(taken)] = taken
        return len(taken)


def _zstandard() -> Any:
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError("A file that ends in .zst", "batch") from None
    return zstandard


def damages() -> tuple[type[Exception], ...]:
    """Return what is raised over files that cannot be unpacked."""
    found: tuple[type[Exception], ...] = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile)
    try:
        return (*found, _zstandard().ZstdError)
    except MissingExtraError:
        return found
