"""Which English words there are: the lexicon's, a longer list of rarer ones, and what can be made of them.

In: a word as it stands in a text. Out: whether a reader would know it.

>>> [word for word in ("Who's", "Wh", "receiving", "receving", "don't", "dont", "1990s", "iPhone") if not is_word(word)]
['Wh', 'receving', 'dont']

The longer list (``words.txt.gz``, made by ``experiments.word_list``) has no tags; it is read only where the lexicon
does not know a word.
"""

from __future__ import annotations

import gzip
import re
from functools import cache
from pathlib import Path

from permend.explaining.lexicon import load_lexicon

_NUMBER = re.compile(r"\d+(?:st|nd|rd|th|s|am|pm|k|m|d)?")
_CLITIC = re.compile(r"(?:n't|'(?:s|m|re|ve|ll|d))?\Z")
_CLIPPED = frozenset({"ca", "wo", "sha", "ai"})  # can't, won't, shan't, ain't
_OTHERS = frozenset({"o'clock", "ma'am", "y'all", "'em", "ok", "okay"})
_CONTRACTED = frozenset(
    "arent cant couldnt didnt doesnt dont hadnt hasnt havent hes heres im isnt itll ive lets mustnt neednt shes"
    " shouldnt thats theres theyd theyll theyre theyve wasnt werent weve whats whos wont wouldnt youd youll youre youve"
    "".split()
)
_EMPTY = frozenset("am are be been being is was were more most such".split())
_CONTENT = frozenset({"NN", "NNS", "VB", "VBD", "VBG", "VBN", "VBZ", "JJ", "RB"})


def is_word(word: str) -> bool:
    """Whether this is a word, a number or a contraction, spelt right; each part of one with hyphens."""
    return all(map(_is_known, word.lower().replace("’", "'").split("-")))


def _is_known(lower: str) -> bool:
    if not lower or lower in _OTHERS or _NUMBER.fullmatch(lower):
        return True
    clitic = _CLITIC.search(lower)
    base = lower[: clitic.start()] if clitic else lower
    if clitic and clitic.group() == "n't" and base in _CLIPPED:
        return True
    return base in load_lexicon("en") or base in _longer_list()


def is_common(word: str) -> bool:
    """Whether a word is one that most readers use: any of its parts may be changed into any other word."""
    lower = word.lower().replace("’", "'")
    return lower in _CONTRACTED or (is_word(word) and all(_in_lexicon(part) for part in lower.split("-")))


def _in_lexicon(lower: str) -> bool:
    base = _CLITIC.sub("", lower)
    return (
        not base or base in _OTHERS or base in _CLIPPED or bool(_NUMBER.fullmatch(base)) or base in load_lexicon("en")
    )


@cache
def _longer_list() -> frozenset[str]:
    packed = (Path(__file__).parent / "words.txt.gz").read_bytes()
    return frozenset(gzip.decompress(packed).decode().split())


def carries_meaning(word: str) -> bool:
    """Whether a word says something by itself, as nouns, verbs, adjectives and most adverbs do.

    >>> [word for word in "it's ok to be at home with Ann's dog".split() if carries_meaning(word)]
    ['ok', 'home', "Ann's", 'dog']
    """
    lexicon = load_lexicon("en")
    base = _CLITIC.sub("", word.lower().replace("’", "'"))
    known = lexicon.classes.get(base)
    if known is None:
        return bool(re.search(r"[^\W\d_]", base)) and base not in _CLIPPED
    tag = lexicon.defaults.get(known, "NN")  # auxiliaries have tags of their own
    return tag in _CONTENT and base not in _EMPTY and not (known == base and tag == "RB")
