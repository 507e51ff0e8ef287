"""What kind of error each edit of a correction mends, and why, in one plain sentence.

In: a text, its correction, and the edits between them. Out: an `Explanation` for each edit.

>>> from permend.text.edits import diff
>>> source, target = "He go to to school .", "He goes to school."
>>> for each in explain_edits(source, target, diff(source, target)):
...     print(each.type, each.sentence)
R:VERB:SVA The verb “go” should agree with its subject: “goes”.
U:PREP “to” is written twice.
R:ORTH No space belongs before “.”.

Types are ERRANT's; they come from a word list and rules, not from a parser: no model is loaded, and an edit takes some
40 microseconds. English only; what another language needs is what lies in ``en``: words, forms, types, sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from permend.corrector.explaining.changes import Change, find_change
from permend.corrector.explaining.en.sentences import explain_change
from permend.corrector.explaining.en.types import type_change
from permend.corrector.explaining.en.words import WORD
from permend.text.edits import Edit

_OTHER_WORDS = frozenset({"R:ADJ", "R:ADV", "R:NOUN", "R:OTHER", "R:PART", "R:VERB"})  # need not stand for one another
_MOST_WORDS = 3  # explained one by one


@dataclass(frozen=True)
class Explanation:
    """What an edit is about."""

    type: str
    """Operation and error type, such as ``R:VERB:SVA``; M is missing, U unnecessary, R replaced."""
    sentence: str
    """Why, for the writer."""


def explain_edits(source: str, target: str, edits: Sequence[Edit]) -> list[Explanation]:
    """Explain the edits, given from left to right, that turn the source into the target."""
    return [_explain(edit, change) for edit, change in zip(edits, _changes(source, target, edits), strict=True)]


def type_edits(source: str, target: str, edits: Sequence[Edit]) -> list[str]:
    """Name the type of each edit, without the sentence."""
    return [_type(edit, change) for edit, change in zip(edits, _changes(source, target, edits), strict=True)]


def _changes(source: str, target: str, edits: Sequence[Edit]) -> Iterator[Change]:
    shift = 0
    for edit in edits:
        yield find_change(source, target, edit, edit.start + shift, WORD)
        shift += len(edit.after) - len(edit.before)


def _explain(edit: Edit, change: Change) -> Explanation:
    name = _type(edit, change)
    sentence = _explain_words(edit, change) if name == "R:OTHER" else None
    return Explanation(name, sentence or explain_change(name, edit, change))


def _explain_words(edit: Edit, change: Change) -> str | None:
    """Explain several words one by one, where each stands for one: *this thing → these things*."""
    changes = change.words()
    if not 1 < len(changes) <= _MOST_WORDS:
        return None
    types = [type_change(each) for each in changes]
    if not _OTHER_WORDS.isdisjoint(types):
        return None
    first, *rest = (explain_change(name, edit, each) for name, each in zip(types, changes, strict=True))
    return "; ".join([first[:-1], *(each[0].lower() + each[1:-1] for each in rest)]) + "."


def _type(edit: Edit, change: Change) -> str:
    return "UNK" if edit.before == edit.after else type_change(change)
