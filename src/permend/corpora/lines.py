r"""Lines and paragraphs of text files; ``.gz`` and ``.xz`` are unpacked on the way, and errors name the line.

In: a path (``-`` is standard input). Out of `read_lines`: the lines without their ends. Only ``\n`` and ``\r\n`` end a
line, so a form feed or a Unicode line separator inside a sentence does not shift every sentence behind it. Out of
`read_paragraphs`: clean text with one paragraph a line, whitespace made single spaces, empty lines passed over.

    next(read_paragraphs("news.txt.xz"))        # 'It rained all day.'

Some paragraphs can be set aside for measuring: a paragraph's own text decides (`is_set_aside`), so the choice is the
same in every run and in every file.
"""

from __future__ import annotations

import gzip
import lzma
import sys
import zlib
from collections.abc import Callable, Iterator
from hashlib import blake2b
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO, cast

from permend.errors import InputError

_PACKED: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".xz": lzma.open}


def read_lines(path: str | Path) -> Iterator[str]:
    """Yield the lines of a UTF-8 file, packed or not; a byte-order mark at its start is dropped."""
    number = 0
    try:
        with _open(path) as file:
            for number, raw in enumerate(file, start=1):
                if b"\0" in raw:
                    raise InputError("this is a binary file, not text", path, number)
                line = raw.decode("utf-8")
                yield (line.removeprefix("\ufeff") if number == 1 else line).removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise InputError(f"this is not valid UTF-8 (byte {error.start + 1} of the line)", path, number) from None
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile):
        raise InputError(f"cannot be unpacked; the damage begins behind line {number}", path) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path) from None


def _open(path: str | Path) -> BinaryIO:
    if str(path) == "-":
        return sys.stdin.buffer
    return cast(BinaryIO, _PACKED.get(Path(path).suffix.lower(), open)(path, "rb"))


def content_suffix(path: str | Path) -> str:
    """Return the ending that says what a file holds, without that of its packing.

    >>> content_suffix("pairs.TSV.gz"), content_suffix("news.txt")
    ('.tsv', '.txt')
    """
    path = Path(path)
    return (Path(path.stem) if path.suffix.lower() in _PACKED else path).suffix.lower()


def open_for_writing(path: str | Path) -> TextIOWrapper:
    """Open a UTF-8 text file to write, packed as its ending says."""
    opener: Callable[..., Any] = _PACKED.get(Path(path).suffix.lower(), open)
    try:
        return cast(TextIOWrapper, opener(path, "wt", encoding="utf-8", newline="\n"))
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path) from None


def read_paragraphs(path: str | Path) -> Iterator[str]:
    """Yield the paragraphs of a file; one without any is an `InputError`."""
    empty = True
    for line in read_lines(path):
        paragraph = " ".join(line.split())
        if paragraph:
            empty = False
            yield paragraph
    if empty:
        raise InputError("this file holds no text", path)


def read_names(path: str | Path | None) -> frozenset[str]:
    """Return the names of a file, one a line; none where there is no file. Lines that begin with # are remarks."""
    lines = () if path is None else map(str.strip, read_lines(path))
    return frozenset(line for line in lines if line and not line.startswith("#"))


def is_set_aside(paragraph: str, share: float) -> bool:
    """Say whether a paragraph belongs to the share that is never trained on; a larger share holds the smaller ones."""
    digest = blake2b(paragraph.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") < share * 2**64
