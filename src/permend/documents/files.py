"""Which documents the arguments of a command mean: files, folders, standard input.

In: arguments. Out: paths, each document once; ``-`` is standard input.

    DocumentFinder(tell=print, exclude=("drafts/",)).find(["letter.txt", "docs"])   # letter.txt, docs/a.md, …

A file that is named itself is taken unless its name is that of code or data and no format is given; where files are
changed, their names must say that they are prose. In a folder, files with the endings of prose count (.txt, .md, .html,
.tex and their like), and those of programs where comments are wanted, in the order of their names. Hidden files and
folders, installed packages and what ``.gitignore`` leaves out are passed by, and so are links: what a link leads to
inside the folder is found there, and nothing outside is ever reached, nor in circles.

Patterns, of ``.gitignore`` or of `exclude`, become rules; the last one that fits a path decides:

>>> rules = make_rules(["*.log.txt", "/build/", "!last.log.txt"], "/project")
>>> [is_ignored(rules, f"/project/{path}") for path in ("a/b.log.txt", "a/last.log.txt", "build", "a.txt")]
[True, False, None, None]
>>> is_ignored(rules, "/project/build", is_folder=True)
True

Each path is judged by itself, as in git: an ignored folder is not entered, so nothing below it is found.

Git itself is not asked. It runs programs that a folder's own configuration names (``core.fsmonitor``, the transport of
a partial clone), and a folder may come from anyone. So a file that git tracks although a pattern ignores it is passed
by, as in other programs that read these files themselves. The user's global list and classes such as ``[[:alpha:]]``
are not known.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import translate
from itertools import pairwise
from pathlib import Path

from permend.documents.formats import is_code_or_data, is_prose, names_file, source_format_of
from permend.errors import InputError, PermendError

_NAME = re.compile(r"[\w-]+\.(?!(?:com|org|net|edu|gov|io|dev)$)[A-Za-z][A-Za-z0-9]{2,11}")
"""A single word with an ending, whatever it is: of a sentence there would be more."""
_INSTALLED = frozenset({"__pycache__", "node_modules", "site-packages"})


def is_path(argument: str) -> bool:
    """Whether an argument means a file, even one that is not there, and not a sentence.

    >>> [is_path(each) for each in ("He go to school.", "Hello.", "example.com", "-", "no/such/file", "letter.docx")]
    [False, False, False, True, True, True]
    >>> [is_path(each) for each in ("drafts/", "/drafts", "He go to drafts/")]
    [True, True, False]
    >>> [is_path(each) for each in ("x.unknown", "Hello...", "3.14", "Ph.D", "Hello world.txt is here")]
    [True, False, False, False, False]
    """
    if argument == "-" or os.path.lexists(argument):  # a link that leads nowhere means a file, too
        return True
    if any(map(str.isspace, argument)):
        return False
    return names_file(argument) or os.sep in argument or bool(_NAME.fullmatch(argument))


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
    comments: bool = False
    """Whether programs are documents, too, for their comments."""

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
        if self.format_given or (self.comments and source_format_of(path)):
            return None
        if is_code_or_data(path) or is_code_or_data(os.path.realpath(path)):
            comments = "--comments reads its comments, and " if source_format_of(path) else ""
            return f"this is code or data by its name, not prose; {comments}--format-in plain reads it all the same"
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
                if _is_taken(os.path.join(here, name), ignoring, self.comments):
                    found = True
                    yield os.path.normpath(os.path.join(where, name))
        if not found:
            read = ".txt, .md, .html, .tex, .rst, .adoc" + (" or source code" if self.comments else "")
            self.tell(InputError(f"there are no documents in this folder ({read}), or all are ignored", folder))


def _is_entered(folder: str, rules: tuple[Rule, ...]) -> bool:
    name = os.path.basename(folder)
    is_python = os.path.isfile(os.path.join(folder, "pyvenv.cfg"))
    if name.startswith(".") or name in _INSTALLED or is_python or os.path.islink(folder):
        return False
    return not is_ignored(rules, folder, is_folder=True)


def _is_taken(path: str, rules: tuple[Rule, ...], comments: bool) -> bool:
    if not is_prose(path) and not (comments and source_format_of(path)):
        return False
    if os.path.basename(path).startswith(".") or os.path.islink(path) or not os.path.isfile(path):
        return False
    return not is_ignored(rules, path)


_ANY_FOLDERS = "**"
_ESCAPED = re.compile(r"\\(.)|\[\^")


@dataclass(frozen=True)
class Rule:
    """A line of a ``.gitignore``."""

    folder: str
    """What it is about, in full."""
    parts: tuple[re.Pattern[str] | None, ...]
    """A pattern for each name on the way from there, or None for any number of them."""
    ignores: bool
    """False behind an exclamation mark."""
    folders_only: bool

    def fits(self, path: str, is_folder: bool) -> bool:
        """Whether this rule is about a path; the steps grow with its length times that of the rule."""
        if self.folders_only and not is_folder:
            return False
        names = path[len(self.folder) :].strip(os.sep).split(os.sep)
        if len(self.parts) == 2 and self.parts[0] is None and self.parts[1]:  # most rules: a name anywhere
            return bool(self.parts[1].match(names[-1]))
        places = self._skipping({0})
        for name in names:
            places = self._skipping(set(self._behind(places, name)))
        return len(self.parts) in places

    def _behind(self, places: Iterable[int], name: str) -> Iterator[int]:
        """Yield where one may stand in the rule behind a name."""
        for place in places:
            if place == len(self.parts):
                continue
            part = self.parts[place]
            if part is None:
                yield place
            if part.match(name) if part else place == len(self.parts) - 1:
                yield place + 1

    def _skipping(self, places: set[int]) -> set[int]:
        """Add the places behind parts that fit no name at all, too; at the end, there must be one."""
        for place in range(len(self.parts) - 1):
            if place in places and self.parts[place] is None:
                places.add(place + 1)
        return places


def is_ignored(rules: Sequence[Rule], path: str, is_folder: bool = False) -> bool | None:
    """Whether rules want a path left out, or expressly not; None where they say nothing."""
    return next((rule.ignores for rule in reversed(rules) if rule.fits(path, is_folder)), None)


def make_rules(lines: Iterable[str], folder: str) -> tuple[Rule, ...]:
    """Read patterns in the syntax of ``.gitignore``."""
    return tuple(rule for line in lines if (rule := _rule(line, folder)))


def read_rules(folder: str, tell: Callable[[PermendError], None]) -> tuple[Rule, ...]:
    """Read what the files of a folder say: the repository's own list, and the folder's ``.gitignore``."""
    files = [_repository_list(folder, tell), os.path.join(folder, ".gitignore")]
    return tuple(rule for file in files for rule in make_rules(_lines(file, tell), folder))


def read_rules_above(folder: str, tell: Callable[[PermendError], None]) -> tuple[Rule, ...]:
    """Read the rules of a repository for a folder inside it; none where the folder itself is ignored."""
    above = _way_from_repository(folder)
    rules: tuple[Rule, ...] = ()
    for outer, inner in pairwise(above):
        rules += read_rules(outer, tell)
        if is_ignored(rules, inner, is_folder=True):
            return ()
    return rules


def _rule(line: str, folder: str) -> Rule | None:
    line = line.rstrip("\r\n")
    body = line.rstrip(" ")
    if body.endswith("\\") and body != line:
        body += " "
    if body.startswith("#") or not body.strip("!/"):
        return None
    negated, body = body.startswith("!"), body.removeprefix("!")
    folders_only, body = body.endswith("/"), body.removesuffix("/")
    names = body.removeprefix("/").split("/")
    if "/" not in body:
        names = [_ANY_FOLDERS, body.replace(_ANY_FOLDERS, "*")]
    parts = tuple(None if name == _ANY_FOLDERS else _pattern(name) for name in names)
    return Rule(folder, parts, not negated, folders_only)


def _pattern(name: str) -> re.Pattern[str]:
    r"""Turn a pattern for one name into a regular expression, which never takes more than a few steps a character.

    >>> bool(_pattern("[^a]\\*.*").match("b*.md")), bool(_pattern("a?").match("abc"))
    (True, False)
    """
    return re.compile(translate(_ESCAPED.sub(lambda found: _plain(found[1]) if found[1] else "[!", name)))


def _plain(sign: str) -> str:
    return f"[{sign}]" if sign in "*?[" else sign


def _way_from_repository(folder: str) -> list[str]:
    """Return the folders from the root of a git repository down to this one; this one alone where there is none."""
    way = [folder]
    while not os.path.lexists(os.path.join(way[0], ".git")):
        parent = os.path.dirname(way[0])
        if parent == way[0]:
            return [folder]
        way.insert(0, parent)
    return way


def _repository_list(folder: str, tell: Callable[[PermendError], None]) -> str:
    """Return where a repository has its list that is not shared, if this folder is its root."""
    git = os.path.join(folder, ".git")
    if link := _lines(git, tell):  # a file in a second working tree, or in a repository inside another one
        git = os.path.join(folder, link[0].removeprefix("gitdir:").strip())
    if shared := _lines(os.path.join(git, "commondir"), tell):
        git = os.path.join(git, shared[0].strip())
    return os.path.join(git, "info", "exclude")


def _lines(file: str, tell: Callable[[PermendError], None]) -> list[str]:
    if not os.path.isfile(file):
        return []
    try:
        with open(file, encoding="utf-8-sig", errors="surrogateescape", newline="\n") as lines:
            return list(lines)
    except OSError as error:
        tell(InputError(f"cannot be read: {error.strerror or error}", file))
        return []
