"""Error types in ERRANT's vocabulary (Bryant, Felice and Briscoe 2017), for English.

In: a `Change`. Out: an operation (M missing, U unnecessary, R replacement) and a type: ``R:VERB:SVA``. The questions
asked, and their order, follow ERRANT's description: spelling of the word as a whole, then its forms, then its part of
speech, then similarity. Where ERRANT asks a parser, this asks the lexicon about a word and its two neighbours.

>>> from permend.corrector.explaining.changes import Change, Side
>>> type_change(Change(Side("He go home".split(), 1, 2), Side("He goes home".split(), 1, 2)))
'R:VERB:SVA'
>>> type_change(Change(Side("I saw cat".split(), 2, 2), Side("I saw the cat".split(), 2, 3)))
'M:DET'
"""

from __future__ import annotations

from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from permend.corrector.explaining.changes import Change, Side
from permend.corrector.explaining.en.words import bases, same_base, same_stem, shared_bases
from permend.corrector.explaining.lexicon import load_lexicon

TYPES = (
    "ADJ", "ADJ:FORM", "ADV", "CONJ", "CONTR", "DET", "MORPH", "NOUN", "NOUN:INFL", "NOUN:NUM", "NOUN:POSS", "ORTH",
    "OTHER", "PART", "PREP", "PRON", "PUNCT", "SPELL", "VERB", "VERB:FORM", "VERB:INFL", "VERB:SVA", "VERB:TENSE", "WO",
)  # fmt: skip
"""All error types; before each stand M, U or R and a colon. An edit that changes nothing is UNK."""
FORM_TYPES = ("INFL", "FORM", "TENSE", "NUM", "SVA", "POSS", "MORPH", "ORTH", "CONTR")
"""Ends of types that are about other letters of the same word."""

_PARTS = {
    "NN": "NOUN", "NNS": "NOUN", "VB": "VERB", "VBD": "VERB", "VBG": "VERB", "VBN": "VERB", "VBZ": "VERB",
    "JJ": "ADJ", "RB": "ADV", "IN": "PREP", "DT": "DET", "PRP": "PRON", "CC": "CONJ", "TO": "PART", "RP": "PART",
    "POS": "PART", "P": "PUNCT", "X": "OTHER",
}  # fmt: skip
_OPEN = frozenset({"NOUN", "VERB", "ADJ", "ADV"})
_CONTRACTIONS = frozenset({"'d", "'ll", "'m", "n't", "'re", "'s", "'ve"})
_CLIPPED = {"ca": "can", "sha": "shall", "wo": "will"}
_POSSESSIVE = frozenset("my your his her its our their whose".split())
_SPECIAL = {
    frozenset({"other", "another"}): "DET",
    frozenset({"no", "not"}): "OTHER",
}
_LEAST_LIKENESS = {
    (1, 2): 0.5, (2, 2): 0.5, (2, 3): 0.5, (3, 2): 0.5, (3, 3): 0.5, (3, 4): 0.5, (4, 3): 0.51, (4, 4): 0.5,
    (4, 5): 0.8, (5, 4): 0.8, (5, 5): 0.6,
}  # fmt: skip
"""How alike two short words must be, by their sizes, for one to be a slip for the other: *than, then*."""


class Word(NamedTuple):
    """A word of a change."""

    text: str
    lower: str
    tag: str
    auxiliary: bool
    part: str
    """Part of speech, as types call it."""


def type_change(change: Change) -> str:
    """Name the error that a change mends."""
    old, new = _read(change.before), _read(change.after)
    if [word.text for word in old] == [word.text for word in new]:
        return "R:ORTH"  # only whitespace differs
    while old and new and old[-1].lower == new[-1].lower and len(old) + len(new) > 2:
        old, new = old[:-1], new[:-1]  # [Doctor -> The doctor] is about the article
    if not old or not new:
        return f"{'U' if old else 'M'}:{_one_sided(old or new)}"
    return f"R:{_two_sided(old, new, change)}"


def _read(side: Side) -> list[Word]:
    return [_word(side, place) for place in range(side.start, side.end)]


def _word(side: Side, place: int) -> Word:
    text = side.words[place].replace("’", "'")
    tag = load_lexicon("en").tag(side.words, place)
    auxiliary = tag[-1] == "a"
    tag = tag.removesuffix("a")
    return Word(text, text.lower(), tag, auxiliary, _PARTS[tag])


def _one_sided(words: list[Word]) -> str:
    """Type words that are missing or too many."""
    parts = {word.part for word in words}
    if len(words) == 1:
        word = words[0]
        if word.tag == "POS":
            return "NOUN:POSS"
        if word.lower in _CONTRACTIONS:
            return "CONTR"
        if word.tag == "TO":
            return "VERB:FORM"
    if all(word.auxiliary or word.tag == "TO" for word in words):
        return "VERB:TENSE"
    if len(parts) == 1:
        return parts.pop()
    return "VERB" if parts == {"PART", "VERB"} else "OTHER"


def _two_sided(old: list[Word], new: list[Word], change: Change) -> str:
    """Type a replacement."""
    if "".join(word.lower for word in old) == "".join(word.lower for word in new):
        return "ORTH"
    if sorted(word.lower for word in old) == sorted(word.lower for word in new):
        return "WO"
    if new[-1].lower in _CONTRACTIONS - {"'s"} and _letters(old) == _letters(new):
        return "CONTR"  # dont -> don't
    if len(old) == len(new) == 1:
        return _one_word(old[0], new[0], change)
    return _many_words(old, new)


def _letters(words: list[Word]) -> str:
    return "".join(word.lower for word in words).replace("'", "")


def _one_word(old: Word, new: Word, change: Change) -> str:
    """Type one word in place of another, by the first question that has an answer."""
    old, new = _as_verb(old, new), _as_verb(new, old)
    return (
        _by_word(old, new)
        or _by_spelling(old, new)
        or _by_form(old, new, change)
        or _by_part(old, new, change)
        or _by_similarity(old, new)
        or "OTHER"
    )


def _as_verb(word: Word, other: Word) -> Word:
    """Take a function word for the verb that the other is a form of: *like* in *She like → likes apples*.

    Function words are tagged by their neighbours, and in a sentence with an error these mislead.
    """
    if word.part in _OPEN or other.part != "VERB" or word.lower not in bases(other.lower, "VERB") - {other.lower}:
        return word
    return word._replace(tag="VB", part="VERB")


def _by_word(old: Word, new: Word) -> str | None:
    """Endings with an apostrophe, and was/were."""
    if "POS" in (old.tag, new.tag):
        return "NOUN:POSS"
    if old.part == new.part and (old.lower in _CONTRACTIONS or new.lower in _CONTRACTIONS):
        return "CONTR"
    for one, other in ((old.lower, new.lower), (new.lower, old.lower)):
        if one in _CLIPPED:
            return "CONTR" if _CLIPPED[one] == other else "VERB:TENSE"
    return "VERB:SVA" if {old.lower, new.lower} == {"was", "were"} else None


def _by_spelling(old: Word, new: Word) -> str | None:
    """Words that do not exist: wrong forms, misspellings, or simply another word."""
    if not old.text.isalpha() or old.lower in load_lexicon("en"):
        return None
    if new.part in ("NOUN", "VERB") and any(
        _can_be(base, new.part) for base in shared_bases(old.lower, new.lower, new.part)
    ):
        return f"{new.part}:INFL"
    likeness = Levenshtein.normalized_similarity(old.lower, new.lower)
    is_short = len(old.text) <= 4 and len(new.text) <= 4
    if likeness > 0.55 or (is_short and likeness >= 0.33):
        return "SPELL"
    return new.part


def _can_be(word: str, part: str) -> bool:
    """Whether there is such a verb or noun."""
    marker = "to" if part == "VERB" else "the"
    return word in load_lexicon("en") and _PARTS.get(load_lexicon("en").tag([marker, word], 1)) == part


def _by_form(old: Word, new: Word, change: Change) -> str | None:
    """Forms of one word, and words derived from one another."""
    if old.part not in _OPEN or new.part not in _OPEN:
        return None
    if _is_gerund(old, new) or _is_gerund(new, old):
        return "VERB:FORM"
    if same_base(old.lower, new.lower, old.part, new.part):
        if old.part == new.part:
            if old.part == "VERB":
                return _verb_form(old, new, change)
            if old.part in ("ADJ", "NOUN"):
                return "ADJ:FORM" if old.part == "ADJ" else "NOUN:NUM"
        if old.part == "ADJ" and new.tag == "NNS":
            return "NOUN:NUM"
        return {"VBG": "VERB:FORM", "VBN": "VERB:FORM", "VBD": "VERB:TENSE", "VBZ": "VERB:SVA"}.get(new.tag, "MORPH")
    if "JJ" in (old.tag, new.tag) and _are_participles(old, new):
        return "ADJ:FORM"
    return "MORPH" if same_stem(old.lower, new.lower) else None


def _is_gerund(word: Word, other: Word) -> bool:
    """Whether a noun in -ing stands in for a verb: *I enjoy swim → swimming*."""
    return (
        word.tag == "NN"
        and other.part == "VERB"
        and word.lower.endswith("ing")
        and same_base(word.lower, other.lower, "VERB")
    )


def _are_participles(old: Word, new: Word) -> bool:
    """Whether these are *bored* and *boring*."""
    endings = {old.lower[-2:], new.lower[-2:]}
    return endings == {"ed", "ng"} and same_base(old.lower, new.lower, "VERB")


def _verb_form(old: Word, new: Word, change: Change) -> str:
    tags = {old.tag, new.tag}
    if _follows_auxiliary(change.before) and _follows_auxiliary(change.after):
        return "VERB:FORM"
    if tags & {"VBG", "VBN"}:
        return "VERB:FORM"
    if "VBD" in tags:
        return "VERB:TENSE"
    if "VBZ" in tags:
        return "VERB:SVA"
    return "VERB:TENSE" if old.auxiliary and new.auxiliary else "MORPH"


def _follows_auxiliary(side: Side) -> bool:
    """Whether an auxiliary or *to* stands before the verb, perhaps with adverbs or a pronoun between."""
    for place in range(side.start - 1, max(side.start - 4, -1), -1):
        word = _word(side, place)
        if word.auxiliary or word.tag == "TO":
            return True
        if word.tag not in ("RB", "PRP"):
            return False
    return False


def _by_part(old: Word, new: Word, change: Change) -> str | None:
    """Other words of the same part of speech, or of related ones."""
    if old.auxiliary and new.auxiliary:
        return "VERB:TENSE"
    if old.part == new.part and old.part != "OTHER":
        return old.part
    parts = {old.part, new.part}
    if parts == {"PART", "PREP"}:
        return "PART"
    if parts == {"DET", "PRON"}:
        if new.lower in _POSSESSIVE:
            return "DET"
        if new.part == "PRON" or not _before_noun(change.after):
            return "PRON"
    if parts == {"OTHER", "DET"}:
        return "DET"
    if (old.lower, new.lower) == ("your", "yours"):
        return "PRON"
    return _SPECIAL.get(frozenset({old.lower, new.lower}))


def _before_noun(side: Side) -> bool:
    return side.end < len(side.words) and _word(side, side.end).part in ("NOUN", "ADJ")


def _by_similarity(old: Word, new: Word) -> str | None:
    """Words that look alike are slips; the longer the words, the more alike they have to be."""
    if not old.text.isalpha() or not new.text.isalpha():
        return None
    likeness = Levenshtein.normalized_similarity(old.lower, new.lower)
    size, new_size = len(old.text), len(new.text)
    pair = {old.lower, new.lower}
    if pair == {"that", "what"} or (old.lower, new.lower) in (("the", "that"), ("all", "everything")):
        return "PRON"
    if pair in ({"good", "well"}, {"after", "later"}):
        return new.part
    if pair == {"though", "thought"} or _is_slip(size, new_size, likeness):
        return "SPELL"
    if size > 5 and new_size > 5:
        if likeness >= 0.66 and (old.text.startswith(new.text) or new.text.startswith(old.text)):
            return "MORPH"
        return "SPELL" if likeness > 0.8 else new.part if likeness < 0.55 else None
    return new.part if new_size > 5 and (size == 5 or (size == 4 and likeness > 0.5)) else None


def _is_slip(size: int, new_size: int, likeness: float) -> bool:
    """Whether a word of one size, replaced by one of another that is so much alike, was probably meant to be that."""
    least = _LEAST_LIKENESS.get((size, new_size))
    return least is not None and likeness >= least


def _many_words(old: list[Word], new: list[Word]) -> str:
    """Type several words in place of several."""
    words = old + new
    parts = {word.part for word in words}
    same_last = same_base(old[-1].lower, new[-1].lower, old[-1].part, new[-1].part)
    if all(word.auxiliary or word.tag == "TO" for word in words):
        return "VERB:TENSE"
    if len(parts) == 1:
        return "VERB:TENSE" if parts == {"VERB"} and same_last else parts.pop()
    if parts == {"PART", "VERB"}:
        return "VERB:FORM" if same_last else "VERB"
    if "TO" in (old[0].tag, new[0].tag) and (_is_gerund(old[-1], new[-1]) or _is_gerund(new[-1], old[-1])):
        return "VERB:FORM"
    for side in (old, new):
        if [word.part for word in side] == ["NOUN", "PART"] and same_base(old[0].lower, new[0].lower, "NOUN"):
            return "NOUN:POSS"
    is_comparison = {old[0].lower, new[0].lower} & {"more", "most"} and len(old) <= 2 and len(new) <= 2
    return "ADJ:FORM" if is_comparison and same_base(old[-1].lower, new[-1].lower, "ADJ") else "OTHER"
