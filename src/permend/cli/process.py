r"""The process of the command line: signals that are obeyed at any moment, standard streams that are always there.

    open_descriptors()
    obey()                             # from now on, signals end the program at once: there is nothing to tidy up yet
    from permend.cli.main import main  # which takes a while
    prepare_streams()
    with tidily():                     # signals raise KeyboardInterrupt or SystemExit, so that all is tidied up
        main()

Ctrl-C and SIGTERM end the program with exit code 130 or 143, and leave nothing behind. A second signal ends it at once.
So does the first one when a second is not enough to tidy up, because a computation outside of Python does not return; a
thread watches over that. Where somebody else handles the signals, as training does to save its state, or where they
were to be ignored from the start (``nohup``), that holds.

The descriptors of the streams come from the shell: closed, full, unable to write a letter. What the encoding of a
stream cannot write is escaped as JSON does it, so that JSON stays JSON (``é`` becomes ``\u00e9``). Standard output that
takes nothing more raises `OutputError` once, and is silent from then on, so that nothing is said about it again when
Python ends; standard error never raises.

Nothing else of permend is imported here, for this is done first.
"""

from __future__ import annotations

import codecs
import io
import os
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from select import select
from types import FrameType
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


PATIENCE = 0.7
"""Seconds for tidying up."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_received: list[int] = []


def obey() -> None:
    """Have signals end the program at once."""
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _end)
    if sys.platform != "win32":
        told, telling = os.pipe()
        os.set_blocking(telling, False)
        signal.set_wakeup_fd(telling, warn_on_full_buffer=False)
        threading.Thread(target=_watch, args=(told,), name="permend-signals", daemon=True).start()


@contextmanager
def tidily() -> Iterator[None]:
    """Have signals raise an exception while the block runs."""
    try:
        _handle(_raise, instead_of=_end)
        yield
    finally:
        _handle(_end, instead_of=_raise)
        _take_away()  # what was begun in the very moment in which a signal came


def _handle(handler: signal._HANDLER, instead_of: signal._HANDLER) -> None:
    for number in _SIGNALS:
        if signal.getsignal(number) == instead_of:
            signal.signal(number, handler)


def received_signal() -> int | None:
    """Return the signal that was to end the program; a library that was just being imported may hide what it raised."""
    return _received[0] if _received else None


def _raise(number: int, frame: FrameType | None) -> None:
    _received.append(number)
    _handle(_end, instead_of=_raise)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(128 + number)


def _end(number: int, frame: FrameType | None = None) -> None:
    """End without asking anybody."""
    _take_away()
    with suppress(OSError):
        if os.isatty(2):
            os.write(2, b"\x1b[?25h")  # a bar hides the cursor
    os._exit(128 + number)


def _take_away() -> None:
    """Take away files that are not finished, and folders."""
    saving = sys.modules.get("permend.documents.saving")  # nothing was written before it was loaded
    for path in list(saving.UNFINISHED if saving else ()):
        with suppress(OSError):
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)


def _watch(told: int) -> None:
    """End the program if it does not do so by itself; Python runs handlers in the main thread only."""
    while True:
        number = os.read(told, 1)[0]
        if number in _SIGNALS and signal.getsignal(number) in (_raise, _end):
            select([told], [], [], PATIENCE)  # or until the second signal
            _end(number)


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
