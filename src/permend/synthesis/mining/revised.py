r"""Two versions of a document in; out come the sentences of one that became sentences of the other.

>>> before = "# Notes\n\nFirst install it. Than you run `make`. It dont work.\n"
>>> behind = "# Notes\n\nFirst install it. Then you run `make`. It doesn't work yet, sadly, on any machine.\n"
>>> revised(read_prose(before, "markdown"), read_prose(behind, "markdown"))
[('Than you run Python.', 'Then you run Python.')]

Documents are read as `permend check` reads them: markup is gone, and code, addresses and names are stood in for by a
noun, so that nothing of them is learned. Paragraphs that both versions have are passed over. Sentences of the others
are aligned in order; two may become one, or one two. Those that are hardly alike are new sentences, not revised ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rapidfuzz.distance import Indel

from permend.documents.formats import find_format
from permend.documents.ignoring import leave_out
from permend.documents.sentence import sentence_ranges

LEAST_ALIKE = 0.6
"""How alike two sentences must be to count as one that was revised."""
_MOST = 40  # sentences of one place that are compared with each other
_MOVES = ((1, 1, LEAST_ALIKE), (1, 2, 0.85), (2, 1, 0.85))
"""Sentences of both sides that are matched, and how alike they must be."""


def read_prose(text: str, format_: str) -> list[str]:
    """Return the paragraphs of a document as a corrector sees them, with single spaces."""
    paragraphs, _ = leave_out(text, find_format(format_).scan(text), ())
    return [" ".join(paragraph.text.split()) for paragraph in paragraphs]


def is_revision(before: str, behind: str) -> bool:
    """Whether lines were changed, not just added or just taken away: then it is worth to read both versions."""
    old, new = set(before.splitlines()), set(behind.splitlines())
    return bool(old - new) and bool(new - old)


def revised(before: Sequence[str], behind: Sequence[str], language: str = "en") -> list[tuple[str, str]]:
    """Return each sentence of the paragraphs before with what it became, where it became something else."""
    found: list[tuple[str, str]] = []
    for old, new in _replaced(before, behind):
        mine, yours = _sentences(old, language), _sentences(new, language)
        for some, others in _replaced(mine, yours):
            found += _align(some, others)
    return found


def _replaced(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yield what stands on both sides between items that are the same."""
    at = new_at = 0
    for block in [*Indel.opcodes(old, new).as_matching_blocks()]:
        if block.a > at and block.b > new_at:
            yield old[at : block.a], new[new_at : block.b]
        at, new_at = block.a + block.size, block.b + block.size


def _sentences(paragraphs: Sequence[str], language: str) -> list[str]:
    return [text[start:end] for text in paragraphs for start, end in sentence_ranges(text, language)]


def _align(old: Sequence[str], new: Sequence[str]) -> list[tuple[str, str]]:
    """Match sentences in their order so that what is matched is as alike as can be, by dynamic programming."""
    if len(old) > _MOST or len(new) > _MOST:
        return []
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    step: dict[tuple[int, int], tuple[int, int]] = {}
    for i in range(len(old) + 1):
        for j in range(len(new) + 1):
            choices = [(best[i - 1][j], (1, 0))] if i else []
            choices += [(best[i][j - 1], (0, 1))] if j else []
            for many, few, least in _MOVES:
                if many <= i and few <= j:
                    alike = _likeness(old[i - many : i], new[j - few : j])
                    if alike >= least:
                        choices.append((best[i - many][j - few] + alike * (many + few), (many, few)))
            if choices:
                best[i][j], step[i, j] = max(choices)
    pairs = []
    i, j = len(old), len(new)
    while i or j:
        many, few = step[i, j]
        if many and few:
            pairs.append((" ".join(old[i - many : i]), " ".join(new[j - few : j])))
        i, j = i - many, j - few
    return pairs[::-1]


def _likeness(old: Sequence[str], new: Sequence[str]) -> float:
    return float(Indel.normalized_similarity(" ".join(old), " ".join(new), score_cutoff=LEAST_ALIKE))
