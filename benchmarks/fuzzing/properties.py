"""What must hold for every document, whatever is in it and whatever a corrector does with it.

In: a `Case`. Out: how many edits were made of it; `Broken`, or the error itself, where something does not hold.

    examine(make_case(0, 7), seed=0)

Nothing but a `PermendError` is ever raised. The blocks are the document, and written again it has the same bytes. Edits
read what stands there, lie in stretches that are free, each inside one, and change nothing else. Personal words stay,
and a finding that was dismissed does not come again. Every report has every finding (`report_properties`).
"""

from __future__ import annotations

import io
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise

from tree_sitter import Parser

from benchmarks.fuzzing.broken import Broken, hold
from benchmarks.fuzzing.inputs import Case
from benchmarks.fuzzing.report_properties import examine_reports
from benchmarks.fuzzing.stand_in import StandIn
from permend.corrector.corrector import Corrector
from permend.documents import Document, Encoding, read_document
from permend.documents.checker import CheckedBlock, Checker, Finding
from permend.documents.comments.grammars import load_grammar
from permend.documents.comments.source import Source
from permend.documents.dictionary import PersonalDictionary
from permend.documents.formats import SOURCE_FORMATS
from permend.errors import PermendError

__all__ = ["Broken", "examine"]

_EMPTY = 10  # one in so many documents without findings has its reports written
_WORD = re.compile(r"\w+")


class _Dripping(io.BytesIO):
    """A file that hands out few bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__(data)
        self._most = size

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(self._most)


def examine(case: Case, seed: int, corrector: Corrector | None = None, patch: bool = False) -> int:
    """Check a document, look at everything that comes out, and return the number of edits; -1 where it is refused."""
    checker, words = Checker(corrector or StandIn(seed, case.options, case.hostile)), PersonalDictionary(case.words)
    try:
        document, data = _open(case)
        blocks = list(checker.check(document, words))
    except PermendError as error:
        hold(_may_be_refused(case), f"refused: {error}")
        return -1
    text = "".join(each.block.text for each in blocks)
    _examine_bytes(case, document.encoding, text, data)
    findings = [finding for each in blocks for finding in each.findings]
    _examine_edits(text, blocks)
    if case.format in SOURCE_FORMATS:
        _examine_code(case.format, text, "".join(each.text for each in blocks))
    _examine_words(text, blocks, case.words)
    if case.dismiss is not None and findings:
        _examine_dismissal(case, checker, text, findings[case.dismiss % len(findings)])
    if findings or case.number % _EMPTY == 0:
        examine_reports(text, [_writable(each, document.encoding) for each in blocks], document, patch)
    return len(findings)


def _open(case: Case) -> tuple[Document, bytes | None]:
    """Return the document, and the bytes that it is read from."""
    text, size = case.text, case.chunk
    if case.encoding is None:
        return Document([text[at : at + size] for at in range(0, len(text), size)], case.format), None
    name, mark, given = case.encoding
    encoding = Encoding("utf-8" if name == "utf-8-sig" else name, mark)
    try:
        data = encoding.encode(text)
    except PermendError:
        hold(not encoding.can_write(text), "refused to encode what can be encoded")
        data = text.encode(encoding.name, "replace")
    data = mark + data
    if case.damage is not None:
        data = data[: case.damage] + data[case.damage + 1 :]
    return read_document(_Dripping(data, size), case.format, given), data


def _may_be_refused(case: Case) -> bool:
    return case.encoding is not None and (case.damage is not None or "\0" in case.text or case.encoding[0] == "cp1252")


def _examine_bytes(case: Case, encoding: Encoding, text: str, data: bytes | None) -> None:
    if data is None:
        hold(text == case.text, "the blocks are not the document")
    elif encoding.name == "cp1252" or case.damage is None or encoding.name == "utf-8":
        hold(encoding.mark + encoding.encode(text) == data, "the bytes are not those that were read")
        hold(data[len(encoding.mark) :].decode(encoding.name) == text, "the blocks are not the document")


def _examine_edits(text: str, blocks: Sequence[CheckedBlock]) -> None:
    free = _free_runs(text, blocks)
    starts = [start for start, _ in free]
    at = done = 0
    corrected: list[str] = []
    for checked in blocks:
        hold(checked.block.start == at, "a block begins elsewhere")
        first, at = at, at + len(checked.block.text)
        for edit in checked.findings:
            hold(max(first, done) <= edit.start <= edit.end <= at, "edits overlap, or leave their block")
            hold(text[edit.start : edit.end] == edit.before, "an edit reads something else than what stands there")
            hold(edit.before != edit.after, "an edit changes nothing")
            hold(_is_free(edit, free, starts), "an edit changes what is protected")
            corrected += text[done : edit.start], edit.after
            done = edit.end
    corrected.append(text[done:])
    hold("".join(corrected) == "".join(each.text for each in blocks), "something else changes than what the edits say")


def _examine_code(language: str, text: str, corrected: str) -> None:
    """Look for comments again: around them stands what stood there before, if the program is one."""
    if _between_comments(language, text) != _between_comments(language, corrected):
        hold(language != "python" and _is_broken(language, text), "code changes")


def _is_broken(language: str, text: str) -> bool:
    """Whether tree-sitter has to guess: then what it takes for a comment may depend on the comment's length."""
    return Parser(load_grammar(language)).parse(text.encode("utf-8", "replace")).root_node.has_error


def _between_comments(language: str, text: str) -> list[str]:
    spans = [part for comment in Source(language).comments(text) for part in comment.parts]
    return [text[end:start] for (_, end), (start, _) in pairwise([(0, 0), *spans, (len(text), 0)])]


def _free_runs(text: str, blocks: Iterable[CheckedBlock]) -> list[tuple[int, int]]:
    """Return the stretches that may change, after a look at all of them."""
    free: list[tuple[int, int]] = []
    for checked in blocks:
        first, last = checked.block.start, checked.block.start + len(checked.block.text)
        for sentence in checked.block.sentences:
            hold("".join(run.shown for run in sentence.runs) == sentence.prose, "the runs are not the sentence")
            hold(sentence.prose.strip() == sentence.prose != "", "whitespace around a sentence")
            for run in sentence.runs:
                hold(first <= run.start <= run.end <= last, "a run leaves its block")
                if run.editable:
                    hold(
                        text[run.start : run.end] == run.shown, "a free run shows something else than what stands there"
                    )
                    free.append((run.start, run.end))
    free.sort()
    hold(all(one[1] <= two[0] for one, two in pairwise(free)), "something is offered twice")
    return free


def _is_free(edit: Finding, free: Sequence[tuple[int, int]], starts: Sequence[int]) -> bool:
    place = bisect_right(starts, edit.start) - 1
    near = (free[each] for each in (place - 1, place) if each >= 0)
    return any(start <= edit.start and edit.end <= end for start, end in near)


def _examine_words(text: str, blocks: Iterable[CheckedBlock], words: Iterable[str]) -> None:
    r"""Look whether personal words stay; what markup without a space joins to more is another word (``s\ s``: *ss*)."""
    known = set(words)
    for checked in blocks if known else ():
        hidden = [run for each in checked.block.sentences for run in each.runs if not run.shown]
        joined = {place for run in hidden for place in (run.start, run.end)}
        for finding in checked.findings:
            for word in _WORD.finditer(text, max(0, finding.start - 60), finding.end + 60):
                inside = word.start() < finding.end and finding.start < word.end() and word.start() > finding.start - 60
                whole = word.end() < finding.end + 60 and not joined.intersection(word.span())
                hold(not (inside and whole and word.group() in known), "a personal word changes")


def _examine_dismissal(case: Case, checker: Checker, text: str, finding: Finding) -> None:
    """Dismiss a finding by its id."""
    words = PersonalDictionary(case.words, [finding.id])
    again = checker.check(Document.from_text(text, case.format), words)
    hold(all(each.id != finding.id for block in again for each in block.findings), "a dismissed finding comes again")


def _writable(checked: CheckedBlock, encoding: Encoding) -> CheckedBlock:
    """Leave out what cannot be written, as commands do."""
    kept = tuple(each for each in checked.findings if encoding.can_write(each.after))
    return CheckedBlock(checked.block, kept, checked.block.apply(kept))
