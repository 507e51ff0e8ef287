"""Clauses: whether words make a sentence, though no full stop says so.

In: a text. Out: whether it says, asks or orders something: whether it has a finite verb with a subject, or begins with
a verb.

>>> [text for text in ("she likes tea", "what is your name", "send me the file", "can you come") if not is_clause(text)]
[]
>>> [text for text in ("version", "small, fast, no network", "what is shown", "files that are read") if is_clause(text)]
[]

A word such as *what* or *when* takes one verb for itself: another one must be left, unless it asks a question. What
stands behind a colon explains: *speed: it is fast* begins with no sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from permend.corrector.explaining.en.words import WORD
from permend.corrector.explaining.lexicon import load_lexicon

_COLON = re.compile(r":\s")
_ASIDE = frozenset({"P", "RB", "CC"})
_BE = frozenset({"am", "is", "are", "was", "were", "'s", "'re"})
_FINITE = frozenset({"VB", "VBa", "VBZ", "VBZa", "VBD", "VBDa"})
_SUBJECTS = frozenset({"NN", "NNS", "PRP", "X", "DT"})
_SUBJECTS_ALONE = frozenset({"i", "he", "she", "we", "they"})
"""Words that are nothing but subjects: their verb may be wrong, or missing."""
_BEFORE_BASE = frozenset({"NN", "NNS", "PRP", "X", "CC"})
"""What may stand before a verb without an ending that has a subject: not *to*, *can* or *the*."""
_TAKES_VERB = frozenset(
    "what who whom whose which when where while if because since until although though unless whether how why".split()
)


def is_clause(text: str) -> bool:
    """Whether a text says, asks or orders something; it may be wrong."""
    opening = _COLON.split(text, maxsplit=1)[0]
    words = [word.lower().replace("’", "'") for word in WORD.findall(opening)]
    lexicon = load_lexicon("en")
    tags = [lexicon.tag(words, place) for place in range(len(words))]
    helping = [tag.endswith("a") or word in _BE for word, tag in zip(words, tags, strict=True)]
    first = next((place for place, tag in enumerate(tags) if tag not in _ASIDE and words[place] != "please"), 0)
    if _asks(words, tags, helping) or (words[first + 1 :] and words[first] in _SUBJECTS_ALONE):
        return True
    verbs = [place for place in range(len(tags)) if _is_finite(tags, place, place == first, helping[place])]
    taken: int = sum(word in _TAKES_VERB for word in words)
    taken += sum(words[place] == "that" and tags[place - 1] in ("NN", "NNS") for place in range(1, len(words)))
    return len(verbs) > taken


def _asks(words: Sequence[str], tags: Sequence[str], helping: Sequence[bool]) -> bool:
    """Whether a question begins with such a word: *what is your name*, *how much does it cost*."""
    if not words or words[0] not in _TAKES_VERB:
        return False
    verb = next((place for place in range(1, min(4, len(words) - 1)) if helping[place]), None)
    return verb is not None and tags[verb + 1] in _SUBJECTS and "PRP" not in tags[1:verb]


def _is_finite(tags: Sequence[str], place: int, begins: bool, helps: bool) -> bool:
    """Whether a verb has a subject before it, or begins the text as an order or a question does."""
    if tags[place] not in _FINITE:
        return False
    if begins:
        return tags[place] == "VB" or helps
    before = next((tag for tag in reversed(tags[:place]) if tag != "RB"), "P")
    if before == "P" or (tags[place] == "VB" and before not in _BEFORE_BASE):
        return False
    return not _SUBJECTS.isdisjoint(tags[:place])
