"""Annotated sentences seen from the side of the correct text: what stands there, and what a learner made of it.

In: an `M2Sentence`. Out: the corrected tokens and the `Change` objects in them: the mirror image of the annotation.

>>> from permend.corpora.m2 import M2Edit
>>> sentence = M2Sentence(("He", "go", "in", "school"), {0: (M2Edit(1, 3, "R:OTHER", ("goes to",), 0),)})
>>> corrected, changes = mirror(sentence)
>>> corrected, changes[0].correct, changes[0].wrong
(['He', 'goes', 'to', 'school'], ('goes', 'to'), ('go', 'in'))

Corpora without ERRANT's types (``R:VERB:TENSE``) get an operation and, from the look of the two sides, one of the types
that need a method of their own: spelling, word order, case and spaces, punctuation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rapidfuzz.distance import DamerauLevenshtein

from permend.corpora.m2 import M2Edit, M2Sentence
from permend.errors import InputError

_TYPED = re.compile(r"[RMU]:.")
_SIMILAR = 0.6
_ALIKE = 0.5
CONFUSED = "R:CONFUSED"


@dataclass(frozen=True, slots=True)
class Change:
    """A learner's error at the corrected tokens [start, end)."""

    start: int
    end: int
    correct: tuple[str, ...]
    wrong: tuple[str, ...]
    type: str


def mirror(sentence: M2Sentence) -> tuple[list[str], list[Change]]:
    """Return the corrected tokens and the errors in them, as the sentence's first annotator sees it.

    Edits that change nothing or have no correction (UNK) are no errors that could be learned, and are left out.
    Overlapping edits cannot be mirrored: such a sentence is an `InputError`.
    """
    annotator = min(sentence.annotations)
    corrected = sentence.corrected(annotator)
    changes = []
    shift = 0
    for edit in sorted(sentence.annotations[annotator], key=lambda edit: (edit.start, edit.end)):
        wrong = sentence.tokens[edit.start : edit.end]
        correct = wrong if edit.type == "UNK" else tuple(edit.corrections[0].split())
        start = edit.start + shift
        shift += len(correct) - len(wrong)
        if correct != wrong:
            changes.append(Change(start, start + len(correct), correct, wrong, _type(edit, correct, wrong)))
    return corrected, changes


def mirror_or_none(sentence: M2Sentence) -> tuple[list[str], list[Change]] | None:
    """Do the same, but answer None to edits that overlap."""
    try:
        return mirror(sentence)
    except InputError:
        return None


def own_type(change: Change) -> str:
    """Return the type under which an error is learned: as annotated, but words mistaken for a similar one stand apart.

    Annotators' tools file them by version under spelling or under the rest (*then* for *than*), where they would
    crowd out everything else.
    """
    if change.type == "R:OTHER" and len(change.correct) == len(change.wrong) == 1:
        correct, wrong = change.correct[0].lower(), change.wrong[0].lower()
        if correct.isalpha() and wrong.isalpha() and alike(correct, wrong):
            return CONFUSED
    return change.type


def alike(first: str, second: str) -> bool:
    """Whether half of the letters agree.

    >>> alike("than", "then"), alike("when", "if")
    (True, False)
    """
    return bool(DamerauLevenshtein.normalized_similarity(first, second) >= _ALIKE)


def _type(edit: M2Edit, correct: tuple[str, ...], wrong: tuple[str, ...]) -> str:
    if _TYPED.match(edit.type):
        return edit.type
    operation = "R" if correct and wrong else "M" if correct else "U"
    return f"{operation}:{_kind(correct, wrong) or edit.type or 'OTHER'}"


def _kind(correct: tuple[str, ...], wrong: tuple[str, ...]) -> str:
    """Name the kind of an error by its look."""
    if not any(character.isalnum() for token in (*correct, *wrong) for character in token):
        return "PUNCT"
    if not correct or not wrong:
        return ""
    if "".join(correct).lower() == "".join(wrong).lower():
        return "ORTH"
    if sorted(token.lower() for token in correct) == sorted(token.lower() for token in wrong):
        return "WO"
    if len(correct) == len(wrong) == 1 and _looks_misspelled(correct[0].lower(), wrong[0].lower()):
        return "SPELL"
    return ""


def _looks_misspelled(correct: str, wrong: str) -> bool:
    """Whether a word was garbled rather than inflected: similar, but not by its ending alone."""
    if min(len(correct), len(wrong)) < 4 or correct[:-2] == wrong[: len(correct) - 2]:
        return False
    return DamerauLevenshtein.normalized_similarity(correct, wrong) >= _SIMILAR
