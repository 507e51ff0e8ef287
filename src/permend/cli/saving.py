"""Files that are written whole or not at all.

In: a path and what is to stand there. Out: a temporary file beside it, which takes its place in one step when all is
written and on the disk. Whatever happens before, an error, Ctrl-C or a request to end, leaves the old file as it was
and nothing else.

    with Saver(backup=".bak") as saver:
        for checked in saver.save("letter.txt", document.encoding, checker.check(document)):
            ...                                  # blocks pass through; the file is replaced behind the last one
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from permend.checking import CheckedBlock
from permend.documents import Encoding
from permend.errors import InputError


class Saver:
    """Corrects files in place."""

    def __init__(self, backup: str | None = None) -> None:
        """Keep what stood in a changed file under its name with this ending, or do not keep it."""
        self.backup = backup
        self._unfinished: set[Path] = set()

    def __enter__(self) -> Saver:
        """Begin."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Clear away what an interruption has left."""
        for path in self._unfinished:
            path.unlink(missing_ok=True)

    def save(self, name: str, encoding: Encoding, blocks: Iterable[CheckedBlock]) -> Iterator[CheckedBlock]:
        """Pass blocks on and write their corrected text; a file in which nothing changes is not touched."""
        path = Path(os.path.realpath(name))
        new = _beside(path)
        changed = False
        self._unfinished.add(new)
        try:
            before = path.stat()
            if not os.access(path, os.W_OK):  # it could be replaced all the same, but that is not what was meant
                raise InputError("cannot be written: Permission denied", name)
            with _create(new, 0o600) as file:
                file.write(encoding.mark)
                for checked in blocks:
                    changed = changed or bool(checked.findings)
                    file.write(encoding.encode(checked.text))
                    yield checked
                _flush(file)
            if changed:
                self._replace(path, new, before, name)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror or error}", name) from None
        finally:
            new.unlink(missing_ok=True)
            self._unfinished.discard(new)

    def _replace(self, path: Path, new: Path, before: os.stat_result, name: str) -> None:
        now = path.stat()
        if (now.st_mtime_ns, now.st_size, now.st_ino) != (before.st_mtime_ns, before.st_size, before.st_ino):
            raise InputError("was changed by somebody else meanwhile, so it is left as it is", name)
        if self.backup:
            copy = _beside(path)
            self._unfinished.add(copy)
            shutil.copy2(path, copy)
            copy.replace(path.with_name(path.name + self.backup))
        if hasattr(os, "chown"):
            with suppress(OSError):  # only root may give files away
                os.chown(new, before.st_uid, before.st_gid)
        shutil.copymode(path, new)
        new.replace(path)


@contextmanager
def open_whole(name: str) -> Iterator[IO[bytes]]:
    """Open a file for writing that appears when all is written; a pipe or a device is written to as it is."""
    path = Path(os.path.realpath(name))
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as file:
                yield file
            return
        new = _beside(path)
        try:
            with _create(new, 0o666) as file:
                yield file
                _flush(file)
            if path.exists():
                shutil.copymode(path, new)
            new.replace(path)
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", name) from None


@contextmanager
def tidy_end() -> Iterator[None]:
    """Have a request to end (SIGTERM) clear away what is unfinished, as Ctrl-C does."""

    def end(*_: Any) -> None:
        sys.exit(128 + signal.SIGTERM)

    if threading.current_thread() is not threading.main_thread():  # signals are the main thread's business
        yield
        return
    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _beside(path: Path) -> Path:
    """Return the name of a new hidden file in the same folder, hence on the same disk."""
    return path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}.permend")


def _create(path: Path, mode: int) -> IO[bytes]:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode), "wb")


def _flush(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())
