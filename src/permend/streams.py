r"""The standard streams of the command line, fit to write to whatever stands behind them.

In: three descriptors as the shell gives them: closed, full, unable to write a letter. Out: `sys.stdin`, `sys.stdout`,
`sys.stderr` that are always there. What the encoding of a stream cannot write is escaped as JSON does it, so that JSON
stays JSON (``é`` becomes ``\u00e9``). Standard output that takes nothing more raises `OutputError` once, and is silent
from then on, so that nothing is said about it again when Python ends; standard error never raises.

Nothing else of permend is imported here, for this is done first.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from select import select
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_ESCAPED = "permend.escaped"


class OutputError(Exception):
    """Standard output cannot be written to."""

    def __init__(self, error: OSError) -> None:
        """Keep why."""
        super().__init__(f"cannot write to standard output: {error.strerror or error}")
        self.errno = error.errno


def open_descriptors() -> None:
    """Put something in the place of closed descriptors, so that no file is opened there.

    Reading from a closed standard input fails, as does writing to a closed standard output; standard error is lost.
    """
    for number, flags in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)  # gets the lowest number that is free
            os.set_inheritable(number, True)


def prepare_streams() -> None:
    """Replace the standard streams by those described above."""
    codecs.register_error(_ESCAPED, _escaped)
    if sys.stdin is None:
        raw = io.FileIO(0, closefd=False)
        raw.name = "<stdin>"
        sys.stdin = io.TextIOWrapper(io.BufferedReader(raw), "utf-8", "surrogateescape")
    sys.stdout = _stream(sys.stdout, 1)
    sys.stderr = _stream(sys.stderr, 2)


def _stream(before: TextIO | None, number: int) -> TextIO:
    """Return a stream to write to, in the encoding of the one before."""
    buffer: Any = io.FileIO(number, "w", closefd=False) if before is None else before.buffer
    raw = _Writer(getattr(buffer, "raw", buffer), silent=number == 2)
    encoding = "utf-8" if before is None else before.encoding
    by_line = number == 2 or raw.isatty()
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding, _ESCAPED, line_buffering=by_line)


class _Writer(io.RawIOBase):
    """Hands bytes on, until that fails."""

    def __init__(self, raw: io.RawIOBase, silent: bool) -> None:
        self._raw = raw
        self._silent = silent
        self._failed = False

    def write(self, data: ReadableBuffer, /) -> int:
        size = memoryview(data).nbytes
        if self._failed:
            return size
        try:
            while (written := self._raw.write(data)) is None:  # another program has made it non-blocking
                select([], [self._raw], [])
        except OSError as error:
            self._failed = True
            if self._silent:
                return size
            raise OutputError(error) from None
        return written

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._raw.isatty()

    def fileno(self) -> int:
        return self._raw.fileno()


def _escaped(error: UnicodeError) -> tuple[str, int]:
    r"""Write characters as JSON may have them, in units of UTF-16.

    >>> _escaped(UnicodeEncodeError("ascii", "é😀!", 0, 2, ""))
    ('\\u00e9\\ud83d\\ude00', 2)
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    pairs = zip(units[::2], units[1::2], strict=True)
    return "".join(f"\\u{high:02x}{low:02x}" for high, low in pairs), error.end
