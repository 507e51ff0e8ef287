"""A small text file that several programs change at the same time: no change is lost, and no half of one is ever read.

    read_lines(file)                                        # ['Kubernetes'], or [] where there is no such file
    change_lines(file, lambda lines: [*lines, "permend"])   # True: the file is another one now

Who changes a file holds a lock meanwhile, which the system takes back when the program ends, however it ends. The new
file takes the old one's place in one step and keeps its permissions; a link stays a link to it.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from permend.errors import InputError
from permend.text.json_file import read_text

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

LARGEST = 16_000_000
"""Bytes that a file may have."""
PATIENCE = 30.0
"""Seconds to wait for another program; only one that was stopped holds a lock for so long."""


def read_lines(file: Path) -> list[str]:
    """Return the lines of a file, without their ends; none where there is no file."""
    return _split(_read(file))


def change_lines(file: Path, change: Callable[[list[str]], list[str]]) -> bool:
    """Replace the lines of a file, making it and its folder where needed; return whether that changed anything."""
    real = Path(os.path.realpath(file))
    try:
        real.parent.mkdir(parents=True, exist_ok=True)
        with _locked(real):
            text = _read(real)
            before = _split(text)
            after = change(before)
            if after == before:
                return False
            end = "\r\n" if "\r\n" in text else "\n"
            _replace(real, "".join(line + end for line in after).encode())
            return True
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", file) from None


def _read(file: Path) -> str:
    try:
        return read_text(file, LARGEST)
    except FileNotFoundError:
        return ""


def _split(text: str) -> list[str]:
    """Return lines as editors count them; `str.splitlines` takes rarer signs for ends, too."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]


def _replace(file: Path, content: bytes) -> None:
    new = _beside(file, f"{secrets.token_hex(6)}.permend")
    known = file.exists()
    if known and not os.access(file, os.W_OK):  # it could be replaced all the same, but that is not what was meant
        raise PermissionError(None, "Permission denied")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(new, flags, 0o600 if known else 0o666), "wb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
        if known:
            if hasattr(os, "chown"):
                with suppress(OSError):  # only root may give files away
                    os.chown(new, file.stat().st_uid, file.stat().st_gid)
            shutil.copymode(file, new)
        new.replace(file)
    finally:
        new.unlink(missing_ok=True)


def _beside(file: Path, ending: str) -> Path:
    return file.with_name(f".{file.name[:100]}.{ending}")


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    """Hold the lock of a file: a hidden one beside it, which is there only as long as somebody holds it.

    A lock file that a dead program has left behind is nobody's, and is taken as if it were new.
    """
    lock = _beside(file, "lock")
    until = time.monotonic() + PATIENCE
    while (number := _take(lock)) is None:
        if time.monotonic() > until:
            raise InputError("cannot be written: another program is changing it, try again later", file)
        time.sleep(0.01)
    try:
        yield
    finally:
        with suppress(OSError):  # Windows does not remove what is open
            lock.unlink()
        os.close(number)
        if sys.platform == "win32":
            with suppress(OSError):  # the next one may have opened it
                lock.unlink()


def _take(lock: Path) -> int | None:
    """Open and lock the lock file; return its number, or None where somebody else has it or has just removed it."""
    number = os.open(lock, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
    try:
        if _is_free(number) and os.path.samestat(os.fstat(number), os.stat(lock)):
            return number
    except FileNotFoundError:
        pass
    os.close(number)
    return None


def _is_free(number: int) -> bool:
    """Lock an open file unless somebody else has done so."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:  # a disk on which nothing can be locked: better written than not
        return True
    return True
