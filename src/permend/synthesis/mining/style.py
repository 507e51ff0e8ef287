"""Changes that are nobody's errors: another spelling, a contraction or its full form, another person.

In: the words that an edit takes away and puts in. Out: which of these it is, if any.

>>> is_variant("colour", "color"), is_variant("organised", "organized"), is_variant("recieve", "receive")
(True, True, False)
>>> is_contraction("do not", "don't"), is_contraction("dont", "don't"), is_contraction("its", "it's")
(True, False, False)
>>> changes_person(["we"], ["you"]), changes_person(["you"], ["your"]), changes_person([], ["you"])
(True, False, False)
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_AMERICAN = (
    (re.compile(r"([iy])s(?=(?:e[srd]?|ers|ing|ation|ations|able)$)"), r"\1z"),  # organise, analyse
    (re.compile(r"our(?=$|s$|ed$|ing$|ite|able|ful|ist|al|less|hood)"), "or"),  # colour, favourite, behavioural
    (re.compile(r"(?<=[tb])re(?=s?$|d$)"), "er"),  # centre, fibre
    (re.compile(r"ogue(?=s?$)"), "og"),  # catalogue
    (re.compile(r"ll(?=ed$|ing$|ers?$|ation$|ations$)"), "l"),  # cancelled
    (re.compile(r"ence(?=s?$|d$)"), "ense"),  # licence
    (re.compile(r"actise"), "actice"),  # practise
    (re.compile(r"(?<=dg)e(?=ment)"), ""),  # judgement
    (re.compile(r"ll(?=ment|ful)"), "l"),  # fulfillment
    (re.compile(r"(?<=[a-z])wards$"), "ward"),  # towards
    (re.compile(r"^(whil|among|amid)st$"), r"\1"),
    (re.compile(r"^(learn|spel|burn|dream|smel|spoil)t$"), r"\1ed"),
    (re.compile(r"^programme(?=s?$)"), "program"),
    (re.compile(r"^grey"), "gray"),
)
_SAME = {"while": "whil", "spelled": "speled", "smelled": "smeled", "ok": "okay"}
_FULL = (
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\bshan't\b"), "shall not"),
    (re.compile(r"\bcan't\b|\bcannot\b"), "can not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"'ll\b"), " will"),
    (re.compile(r"'m\b"), " am"),
    (re.compile(r"\blet's\b"), "let us"),
    (re.compile(r"(?<=t|e|o)'s\b"), " is"),  # it's, that's, there's, who's
    (re.compile(r"'d\b"), " would"),
)
_PERSONS = {
    word: person
    for person, words in enumerate(
        (
            "i me my mine myself",
            "we us our ours ourselves",
            "you your yours yourself yourselves",
            "he him his himself",
            "she her hers herself",
            "they them their theirs themselves",
            "one one's oneself",
        )
    )
    for word in words.split()
}


def is_variant(before: str, after: str) -> bool:
    """Whether two words are one, spelled as in Britain and as in America."""
    return before != after and _american(before.lower()) == _american(after.lower()) and before.lower() != after.lower()


def _american(word: str) -> str:
    for pattern, new in _AMERICAN:
        word = pattern.sub(new, word)
    return _SAME.get(word, word)


def is_contraction(before: str, after: str) -> bool:
    """Whether one side is the contracted form of the other."""
    same = "".join(before.lower().split()) == "".join(after.lower().split())
    return not same and _written_out(before) == _written_out(after)


def _written_out(text: str) -> str:
    text = text.lower()
    for pattern, full in _FULL:
        text = pattern.sub(full, text)
    return " ".join(text.split())


def changes_person(taken: Iterable[str], put: Iterable[str]) -> bool:
    """Whether some person's words are replaced by another's."""
    old, new = ({_PERSONS[word] for word in map(str.lower, side) if word in _PERSONS} for side in (taken, put))
    return bool(old and new and old != new)
