"""Personal words and dismissed findings: plain text files that a person can read, edit and keep under version control.

    words = PersonalDictionary.load(Path.cwd())
    words.add("Kubernetes")                    # in the user's list; project=True: in the project's
    words.ignore("He go to school.", edit)     # never report this one again
    words.allows("Kubernets is nice.", edit)   # False: leave this stretch alone
    words.restore("He [go → goes] to school.") # report it again after all

There are two folders: ``.permend`` of the project, found upwards from where one works, and the user's own
(``~/.config/permend`` on Linux). What either says holds. In each lie, if anything was ever added:

``words.txt``
    A word or name a line (``Kubernetes``, ``C++``, ``de facto``); what follows a ``#`` at the beginning or behind a
    space is a comment. A word in lower case is also protected with a capital or in capitals, and any word with *'s*.
``ignored.txt``
    A finding a line, in its place: ``He [go → goes] to school``. It is not reported where these words stand around it,
    so that it stays dismissed when the rest of the sentence changes. The words around may be shortened by hand, and a
    line without brackets, ``go → goes``, holds everywhere; a line may also be the id of a finding, as reports give it.
    Lines that begin with ``#`` are comments.

>>> from permend.text.edits import Edit
>>> words = PersonalDictionary(["permend"], ["He [go → goes] to"])
>>> words.allows("Permend's great.", Edit(0, 7, "Permend", "Pretend")), words.allows("He be.", Edit(3, 5, "be", "is"))
(False, True)
>>> words.allows("Now He go to bed.", Edit(7, 9, "go", "goes")), words.allows("She go to.", Edit(4, 6, "go", "goes"))
(False, True)
"""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from pathlib import Path

from permend.documents.shared_file import change_lines, read_lines
from permend.errors import PermendError
from permend.text.edits import Edit
from permend.text.quotes import straighten

FOLDER = ".permend"
"""The folder of a project."""
WORDS, IGNORED = "words.txt", "ignored.txt"

_PIECE = re.compile(r"\w+|[^\w\s]")
_POSSESSIVE = re.compile(r"['’]s\b")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_ID_BYTES = 5
_ID = re.compile(rf"[0-9a-f]{{{2 * _ID_BYTES}}}")
_CONTEXT = 2  # words kept on each side of a dismissed finding


class PersonalDictionary:
    """Words that are never changed, and findings that the writer has dismissed."""

    def __init__(
        self,
        words: Iterable[str] = (),
        ignored: Iterable[str] = (),
        *,
        user: Path | None = None,
        project: Path | None = None,
    ) -> None:
        """Take words and lines of dismissed findings, beside those of the files in the given folders."""
        self.user, self.project = user, project
        self._given = set(words), set(_without_comments(ignored))
        self._read()

    @classmethod
    def load(cls, project: str | Path | None = None) -> PersonalDictionary:
        """Read the user's files, and those of the project that a folder belongs to.

        A relative folder has no project where the one that the program runs in is gone.
        """
        try:
            found = None if project is None else project_folder(Path(project))
        except FileNotFoundError:
            found = None
        return cls(user=user_folder(), project=found)

    def allows(self, sentence: str, edit: Edit) -> bool:
        """Whether a sentence may be changed so; not where a word is protected or the writer has dismissed it."""
        return not self._touches(sentence, edit) and not self._dismissed(sentence, edit)

    def words(self, project: bool = False) -> list[str]:
        """Return the words of the user's list, or of the project's, in the order of the file."""
        return _words(self._file(WORDS, project))

    def add(self, word: str, project: bool = False) -> bool:
        """Write a word into the user's list or the project's; False where it stands there already."""
        word = _entry(word)
        if not _PIECE.search(word) or _COMMENT.search(word):
            raise PermendError(f"{word!r} is no word")
        return self._append(self._file(WORDS, project), word, _word)

    def remove(self, word: str, project: bool = False) -> bool:
        """Take a word out of the user's list or the project's; False where it does not stand there."""
        return self._take_out(self._file(WORDS, project), lambda line: _word(line) == _plain(word))

    def ignore(self, sentence: str, edit: Edit, project: bool = False) -> bool:
        """Dismiss a finding for good, in the user's file or the project's; False where it is dismissed already."""
        file = self._file(IGNORED, project)
        line = _entry(_in_place(sentence, edit))
        return not self._dismissed(sentence, edit) and self._append(file, line, _plain)

    def ignore_id(self, id: str, project: bool = False) -> bool:  # noqa: A002
        """Dismiss a finding by the id that it was reported with; False where that is done already."""
        if not is_id(id):
            raise PermendError(
                f"{id!r} is no id of a finding, which are {_ID_BYTES * 2} digits and letters from a to f"
            )
        file = self._file(IGNORED, project)
        return id not in self._ignored and self._append(file, id, _plain)

    def ignored(self, project: bool = False) -> list[str]:
        """Return the dismissed findings of the user's file, or of the project's, as the lines that they are."""
        return _findings(self._file(IGNORED, project))

    def restore(self, finding: str, project: bool = False) -> bool:
        """Have a finding, given as its line, reported again; False where the user's file or the project's lacks it."""
        found = {_plain(finding)}.intersection(self.ignored(project))
        return self._take_out(self._file(IGNORED, project), lambda line: _plain(line) in found)

    def _append(self, file: Path, entry: str, entry_of: Callable[[str], str]) -> bool:
        """Write an entry unless a line holds it already, and look again when nobody else can write."""
        if entry in map(entry_of, read_lines(file)):
            return False
        changed = change_lines(file, lambda lines: lines if entry in map(entry_of, lines) else [*lines, entry])
        self._read()
        return changed

    def _take_out(self, file: Path, is_meant: Callable[[str], bool]) -> bool:
        if not any(map(is_meant, read_lines(file))):  # nothing is written, no folder made
            return False
        changed = change_lines(file, lambda lines: [line for line in lines if not is_meant(line)])
        self._read()
        return changed

    def _file(self, name: str, project: bool) -> Path:
        folder = self.project if project else self.user
        if folder is None:
            raise PermendError("there is no folder to keep words in: none was named, or it is gone")
        return folder / name

    def _read(self) -> None:
        folders = [folder for folder in (self.user, self.project) if folder is not None]
        words = self._given[0].union(*(_words(folder / WORDS) for folder in folders))
        ignored = self._given[1].union(*(_findings(folder / IGNORED) for folder in folders))
        self._words, self._ignored = frozenset(map(straighten, words)), frozenset(map(straighten, ignored))
        self._longest = max((len(_PIECE.findall(word)) for word in self._words), default=0)

    def _touches(self, sentence: str, edit: Edit) -> bool:
        """Whether an edit changes a protected word, or puts something inside it."""
        return any(edit.start < end and start < edit.end for start, end in self._protected(sentence))

    def _protected(self, sentence: str) -> Iterator[tuple[int, int]]:
        """Yield where protected words stand."""
        if not self._words:
            return
        pieces = [piece.span() for piece in _PIECE.finditer(sentence)]
        for place, (start, _) in enumerate(pieces):
            for _, end in pieces[place : place + self._longest]:
                if self.knows(_plain(sentence[start:end])):
                    possessive = _POSSESSIVE.match(sentence, end)
                    yield start, possessive.end() if possessive else end

    @property
    def content(self) -> tuple[list[str], list[str]]:
        """All words and dismissed findings, sorted: two dictionaries with the same content do the same."""
        return sorted(self._words), sorted(self._ignored)

    @property
    def known(self) -> frozenset[str]:
        """All protected words, with straight apostrophes."""
        return self._words

    def knows(self, word: str) -> bool:
        """Whether a word is protected."""
        word = straighten(word)
        return (
            word in self._words
            or word[:1].lower() + word[1:] in self._words
            or (word.isupper() and word.lower() in self._words)
        )

    def _dismissed(self, sentence: str, edit: Edit) -> bool:
        if not self._ignored:
            return False
        if _plain(straighten(f"{edit.before} → {edit.after}")) in self._ignored:
            return True
        if finding_id(sentence, edit) in self._ignored:
            return True
        marked = _plain(straighten(_marked(edit)))
        whole = _plain(straighten(sentence[: edit.start] + _marked(edit) + sentence[edit.end :]))
        return any(marked in line and line in whole for line in self._ignored)


Words = PersonalDictionary  # its name until 0.2


def finding_id(sentence: str, edit: Edit) -> str:
    """Return a short name for a finding in its place, the same wherever the same words stand around it."""
    return blake2b(
        straighten(_in_place(sentence, edit)).encode("utf-8", "surrogatepass"), digest_size=_ID_BYTES
    ).hexdigest()


def is_id(text: str) -> bool:
    """Whether a text can be the id of a finding.

    >>> is_id(finding_id("He go.", Edit(3, 5, "go", "goes"))), is_id("go")
    (True, False)
    """
    return bool(_ID.fullmatch(text))


def user_folder() -> Path | None:
    """Return the folder of the user's own files, where the system keeps settings; None for a user without a home."""
    try:
        return _settings()
    except RuntimeError:
        return None


def _settings() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming") / "permend"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "permend"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "permend"


def project_folder(start: Path) -> Path:
    """Return the nearest ``.permend`` upwards; where there is none, the one that `start` would have."""
    start = start.absolute()
    found = (folder / FOLDER for folder in (start, *start.parents) if (folder / FOLDER).is_dir())
    return next(found, start / FOLDER)


def _in_place(sentence: str, edit: Edit) -> str:
    """Return an edit with the words around it, as a line of the file of dismissed findings."""
    left, right = sentence[: edit.start].split(), sentence[edit.end :].split()
    near = " ".join(left[-_CONTEXT:]), " ".join(right[:_CONTEXT])
    before_space = " " if sentence[: edit.start][-1:].isspace() else ""
    behind_space = " " if sentence[edit.end :][:1].isspace() else ""
    return _plain(near[0] + before_space + _marked(edit) + behind_space + near[1]).lstrip("# ")


def _marked(edit: Edit) -> str:
    return f"[{edit.before} → {edit.after}]"


def _plain(text: str) -> str:
    """Return a text on one line, with single spaces."""
    return " ".join(text.split())


def _entry(text: str) -> str:
    """Return a line to be stored; signs that steer terminals, or that no encoding has, are refused."""
    line = _plain(text)
    if any(unicodedata.category(sign) in ("Cc", "Cs") for sign in line):
        raise PermendError(f"{line!r} holds a control character, or half a character")
    return line


def _words(file: Path) -> list[str]:
    return [word for word in map(_word, read_lines(file)) if word]


def _word(line: str) -> str:
    return _plain(_COMMENT.sub("", line))


def _findings(file: Path) -> list[str]:
    return _without_comments(read_lines(file))


def _without_comments(lines: Iterable[str]) -> list[str]:
    return [line for line in map(_plain, lines) if line and not line.startswith("#")]
