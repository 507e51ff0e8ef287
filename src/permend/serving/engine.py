"""Texts in, findings out, for many clients at a time: what every way into the server asks.

    engine = Engine(Corrector(threads=1), Settings())
    async with engine.admit(len(text)) as ticket:                    # `BusyError` when there is too much to do
        async for checked in engine.check(document, ticket):         # blocks, as they are done
            ...

Each check runs in a thread of its own and waits for its sentences, which go through the networks in batches with those
of others (`batching`). Whoever leaves the block early, because its client has gone, frees what was still to be done.
"""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from permend.corrector.corrector import Corrector
from permend.corrector.trace import Trace, trace
from permend.documents.checker import CheckedBlock, Checker, EditCache
from permend.documents.dictionary import PersonalDictionary
from permend.documents.document import Document
from permend.errors import ArgumentError, PermendError
from permend.model.folder import read_card
from permend.model.options import DEFAULT, Modes, read_modes
from permend.model.pretrained import model_folder
from permend.serving.batching import Batcher, Ticket
from permend.serving.metrics import Metrics
from permend.serving.settings import Settings
from permend.text.edits import Edit

if TYPE_CHECKING:
    from permend.corrector.correction import Correction
    from permend.documents.checker import Edits, _Key

T = TypeVar("T")
_TOGETHER = 32  # sentences that a check hands in at a time
MEMORY = 16_000_000
"""Bytes that remembered sentences may take in all processes together, about: a hundred thousand words."""


class BusyError(PermendError):
    """There is too much to do already."""

    seconds = 1
    """After which to ask again."""


class ReadOnlyError(PermendError):
    """Nothing can be written down here."""


class TooLongError(PermendError):
    """A text is longer than it may be."""


class Engine:
    """Checks texts with a model in its modes."""

    def __init__(
        self, corrector: Corrector, settings: Settings, modes: Modes | None = None, name: str = "a model"
    ) -> None:
        """Take a corrector with the options of the settings' mode, and the model's other modes and its name."""
        self.settings = settings
        self.name = name
        self.modes = modes or Modes()
        self._corrector = corrector
        self._correctors = {name: self._in_mode(name) for name in self.modes.modes}
        self.metrics = Metrics()
        self._cache = _CountingCache(self.metrics, MEMORY // settings.workers)
        self._in_hand = 0

    @classmethod
    def load(cls, settings: Settings, model: str | Path | None = None) -> Engine:
        """Load a model folder, or the model that is installed with permend."""
        folder = model_folder(model)
        modes = read_modes(folder)
        mode = settings.mode if settings.mode in modes.modes or settings.mode != DEFAULT else None
        return cls(Corrector(model, mode=mode, threads=1), settings, modes, read_card(folder).title)

    @cached_property
    def _batcher(self) -> Batcher:  # when it is first asked for: threads do not outlive a fork
        return Batcher(self.settings.threads, self.metrics.batch)

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.settings.queue + 4, "permend-checks")

    @property
    def language(self) -> str:
        """The code of the language that is corrected."""
        return self._corrector.language.code

    @property
    def in_hand(self) -> int:
        """How many checks are under way or waiting."""
        return self._in_hand

    def warm_up(self) -> None:
        """Load all that the first sentence needs."""
        self._corrector.correct("He go to school yesterday .")

    def close(self) -> None:
        """End all threads."""
        self._batcher.close()
        self._pool.shutdown()

    def words(self) -> PersonalDictionary:
        """Read the words and dismissed findings, which other programs may have changed."""
        return PersonalDictionary.load(Path())

    async def change_words(self, change: Callable[[PersonalDictionary], T]) -> T:
        """Write a word or a dismissed finding down, or take one out."""
        if self.settings.read_only:
            raise ReadOnlyError("this server keeps no words and no dismissed findings of its users")
        try:
            return await self.run(lambda: change(self.words()))
        except OSError as error:
            raise ReadOnlyError(f"the file of words cannot be written: {error.strerror or error}") from None

    def corrector(self, mode: str | None) -> Corrector:
        """Return what corrects in a mode."""
        if mode is None or (not self._correctors and mode == self.settings.mode):
            return self._correctors.get(self.settings.mode, self._corrector)
        if mode not in self._correctors:
            raise ArgumentError(f"there is no mode {mode!r}: choose from {', '.join(self._correctors) or 'none'}")
        return self._correctors[mode]

    def _in_mode(self, name: str) -> Corrector:
        corrector = self._corrector
        options = self.modes.options(name)
        return Corrector.of(corrector.networks, corrector.tokenizer, options, corrector.calibration)

    @asynccontextmanager
    async def admit(
        self, characters: int, mode: str | None = None, least: float | None = None
    ) -> AsyncIterator[Ticket]:
        """Take on a text of so many characters, or refuse it; edits below a probability of `least` are left out."""
        limit = self.settings.max_characters
        if characters > limit:
            raise TooLongError(f"Your text exceeds the limit of {limit} characters (it's {characters} characters).")
        corrector = self._at_least(self.corrector(mode), least)
        if self._in_hand >= self.settings.queue:
            self.metrics.refused.inc()
            raise BusyError("there is too much to do at the moment: ask again in a second")
        ticket = Ticket(self._batcher, corrector, time.monotonic() + self.settings.timeout)
        self._in_hand += 1
        self.metrics.in_hand.inc()
        try:
            yield ticket
            self.metrics.characters.inc(characters)
        finally:
            ticket.cancel()
            self._in_hand -= 1
            self.metrics.in_hand.dec()

    def _at_least(self, corrector: Corrector, least: float | None) -> Corrector:
        if least is None or least <= corrector.options.min_confidence:
            return corrector
        options = dataclasses.replace(corrector.options, min_confidence=least)
        return Corrector.of(corrector.networks, corrector.tokenizer, options, corrector.calibration)

    async def check(self, document: Document, ticket: Ticket) -> AsyncIterator[CheckedBlock]:
        """Yield the blocks of a document with what is wrong in them."""
        checker = Checker(ticket, batch=_TOGETHER, cache=self._cache)

        def blocks() -> Iterable[CheckedBlock]:
            for checked in checker.check(document, self.words()):
                self.metrics.findings.inc(len(checked.findings))
                yield checked
                ticket.check_time()

        async for checked in self._stream(blocks):
            yield checked

    async def correct(self, sentences: list[str], ticket: Ticket) -> list[Correction]:
        """Correct sentences, each as it is; personal words and what was dismissed are left alone."""

        def work() -> list[Correction]:
            words = self.words()
            found = ticket.correct_batch(sentences, known=words.knows if words.known else None)
            return [each.without(partial(_is_kept, words, each.source)) for each in found]

        return await self.run(work)

    async def trace(self, sentence: str, mode: str | None) -> Trace:
        """Return how a sentence is decided."""
        corrector = self.corrector(mode)
        return await self.run(lambda: trace(corrector, sentence))

    async def run(self, work: Callable[[], T]) -> T:
        """Do something in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    async def _stream(self, work: Callable[[], Iterable[T]]) -> AsyncIterator[T]:
        """Go through something in a thread, and yield what it yields."""
        loop = asyncio.get_running_loop()
        found: asyncio.Queue[T | None] = asyncio.Queue()

        def go_through() -> None:
            try:
                for each in work():
                    loop.call_soon_threadsafe(found.put_nowait, each)
            finally:
                loop.call_soon_threadsafe(found.put_nowait, None)

        done = loop.run_in_executor(self._pool, go_through)
        try:
            while (each := await found.get()) is not None:
                yield each
            await done
        finally:
            done.add_done_callback(_forget)


def _is_kept(words: PersonalDictionary, sentence: str, edit: Edit) -> bool:
    return not words.allows(sentence, edit)


def _forget(done: asyncio.Future[None]) -> None:
    """Look at an error that nobody waits for, so that nobody is told about it."""
    if not done.cancelled():
        done.exception()


class _CountingCache(EditCache):
    """Counts what is remembered."""

    def __init__(self, metrics: Metrics, size: int) -> None:
        super().__init__(size)
        self._metrics = metrics

    def get(self, key: _Key) -> Edits | None:
        edits = super().get(key)
        if edits is not None:
            self._metrics.remembered.inc()
        return edits
