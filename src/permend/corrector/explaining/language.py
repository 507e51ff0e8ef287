"""The door for languages: how the words of one are found, edits typed and explained, and which words there are.

In: the code of a language, as a model's config names it. Out: a `Language`, which types and explains edits.

>>> from permend.text.edits import diff
>>> source, target = "He go to to school .", "He goes to school."
>>> for each in explain_edits(source, target, diff(source, target), load_language("en")):
...     print(each.type, each.sentence)
R:VERB:SVA The verb “go” should agree with its subject: “goes”.
U:PREP “to” is written twice.
R:ORTH No space belongs before “.”.

Another language is a folder beside ``en`` with a `LANGUAGE`, named in `INCLUDED`; or an object that is given to
`register_language` before a model of that language corrects. Nothing else has to change. An included language is
imported when the first edit asks for it.

English types are ERRANT's; they come from a word list and rules, not from a parser: no model is loaded, and an edit
takes some 40 microseconds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module

from permend.corrector.explaining.changes import Change, find_change
from permend.text.edits import Edit

INCLUDED = ("en",)
"""Languages that lie in folders beside this file."""


def never(first: str, second: str) -> bool:
    """Know of no words that clash."""
    return False


def always(text: str) -> bool:
    """Take every text for a sentence."""
    return True


@dataclass(frozen=True)
class Vocabulary:
    """What is known of a language's words, by which edits are vetted (`permend.corrector.vetting`)."""

    is_word: Callable[[str], bool]
    """Whether a word is spelt right."""
    is_common: Callable[[str], bool]
    """Whether it is one that most writers use; another is a name, a term or a misspelling."""
    carries_meaning: Callable[[str], bool]
    """Whether a word says something by itself."""
    stem: Callable[[str], str] = str
    """A lower-case word without the ending of its form: *walk* for *walking*."""
    repeatable: frozenset[str] = frozenset()
    """Lower-case words that may stand beside themselves: *had had*."""
    form_types: tuple[str, ...] = ()
    """Ends of those error types that are about another form, or other letters, of the same word."""
    clash: Callable[[str, str], bool] = never
    """Whether no sentence has these two lower-case words next to each other: *hasn't have*."""
    is_clause: Callable[[str], bool] = always
    """Whether a text without a full stop may be a sentence all the same: *she like tea*, not *small and fast*."""
    capitals: frozenset[str] = frozenset()
    """Lower-case words that have a capital letter wherever they stand: *i*, *monday*."""

    def has_meaning(self, word: str) -> bool:
        """Whether a word is known and says something by itself."""
        return self.is_word(word) and self.carries_meaning(word)


@dataclass(frozen=True)
class Language:
    """What types, explains and vets the edits of a language."""

    code: str
    """Such as ``en``: what a model's config, the sentence splitter and `permend.documents.is_foreign` call it."""
    word: re.Pattern[str]
    """Finds words and signs in a text, as types are about them."""
    type_change: Callable[[Change], str]
    """Names the error that a change mends, such as ``R:VERB:SVA``; M is missing, U unnecessary, R replaced."""
    explain_change: Callable[[str, Edit, Change], str]
    """Gives one plain sentence about an edit with such a type."""
    vocabulary: Vocabulary | None = None
    """None where there is no list of words; then edits are not vetted."""

    def and_words(self, known: Callable[[str], bool]) -> Language:
        """Return the language with the writer's own words."""
        if self.vocabulary is None:
            return self
        is_word = self.vocabulary.is_word
        return replace(self, vocabulary=replace(self.vocabulary, is_word=lambda word: known(word) or is_word(word)))


_registered: dict[str, Language] = {}


def register_language(language: Language) -> None:
    """Let models find a language that permend does not include, or another implementation of one that it does."""
    _registered[language.code] = language


def load_language(code: str) -> Language:
    """Return a language by its code; one that is not known has English types and sentences, but is not vetted."""
    if code in _registered:
        return _registered[code]
    if code in INCLUDED:
        return _included(code)
    return replace(load_language("en"), code=code or "en", vocabulary=None)


@cache
def _included(code: str) -> Language:
    language: Language = import_module(f"{__package__}.{code}").LANGUAGE
    return language


@dataclass(frozen=True)
class Explanation:
    """What an edit is about."""

    type: str
    """Operation and error type, such as ``R:VERB:SVA``; UNK where the edit changes nothing."""
    sentence: str
    """Why, for the writer."""


def explain_edits(source: str, target: str, edits: Sequence[Edit], language: Language) -> list[Explanation]:
    """Explain the edits, given from left to right, that turn the source into the target."""
    return [
        Explanation(name, language.explain_change(name, edit, change))
        for edit, change, name in _typed(source, target, edits, language)
    ]


def type_edits(source: str, target: str, edits: Sequence[Edit], language: Language) -> list[str]:
    """Name the type of each edit, without the sentence."""
    return [name for _, _, name in _typed(source, target, edits, language)]


def _typed(source: str, target: str, edits: Sequence[Edit], language: Language) -> Iterator[tuple[Edit, Change, str]]:
    shift = 0
    for edit in edits:
        change = find_change(source, target, edit, edit.start + shift, language.word)
        yield edit, change, "UNK" if edit.before == edit.after else language.type_change(change)
        shift += len(edit.after) - len(edit.before)
