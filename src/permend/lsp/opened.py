"""A text that an editor shows, and what is known of it: which sentences to check next, and what they have.

In: texts, settings, words; pieces of the text as they are read, findings as they come. Out: what is to be checked next,
and all findings that are known, from the beginning of the text to its end.

    document.change(text, version)
    document.take_pieces(document.revision, "markdown", pieces)
    document.next_sentences()           # of the last of the pieces that wait
    document.take_findings(document.revision, piece, which, findings)
    for start, end, finding in document.found(): ...

What belongs to an older revision is not taken. All of this runs in the event loop.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from permend.documents.checker import Finding
from permend.documents.dictionary import PersonalDictionary
from permend.documents.rereading import Piece
from permend.lsp.settings import Settings
from permend.lsp.text import EditorText
from permend.text.edits import move_together

TOGETHER = 1.0
"""Seconds for which a report waits until all that a change has touched is checked: else findings would flicker."""
MOST = 32
"""Sentences of a text just opened that are checked at once: one, then two, four, … up to so many, or to a piece's end.
Each by itself would take a fifth longer (docs/decisions/0021)."""


class Found(NamedTuple):
    """A finding and where it stands in the document."""

    start: int
    end: int
    finding: Finding


class OpenDocument:
    """A text that an editor shows, and what is known of it."""

    def __init__(
        self, uri: str, language: str, text: EditorText, version: int | None, path: Path | None = None
    ) -> None:
        self.uri, self.language, self.path = uri, language, path
        self.text, self.version = text, version
        self.settings, self.words = Settings(), PersonalDictionary()
        self.format: str | None = None
        self.revision = 0
        self.pieces: list[Piece] = []
        self.waiting: list[Piece] = []
        """Pieces that are still to be checked, the next one last."""
        self._read = -1  # the revision that the pieces belong to
        self._touched: set[Piece] = set()  # pieces that the last change has touched
        self._since = 0.0  # when they were read
        self._findings: dict[Piece, tuple[Finding, ...]] = {}
        self._parts: dict[Piece, tuple[int, tuple[Finding, ...]]] = {}  # sentences that were checked, what they have
        self._at_once = 1
        self._watching: list[asyncio.Future[bool]] = []

    @property
    def is_read(self) -> bool:
        """Whether the pieces are those of the text."""
        return self._read == self.revision

    @property
    def is_settled(self) -> bool:
        """Whether all is known of it."""
        return self.format is None or (self.is_read and not self.waiting)

    def change(self, text: EditorText, version: int | None) -> None:
        """Take another text."""
        self.text, self.version = text, version
        self._begin_again()
        self._answer(False)

    def set(self, settings: Settings, format: str | None, words: PersonalDictionary) -> bool:  # noqa: A002
        """Take settings and words; return whether anything is to be checked again for them."""
        before = self.settings, self.format, self.words
        self.settings, self.format, self.words = settings, format, words
        if (settings, format) == before[:2] and words is before[2]:
            return False
        if format != before[1]:
            self.pieces = []
        self._findings, self._parts = {}, {}
        self._begin_again()
        return True

    def _begin_again(self) -> None:
        self.revision += 1
        self.waiting = []

    def take_pieces(self, revision: int, form: str, pieces: list[Piece]) -> None:
        """Take what was read of a revision of the text in a format."""
        if form != self.format:
            return
        old, self.pieces = set(self.pieces), pieces  # of an older revision they help to read the next one
        if revision != self.revision:
            return
        self._read = revision
        self._findings = {piece: self._findings[piece] for piece in pieces if piece in self._findings}
        self._parts = {piece: self._parts[piece] for piece in pieces if piece in self._parts}
        unknown = dict.fromkeys(piece for piece in pieces if piece not in self._findings)
        new = [piece for piece in unknown if piece not in old]  # what has just been written comes first
        self._touched, self._since = set(new) if old else set(), time.monotonic()
        self.waiting = [*new, *(piece for piece in unknown if piece in old)][::-1]
        self._at_once = self._at_once if old else 1

    def next_sentences(self) -> slice:
        """Return which sentences of the next piece to check: all that a change has touched, else few at first."""
        piece = self.waiting[-1]
        begin = self._parts.get(piece, (0, ()))[0]
        return slice(begin, None if piece in self._touched else begin + self._at_once)

    def take_findings(self, revision: int, piece: Piece, which: slice, findings: tuple[Finding, ...]) -> None:
        """Take what was found in some sentences of a piece, the first ones that were not checked."""
        if revision != self.revision:
            return
        before = self._parts.pop(piece, (0, ()))[1]
        together = tuple(sorted((*before, *findings), key=lambda each: (each.start, each.end)))
        self._at_once = min(2 * self._at_once, MOST)
        if which.stop is not None and which.stop < len(piece.block.sentences):
            self._parts[piece] = which.stop, together
        else:
            self._findings[piece] = together
            self.waiting = [each for each in self.waiting if each is not piece]

    @property
    def has_findings(self) -> bool:
        """Whether a part of it, at least, was checked."""
        return self.is_read and (bool(self._parts) or len(self.waiting) < len(self.pieces))

    @property
    def is_between(self) -> bool:
        """Whether a change is checked in part: what is known of it would take back more than the change did."""
        is_recent = time.monotonic() - self._since < TOGETHER
        return is_recent and bool(self.waiting) and self.waiting[-1] in self._touched

    def give_up(self) -> None:
        """Leave what is not checked yet as it is, until the next change."""
        self.waiting = []

    def found(self) -> Iterator[Found]:
        """Yield what is known and reported, from the beginning of the text to its end."""
        at = 0
        for piece in self.pieces if self.is_read and self.format else ():
            known = self._findings.get(piece) or self._parts.get(piece, (0, ()))[1]
            for each in reported(known, self.settings):
                yield Found(at + each.start, at + each.end, each)
            at += len(piece.block.text)

    async def watch(self) -> bool:
        """Wait until all is known; return False where the text has changed or is gone."""
        if self.is_settled:
            return True
        watching: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._watching.append(watching)
        try:
            return await watching
        finally:
            if watching in self._watching:
                self._watching.remove(watching)

    def tell_settled(self) -> None:
        """Wake up who waits."""
        self._answer(True)

    def close(self) -> None:
        """Have nobody wait any longer."""
        self.revision += 1
        self.waiting, self.format = [], None
        self._answer(False)

    def _answer(self, answer: bool) -> None:
        watching, self._watching = self._watching, []
        for each in watching:
            if not each.done():
                each.set_result(answer)


def reported(findings: tuple[Finding, ...], settings: Settings) -> Iterable[Finding]:
    """Return findings whose types are allowed, and of words that are moved both halves or none."""
    left = [each for each in findings if not settings.allows(each.type)] if settings.disabled_types else []
    while left:
        findings = tuple(each for each in findings if each not in left)
        left = [each for each in findings if any(is_one_move(each, other) for other in left)]
    return findings


def is_one_move(finding: Finding, other: Finding) -> bool:
    """Whether two findings make sense together only."""
    return finding.sentence == other.sentence and move_together(finding, other)
