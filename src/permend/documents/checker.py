r"""A document in, findings out: what is wrong in it, where, how sure, why, and what else could stand there.

    checker = Checker(Corrector(), words=Words.load(Path.cwd()))
    for checked in checker.check(read_document("letter.md")):
        checked.findings        # (Finding(start=104, end=106, before='go', after='went', …),)
        out.write(checked.text)
    checker.check_text("He go to school yesterday.")

Offsets count from the document's beginning. Sentences in other languages, personal words and dismissed findings are
left alone; so is markup. Sentences are corrected in batches, the longest with the longest; what was corrected once is
remembered, so that checking a document again costs little more than its changed sentences. Memory does not grow with
the document. Threads may share a checker.

A sentence as its writer sees it: with the code, maths and names that a noun was shown for.

In: a sentence and the text of the document around it. Out: what a person is told, since nobody should read that a comma
is missing after a word that he never wrote.

>>> from permend.documents.paragraphs import Run
>>> text = "We run `pip` so it works."
>>> runs = (Run(0, 7, "We run ", free=True), Run(7, 12, "Python", noun=True), Run(12, 25, " so it works.", free=True))
>>> written = Written.of(Sentence("We run Python so it works.", runs), text)
>>> written.text
'We run `pip` so it works.'
>>> edit = Edit(13, 13, "", ",")
>>> written.place(edit), written.explain("A comma is missing after “Python”.", edit)
(Edit(start=12, end=12, before='', after=','), 'A comma is missing after “`pip`”.')
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Lock
from typing import TypeAlias

from permend.corrector.correction import Correction, ScoredEdit
from permend.corrector.corrector import Corrector, Options
from permend.documents import Block, Document, Sentence, is_foreign
from permend.documents.dictionary import Words, finding_id
from permend.documents.paragraphs import NOUN, VOWEL_NOUN
from permend.documents.sentence import E
from permend.errors import check_count, check_text, shown
from permend.model.networks import MOST_THREADS
from permend.text.edits import Edit
from permend.text.quotes import Style, straighten

BATCH, TOKENS = 8, 400
"""Sentences that go through the networks together, and how many tokens all of them may have: arrays of more outgrow a
processor's cache."""
FIRST, SENTENCES, BLOCKS = 16, 256, 4
"""Blocks are corrected together until they have so many sentences (few at first, so that findings come soon, then twice
as many each time, since many together are faster), or are so many."""
MEMORY = 32_000_000
"""Bytes that remembered sentences may take, about: a quarter of a million words."""

Edits: TypeAlias = tuple[ScoredEdit, ...]
_Key: TypeAlias = tuple[str, str, Options, frozenset[str]]  # sentence, language, options, personal words
_Setting: TypeAlias = tuple[str, Options]
_Map: TypeAlias = Callable[
    [Callable[[Sequence[str]], list[Correction]], Iterable[Sequence[str]]], Iterable[list[Correction]]
]


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


class Checker:
    """Checks documents with a corrector."""

    def __init__(
        self,
        corrector: Corrector,
        *,
        words: Words | None = None,
        workers: int = 1,
        batch: int = BATCH,
        memory: int = MEMORY,
    ) -> None:
        """Take a corrector; more than one of the `workers` want it loaded with ``threads=1``.

        Workers are threads, since nearly all time is spent inside the networks. Findings do not depend on their number.
        """
        if not isinstance(corrector, Corrector):
            raise TypeError(f"corrector must be a Corrector, such as Corrector(), not {shown(corrector)}")
        check_count("workers", workers, MOST_THREADS)
        check_count("batch", batch)
        check_count("memory", memory, least=0)
        self.corrector = corrector
        self.words = words or Words()
        self.workers = workers
        self._batch = batch
        self._memory = Memory(memory)

    def check(self, document: Document) -> Iterator[CheckedBlock]:
        """Yield the blocks of a document, whose texts together are the corrected document."""
        with self._working() as map_batches:
            for blocks in _windows(document):
                texts = {sentence.prose for block in blocks for sentence in block.sentences}
                edits = self._correct(texts, document.language, map_batches)
                for block in blocks:
                    yield self._checked(block, edits)

    def check_text(self, text: str, format: str = "plain") -> list[Finding]:  # noqa: A002
        """Return all findings in a text."""
        document = Document.from_text(check_text("text", text), format)
        return [each for block in self.check(document) for each in block.findings]

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

    def _correct(self, texts: Iterable[str], language: str, map_batches: _Map) -> dict[str, Edits]:
        """Return the edits of sentences; those that are remembered are not corrected again."""
        words = self.words
        key: _Setting = language, self.corrector.options
        remembered = {text: self._remembered(text, key, words) for text in texts}
        edits = {text: () if known is None else known for text, known in remembered.items()}
        new = [text for text, known in remembered.items() if known is None]
        batches = self._batches([text for text in new if not is_foreign(text, language)])
        for batch, found in zip(batches, map_batches(self._correct_batch, batches), strict=True):
            for text, each in zip(batch, found, strict=True):  # at once: a check that is broken off is not lost
                edits[text] = each.edits
                self._memory.put((text, *key, words.known if each.withheld else frozenset()), each.edits)
        return edits

    def _remembered(self, text: str, key: _Setting, words: Words) -> Edits | None:
        """Return the edits of a sentence; personal words matter only where a word was withheld that they may know."""
        known = self._memory.get((text, *key, frozenset()))
        return known if known is not None or not words.known else self._memory.get((text, *key, words.known))

    def _batches(self, texts: Sequence[str]) -> list[list[str]]:
        """Group sentences, the longest first, the same way for any number of workers."""
        lengths = {each.text: len(each.ids) for each in self.corrector.tokenizer.encode_batch(texts)}
        waiting = sorted(texts, key=lambda text: (lengths[text], text))
        batches = []
        while waiting:
            size = min(self._batch, max(1, TOKENS // lengths[waiting[-1]]))
            batches.append(waiting[-size:])
            del waiting[-size:]
        return batches

    def _correct_batch(self, texts: Sequence[str]) -> list[Correction]:
        """Correct sentences; once more with the writer's words, where one was withheld that they may know."""
        found = self.corrector.correct_batch(texts, self._batch)
        doubtful = [place for place, each in enumerate(found) if each.withheld] if self.words.known else []
        if doubtful:
            again = self.corrector.correct_batch([texts[place] for place in doubtful], self._batch, self.words.knows)
            for place, each in zip(doubtful, again, strict=True):
                found[place] = replace(each, withheld=found[place].withheld)
        return found

    def _checked(self, block: Block, edits: dict[str, Edits]) -> CheckedBlock:
        found = (self._findings(block, sentence, edits[sentence.prose]) for sentence in block.sentences)
        findings = sorted((each for group in found for each in group), key=lambda each: (each.start, each.end))
        return CheckedBlock(block, tuple(findings), block.apply(findings))

    def _findings(self, block: Block, sentence: Sentence, edits: Edits) -> list[Finding]:
        """Return the edits of a sentence that the writer and the document's markup allow."""
        if not edits:
            return []
        written = Written.of(sentence, block.text, block.start)
        findings = [_finding(sentence, written, _in_style(edit, sentence, block)) for edit in edits]
        return sentence.map_edits(findings, lambda edit: self.words.allows(written.text, written.place(edit)))


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


class Memory:
    """Edits of sentences that were corrected; those not used for longest go when there are too many."""

    def __init__(self, size: int) -> None:
        """Remember what takes about so many bytes."""
        self._size = size
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
            while self._used > self._size:
                self._used -= _bytes(*self._edits.popitem(last=False))


def _bytes(key: _Key, edits: Edits) -> int:
    """Return about how much an entry takes."""
    alternatives = sum(len(edit.alternatives) for edit in edits)
    return 500 + 4 * len(key[0]) + 800 * len(edits) + 200 * alternatives


_STAND_IN = re.compile(rf"\b(?:{NOUN}|{VOWEL_NOUN})\b")
_QUOTED = re.compile(r"(?<=“)[^”]*(?=”)")
_LONGEST = 60  # characters shown of what a noun stands for


@dataclass(frozen=True)
class Written:
    """A sentence's text, and what became of the places in its prose."""

    text: str
    prose: str
    stand_ins: tuple[tuple[int, int, str], ...]
    """Where in the prose a noun stands for something, and for what."""

    @classmethod
    def of(cls, sentence: Sentence, text: str, origin: int = 0) -> Written:
        """Take a sentence, and the text of the document from `origin` on."""
        at = 0
        parts: list[str] = []
        found: list[tuple[int, int, str]] = []
        for run in sentence.runs:
            shown = run.shown
            if not run.free and (noun := _STAND_IN.fullmatch(shown.strip())):
                what = _shortened(text[run.start - origin : run.end - origin])
                begin = at + shown.index(noun.group())
                found.append((begin, begin + len(noun.group()), what))
                shown = shown.replace(noun.group(), what)
            parts.append(shown)
            at += len(run.shown)
        return cls("".join(parts), sentence.prose, tuple(found))

    def place(self, edit: E) -> E:
        """Return an edit of the prose as one of the text."""
        start, end = (
            place + sum(len(what) - (last - first) for first, last, what in self.stand_ins if last <= place)
            for place in (edit.start, edit.end)
        )
        return replace(edit, start=start, end=end)

    def explain(self, explanation: str, edit: Edit) -> str:
        """Return an explanation of an edit of the prose that quotes what is written."""
        return _QUOTED.sub(lambda quoted: _STAND_IN.sub(lambda noun: self._named(noun, edit), quoted[0]), explanation)

    def _named(self, noun: re.Match[str], edit: Edit) -> str:
        """Return what the nearest such noun stands for; itself, where the writer wrote it."""
        same = [each.span() for each in re.finditer(rf"\b{noun[0]}\b", self.prose)]
        nearest = min(same, key=lambda span: max(span[0] - edit.end, edit.start - span[1]), default=None)
        return next((what for first, last, what in self.stand_ins if (first, last) == nearest), noun[0])


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
