"""Which documents the arguments of a command mean: files, folders, standard input.

In: arguments. Out: paths, each document once; ``-`` is standard input. A file that is named itself is taken unless its
name is that of code or data and no format is given; where files are changed, their names must say that they are prose.

In a folder, files with the endings of prose count (.txt, .md, .html, .tex and their like), in the order of their names.
Hidden files and folders, installed packages, what ``.gitignore`` leaves out, and links are passed by: what a link leads
to inside the folder is found there, and nothing outside is ever reached, nor in circles.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from permend.cli.ignoring import Rule, is_ignored, make_rules, read_rules, read_rules_above
from permend.documents.endings import is_code_or_data, is_prose, names_file
from permend.errors import InputError, PermendError

_NAME = re.compile(r"[\w-]+\.(?!(?:com|org|net|edu|gov|io|dev)$)[A-Za-z][A-Za-z0-9]{2,11}")
"""A single word with an ending, whatever it is: of a sentence there would be more."""
_INSTALLED = frozenset({"__pycache__", "node_modules", "site-packages"})


def is_path(argument: str) -> bool:
    """Whether an argument means a file, even one that is not there, and not a sentence.

    >>> [is_path(each) for each in ("He go to school.", "Hello.", "example.com", "-", "no/such/file", "letter.docx")]
    [False, False, False, True, True, True]
    >>> [is_path(each) for each in ("x.unknown", "Hello...", "3.14", "Ph.D", "Hello world.txt is here")]
    [True, False, False, False, False]
    """
    if argument == "-" or os.path.lexists(argument):  # a link that leads nowhere means a file, too
        return True
    if any(map(str.isspace, argument)):
        return False
    return names_file(argument) or os.sep in argument.strip(os.sep) or bool(_NAME.fullmatch(argument))


def refuse_missing(paths: Iterable[str]) -> None:
    """Raise an error for the first path that is not there."""
    for path in paths:
        if path != "-" and not os.path.exists(path):
            raise InputError("no such file", path)


@dataclass(frozen=True)
class DocumentFinder:
    """Finds documents, and tells what cannot be used."""

    tell: Callable[[PermendError], None]
    exclude: tuple[str, ...] = ()
    """Patterns of what is passed by, relative to a folder that is named, or to the working folder for files."""
    format_given: bool = False
    """Whether somebody has said what all documents are written in, so that their names need not."""
    in_place: bool = False
    """Whether the documents are going to be changed."""

    def find(self, arguments: Iterable[str]) -> Iterator[str]:
        """Yield the paths of all documents."""
        seen: set[str] = set()
        for argument in arguments:
            if self._is_excluded(argument):
                continue
            for path in self._walk(argument) if os.path.isdir(argument) else self._named(argument):
                key = path if path == "-" else os.path.realpath(path)
                if key not in seen:
                    seen.add(key)
                    yield path

    def _named(self, path: str) -> Iterator[str]:
        if path == "-":
            yield path
        elif not os.path.exists(path):
            self.tell(InputError("no such file", path))
        elif trouble := self._trouble(path):
            self.tell(InputError(trouble, path))
        else:
            yield path

    def _trouble(self, path: str) -> str | None:
        """Say why a file is not taken for prose, by its own name or that of what a link leads to."""
        if self.format_given:
            return None
        if is_code_or_data(path) or is_code_or_data(os.path.realpath(path)):
            return "this is code or data by its name, not prose; --format-in plain reads it all the same"
        if self.in_place and not is_prose(path):
            return "its name does not say what it is, so it is not changed in place; say it with --format-in"
        return None

    def _is_excluded(self, argument: str) -> bool:
        """Whether an argument, or a folder that it is in, is excluded by a pattern for the working folder."""
        if not self.exclude or argument == "-":
            return False
        here, path = Path.cwd(), Path(os.path.abspath(argument))
        rules = make_rules(self.exclude, str(here))
        inside = path if path.is_relative_to(here) else here / path.name
        way = [each for each in (inside, *inside.parents) if here in each.parents]
        return any(is_ignored(rules, str(each), is_folder=each != inside or path.is_dir()) for each in way)

    def _walk(self, folder: str) -> Iterator[str]:
        """Yield the documents below a folder."""
        found = False

        def refuse(error: OSError) -> None:
            nonlocal found
            found = True  # or not: nobody can know
            self.tell(InputError(f"cannot be read: {error.strerror or error}", error.filename))

        root = os.path.realpath(folder)
        excluded = make_rules(self.exclude, root)
        inherited = {folder: read_rules_above(root, self.tell)}
        for where, folders, files in os.walk(folder, onerror=refuse):
            here = os.path.normpath(os.path.join(root, os.path.relpath(where, folder)))
            rules = inherited.pop(where) + read_rules(here, self.tell)
            ignoring = rules + excluded
            folders[:] = sorted(name for name in folders if _is_entered(os.path.join(here, name), ignoring))
            inherited |= {os.path.join(where, name): rules for name in folders}
            for name in sorted(files):
                if _is_taken(os.path.join(here, name), ignoring):
                    found = True
                    yield os.path.normpath(os.path.join(where, name))
        if not found:
            nothing = "there are no documents in this folder (.txt, .md, .html, .tex, .rst, .adoc), or all are ignored"
            self.tell(InputError(nothing, folder))


def _is_entered(folder: str, rules: tuple[Rule, ...]) -> bool:
    name = os.path.basename(folder)
    is_python = os.path.isfile(os.path.join(folder, "pyvenv.cfg"))
    if name.startswith(".") or name in _INSTALLED or is_python or os.path.islink(folder):
        return False
    return not is_ignored(rules, folder, is_folder=True)


def _is_taken(path: str, rules: tuple[Rule, ...]) -> bool:
    if os.path.basename(path).startswith(".") or not is_prose(path) or os.path.islink(path) or not os.path.isfile(path):
        return False
    return not is_ignored(rules, path)
