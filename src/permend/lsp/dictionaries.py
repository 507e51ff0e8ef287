"""The personal words and dismissed findings that hold for a document, read again when their files change.

In: where a document lies, the workspace folder that it is in, and further files of words. Out: a `PersonalDictionary`,
the very same one as long as no file has changed, so that nothing is checked again for nothing.

    dictionaries = Dictionaries()
    dictionaries.find(Path("/home/ann/book/one.md"), root=Path("/home/ann/book"))

The project's folder is the nearest ``.permend`` upwards from the document; where there is none, new words go into that
of the workspace folder.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from pathlib import Path

from permend.documents.dictionary import FOLDER, IGNORED, WORDS, PersonalDictionary, project_folder, user_folder
from permend.documents.shared_file import read_lines
from permend.errors import PermendError

logger = logging.getLogger(__name__)

_Places = tuple[Path | None, Path | None, tuple[Path, ...]]
_Stamp = tuple[tuple[int, ...] | None, ...]


class Dictionaries:
    """All dictionaries in use."""

    def __init__(self) -> None:
        self._loaded: dict[_Places, tuple[_Stamp, PersonalDictionary]] = {}

    def find(self, path: Path | None, root: Path | None, further: Iterable[str] = ()) -> PersonalDictionary:
        """Return what holds for a document; one without a path belongs to its workspace folder."""
        files = tuple((root or Path.home()) / each for each in further)
        places = user_folder(), _project(path, root), files
        stamp = tuple(map(_stamp, watched_files(*places)))
        known = self._loaded.get(places)
        if known is None or known[0] != stamp:
            known = self._loaded[places] = stamp, _load(*places)
        return known[1]


def watched_files(user: Path | None, project: Path | None, files: Iterable[Path]) -> list[Path]:
    """Return all files that a dictionary is made from."""
    folders = [folder for folder in (user, project) if folder is not None]
    return [*(folder / name for folder in folders for name in (WORDS, IGNORED)), *files]


def _project(path: Path | None, root: Path | None) -> Path | None:
    start = path.parent if path else root
    if start is None:
        return None
    found = project_folder(start)
    return found if found.is_dir() or root is None else root / FOLDER


def _load(user: Path | None, project: Path | None, files: tuple[Path, ...]) -> PersonalDictionary:
    words: list[str] = []
    for file in files:
        try:
            words += [word for line in read_lines(file) if (word := line.partition("#")[0].strip())]
        except (PermendError, OSError, ValueError):  # which is what a path that none can have raises
            logger.warning("a dictionary cannot be read: %s", file)
    try:
        return PersonalDictionary(words, user=user, project=project)
    except (PermendError, OSError) as error:
        logger.warning("personal words cannot be read: %s", error)
        return PersonalDictionary(words)


def _stamp(file: Path) -> tuple[int, ...] | None:
    try:
        found = os.stat(file)
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
