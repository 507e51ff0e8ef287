"""Files that are written whole or not at all.

In: a path and what is to stand there. Out: a temporary file beside it, which takes its place in one step when all is
written and on the disk. Whatever happens before, an error, Ctrl-C or a request to end, leaves the old file as it was
and nothing else. The new file belongs to whom the old one did, with the same rights and extended attributes; where that
cannot be, the old one stays. Files with several names (hard links), pipes and devices are not replaced at all.

    with Saver(backup=".bak") as saver:
        saver.inspect("letter.txt")              # before it is read
        for checked in saver.save("letter.txt", document.encoding, checker.check(document)):
            ...                                  # blocks pass through; the file is replaced behind the last one
"""

from __future__ import annotations

import os
import secrets
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import IO

from permend.documents import Encoding
from permend.documents.checker import CheckedBlock
from permend.errors import InputError

UNFINISHED: set[Path] = set()
"""Files and folders to take away when the program ends at once; those that are finished by then may be among them."""


class Saver:
    """Corrects files in place."""

    def __init__(self, backup: str | None = None) -> None:
        """Keep what stood in a changed file under its name with this ending, or do not keep it.

        A backup never takes the place of an earlier file: where there is ``a.txt.bak``, the next is ``a.txt.bak.1``.
        """
        self.backup = backup
        self._unfinished: set[Path] = set()
        self._inspected: dict[str, os.stat_result] = {}

    def __enter__(self) -> Saver:
        """Begin."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Clear away what an interruption has left."""
        for path in self._unfinished:
            path.unlink(missing_ok=True)

    def inspect(self, name: str) -> None:
        """Refuse a file that cannot be replaced without harm, and remember how it was before it is read."""
        try:
            found = os.stat(name)
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}", name) from None
        if not stat.S_ISREG(found.st_mode):
            raise InputError("is a pipe or a device, and only files can be changed in place", name)
        if found.st_nlink > 1:
            names = f"has {found.st_nlink} names (hard links)"
            raise InputError(f"{names} and would be changed under this one alone, so it is left as it is", name)
        if not os.access(name, os.W_OK):  # it could be replaced all the same, but that is not what was meant
            raise InputError("cannot be written: Permission denied", name)
        self._inspected[name] = found

    def save(self, name: str, encoding: Encoding, blocks: Iterable[CheckedBlock]) -> Iterator[CheckedBlock]:
        """Pass blocks on and write their corrected text; a file in which nothing changes is not touched."""
        path = Path(os.path.realpath(name))
        new = _beside(path)
        changed = False
        self._unfinished.add(new)
        try:
            if name not in self._inspected:
                self.inspect(name)
            before = self._inspected.pop(name)
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
        _make_alike(new, path, before)
        owner = new.stat()
        if (owner.st_uid, owner.st_gid) != (before.st_uid, before.st_gid):
            raise InputError("belongs to another user or group, which a new file cannot, so it is left as it is", name)
        os.utime(new)
        copy = self._copy(path, before) if self.backup else None
        if _state(path.stat()) != _state(before):
            raise InputError("was changed by somebody else meanwhile, so it is left as it is", name)
        if copy:
            _put_beside(copy, path, f"{path.name}{self.backup}")
        new.replace(path)

    def _copy(self, path: Path, before: os.stat_result) -> Path:
        """Copy a file under a name of ours, which is cleared away unless the copy gets another one."""
        copy = _beside(path)
        self._unfinished.add(copy)
        with path.open("rb") as old, _create(copy, 0o600) as file:
            shutil.copyfileobj(old, file)
            _flush(file)
        _make_alike(copy, path, before)
        return copy


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


def _beside(path: Path) -> Path:
    """Return the name of a new hidden file in the same folder, hence on the same disk."""
    return path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}.permend")


def _create(path: Path, mode: int) -> IO[bytes]:
    UNFINISHED.add(path)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode), "wb")


def _put_beside(copy: Path, path: Path, name: str) -> None:
    """Give a copy the first of the names ``name``, ``name.1``, ``name.2`` … that nothing has."""
    for number in count():
        target = path.with_name(f"{name}.{number}" if number else name)
        with suppress(FileExistsError):
            _create(target, 0o600).close()  # from here on the name is ours
            copy.replace(target)
            UNFINISHED.discard(target)
            return


def _state(found: os.stat_result) -> tuple[int, ...]:
    """Return what changes when somebody writes to a file, replaces it or gives it another name."""
    return found.st_mtime_ns, found.st_size, found.st_ino, found.st_nlink


def _make_alike(new: Path, path: Path, before: os.stat_result) -> None:
    """Give a new file the owner, rights, times and attributes of another one, as far as one may."""
    if hasattr(os, "chown"):
        with suppress(OSError):  # only root may give files away
            os.chown(new, before.st_uid, before.st_gid)
    shutil.copystat(path, new)


def _flush(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())
