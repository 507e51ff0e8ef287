"""The desk: open documents on it, the one changed last on top, and one worker thread that checks piece by piece.

In: documents that are opened, changed and closed. Out: each time that more is known of one, `on_progress` is told; who
needs all findings of a document waits for it (`OpenDocument.watch`).

    desk = Desk(engine, on_progress=publish)
    desk.put(document)                  # read it, check what is not known, tell after every few sentences
    document.change(text, version)
    desk.put(document)                  # once more: the check of the older text is broken off
    await document.watch()              # False where it has changed meanwhile

All of this runs in the event loop; only reading and checking run in the thread, on things that never change. So there
is nothing to lock: what comes back for an older revision of a document is not used, and is remembered all the same.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple, TypeVar

from permend.documents.checker import Finding
from permend.documents.dictionary import PersonalDictionary
from permend.documents.rereading import Piece
from permend.errors import PermendError
from permend.lsp.engine import Engine, Interrupted
from permend.lsp.settings import Settings
from permend.lsp.text import EditorText
from permend.text.edits import move_together

logger = logging.getLogger(__name__)
T = TypeVar("T")

OFTEN = 0.1
"""Seconds between two reports on a check that goes on."""
TOGETHER = 1.0
"""Seconds for which a report waits until all that a change has touched is checked: else findings would flicker."""


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
        self._findings = {}
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
        unknown = dict.fromkeys(piece for piece in pieces if piece not in self._findings)
        new = [piece for piece in unknown if piece not in old]  # what has just been written comes first
        self._touched, self._since = set(new) if old else set(), time.monotonic()
        self.waiting = [*new, *(piece for piece in unknown if piece in old)][::-1]

    def take_findings(self, revision: int, piece: Piece, findings: tuple[Finding, ...]) -> None:
        """Take what was found in a piece."""
        if revision == self.revision:
            self._findings[piece] = findings
            self.waiting = [each for each in self.waiting if each is not piece]

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
            for each in reported(self._findings.get(piece, ()), self.settings):
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


class Desk:
    """Has documents checked."""

    def __init__(
        self,
        engine: Engine,
        on_progress: Callable[[OpenDocument], None],
        on_trouble: Callable[[PermendError], None] = lambda error: None,
    ) -> None:
        """Take what checks, who is told of progress, and who is told that nothing can be checked."""
        self._engine, self._tell, self._tell_trouble = engine, on_progress, on_trouble
        self._stack: list[OpenDocument] = []  # the next one last
        self._wake = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="permend-check")
        self._working: asyncio.Task[None] | None = None
        self._told: dict[OpenDocument, float] = {}

    def start(self) -> None:
        """Begin to work."""
        if self._working is None:
            self._working = asyncio.get_running_loop().create_task(self._work())

    def stop(self) -> None:
        """Work no more."""
        if self._working is not None:
            self._working.cancel()
        self._engine.interrupt()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def warm_up(self, settings: Settings) -> None:
        """Load the model, so that it is there when the first document comes."""
        loading = asyncio.get_running_loop().run_in_executor(self._thread, self._engine.warm_up, settings)
        loading.add_done_callback(lambda done: done.cancelled() or done.exception())  # told when it is needed

    def put(self, document: OpenDocument, below: bool = False) -> None:
        """Have a document checked, before all others or after them."""
        if document in self._stack:
            self._stack.remove(document)
        if below:
            self._stack.insert(0, document)
        else:
            self._stack.append(document)
            self._engine.interrupt()
        self._wake.set()

    def remove(self, document: OpenDocument) -> None:
        """Forget a document."""
        if document in self._stack:
            self._stack.remove(document)
        self._told.pop(document, None)
        document.close()
        self._engine.interrupt()

    async def _work(self) -> None:
        while True:
            while not self._stack:
                self._wake.clear()
                await self._wake.wait()
            self._engine.resume()
            try:
                await self._step(self._stack[-1])
            except Interrupted:
                continue
            except Exception as error:  # a bug: what it says may hold the writer's words
                logger.error("a document cannot be checked: %s", type(error).__name__)
                self.remove(self._stack[-1])

    async def _step(self, document: OpenDocument) -> None:
        """Read a document, or check a piece of it, and tell what is new."""
        revision, form, text, known = document.revision, document.format, document.text.content, document.pieces
        if form is None:
            self._finish(document)
            return
        has_news = document.is_read  # what was read is none: findings of changed pieces would vanish for a moment
        try:
            if not document.is_read:
                pieces = await self._in_thread(lambda: self._read(text, form, known))
                document.take_pieces(revision, form, pieces)
            elif document.waiting:
                piece, settings, words = document.waiting[-1], document.settings, document.words
                findings = await self._in_thread(lambda: self._check(piece, settings, words))
                document.take_findings(revision, piece, findings)
        except PermendError as error:
            logger.error("documents cannot be checked: %s", error)
            self._tell_trouble(error)
            document.take_pieces(revision, form, [])
        if document.revision == revision and (has_news or document.is_settled):
            self._report(document)

    def _read(self, text: str, form: str, known: list[Piece]) -> list[Piece]:
        """Read a text in the thread; one that breaks the reader has nothing to check."""
        try:
            return self._engine.read(text, form, known)
        except PermendError:
            raise
        except Exception as error:  # a bug: what it says may hold the writer's words
            logger.error("a text of %d characters cannot be read: %s", len(text), type(error).__name__)
            return []

    def _check(self, piece: Piece, settings: Settings, words: PersonalDictionary) -> tuple[Finding, ...]:
        """Check a piece in the thread; one that breaks the checker has no findings."""
        try:
            return self._engine.check(piece, settings, words)
        except (Interrupted, PermendError):
            raise
        except Exception as error:  # a bug: what it says may hold the writer's words
            logger.error("a piece of %d characters cannot be checked: %s", len(piece.block.text), type(error).__name__)
            return ()

    def _report(self, document: OpenDocument) -> None:
        if document.is_settled:
            self._finish(document)
        elif not document.is_between and time.monotonic() - self._told.get(document, 0) >= OFTEN:
            self._told[document] = time.monotonic()
            self._tell(document)

    def _finish(self, document: OpenDocument) -> None:
        if document in self._stack:
            self._stack.remove(document)
        self._told.pop(document, None)
        self._tell(document)
        document.tell_settled()

    async def _in_thread(self, action: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, action)


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
