"""The history of a git repository: every commit and the versions of prose files before and behind it.

In: the path of a repository on this machine, of a folder in one, or of a bare one. Out: `Commit`s, the newest first,
and the text of each version.

    with History("docs") as history:
        for commit in history.commits():
            for before, behind, path in commit.changes:
                history.read(before), history.read(behind)      # None where that is no text, or too long

Git is asked through two processes that stream, so that memory does not grow with the history. Merges are passed over:
what they bring was committed before. A renamed file is followed. The repository may come from anyone, therefore git
is told to run no program that the repository names, and to fetch nothing: a version that is not there is passed over.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import IO, NamedTuple

from permend.documents.formats import PROSE_ENDINGS, is_prose
from permend.errors import InputError, PermendError

LARGEST = 1_000_000
"""Bytes of a version that is read."""
_CHUNK = 65_536
_SAFE = (
    "core.fsmonitor=false", "core.quotePath=false", "diff.renameLimit=400", "log.showSignature=false",
    "log.mailmap=false", "protocol.allow=never",
)  # fmt: skip
_PATHS = [f":(icase)*{ending}" for ending in PROSE_ENDINGS]
_HEAD = re.compile(r"\x01([0-9a-f]+) \x02(.*?)\x03?\Z", re.DOTALL)
_FOREIGN = re.compile(r"dubious ownership")
_NO_COMMITS = re.compile(r"does not have any commits|unknown revision|bad revision|ambiguous argument 'HEAD'")


class Version(NamedTuple):
    """A file that a commit changed: the objects of both versions, and its path behind the commit."""

    before: str
    behind: str
    path: str


@dataclass(frozen=True)
class Commit:
    """A commit: its hash, its message, and the prose files that it changed."""

    id: str
    message: str
    changes: tuple[Version, ...]


class History:
    """The prose of a repository, version by version; a context manager, since git runs beside it."""

    def __init__(self, path: str | Path) -> None:
        """Find the repository; a folder without one is an `InputError`."""
        self.path = Path(path)
        if not self.path.is_dir():
            raise InputError("there is no such folder" if not self.path.exists() else "this is no folder", path)
        self._running: list[subprocess.Popen[bytes]] = []
        self._objects: subprocess.Popen[bytes] | None = None
        self._folder = Path(self._ask("rev-parse", "--absolute-git-dir"))
        self.is_shallow = self._ask("rev-parse", "--is-shallow-repository") == "true"

    @property
    def name(self) -> str:
        """What the repository's folder is called."""
        home = self._folder.parent if self._folder.name == ".git" else self._folder
        return home.name.removesuffix(".git") or "repository"

    @property
    def home(self) -> str:
        """What the folder is called that the repository lies in."""
        return (self._folder.parent if self._folder.name == ".git" else self._folder).parent.name

    def __enter__(self) -> History:
        """Begin."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End git."""
        for process in self._running:
            process.kill()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with suppress(OSError):
                        stream.close()
            process.wait()

    def count(self) -> int:
        """Return the number of commits that changed prose."""
        return int(self._ask("rev-list", "--count", "--no-merges", "HEAD", "--", *_PATHS))

    def commits(self) -> Iterator[Commit]:
        """Yield the commits that changed prose, the newest first."""
        wanted = ["--raw", "-z", "--no-abbrev", "-M", "--diff-filter=MR", "--no-merges", "--no-color", "--no-notes"]
        command = ["log", *wanted, "--encoding=UTF-8", "--format=tformat:%x01%H %x02%B%x03", "HEAD", "--", *_PATHS]
        with TemporaryFile() as errors:
            process = self._start(command, stderr=errors)
            assert process.stdout is not None
            yield from _read_log(_split(process.stdout))
            if process.wait():
                errors.seek(0)
                raise self._error(errors.read().decode("utf-8", "replace"))

    def read(self, version: str) -> str | None:
        """Return a version's text; None where it is missing, too long, or not UTF-8."""
        if self._objects is None:
            self._objects = self._start(["cat-file", "--batch"], stdin=subprocess.PIPE)
        process = self._objects
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(f"{version}\n".encode())
            process.stdin.flush()
            head = process.stdout.readline().split()
            if len(head) != 3 or head[1] != b"blob":
                return None
            content = _take(process.stdout, int(head[2]))
        except OSError:
            return None
        try:
            return None if content is None or b"\0" in content else content.decode("utf-8-sig")
        except UnicodeDecodeError:
            return None

    def _ask(self, *arguments: str) -> str:
        """Return git's answer, a line."""
        try:
            done = subprocess.run(self._command(arguments), capture_output=True, env=_environment())
        except OSError:
            raise PermendError("git is not installed, or cannot be run; histories are read with it") from None
        if done.returncode:
            raise self._error(done.stderr.decode("utf-8", "replace"))
        return os.fsdecode(done.stdout).removesuffix("\n")

    def _start(
        self, arguments: Sequence[str], stdin: int = subprocess.DEVNULL, stderr: int | IO[bytes] = subprocess.DEVNULL
    ) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            self._command(arguments), stdin=stdin, stdout=subprocess.PIPE, stderr=stderr, env=_environment()
        )
        self._running.append(process)
        return process

    def _command(self, arguments: Sequence[str]) -> list[str]:
        settings = [each for setting in _SAFE for each in ("-c", setting)]
        return ["git", "--no-pager", "-C", str(self.path), *settings, *arguments]

    def _error(self, said: str) -> InputError:
        """Return what git said as one sentence."""
        if "not a git repository" in said:
            return InputError("this folder is in no git repository", self.path)
        if _FOREIGN.search(said):
            return InputError("git does not read a repository that belongs to somebody else", self.path)
        if _NO_COMMITS.search(said):
            return InputError("this repository has no commits", self.path)
        lines = [line for line in said.splitlines() if line.startswith(("fatal:", "error:"))] or ["without a word"]
        return InputError(f"git cannot read this repository: {lines[0].partition(': ')[2] or lines[0]}", self.path)


def _environment() -> dict[str, str]:
    """Return the environment without what would lead git elsewhere, or to a network."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {"GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}


def _split(stream: IO[bytes]) -> Iterator[str]:
    """Yield what stands between zero bytes."""
    rest = b""
    while chunk := stream.read(_CHUNK):
        *whole, rest = (rest + chunk).split(b"\0")
        yield from (each.decode("utf-8", "replace") for each in whole)
    if rest:
        yield rest.decode("utf-8", "replace")


def _read_log(fields: Iterator[str]) -> Iterator[Commit]:
    """Put fields together: a head, then for each file its objects and status, its path, and a renamed file's new one.

    >>> log = ["\\x01ab \\x02Fix a typo\\n\\x03", "\\n:1 1 c d M", "a.md", ":1 1 e f R090", "b.txt", "c.txt"]
    >>> list(_read_log(iter(log)))[0].changes
    (Version(before='c', behind='d', path='a.md'), Version(before='e', behind='f', path='c.txt'))
    """
    head: re.Match[str] | None = None
    changes: list[Version] = []
    for each in fields:
        if found := _HEAD.match(each):
            if head is not None:
                yield Commit(head[1], head[2].strip(), tuple(changes))
            head, changes = found, []
        elif each.lstrip("\n").startswith(":"):
            _, _, before, behind, status = each.split()
            path = next(fields, "")
            if status.startswith("R"):
                path = next(fields, "")
            if before != behind and is_prose(path):
                changes.append(Version(before, behind, path))
    if head is not None:
        yield Commit(head[1], head[2].strip(), tuple(changes))


def _take(stream: IO[bytes], size: int) -> bytes | None:
    """Read an object and the line's end behind it; one that is too long is passed over."""
    if size <= LARGEST:
        return stream.read(size + 1)[:-1]
    left = size + 1
    while left and (chunk := stream.read(min(left, _CHUNK))):
        left -= len(chunk)
    return None
