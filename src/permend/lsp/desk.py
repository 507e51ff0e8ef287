"""The desk: open documents on it, the one changed last on top; one worker thread checks a few sentences at a time.

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
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from permend.documents.checker import Finding
from permend.documents.dictionary import PersonalDictionary
from permend.documents.rereading import Piece
from permend.errors import PermendError
from permend.lsp.engine import Engine, Interrupted
from permend.lsp.opened import OpenDocument
from permend.lsp.settings import Settings

logger = logging.getLogger(__name__)
T = TypeVar("T")

OFTEN = 0.1
"""Seconds between two reports on a check that goes on."""


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
        """Read a document, or check some sentences of it, and tell what is new."""
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
                which = document.next_sentences()
                findings = await self._in_thread(lambda: self._check(piece, settings, words, which))
                document.take_findings(revision, piece, which, findings)
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

    def _check(self, piece: Piece, settings: Settings, words: PersonalDictionary, which: slice) -> tuple[Finding, ...]:
        """Check sentences of a piece in the thread; those that break the checker have no findings."""
        try:
            return self._engine.check(piece, settings, words, which)
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
