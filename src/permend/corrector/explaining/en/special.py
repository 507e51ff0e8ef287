"""Special cases: errors that deserve a sentence of their own.

In: a `Case`, an error with its type and the words around it. Out: its sentence, from the first special case that fits.

>>> explain_special(Case("R:DET", "a", "an", left="saw", right="owl"))
'Use “an”, not “a”, before a vowel sound: “an owl”.'
>>> explain_special(Case("R:VERB:SVA", "go", "goes")) is None
True
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from permend.corrector.explaining.en.glosses import CONFUSED, MEANINGS, UNCOUNTABLE
from permend.corrector.explaining.en.words import same_base
from permend.corrector.explaining.lexicon import load_lexicon

_SIGNS = {
    ",": "comma", ".": "full stop", "?": "question mark", "!": "exclamation mark", ":": "colon", ";": "semicolon",
    "-": "hyphen", "'": "apostrophe", "’": "apostrophe", '"': "quotation mark",
}  # fmt: skip
_HELPING = frozenset("can could may might must shall should will would do does did to n't".split())
_HAVING = frozenset("have has had having 've".split())
_NUMBERS = {2: "two", 3: "three", 4: "four"}
_ARTICLES = frozenset({"a", "an", "the"})
_NOT_COMPARED = frozenset("after another either ever however never number other over rather under whether".split())


@dataclass(frozen=True, slots=True)
class Case:
    """What special cases look at."""

    type: str
    before: str
    after: str
    left: str = ""
    """The word before the change."""
    right: str = ""
    """The word behind it, in the corrected text."""
    opening: str = ""
    """The phrase that the sentence opens with, if the change is where it ends."""

    @property
    def words(self) -> tuple[str, str]:
        """Both sides in lower case, apostrophes made straight."""
        return self.before.lower().replace("’", "'"), self.after.lower().replace("’", "'")


def place(case: Case) -> str:
    """Say where: before the next word, or after the last."""
    if case.right[:1].isalnum():
        return f" before “{case.right}”"
    return f" after “{case.left}”" if case.left[:1].isalnum() else " here"


def behind(case: Case) -> str:
    """Say where: after the last word, or before the next."""
    return f" after “{case.left}”" if case.left[:1].isalnum() else place(case)


def _doubled(case: Case) -> str | None:
    if case.before and not case.after and case.before.lower() in (case.left.lower(), case.right.lower()):
        return f"“{case.before}” is written twice."
    return None


def _letters(case: Case) -> str | None:
    """Capitals, and words written together or apart."""
    old, new = case.before, case.after
    if case.type != "R:ORTH":
        return None
    if " " in old and " " not in new:
        return f"“{old}” is written as one word: “{new}”."
    if " " in new and " " not in old:
        return f"“{old}” is written as {_NUMBERS.get(len(new.split()), 'several')} words: “{new}”."
    if old.lower() != new.lower():
        return None
    if new[:1].isupper() and old[:1].islower():
        if not case.left or case.left in (".", "?", "!"):
            return f"A sentence begins with a capital letter: “{new}”, not “{old}”."
        return f"“{new}” is written with a capital letter, not “{old}”."
    if new[:1].islower() and old[:1].isupper():
        return f"No capital letter is needed here: “{new}”, not “{old}”."
    return f"“{old}” is written “{new}”: mind the capital letters."


def _sign(case: Case) -> str | None:
    """Punctuation."""
    old, new = case.before, case.after
    if not case.type.endswith(":PUNCT"):
        return None
    if new in _SIGNS and not old:
        return _missing_sign(case)
    if old in _SIGNS and not new:
        return f"No {_SIGNS[old]} is needed{behind(case)}."
    if old in _SIGNS and new in _SIGNS:
        return f"Use {_named(new)} here, not {_named(old)}."
    return None


def _new_sentence(case: Case) -> str | None:
    if not re.match(r"[.?!] \w", case.after):
        return None
    instead = f" instead of “{case.before}”" if case.before else ""
    return f"A new sentence begins here: write “{case.after}”{instead}."


def _possessive(case: Case) -> str | None:
    if not case.type.endswith("NOUN:POSS"):
        return None
    old, new = case.words
    if "'" in old and "'" not in new and new:
        return f"No apostrophe is needed here: write “{case.after}”, not “{case.before}”."
    if new == "'" and not old:
        return f"An apostrophe is missing{behind(case)}: it shows what belongs to whom."
    return None


def _missing_sign(case: Case) -> str:
    sign = _named(case.after).capitalize()
    if case.after == "," and case.opening:
        one_word = " " not in case.opening
        return f"A comma belongs after the opening word{'' if one_word else 's'} “{case.opening}”."
    if case.after in ".?!" and not case.right:
        return f"{sign} belongs at the end of the sentence."
    return f"{sign} is missing{behind(case)}."


def _named(sign: str) -> str:
    return f"{'an' if _SIGNS[sign][0] in 'aeiou' else 'a'} {_SIGNS[sign]}"


def _article(case: Case) -> str | None:
    """*a* before consonants, *an* before vowels."""
    if case.words not in (("a", "an"), ("an", "a")):
        return None
    sound = "vowel" if case.after.lower() == "an" else "consonant"
    example = f": “{case.after} {case.right}”" if case.right[:1].isalpha() else ""
    return f"Use “{case.after}”, not “{case.before}”, before a {sound} sound{example}."


def _no_article(case: Case) -> str | None:
    article = case.before or case.after
    if article.lower() not in _ARTICLES or (case.before and case.after):
        return None
    return f"The article “{article}” is {'not needed' if case.before else 'missing'}{place(case)}."


def _confused(case: Case) -> str | None:
    """Words that are taken for one another."""
    old, new = case.words
    if frozenset(case.words) not in CONFUSED:
        return None
    return f"You need “{case.after}” here ({MEANINGS[new]}), not “{case.before}” ({MEANINGS[old]})."


def _uncountable(case: Case) -> str | None:
    if not case.type.startswith("R:NOUN:"):
        return None
    old, new = case.words
    if new not in UNCOUNTABLE or not old.endswith("s"):
        return None
    return f"“{case.after}” has no plural in English: not “{case.before}”."


def _compared_twice(case: Case) -> str | None:
    """*more taller*."""
    if case.before[:2].lower() != "mo":
        return None
    old, new = case.words
    compared = new or case.right.lower()
    if old not in {f"{word}{rest}" for word in ("more", "most") for rest in ("", f" {compared}")}:
        return None
    if not compared.endswith(("er", "est")) or compared in _NOT_COMPARED:
        return None
    return f"“{compared}” already compares: no “{old[:4]}” before it."


def _feeling(case: Case) -> str | None:
    """*bored* and *boring*."""
    if case.type not in ("R:ADJ:FORM", "R:MORPH", "R:ADJ"):
        return None
    old, new = case.words
    if {old[-2:], new[-2:]} != {"ed", "ng"} or not same_base(old, new, "VERB"):
        return None
    feels, causes = (old, new) if old.endswith("ed") else (new, old)
    return f"“{feels}” is how somebody feels, “{causes}” what makes them feel so: here “{case.after}” is right."


def _manner(case: Case) -> str | None:
    """*quick* and *quickly*."""
    if case.type not in ("R:MORPH", "R:ADV", "R:ADJ"):
        return None
    old, new = case.words
    if new in _adverbs(old):
        return f"“{case.after}” tells how something is done; “{case.before}” only describes a thing."
    return (
        f"“{case.after}” describes a thing; “{case.before}” would tell how something is done."
        if old in _adverbs(new)
        else None
    )


def _adverbs(adjective: str) -> tuple[str, ...]:
    return adjective + "ly", adjective[:-1] + "ily", adjective[:-1] + "y"


def _form_after(case: Case) -> str | None:
    """The verb form that a word before it asks for."""
    if case.type != "R:VERB:FORM" or " " in case.after or not case.left:
        return None
    old, new = case.words
    lexicon = load_lexicon("en")
    left = case.left.lower().replace("’", "'")
    if left in _HELPING and lexicon.tag(["to", new], 1) == "VB":
        return f"After “{case.left}” the verb stays in its base form: “{case.after}”, not “{case.before}”."
    if left in _HAVING and not new.endswith("ing"):
        return f"After “{case.left}” write “{case.after}”, not “{case.before}”."
    if new.endswith("ing") and not old.endswith("ing") and lexicon.tag([left], 0).startswith(("VB", "IN", "TO")):
        return f"Use the -ing form after “{case.left}”: “{case.after}”, not “{case.before}”."
    return None


def _other_word(case: Case) -> str | None:
    """A slip that gives a real word."""
    if case.type != "R:SPELL" or case.before.lower() not in load_lexicon("en"):
        return None
    return f"“{case.before}” is a word, but “{case.after}” is meant here."


def _several(case: Case) -> str | None:
    if case.type != "R:OTHER" or " " not in case.before + case.after:
        return None
    return f"Write “{case.after}” here instead of “{case.before}”."


def _nothing(case: Case) -> str | None:
    if case.before != case.after:
        return None
    return f"Something seems wrong with “{case.before}”." if case.before else "Something seems wrong here."


_SPECIAL: tuple[Callable[[Case], str | None], ...] = (
    _nothing,
    _doubled,
    _letters,
    _sign,
    _new_sentence,
    _possessive,
    _article,
    _no_article,
    _confused,
    _uncountable,
    _compared_twice,
    _feeling,
    _manner,
    _form_after,
    _other_word,
    _several,
)
"""All special cases, in order; each returns None where it does not fit."""


def explain_special(case: Case) -> str | None:
    """Return the sentence of the first special case that fits, if there is one."""
    return next(filter(None, (special(case) for special in _SPECIAL)), None)
