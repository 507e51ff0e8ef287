"""Ctrl-C and requests to end (SIGTERM), obeyed at any moment: exit code 130 or 143, and nothing left behind.

    obey()                        # from now on they end the program at once: there is nothing to tidy up yet
    from permend.cli import main  # which takes a while
    with tidily():                # they raise KeyboardInterrupt or SystemExit, so that all is tidied up
        main()

A second signal ends the program at once. So does the first one when a second is not enough to tidy up, because a
computation outside of Python does not return; a thread watches over that. Where somebody else handles the signals, as
training does to save its state, or where they were to be ignored from the start (``nohup``), that holds.

Nothing else of permend is imported here, for this is done first.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from select import select
from types import FrameType

PATIENCE = 0.7
"""Seconds for tidying up."""
UNFINISHED: set[Path] = set()
"""Files to take away when the program ends at once; those that are finished by then may be among them."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


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


def _handle(handler: signal._HANDLER, instead_of: signal._HANDLER) -> None:
    for number in _SIGNALS:
        if signal.getsignal(number) == instead_of:
            signal.signal(number, handler)


def _raise(number: int, frame: FrameType | None) -> None:
    _handle(_end, instead_of=_raise)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(128 + number)


def _end(number: int, frame: FrameType | None = None) -> None:
    """End without asking anybody."""
    for path in list(UNFINISHED):
        with suppress(OSError):
            path.unlink(missing_ok=True)
    with suppress(OSError):
        if os.isatty(2):
            os.write(2, b"\x1b[?25h")  # a bar hides the cursor
    os._exit(128 + number)


def _watch(told: int) -> None:
    """End the program if it does not do so by itself; Python runs handlers in the main thread only."""
    while True:
        number = os.read(told, 1)[0]
        if number in _SIGNALS and signal.getsignal(number) in (_raise, _end):
            select([told], [], [], PATIENCE)  # or until the second signal
            _end(number)
