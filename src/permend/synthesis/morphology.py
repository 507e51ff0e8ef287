"""Word forms: how one form of a word becomes another, for any language by its endings, for English by a dictionary.

In: words. Out: a class for each (its ending, or its possible tags), and changes from one form to another that can be
counted, and applied to words never seen with an error.

>>> endings = Endings()
>>> endings.classify("parties"), endings.change("parties", "party"), endings.apply("cities", "ies>y")
('ies', 'ies>y', 'city')
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any, Protocol

from permend.errors import MissingExtraError

_STEM = 3  # letters that a word must keep
_ENDING = 4  # letters that may change
_TAGS = {
    "NOUN": ("NN", "NNS"),
    "VERB": ("VB", "VBP", "VBZ", "VBD", "VBN", "VBG"),
    "ADJ": ("JJ", "JJR", "JJS"),
    "ADV": ("RB", "RBR", "RBS"),
}


class Morphology(Protocol):
    """What is known about word forms."""

    name: str
    exact: bool
    """Whether `apply` gives real words only; otherwise they have to be looked up."""

    def classify(self, word: str) -> str | None:
        """Return the class of a lower-case word, such that words of a class change alike."""

    def change(self, correct: str, wrong: str) -> str | None:
        """Name the change from one form to another; None when they are not forms of one word."""

    def apply(self, word: str, change: str) -> str | None:
        """Carry out a change; None where it does not fit."""


class Endings:
    """Forms by their last letters, in any language that inflects at the end."""

    name = "endings"
    exact = False

    def classify(self, word: str) -> str | None:
        """Return the last three letters."""
        return word[-3:] if len(word) > _STEM and word.isalpha() else None

    def change(self, correct: str, wrong: str) -> str | None:
        """Name the two endings behind the common stem."""
        shorter = min(len(correct), len(wrong))
        stem = next((place for place in range(shorter) if correct[place] != wrong[place]), shorter)
        old, new = correct[stem:], wrong[stem:]
        if stem < _STEM or correct == wrong or max(len(old), len(new)) > _ENDING or not (correct + wrong).isalpha():
            return None
        return f"{old}>{new}"

    def apply(self, word: str, change: str) -> str | None:
        """Exchange the ending."""
        old, new = change.split(">")
        if not word.endswith(old) or len(word) - len(old) < _STEM:
            return None
        return word[: len(word) - len(old)] + new


class EnglishForms:
    """English inflection: number, tense, person, participles, comparison. Needs the ``synth`` extra."""

    name = "english"
    exact = True

    def __init__(self) -> None:
        """Load the dictionary."""
        try:
            self._dictionary: Any = import_module("lemminflect")
        except ImportError:
            raise MissingExtraError("English morphology (lemminflect)", "synth") from None
        self._family = lru_cache(20_000)(self._look_up)

    def __reduce__(self) -> tuple[type[EnglishForms], tuple[()]]:
        """Load the dictionary anew in another process."""
        return EnglishForms, ()

    def classify(self, word: str) -> str | None:
        """Return all tags that the word can have, whatever the sentence."""
        return "|".join(tag for tag, form in self._family(word) if form == word) or None

    def change(self, correct: str, wrong: str) -> str | None:
        """Name the tag of the wrong form."""
        if correct == wrong:
            return None
        return next((tag for tag, form in self._family(correct) if form == wrong), None)

    def apply(self, word: str, change: str) -> str | None:
        """Return the form with that tag."""
        return next((form for tag, form in self._family(word) if tag == change and form != word), None)

    def _look_up(self, word: str) -> tuple[tuple[str, str], ...]:
        """List the forms of all words that this can be a form of, with their tags."""
        found = []
        for part, lemmas in self._dictionary.getAllLemmas(word).items():
            for lemma in lemmas if part in _TAGS else ():
                forms = self._dictionary.getAllInflections(lemma, part)
                family = [(tag, form) for tag in _TAGS[part] for form in forms.get(tag, ())]
                if any(form == word for _, form in family):
                    found += [pair for pair in family if pair not in found]
        return tuple(found)


def load_morphology(name: str) -> Morphology:
    """Return the morphology with that name."""
    return EnglishForms() if name == EnglishForms.name else Endings()


def available_morphologies(language: str | None) -> list[Morphology]:
    """Return what can be used for a language, most exact first; without the extra, endings alone."""
    if language != "en":
        return [Endings()]
    try:
        return [EnglishForms(), Endings()]
    except MissingExtraError:
        return [Endings()]
