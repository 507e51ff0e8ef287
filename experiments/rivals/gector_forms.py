"""GECToR's transformations of single words: capitals, number of nouns, forms of verbs.

In: pairs' words, once, from which a table is made that needs no dictionary any more. Out: the name of the
transformation from one word to another, and what it makes of any word; None where there is none.

>>> forms = Forms({"verbs": [["go", "goes", "went", "gone", "going"]], "nouns": [["word", "words"]]})
>>> forms.between("Go", "Goes"), forms.apply("Went", "$VERB_FORM_VBD_VBG"), forms.between("words", "word")
('$VERB_FORM_VB_VBZ', 'Going', '$NOUN_NUMBER_SINGULAR')
>>> forms.between("monday", "Monday"), forms.between("go", "house"), forms.apply("house", "$VERB_FORM_VB_VBZ")
('$CASE_CAPITAL', None, None)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import permutations
from typing import Any

from permend.synthesis.morphology import EnglishForms

VERBS = ("VB", "VBZ", "VBD", "VBN", "VBG")
_NOUNS = ("NN", "NNS")
_NUMBERS = {_NOUNS: "$NOUN_NUMBER_PLURAL", _NOUNS[::-1]: "$NOUN_NUMBER_SINGULAR"}
_CASES: Mapping[str, Callable[[str], str]] = {
    "$CASE_CAPITAL": lambda word: word[:1].upper() + word[1:],
    "$CASE_CAPITAL_1": lambda word: word[:1] + word[1:2].upper() + word[2:],
    "$CASE_LOWER": str.lower,
    "$CASE_UPPER": str.upper,
    "$CASE_UPPER_-1": lambda word: word[:-1].upper() + word[-1:],
}


def learn_forms(seen: Counter[str]) -> dict[str, list[list[str]]]:
    """Return the forms of the verbs and nouns among some words, as plain values; the most frequent first."""
    english = EnglishForms()
    tables: dict[str, list[list[str]]] = {"verbs": [], "nouns": []}
    for word in sorted(seen, key=lambda each: (-seen[each], each)):
        tags = (english.classify(word) or "").split("|") if word.isalpha() and word.islower() else []
        for name, kinds in (("verbs", VERBS), ("nouns", _NOUNS)):
            if kinds[0] in tags and (family := _family(english, word, kinds, tags)):
                tables[name].append(family)
    return tables


def _family(english: EnglishForms, base: str, kinds: tuple[str, ...], tags: Collection[str]) -> list[str] | None:
    """Return the forms of a base; None where one is lacking or belongs to another base (*found*, *finds*)."""
    family = [base]
    for kind in kinds[1:]:
        form = base if kind in tags and kind in ("VBD", "VBN") else english.apply(base, kind)
        if form is None and kind == "VBN":  # the dictionary names it only where it is not the past
            form = family[-1]
        if form is None:
            return None
        family.append(form)
    return family if english.apply(family[1], kinds[0]) == base else None


class Forms:
    """Transformations of words."""

    def __init__(self, learned: Mapping[str, Any]) -> None:
        """Take what `learn_forms` returned."""
        self._made: dict[str, dict[str, str]] = {}
        self._names: dict[tuple[str, str], str] = {}
        for name, old, new in _changes(learned):
            # A form of two words changes as that of the more frequent one, which comes first.
            if self._made.setdefault(name, {}).setdefault(old, new) == new:
                self._names.setdefault((old, new), name)

    def between(self, old: str, new: str) -> str | None:
        """Return the name of the transformation from one word to another one."""
        lower = old.lower()
        if lower == new.lower():
            return next((name for name, change in _CASES.items() if change(old) == new), None)
        name = self._names.get((lower, new.lower()))
        return name if name is not None and self.apply(old, name) == new else None

    def apply(self, word: str, name: str) -> str | None:
        """Return the word transformed, in its own capitals; None where that changes nothing or cannot be done."""
        lower = word.lower()
        if name in _CASES:
            made: str | None = _CASES[name](word)
        else:
            made = self._made.get(name, {}).get(lower)
            if made is not None and word != lower:
                made = made.upper() if word.isupper() and len(word) > 1 else _CASES["$CASE_CAPITAL"](made)
        return made if made != word else None


def _changes(learned: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield names, words and what becomes of them."""
    for singular, plural in learned["nouns"]:
        yield _NUMBERS[_NOUNS], singular, plural
        yield _NUMBERS[_NOUNS[::-1]], plural, singular
    for family in learned["verbs"]:
        for (kind, old), (other, new) in permutations(zip(VERBS, family, strict=True), 2):
            if old != new:
                yield f"$VERB_FORM_{kind}_{other}", old, new
