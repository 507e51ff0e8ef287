"""A document in, findings out: what is wrong in it, where, how sure, why, and what else could stand there.

    checker = Checker(Corrector())
    words = PersonalDictionary.load(Path.cwd())
    for checked in checker.check(read_document("letter.md"), words):
        checked.findings        # (Finding(start=104, end=106, before='go', after='went', …),)
        out.write(checked.text)
    checker.check_text("He go to school yesterday.")

Offsets count from the document's beginning. Sentences in other languages, personal words and dismissed findings are
left alone; so is markup. Sentences are corrected in batches, the longest with the longest; what was corrected once is
remembered, so that checking a document again costs little more than its changed sentences. Memory does not grow with
the document. Threads may share a checker. Anything that corrects sentences will do (`Corrects`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from permend.corrector.correction import Correction, ScoredEdit
from permend.corrector.corrector import Known
from permend.documents.dictionary import PersonalDictionary, finding_id
from permend.documents.document import Block, Document
from permend.documents.encoding import Encoding
from permend.documents.intended import as_intended
from permend.documents.language import is_foreign
from permend.documents.sentence import Sentence
from permend.documents.written import Written
from permend.errors import check_count, check_text, shown
from permend.model.networks import MOST_THREADS, ManyAtATime
from permend.text.quotes import Style, straighten

if TYPE_CHECKING:
    from permend.corrector.explaining.language import Language

BATCH, CHARACTERS, TOGETHER = 8, 1600, 4
"""Sentences that go through the networks together, and about how many characters all of them may have: larger arrays
outgrow a processor's cache. A corrector gets several batches at a time, since it can sort them by tokens."""
ON_DEVICE = 1_024
"""How many times as much a device gets at a time, of which its corrector makes batches by tokens."""
FIRST, SENTENCES, BLOCKS = 16, 256, 4
"""Blocks are corrected together until they have so many sentences (few at first, so that findings come soon, then twice
as many each time, since many together are faster), or are so many."""
MEMORY = 32_000_000
"""Bytes that remembered sentences may take, about: a quarter of a million words."""

Edits: TypeAlias = tuple[ScoredEdit, ...]
_Key: TypeAlias = tuple[str, str, Hashable, frozenset[str]]  # sentence, language, options, personal words
_Setting: TypeAlias = tuple[str, Hashable]
_Map: TypeAlias = Callable[
    [Callable[[Sequence[str]], list[Correction]], Iterable[Sequence[str]]], Iterable[list[Correction]]
]


class Corrects(Protocol):
    """What a checker needs of a corrector."""

    @property
    def options(self) -> Hashable:
        """All that its answers depend on, beside the sentence: they are remembered under it."""

    @property
    def language(self) -> Language:
        """What it corrects."""

    def correct_batch(self, texts: Sequence[str], batch_size: int, known: Known = None) -> list[Correction]:
        """Correct sentences, so many at a time; words that are `known` may be written though no list has them."""


@dataclass(frozen=True)
class Finding(ScoredEdit):
    """An edit of a document; its offsets count from the document's beginning."""

    sentence: str = ""
    """The sentence it stands in, without its markup."""
    id: str = ""
    """A short name, by which it can be dismissed."""


@dataclass(frozen=True)
class CheckedBlock:
    """A block of a document and what is wrong in it."""

    block: Block
    findings: tuple[Finding, ...]
    """From left to right."""
    text: str
    """The block with all findings corrected."""


@dataclass(frozen=True)
class CheckedDocument:
    """A document on its way through a checker; its blocks can be gone through once."""

    name: str
    """Its path, or ``-`` for standard input."""
    blocks: Iterator[CheckedBlock]
    format: str = "plain"
    encoding: Encoding = Encoding()  # noqa: RUF009  # it is frozen


class Checker:
    """Checks documents with a corrector."""

    def __init__(
        self,
        corrector: Corrects,
        *,
        workers: int = 1,
        batch: int = BATCH,
        memory: int = MEMORY,
        cache: EditCache | None = None,
    ) -> None:
        """Take a corrector; more than one of the `workers` want it loaded with ``threads=1``.

        Workers are threads, since nearly all time is spent inside the networks. Findings do not depend on their number.
        Checkers may share a cache.
        """
        if not callable(getattr(corrector, "correct_batch", None)):
            raise TypeError(f"corrector must be a Corrector, such as Corrector(), not {shown(corrector)}")
        check_count("workers", workers, MOST_THREADS)
        check_count("batch", batch)
        check_count("memory", memory, least=0)
        self.corrector = corrector
        self.workers = workers
        self._batch = batch
        self._times = ON_DEVICE if isinstance(getattr(corrector, "networks", None), ManyAtATime) else 1
        self._cache = EditCache(memory) if cache is None else cache

    def __reduce__(self) -> tuple[Callable[..., Checker], tuple[Any, ...]]:
        """Travel to another process as its arguments; what it remembers stays here."""
        return partial(type(self), workers=self.workers, batch=self._batch, memory=self._cache.size), (self.corrector,)

    def check(self, document: Document, words: PersonalDictionary | None = None) -> Iterator[CheckedBlock]:
        """Yield the blocks of a document, whose texts together are the corrected document.

        Personal words are never changed and may be written; findings that `words` dismisses are left out.
        """
        language = document.language or self.corrector.language.code
        return self.check_blocks(replace(document, language=language), words, language)

    def check_blocks(
        self, blocks: Iterable[Block], words: PersonalDictionary | None = None, language: str = ""
    ) -> Iterator[CheckedBlock]:
        """Yield blocks with what is wrong in them, as they come."""
        words = words or PersonalDictionary()
        language = language or self.corrector.language.code
        with self._working() as map_batches:
            for window in _windows(blocks):
                yield from self._check_window(window, words, language, map_batches)

    def check_together(
        self, blocks: Sequence[Block], words: PersonalDictionary | None = None, language: str = ""
    ) -> list[CheckedBlock]:
        """Return blocks of many documents with what is wrong in them; all their sentences go in batches."""
        words, language = words or PersonalDictionary(), language or self.corrector.language.code
        with self._working() as map_batches:
            return self._check_window(blocks, words, language, map_batches)

    def _check_window(
        self, window: Sequence[Block], words: PersonalDictionary, language: str, map_batches: _Map
    ) -> list[CheckedBlock]:
        texts = {sentence.prose for block in window for sentence in block.sentences}
        edits = self._correct(texts, language, words, map_batches)
        return [self._checked(block, edits, words) for block in window]

    def check_sentences(
        self, block: Block, sentences: Iterable[Sentence], words: PersonalDictionary | None = None
    ) -> tuple[Finding, ...]:
        """Return what is wrong in some of the sentences of a block, for who cannot wait for all of them."""
        words, chosen = words or PersonalDictionary(), list(sentences)
        with self._working() as map_batches:
            texts = {sentence.prose for sentence in chosen}
            edits = self._correct(texts, self.corrector.language.code, words, map_batches)
        return self._found(block, chosen, edits, words)

    def check_text(
        self,
        text: str,
        format: str = "plain",  # noqa: A002
        words: PersonalDictionary | None = None,
    ) -> list[Finding]:
        """Return all findings in a text."""
        document = Document.from_text(check_text("text", text), format)
        return [each for block in self.check(document, words) for each in block.findings]

    @contextmanager
    def _working(self) -> Iterator[_Map]:
        """Work on batches one after the other, or on several at a time."""
        if self.workers == 1:
            yield map
            return
        pool = ThreadPoolExecutor(self.workers)
        try:
            yield pool.map
        finally:
            pool.shutdown(wait=False, cancel_futures=True)  # where the check is broken off, nobody waits for the rest

    def _correct(
        self, texts: Iterable[str], language: str, words: PersonalDictionary, map_batches: _Map
    ) -> dict[str, Edits]:
        """Return the edits of sentences; those that are remembered are not corrected again."""
        key: _Setting = language, self.corrector.options
        remembered = {text: self._remembered(text, key, words) for text in texts}
        edits = {text: () if known is None else known for text, known in remembered.items()}
        new = [text for text, known in remembered.items() if known is None]
        batches = self._batches([text for text in new if not is_foreign(text, language)])
        correct = partial(self._correct_batch, words=words)
        for batch, found in zip(batches, map_batches(correct, batches), strict=True):
            for text, each in zip(batch, found, strict=True):  # at once: a check that is broken off is not lost
                edits[text] = each.edits
                self._cache.put((text, *key, words.known if each.withheld else frozenset()), each.edits)
        return edits

    def _remembered(self, text: str, key: _Setting, words: PersonalDictionary) -> Edits | None:
        """Return the edits of a sentence; personal words matter only where a word was withheld that they may know."""
        known = self._cache.get((text, *key, frozenset()))
        return known if known is not None or not words.known else self._cache.get((text, *key, words.known))

    def _batches(self, texts: Sequence[str]) -> list[list[str]]:
        """Group sentences, the longest first, the same way for any number of workers, of which four have work."""
        waiting = sorted(texts, key=lambda text: (len(text), text))
        together = max(1, min(TOGETHER, len(waiting) // (4 * self._batch)))
        batches = []
        while waiting:
            count = together * self._size(waiting[-1])
            batches.append(waiting[-count:])
            del waiting[-count:]
        return batches

    def _size(self, longest: str) -> int:
        """Return how many sentences of that length go through the networks together."""
        return min(self._times * self._batch, max(1, self._times * CHARACTERS // len(longest)))

    def _correct_batch(self, texts: Sequence[str], words: PersonalDictionary) -> list[Correction]:
        """Correct sentences; once more with the writer's words, where one was withheld that they may know."""
        found = self.corrector.correct_batch(texts, self._size(texts[-1]))
        doubtful = [place for place, each in enumerate(found) if each.withheld] if words.known else []
        if doubtful:
            again = self.corrector.correct_batch([texts[place] for place in doubtful], self._batch, words.knows)
            for place, each in zip(doubtful, again, strict=True):
                found[place] = replace(each, withheld=found[place].withheld)
        return found

    def _checked(self, block: Block, edits: dict[str, Edits], words: PersonalDictionary) -> CheckedBlock:
        findings = self._found(block, block.sentences, edits, words)
        return CheckedBlock(block, findings, block.apply(findings))

    def _found(
        self, block: Block, sentences: Iterable[Sentence], edits: dict[str, Edits], words: PersonalDictionary
    ) -> tuple[Finding, ...]:
        found = (self._findings(block, sentence, edits[sentence.prose], words) for sentence in sentences)
        return tuple(sorted((each for group in found for each in group), key=lambda each: (each.start, each.end)))

    def _findings(self, block: Block, sentence: Sentence, edits: Edits, words: PersonalDictionary) -> list[Finding]:
        """Return the edits of a sentence that its writer and the document allow."""
        if not edits:
            return []
        written = Written.of(sentence, block.text, block.start)
        intended = as_intended(edits, sentence, block, self.corrector.language)
        findings = [_finding(sentence, written, _in_style(edit, sentence, block)) for edit in intended]
        return sentence.map_edits(findings, lambda edit: words.allows(written.text, written.place(edit)))


def _windows(blocks: Iterable[Block]) -> Iterator[list[Block]]:
    """Yield blocks together that are corrected together."""
    window: list[Block] = []
    sentences, enough = 0, FIRST
    for block in blocks:
        window.append(block)
        sentences += len(block.sentences)
        if sentences >= enough or len(window) == BLOCKS:
            yield window
            window, sentences, enough = [], 0, min(2 * enough, SENTENCES)
    if window:
        yield window


def _in_style(edit: ScoredEdit, sentence: Sentence, block: Block) -> ScoredEdit:
    """Write new apostrophes and quotation marks as the text around does, where the sentence has none to go by."""
    if straighten(sentence.prose) != sentence.prose or not {"'", '"'}.intersection(edit.after):
        return edit
    style, left = Style.of(block.text), sentence.prose[: edit.start]
    others = (replace(each, after=style.write(each.after, left)) for each in edit.alternatives)
    return replace(edit, after=style.write(edit.after, left), alternatives=tuple(others))


def _finding(sentence: Sentence, written: Written, edit: ScoredEdit) -> Finding:
    """Make a finding, of whose alternatives those remain that may stand in the very same place of the document."""
    why = written.explain(edit.explanation, edit)
    name = finding_id(written.text, written.place(edit))
    finding = Finding(**{**vars(edit), "explanation": why}, sentence=written.text, id=name)
    place = _place(sentence, finding)
    fitting = [
        each for each in edit.alternatives if place and _place(sentence, replace(finding, after=each.after)) == place
    ]
    return replace(finding, alternatives=tuple(fitting))


def _place(sentence: Sentence, finding: Finding) -> tuple[int, int] | None:
    """Return where in the document a finding stands; None where it would become another one, or several."""
    match sentence.map_edits([finding]):
        case [mapped] if mapped.before == finding.before:
            return mapped.start, mapped.end
    return None


class EditCache:
    """Edits of sentences that were corrected; those not used for longest go when there are too many."""

    def __init__(self, size: int) -> None:
        """Remember what takes about so many bytes."""
        self.size = size
        self._used = 0
        self._edits: OrderedDict[_Key, Edits] = OrderedDict()
        self._lock = Lock()

    def get(self, key: _Key) -> Edits | None:
        """Return the edits of a sentence; None where it is not remembered."""
        with self._lock:
            if key in self._edits:
                self._edits.move_to_end(key)
            return self._edits.get(key)

    def put(self, key: _Key, edits: Edits) -> None:
        """Remember the edits of a sentence."""
        with self._lock:
            if key not in self._edits:
                self._used += _bytes(key, edits)
                self._edits[key] = edits
            while self._used > self.size:
                self._used -= _bytes(*self._edits.popitem(last=False))


def _bytes(key: _Key, edits: Edits) -> int:
    """Return about how much an entry takes."""
    alternatives = sum(len(edit.alternatives) for edit in edits)
    return 500 + 4 * len(key[0]) + 800 * len(edits) + 200 * alternatives
