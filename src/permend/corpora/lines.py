r"""Lines of a text file, one at a time, with errors that name the line.

In: a path (``-`` is standard input). Out: the lines without their ends. Only ``\n`` and ``\r\n`` end a line, so a
form feed or a Unicode line separator inside a sentence does not shift every sentence behind it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from permend.errors import InputError


def read_lines(path: str | Path) -> Iterator[str]:
    """Yield the lines of a UTF-8 file; a byte-order mark at its start is dropped."""
    number = 0
    try:
        with sys.stdin.buffer if str(path) == "-" else Path(path).open("rb") as file:
            for number, raw in enumerate(file, start=1):
                line = raw.decode("utf-8")
                yield (
                    (line[1:] if number == 1 and line.startswith("\ufeff") else line)
                    .removesuffix("\n")
                    .removesuffix("\r")
                )
    except UnicodeDecodeError as error:
        raise InputError(f"this is not valid UTF-8 (byte {error.start + 1} of the line)", path, number) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path) from None
