"""Which documents the arguments of a command mean: files, folders, standard input.

In: arguments. Out: paths, each document once; ``-`` is standard input. In a folder, the files with a known ending count
(.txt, .md, .html, .tex and their like), in the order of their names; hidden files and folders are passed by, and links
to folders are not followed, so that no walk goes in circles. A file that is named itself is taken whatever its ending.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from permend.documents import format_of
from permend.errors import InputError, PermendError

_PLAIN = frozenset({".txt", ".text"})


def is_path(argument: str) -> bool:
    """Whether an argument means a file and not a sentence; one that only looks like it is an error.

    >>> is_path("He go to school."), is_path("Hello"), is_path("-")
    (False, False, True)
    """
    if argument == "-" or os.path.lexists(argument):  # a link that leads nowhere means a file, too
        return True
    if not any(map(str.isspace, argument)) and (has_known_ending(argument) or os.sep in argument.strip(os.sep)):
        raise InputError("no such file", argument)
    return False


def has_known_ending(path: str | Path) -> bool:
    """Whether a file is taken from a folder."""
    return format_of(path) != "plain" or Path(path).suffix.lower() in _PLAIN


def find_documents(arguments: Iterable[str], tell: Callable[[PermendError], None]) -> Iterator[str]:
    """Yield the paths of all documents, and tell what cannot be used."""
    seen: set[str] = set()
    for argument in arguments:
        for path in _walk(argument, tell) if os.path.isdir(argument) else _named(argument, tell):
            key = path if path == "-" else os.path.realpath(path)
            if key not in seen:
                seen.add(key)
                yield path


def _named(path: str, tell: Callable[[PermendError], None]) -> Iterator[str]:
    if path == "-" or os.path.exists(path):
        yield path
    else:
        tell(InputError("no such file", path))


def _walk(folder: str, tell: Callable[[PermendError], None]) -> Iterator[str]:
    """Yield the documents below a folder."""
    found = False

    def refuse(error: OSError) -> None:
        nonlocal found
        found = True  # or not: nobody can know
        tell(InputError(f"cannot be read: {error.strerror or error}", error.filename))

    for where, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = os.path.normpath(os.path.join(where, name))
            if not name.startswith(".") and has_known_ending(name) and os.path.isfile(path):
                found = True
                yield path
    if not found:
        tell(InputError("there are no documents in this folder (.txt, .md, .html, .tex)", folder))
