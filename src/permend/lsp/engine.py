"""What finds errors in the pieces of documents, outside of the thread that talks with the editor.

In: a piece of a text, the settings and the words that hold for it. Out: its findings, counted from its beginning. Work
can be broken off between two batches of sentences; what was corrected until then is remembered.

    engine = Engine(ModelLoader())
    engine.read("He go home.", "plain", [])
    engine.check(piece, Settings(), PersonalDictionary())
    engine.interrupt()          # from another thread: `check` raises `Interrupted`

One model is loaded, whatever the settings; each mode and least confidence has a checker, which remembers sentences.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, TypeAlias

from permend.corrector.correction import Correction
from permend.documents.checker import Checker, Corrects, Finding
from permend.documents.dictionary import PersonalDictionary
from permend.documents.rereading import Piece, read_pieces
from permend.errors import PermendError
from permend.lsp.settings import Settings

if TYPE_CHECKING:
    from permend.corrector.corrector import Corrector, Known
    from permend.corrector.explaining.language import Language

Load: TypeAlias = Callable[[str | None, float | None], Corrects]
"""Makes a corrector for a mode and a least confidence."""
CHECKERS = 4
"""Checkers that are kept, each with its memory."""
MEMORY = 16_000_000
"""Bytes that each may remember, about: a hundred thousand words."""
ALL = slice(None)
"""All sentences."""


class Interrupted(Exception):  # noqa: N818  # nothing is wrong
    """There is something else to do first."""


class Engine:
    """Reads and checks; used by one thread at a time."""

    def __init__(self, load: Load) -> None:
        """Take what makes correctors; none is made before it is needed."""
        self._load = load
        self._checkers: OrderedDict[tuple[str | None, float | None], Checker] = OrderedDict()
        self._interrupted = Event()

    def interrupt(self) -> None:
        """Have the check that is under way break off."""
        self._interrupted.set()

    def resume(self) -> None:
        """Let the next check begin."""
        self._interrupted.clear()

    def warm_up(self, settings: Settings) -> None:
        """Load the model."""
        self._checker(settings)

    def read(self, text: str, format: str, known: Iterable[Piece]) -> list[Piece]:  # noqa: A002
        """Read a text of which pieces are known."""
        return read_pieces(text, format, known=known)

    def check(
        self, piece: Piece, settings: Settings, words: PersonalDictionary, which: slice = ALL
    ) -> tuple[Finding, ...]:
        """Return what is wrong in a piece, or in some of its sentences, or raise `Interrupted`."""
        return self._checker(settings).check_sentences(piece.block, piece.block.sentences[which], words)

    def _checker(self, settings: Settings) -> Checker:
        key = settings.mode, settings.min_confidence
        if key not in self._checkers:
            corrector = _Interruptible(self._load(*key), self._interrupted)
            self._checkers[key] = Checker(corrector, memory=MEMORY)
        self._checkers.move_to_end(key)
        while len(self._checkers) > CHECKERS:
            self._checkers.popitem(last=False)
        return self._checkers[key]


class _Interruptible:
    """A corrector that looks up before every batch."""

    def __init__(self, corrector: Corrects, interrupted: Event) -> None:
        self._corrector, self._interrupted = corrector, interrupted

    @property
    def options(self) -> Hashable:
        return self._corrector.options

    @property
    def language(self) -> Language:
        return self._corrector.language

    def correct_batch(self, texts: Sequence[str], batch_size: int, known: Known = None) -> list[Correction]:
        if self._interrupted.is_set():
            raise Interrupted
        return self._corrector.correct_batch(texts, batch_size, known)


class ModelLoader:
    """Makes correctors from a model folder, or from the installed model, all with the same networks."""

    def __init__(self, folder: str | None = None, mode: str | None = None) -> None:
        """Take a folder, and the mode where none is set."""
        self._folder, self._mode = folder, mode
        self._first: Corrector | None = None
        self._lock = Lock()

    def begin(self) -> None:
        """Load the model in a thread, while other things are loaded; what is wrong is told when it is used."""

        def load() -> None:
            with suppress(PermendError):
                self._load()

        Thread(target=load, name="permend-load").start()  # no daemon: the process must not end inside of it

    def __call__(self, mode: str | None, min_confidence: float | None) -> Corrector:
        """Make a corrector."""
        from permend.corrector.corrector import Corrector
        from permend.model.options import read_modes
        from permend.model.pretrained import installed_model

        first = self._load()
        folder = installed_model() if self._folder is None else Path(self._folder)
        options = first.options if mode is None else read_modes(folder).options(mode)
        if min_confidence is not None:
            options = replace(options, min_confidence=min_confidence)
        return Corrector.of(first.networks, first.tokenizer, options, first.calibration)

    def _load(self) -> Corrector:
        from permend.corrector.corrector import Corrector

        with self._lock:
            if self._first is None:
                self._first = Corrector(self._folder, mode=self._mode, threads=1)
            return self._first
