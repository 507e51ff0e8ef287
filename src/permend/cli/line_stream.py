r"""Lines of any input with everything that is needed to write them back byte by byte.

In: open binary files. Out: `Line` objects in batches of bounded size, so that memory does not grow with the input.
Only ``\n`` and ``\r\n`` end a line; a byte-order mark is no part of the text; bytes that are no UTF-8 travel as lone
surrogates.

>>> import io
>>> [line] = read_stream(io.BytesIO(b"\xef\xbb\xbfcaf\xe9\r\n"), "-")
>>> line.text, line.written("tea"), line.written(line.text)
('caf\udce9', b'\xef\xbb\xbftea\r\n', b'\xef\xbb\xbfcaf\xe9\r\n')
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO

from permend.errors import InputError

LINES, CHARACTERS = 128, 100_000
"""A batch has at most so many lines, and ends with the line that reaches so many characters."""
_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Line:
    """The text of a line, and what stands around it."""

    text: str
    before: bytes = b""
    """A byte-order mark, or nothing."""
    end: bytes = b"\n"
    """How the line ends; the last one of a file may not."""
    size: int = 0
    """Bytes in the input."""

    def written(self, text: str) -> bytes:
        """Return the bytes of the line with another text."""
        return self.before + text.encode("utf-8", "surrogateescape") + self.end


def read_stream(stream: IO[bytes], name: str) -> Iterator[Line]:
    """Yield the lines of an open file."""
    number = 0
    try:
        for number, raw in enumerate(stream, start=1):
            if b"\0" in raw:
                raise InputError("this is a binary file, not text", name, number)
            before = _MARK if number == 1 and raw.startswith(_MARK) else b""
            end = b"\r\n" if raw.endswith(b"\r\n") else b"\n" if raw.endswith(b"\n") else b""
            text = raw[len(before) : len(raw) - len(end)].decode("utf-8", "surrogateescape")
            yield Line(text, before, end, len(raw))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", name) from None


def batches(lines: Iterable[Line], count: int = LINES) -> Iterator[list[Line]]:
    """Gather lines into batches."""
    batch: list[Line] = []
    characters = 0
    for line in lines:
        batch.append(line)
        characters += len(line.text)
        if len(batch) >= count or characters >= CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch
