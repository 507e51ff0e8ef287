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

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from permend.corrector.correction import ScoredEdit
from permend.documents import Sentence
from permend.documents.checker import CheckedDocument, Finding
from permend.documents.written import Written
from permend.text.tokenized import Detokenized, split_tokens, token_edits


def write_m2(documents: Iterable[CheckedDocument]) -> Iterator[str]:
    """Write all sentences of all documents."""
    for document in documents:
        for checked in document.blocks:
            places = [finding.start for finding in checked.findings]
            told: set[int] = set()
            for sentence in checked.block.sentences:
                written = Written.of(sentence, checked.block.text, checked.block.start)
                near = range(bisect_left(places, sentence.start), bisect_right(places, sentence.end))
                edits = {
                    number: edit
                    for number in near
                    if number not in told and (edit := _as_edit(checked.findings[number], sentence, written))
                }
                told.update(edits)
                yield m2_sentence(written.text, list(edits.values()))


def m2_sentence(text: str, edits: Sequence[ScoredEdit]) -> str:
    """Write a sentence that is to be split into tokens."""
    return m2_tokens(_tokens(text), edits)


def m2_tokens(line: Detokenized, edits: Sequence[ScoredEdit]) -> str:
    """Write a sentence whose tokens are known, with edits of its characters."""
    types = {edit.start: edit.type for edit in edits}
    rows = [
        f"A {edit.start} {edit.end}|||{types[edit.edits[0].start] or 'UNK'}|||{_field(edit.after)}"
        for edit in token_edits(line, edits)
    ]
    rows = [f"{row}|||REQUIRED|||-NONE-|||0\n" for row in rows or ["A -1 -1|||noop|||-NONE-"]]
    return "".join([f"S {' '.join(line.tokens)}\n", *rows, "\n"])


def _field(tokens: Sequence[str]) -> str:
    """Write tokens so that no bar of theirs is taken for one of those between fields.

    >>> _field(["see", "http://a.b/|||", "|"])
    ' see http://a.b/| | | | '
    """
    text = re.sub(r"\|{3,}", lambda bars: " ".join(bars.group()), " ".join(tokens))
    return f" {text} " if text.startswith("|") or text.endswith("|") else text


def _tokens(text: str) -> Detokenized:
    spans: list[tuple[int, int]] = []
    at = 0
    for token in split_tokens(text):
        at = text.index(token, at)
        spans.append((at, at + len(token)))
        at += len(token)
    return Detokenized(text, tuple(spans))


def _as_edit(finding: Finding, sentence: Sentence, written: Written) -> Finding | None:
    """Return a finding as an edit of a sentence's text; None if it is one of another sentence, which may begin here."""
    if finding.sentence not in ("", written.text):
        return None
    places = accumulate((len(run.shown) for run in sentence.runs), initial=0)
    for at, run in zip(places, sentence.runs, strict=False):
        if run.editable and run.start <= finding.start and finding.end <= run.end:
            shift = at - run.start
            return written.place(replace(finding, start=finding.start + shift, end=finding.end + shift))
    return None
