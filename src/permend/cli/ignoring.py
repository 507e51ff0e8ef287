"""Which paths below a folder are not wanted: what ``.gitignore`` files say, and patterns in their syntax.

In: lines with patterns, and the folder that they are about. Out: rules, of which the last one that fits a path decides.

>>> rules = make_rules(["*.log.txt", "/build/", "!last.log.txt"], "/project")
>>> [is_ignored(rules, f"/project/{path}") for path in ("a/b.log.txt", "a/last.log.txt", "build", "a.txt")]
[True, False, None, None]
>>> is_ignored(rules, "/project/build", is_folder=True)
True

Each path is judged by itself, as git does it: whoever walks leaves out ignored folders with all that is in them.

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

from permend.errors import InputError, PermendError

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
