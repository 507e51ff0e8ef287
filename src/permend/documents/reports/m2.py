"""Findings as M2, the format of the benchmarks.

In: checked documents, or a sentence and its edits. Out: a line of tokens for each sentence, a line for each edit.

>>> from permend.corrector.correction import ScoredEdit
>>> print(m2_sentence("He go there.", [ScoredEdit(3, 5, "go", "goes", 0.9, "R:VERB:SVA")]), end="")
S He go there .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
<BLANKLINE>

Sentences are written without markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from permend.corrector.correction import ScoredEdit
from permend.documents import Sentence
from permend.documents.checker import CheckedBlock, CheckedDocument, Finding
from permend.documents.written import Written
from permend.text.tokenized import Detokenized, split_tokens, token_edits


def write_m2(documents: Iterable[CheckedDocument]) -> Iterator[str]:
    """Write all sentences of all documents."""
    for document in documents:
        for checked in document.blocks:
            for sentence in checked.block.sentences:
                written = Written.of(sentence, checked.block.text, checked.block.start)
                yield m2_sentence(written.text, [written.place(edit) for edit in _edits(sentence, checked)])


def m2_sentence(text: str, edits: Sequence[ScoredEdit]) -> str:
    """Write a sentence that is to be split into tokens."""
    return m2_tokens(_tokens(text), edits)


def m2_tokens(line: Detokenized, edits: Sequence[ScoredEdit]) -> str:
    """Write a sentence whose tokens are known, with edits of its characters."""
    types = {edit.start: edit.type for edit in edits}
    rows = [
        f"A {edit.start} {edit.end}|||{types[edit.edits[0].start] or 'UNK'}|||{' '.join(edit.after)}"
        for edit in token_edits(line, edits)
    ]
    rows = [f"{row}|||REQUIRED|||-NONE-|||0\n" for row in rows or ["A -1 -1|||noop|||-NONE-"]]
    return "".join([f"S {' '.join(line.tokens)}\n", *rows, "\n"])


def _tokens(text: str) -> Detokenized:
    spans: list[tuple[int, int]] = []
    at = 0
    for token in split_tokens(text):
        at = text.index(token, at)
        spans.append((at, at + len(token)))
        at += len(token)
    return Detokenized(text, tuple(spans))


def _edits(sentence: Sentence, checked: CheckedBlock) -> Iterator[Finding]:
    """Yield the findings of a sentence as edits of its prose."""
    places = list(accumulate((len(run.shown) for run in sentence.runs), initial=0))
    for finding in checked.findings:
        for at, run in zip(places, sentence.runs, strict=False):
            inside = run.free and run.start <= finding.start and finding.end <= run.end
            if inside:
                shift = at - run.start
                yield replace(finding, start=finding.start + shift, end=finding.end + shift)
                break
