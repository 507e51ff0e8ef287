"""One plain sentence about an error, in words known from school.

In: an error type and the change behind it. Out: a sentence that names the words, by the first special case that fits
(a doubled word, *a* and *an*, *its* and *it's*, nouns without a plural, …) or else by the type.

>>> explain("R:VERB:SVA", "go", "goes")
'The verb “go” should agree with its subject: “goes”.'
>>> explain("R:NOUN:NUM", "informations", "information")
'“information” has no plural in English: not “informations”.'
>>> explain("M:PUNCT", "", ",", opening="In the morning")
'A comma belongs after the opening words “In the morning”.'
"""

from __future__ import annotations

import re
from dataclasses import replace

from permend.corrector.explaining.changes import Change, Side
from permend.corrector.explaining.en.special import Case, behind, explain_special, place
from permend.corrector.explaining.en.types import type_change
from permend.corrector.explaining.en.words import bases
from permend.corrector.explaining.lexicon import load_lexicon
from permend.text.edits import Edit

_GLUED = re.compile(r" (?=n['’]t\b|['’](?:s|m|d|re|ve|ll)\b|[.,;:?!%)])|(?<=\() ", re.IGNORECASE)
_LINKING = frozenset(
    "although as because if lest once since so than that though till unless until when whereas whether while".split()
)
_OPENERS = frozenset("Yesterday Today Tomorrow Tonight Last Next".split())
_OTHER_WORDS = frozenset({"R:ADJ", "R:ADV", "R:NOUN", "R:OTHER", "R:PART", "R:VERB"})  # need not stand for one another
_MOST_WORDS = 3  # explained one by one
_LONGEST_QUOTATION = 100  # characters
_LONGEST_OPENING = 5  # words before a comma

_BY_TYPE = {
    "M": "“{after}” is missing{place}.",
    "U": "“{before}” is not needed{place}.",
    "R": "“{before}” does not fit here: write “{after}”.",
    "M:CONJ": "The linking word “{after}” is missing{place}.",
    "M:PREP": "The {kind} “{after}” is missing{place}.",
    "M:PRON": "The pronoun “{after}” is missing{place}.",
    "M:VERB": "The verb “{after}” is missing{place}.",
    "M:VERB:FORM": "The verb needs “{after}” here.",
    "M:VERB:TENSE": "The helping verb “{after}” is missing{place}.",
    "M:PART": "The verb needs “{after}” here.",
    "M:NOUN:POSS": "“{after}” is missing{behind}: it shows what belongs to whom.",
    "U:CONJ": "The linking word “{before}” is not needed{place}.",
    "U:PREP": "The {kind} “{before}” is not needed{place}.",
    "U:PRON": "The pronoun “{before}” is not needed{place}.",
    "U:VERB:FORM": "The verb does not need “{before}” here.",
    "U:VERB:TENSE": "The helping verb “{before}” is not needed{place}.",
    "U:PART": "The verb does not need “{before}” here.",
    "U:NOUN:POSS": "“{before}” is not needed{behind}.",
    "R:ADJ": "“{after}” is a better word here than “{before}”.",
    "R:ADJ:FORM": "The form “{before}” is wrong here: write “{after}”.",
    "R:ADV": "“{after}” is a better word here than “{before}”.",
    "R:CONJ": "The right linking word here is “{after}”, not “{before}”.",
    "R:CONTR": "The short form is wrong here: write “{after}” instead of “{before}”.",
    "R:DET": "The right word before the noun is “{after}”, not “{before}”.",
    "R:MORPH": "“{before}” is the wrong form of the word here: write “{after}”.",
    "R:NOUN": "“{after}” is a better word here than “{before}”.",
    "R:NOUN:INFL": "“{before}” is not a correct form: write “{after}”.",
    "R:NOUN:NUM": "“{before}” should be {number} here: “{after}”.",
    "R:NOUN:POSS": "To show what belongs to whom, write “{after}” instead of “{before}”.",
    "R:ORTH": "“{before}” is written “{after}”.",
    "R:PART": "The verb goes with “{after}” here, not with “{before}”.",
    "R:PREP": "The right {kind} here is “{after}”, not “{before}”.",
    "R:PRON": "The right pronoun here is “{after}”, not “{before}”.",
    "R:PUNCT": "Write “{after}” here instead of “{before}”.",
    "R:SPELL": "“{before}” is misspelt: write “{after}”.",
    "R:VERB": "“{after}” is a better verb here than “{before}”.",
    "R:VERB:FORM": "The verb form “{before}” is wrong here: write “{after}”.",
    "R:VERB:INFL": "“{before}” is not a correct verb form: write “{after}”.",
    "R:VERB:SVA": "The verb “{before}” should agree with its subject: “{after}”.",
    "R:VERB:TENSE": "The verb is in the wrong tense: write “{after}” instead of “{before}”.",
    "R:WO": "The words are in the wrong order: write “{after}” instead of “{before}”.",
}
"""Sentences by type, or for all other types by operation; *place* is "before “word”" or the like."""


def explain_change(name: str, edit: Edit, change: Change) -> str:
    """Explain an edit in its sentence."""
    return (_explain_words(edit, change) if name == "R:OTHER" else None) or _explain_whole(name, edit, change)


def _explain_words(edit: Edit, change: Change) -> str | None:
    """Explain several words one by one, where each stands for one: *this thing → these things*."""
    changes = change.words()
    if not 1 < len(changes) <= _MOST_WORDS:
        return None
    types = [type_change(each) for each in changes]
    if not _OTHER_WORDS.isdisjoint(types):
        return None
    first, *rest = (_explain_whole(name, edit, each) for name, each in zip(types, changes, strict=True))
    return "; ".join([first[:-1], *(each[0].lower() + each[1:-1] for each in rest)]) + "."


def _explain_whole(name: str, edit: Edit, change: Change) -> str:
    if edit.before == edit.after:
        return explain(name, edit.before, edit.after)
    if name[:2] in ("M:", "U:"):
        change = _without_last(change)
    old, new = change.before, change.after
    left = new.words[new.start - 1] if new.start else ""
    right = new.words[new.end] if new.end < len(new.words) else ""
    if old.touched == new.touched:
        return explain_space(edit, left, right)
    return explain(name, _write(old.touched), _write(new.touched), left, right, _opening(new))


def _opening(side: Side) -> str:
    """Return the phrase that a sentence opens with, where the change ends it: *In the morning*, but not *My friend*."""
    if not side.complete or not 0 < side.start <= _LONGEST_OPENING:
        return ""
    is_phrase = side.words[0] in _OPENERS or load_lexicon("en").tag(side.words, 0) in ("IN", "RB", "TO", "VBG")
    return _write(side.words[: side.start]) if is_phrase else ""


def _without_last(change: Change) -> Change:
    """Leave the word out that only lost or got its capital: [Doctor → The doctor] is about the article."""
    old, new = change.before, change.after
    size = min(len(old.touched), len(new.touched))
    return Change(replace(old, end=old.end - size), replace(new, end=new.end - size))


def explain(name: str, before: str, after: str, left: str = "", right: str = "", opening: str = "") -> str:
    """Explain an error of a type: what was written, what should be, and what stands around it."""
    case = Case(name, before, after, left, right, opening)
    return explain_special(case) or _explain_type(case)


def _explain_type(case: Case) -> str:
    name, before, after = case.type, case.before, case.after
    operation = "M" if not before else "U" if not after else "R"
    template = _BY_TYPE.get(name if name[0] == operation else operation) or _BY_TYPE[operation]
    kind = "linking word" if (after or before).lower() in _LINKING else "preposition"
    return template.format(
        before=before, after=after, place=place(case), behind=behind(case), kind=kind, number=_number(case)
    )


def explain_space(edit: Edit, left: str, right: str) -> str:
    """Explain an edit of whitespace alone."""
    where = f"after “{left}”" if left else f"before “{right}”" if right else "here"
    if not edit.before.isspace() and edit.before:
        return f"Mind the spaces: “{edit.after.strip()}”."
    if not edit.after:
        return f"No space belongs before “{right}”." if right else f"No space belongs {where}."
    if not edit.before:
        return f"A space is missing {where}."
    return f"One space is enough {where}." if edit.after == " " else f"The space {where} is wrong."


def _write(words: list[str]) -> str:
    """Join words as a writer does; many of them are cut short."""
    text = _GLUED.sub("", " ".join(words))
    return text if len(text) <= _LONGEST_QUOTATION else f"{text[:_LONGEST_QUOTATION]}…"


def _number(case: Case) -> str:
    old, new = case.words
    return "singular" if new in bases(old, "NOUN") else "plural"
