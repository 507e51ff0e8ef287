"""Slips: what the text itself shows to be wrong, whatever was meant.

In: a sentence, edits of it, its language. Out of `mend_slips`: the edits that mend slips and nothing else.

    a word that nobody knows        recieve → receive, dont → don't, alot → a lot
    a word, or two, that stand twice    the the → the
    spaces around signs             milk,eggs → milk, eggs

>>> from permend.corrector.explaining.language import load_language
>>> from permend.text.edits import diff
>>> source = "I recieved alot of mail,some of of it rude, and it make me sad"
>>> target = "I received a lot of mail, some of it rude, and it makes me sad."
>>> [(edit.before, edit.after) for edit in mend_slips(source, diff(source, target), load_language("en"))]
[('recieved alot', 'received a lot'), ('', ' '), (' of', '')]

A network need not be as sure of these as of other edits (`Options.slip_margin`): a comma may be a matter of taste,
*recieve* is not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from permend.corrector.explaining.language import Language, Vocabulary
from permend.text.edits import Edit

E = TypeVar("E", bound=Edit)

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_MOST = 3
"""Words on either side: more is no slip."""
_SIGNS = re.compile(r"[^\w\s'’-]")
_BETWEEN = re.compile("[ '’-]")
"""What letters may lack, or have too much, between them."""


def mend_slips(source: str, edits: Sequence[E], language: Language) -> list[E]:
    """Return the edits that mend slips and nothing else; none where the language has no list of words."""
    vocabulary = language.vocabulary
    return [] if vocabulary is None else [edit for edit in edits if _mends_slip(source, edit, vocabulary)]


def _mends_slip(source: str, edit: Edit, vocabulary: Vocabulary) -> bool:
    if _SIGNS.findall(edit.before) != _SIGNS.findall(edit.after):
        return False
    if edit.before.replace(" ", "") == edit.after.replace(" ", "") and not _is_between_words(source, edit):
        return _is_free(source, edit)
    old, new = _WORD.findall(edit.before), _WORD.findall(edit.after)
    if max(len(old), len(new)) > _MOST:
        return False
    if old and not edit.after.strip():
        return _stands_twice(source, edit, [word.lower() for word in old], vocabulary)
    return _is_misspelt(source, edit, old, new, vocabulary)


def _around(source: str, edit: Edit) -> tuple[str, str]:
    """Return the letters or signs before and behind the spaces that come or go."""
    left, right = source[: edit.start] + edit.before.rstrip(), edit.before.lstrip() + source[edit.end :]
    return left.rstrip()[-1:], right.lstrip()[:1]


def _is_between_words(source: str, edit: Edit) -> bool:
    before, behind = _around(source, edit)
    return before.isalnum() and behind.isalnum()


def _is_free(source: str, edit: Edit) -> bool:
    """Whether spaces beside a sign may come or go: not in *node.js*."""
    before, behind = _around(source, edit)
    return before != "." or behind.isupper()


def _stands_twice(source: str, edit: Edit, words: list[str], vocabulary: Vocabulary) -> bool:
    """Whether the words that an edit takes away stand right before or behind it, too."""
    if words[0] in vocabulary.repeatable or not edit.before.strip().replace(" ", "").isalpha():
        return False
    before, behind = source[: edit.start].lower(), source[edit.end :].lower()
    return _WORD.findall(before)[-len(words) :] == words or _WORD.findall(behind)[: len(words)] == words


def _is_misspelt(source: str, edit: Edit, old: list[str], new: list[str], vocabulary: Vocabulary) -> bool:
    """Whether an edit spells a word that nobody knows, and that is no name, without changing another."""
    words = list(_WORD.finditer(source))
    near = [word for word in words if word.start() <= edit.end and edit.start <= word.end()]
    strange = [word for word in near if not vocabulary.is_word(word.group())]
    no_names = [word.group() for word in strange if word.group().islower() or word is words[0]]
    if _BETWEEN.sub("", edit.before).lower() == _BETWEEN.sub("", edit.after).lower():
        return bool(no_names) or bool(strange and "'" in edit.after)
    others = {word.lower() for word in old if word not in no_names}
    return bool(set(no_names) & set(old)) and bool(new) and others <= {word.lower() for word in new}
