"""Repositories in, pairs out: the corrections that their writers made, without what is none.

In: histories. Out: `Mined` pairs, and a `Tally` of what was left out and why.

    miner = Miner(Look(), Judgement(Corrector()))
    with History("docs") as history:
        for mined in miner.mine(history):
            mined.source, mined.target, mined.types, mined.gain
    miner.tally.kept, miner.tally.dropped["rename"]

What a pair shows by itself is looked at as the history goes by; what passes waits in a temporary file, for only the
whole history tells what is a rename (the same words replaced more than five times) or was changed again. Memory holds
a hash for each such pair, and no text. The model is asked last, about few.
"""

from __future__ import annotations

import json
import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b
from itertools import islice
from tempfile import TemporaryFile
from typing import IO

from permend.documents.formats import format_of
from permend.errors import InputError
from permend.synthesis.mining.gain import LEAST_RIGHT, Judgement, least_gain
from permend.synthesis.mining.history import History, Version
from permend.synthesis.mining.reasons import Look
from permend.synthesis.mining.revised import is_revision, read_prose, revised
from permend.synthesis.targets import Tally
from permend.text.edits import diff
from permend.text.quotes import straighten

MOST_ALIKE = 5
"""How often the same words may be replaced by the same others in a repository."""
_REMEMBERED = 32  # versions
_AT_A_TIME = 64
_WORD = re.compile(r"[^\W\d_]{3,}")
_MENDING = re.compile(
    r"\b(typos?|grammar|grammatical|grammer|spelling|spell|misspell\w*|mis-?spelt|mis-?spelling|wording|reword\w*|punctuation"
    r"|proof-?read\w*|copy-?edit\w*|apostrophes?|commas?|capitali[sz]\w*|language fix\w*|nits?|editorial|clarity)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Mined:
    """A correction that somebody made."""

    source: str
    target: str
    repository: str
    commit: str
    types: list[str]
    """Types of its edits, in permend's own judgement."""
    mending: bool
    """Whether the commit's message speaks of typos, grammar, wording or the like."""
    gain: float | None = None
    """How much more right the target looks to the model than the source; None where it was not asked."""
    reason: str | None = None
    """Why it was left out."""

    def as_json(self) -> str:
        """Return a line of JSON, without what is not known."""
        return json.dumps({key: value for key, value in asdict(self).items() if value is not None}, ensure_ascii=False)


def _pass_over(mined: Mined) -> None:
    """Do nothing with what is left out."""


def _say_nothing(*numbers: int) -> None:
    """Show no progress."""


@dataclass
class Miner:
    """Finds corrections; what it has seen in one repository it leaves out of the next."""

    look: Look
    judgement: Judgement | None = None
    """Asks the model; None where it is not to be asked."""
    leave_out: Callable[[Mined], None] = _pass_over
    """Is told what is left out."""
    tally: Tally = field(default_factory=Tally.empty)
    _seen: set[bytes] = field(default_factory=set)

    def mine(
        self,
        history: History,
        name: str = "",
        looked: Callable[[int], None] = _say_nothing,
        judged: Callable[[int, int], None] = _say_nothing,
    ) -> Iterator[Mined]:
        """Yield the corrections of a repository; `looked` hears of commits, `judged` of pairs done and of all pairs.

        Where the history breaks off, what was found until then is yielded before the error is raised.
        """
        broken: InputError | None = None
        with TemporaryFile("w+", encoding="utf-8", newline="\n") as waiting:
            gathered = _Gathered(waiting)
            try:
                for mined in self._candidates(history, name or history.name, looked):
                    gathered.add(mined)
            except InputError as error:
                broken = error
            pairs = gathered.read()
            for at in range(0, gathered.count, _AT_A_TIME):
                judged(at, gathered.count)
                some = islice(pairs, _AT_A_TIME)
                yield from self._judge([self._placed(mined, gathered) for mined in some])
        if broken is not None:
            raise broken

    def _candidates(self, history: History, name: str, looked: Callable[[int], None]) -> Iterator[Mined]:
        """Yield what shows no reason to be left out by itself, each pair once."""
        versions = _Versions(history, self.look.language)
        for commit in history.commits():
            mending = bool(_MENDING.search(commit.message))
            for version in commit.changes:
                for source, target in versions.revised(version):
                    reason, types = self.look(source, target)
                    digest = _hash(source, target)
                    if reason is None and digest in self._seen and "duplicate" not in self.look.kept:
                        reason = "duplicate"
                    mined = Mined(source, target, name, commit.id, types, mending, reason=reason)
                    if not types:  # only the look of spaces and quotation marks has changed
                        continue
                    if reason is None:
                        self._seen.add(digest)
                        yield mined
                    else:
                        self._drop(mined)
            looked(1)

    def _drop(self, mined: Mined) -> None:
        self.tally.dropped[str(mined.reason)] += 1
        self.leave_out(mined)

    def _placed(self, mined: Mined, gathered: _Gathered) -> Mined:
        """Give a pair the reason to leave it out that the whole history gives."""
        if "again" not in self.look.kept and gathered.is_source(mined.target):
            return replace(mined, reason="again")
        if "rename" not in self.look.kept and gathered.is_rename(mined):
            return replace(mined, reason="rename")
        return mined

    def _judge(self, some: list[Mined]) -> Iterator[Mined]:
        """Yield the pairs that the model lets pass."""
        if self.judgement is not None:
            some = [self._expressed(mined, self.judgement) for mined in some]
            asked = [mined for mined in some if mined.reason is None]
            weighed = iter(self.judgement.weigh([(mined.source, mined.target) for mined in asked]))
            some = [mined if mined.reason else self._weighed(mined, *next(weighed)) for mined in some]
        for mined in some:
            if mined.reason is None:
                self.tally.kept += 1
                yield mined
            else:
                self._drop(mined)

    def _expressed(self, mined: Mined, judgement: Judgement) -> Mined:
        if mined.reason or "inexpressible" in self.look.kept or judgement.can_express(mined.source, mined.target):
            return mined
        return replace(mined, reason="inexpressible")

    def _weighed(self, mined: Mined, target: float, gain: float) -> Mined:
        reason = None
        if target < LEAST_RIGHT and "target" not in self.look.kept:
            reason = "target"
        elif gain < least_gain(mined.types, mined.mending) and "gain" not in self.look.kept:
            reason = "gain"
        return replace(mined, gain=gain, reason=reason)


@dataclass
class _Versions:
    """Reads versions of documents; some are kept, since what a commit changed is what an earlier one had made."""

    history: History
    language: str
    _prose: OrderedDict[tuple[str, str], list[str]] = field(default_factory=OrderedDict)

    def revised(self, version: Version) -> list[tuple[str, str]]:
        """Return the sentences that a commit changed in a file."""
        old, new = self.history.read(version.before), self.history.read(version.behind)
        if old is None or new is None or not is_revision(old, new):
            return []
        sides = self._read(version.before, old, version.path), self._read(version.behind, new, version.path)
        return revised(*sides, self.language)

    def _read(self, version: str, text: str, path: str) -> list[str]:
        key = version, format_of(path)
        if key not in self._prose:
            self._prose[key] = read_prose(text, key[1])
        self._prose.move_to_end(key)
        if len(self._prose) > _REMEMBERED:
            self._prose.popitem(last=False)
        return self._prose[key]


class _Gathered:
    """Pairs that wait in a file until the history is known."""

    def __init__(self, file: IO[str]) -> None:
        """Take a file for them."""
        self._file = file
        self._sources: set[bytes] = set()
        self._replacements: Counter[bytes] = Counter()
        self.count = 0

    def add(self, mined: Mined) -> None:
        """Put a pair away."""
        self._file.write(mined.as_json() + "\n")
        self._sources.add(_hash(mined.source))
        self._replacements.update(_replacements(mined))
        self.count += 1

    def read(self) -> Iterator[Mined]:
        """Yield the pairs again."""
        self._file.seek(0)
        return (Mined(**json.loads(line)) for line in self._file)

    def is_source(self, text: str) -> bool:
        """Whether a sentence is the source of a pair, too."""
        return _hash(text) in self._sources

    def is_rename(self, mined: Mined) -> bool:
        """Whether some words of a pair are replaced by the same others again and again."""
        return any(self._replacements[each] > MOST_ALIKE for each in _replacements(mined))


def _replacements(mined: Mined) -> Iterable[bytes]:
    """Return what replaces words of content; the same misspelling may well be found many times."""
    edits = diff(straighten(mined.source), straighten(mined.target))
    for edit, kind in zip(edits, mined.types, strict=True):
        if kind[2:] not in _OFTEN and _WORD.search(edit.before) and _WORD.search(edit.after):
            yield _hash(edit.before.strip().lower(), edit.after.strip().lower())


_OFTEN = ("SPELL", "DET", "PREP", "PRON", "CONJ", "PUNCT", "CONTR", "VERB:SVA", "PART", "VERB:TENSE", "VERB:FORM")
"""Types whose replacements come again and again without being renames."""


def _hash(*texts: str) -> bytes:
    joined = "\0".join(texts).encode("utf-8", "surrogatepass")
    return blake2b(joined, digest_size=8).digest()
