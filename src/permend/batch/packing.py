"""Packed files: ``.gz``, ``.xz`` and ``.zst`` are unpacked and packed as their names say, the same bytes every time.

>>> parts("news.jsonl.gz"), parts("table.CSV")
(('.jsonl', '.gz'), ('.csv', ''))
"""

from __future__ import annotations

import gzip
import lzma
import zlib
from contextlib import AbstractContextManager, nullcontext
from pathlib import PurePosixPath
from typing import IO, Any, cast

from permend.errors import MissingExtraError

PACKED = (".gz", ".xz", ".zst")


def parts(name: str) -> tuple[str, str]:
    """Return the ending that says what a file holds, and that of its packing."""
    path = PurePosixPath(name)
    ending = path.suffix.lower()
    return (PurePosixPath(path.stem).suffix.lower(), ending) if ending in PACKED else (ending, "")


def unpacked(stream: IO[bytes], packing: str) -> AbstractContextManager[IO[bytes]]:
    """Read a packed file."""
    if packing == ".gz":
        return cast(Any, gzip.GzipFile(fileobj=stream, mode="rb"))
    if packing == ".xz":
        return cast(Any, lzma.LZMAFile(stream, "rb"))
    if packing == ".zst":
        import io

        return cast(Any, io.BufferedReader(_zstandard().ZstdDecompressor().stream_reader(stream, closefd=False)))
    return nullcontext(stream)


def packed(stream: IO[bytes], packing: str) -> AbstractContextManager[IO[bytes]]:
    """Write a packed file, without name and time in it."""
    if packing == ".gz":
        return cast(Any, gzip.GzipFile("", "wb", 6, stream, mtime=0))
    if packing == ".xz":
        return cast(Any, lzma.LZMAFile(stream, "wb"))
    if packing == ".zst":
        return cast(Any, _zstandard().ZstdCompressor().stream_writer(stream, closefd=False))
    return nullcontext(stream)


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
