"""Which words there are, and which part of speech each has in its sentence, without a parser.

In: the words of a sentence and a place among them. Out: the tag of the word at that place, in a small set: NN and NNS
(nouns), VB VBD VBG VBN VBZ (verbs; with an ``a`` behind it an auxiliary), JJ, RB, IN (prepositions and the like), DT,
PRP, CC, TO, RP (particles), POS (possessive endings), P (signs), X (numbers and the rest).

>>> lexicon = Lexicon.parse("word\\tDT\\tthe\\nword\\tNN VB\\tplay walk\\nrule\\tVB\\tto|NN VB|\\nown\\tTO IN\\tto")
>>> lexicon.tag("to play the play".split(), 1), lexicon.tag("to play the play".split(), 3), "plai" in lexicon
('VB', 'NN', False)

Every word belongs to a class: the tags that it was seen with, the most frequent first. Frequent function words are
classes of their own. Rules name a tag for a class between two others (or one, or none: a side left empty fits all);
of those that fit, the first in the file decides, since the file is sorted from certain to doubtful. Words that are not
in the file are classed by their last letters. Everything was counted in tagged text by ``experiments.tag_lexicon``.
"""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_EDGE = "^"
_STOPS = frozenset(".,?!:;")
_LONGEST_ENDING = 4


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words, their classes, and rules to choose among the tags of a class."""

    classes: dict[str, str]
    """Class by lower-case word; words that are right but were seen too rarely to have a class have an empty one."""
    endings: dict[str, str]
    """Class by last letters."""
    defaults: dict[str, str]
    """Most frequent tag by class."""
    rules: dict[str, tuple[int, str]]
    """Rank and tag by ``left|class|right``."""

    @classmethod
    def parse(cls, text: str) -> Lexicon:
        """Read the lines of a lexicon file: kind, tags and words (or the context of a rule), tabs between them."""
        lexicon = cls({}, {}, {}, {})
        for rank, line in enumerate(text.splitlines()):
            if not line or line[0] == "#":
                continue
            kind, tags, content = line.split("\t")
            if kind == "rule":
                lexicon.rules[content] = rank, tags
                continue
            default = tags.split(" ", 1)[0]
            words = content.split()
            if kind == "own":
                lexicon.classes.update(zip(words, words, strict=True))
                lexicon.defaults.update(dict.fromkeys(words, default))
            else:
                (lexicon.classes if kind == "word" else lexicon.endings).update(dict.fromkeys(words, tags))
                lexicon.defaults[tags] = default
        return lexicon

    def __contains__(self, word: str) -> bool:
        """Whether this is a word, spelt right."""
        return word.lower() in self.classes

    def classify(self, word: str) -> str:
        """Return the class of a word or sign."""
        lower = word.lower().replace("’", "'")
        found = self.classes.get(lower)
        if found:
            return found
        if not any(map(str.isalpha, word)):
            return word if word in _STOPS else "X" if any(map(str.isdigit, word)) else "P"
        if word[0].isupper() and found is None:
            return "NN"  # most likely a name
        for size in range(_LONGEST_ENDING, 1, -1):
            found = self.endings.get(lower[-size:])
            if found:
                return found
        return "NN"

    def tag(self, words: Sequence[str], place: int) -> str:
        """Return the tag of the word at a place of a sentence."""
        own = self.classify(words[place])
        left = self.classify(words[place - 1]) if place else _EDGE
        right = self.classify(words[place + 1]) if place + 1 < len(words) else _EDGE
        contexts = (f"{left}|{own}|{right}", f"{left}|{own}|", f"|{own}|{right}")
        found = [self.rules[context] for context in contexts if context in self.rules]
        if found:
            return min(found)[1]
        return "P" if own in _STOPS else self.defaults.get(own, own)


@cache
def load_lexicon(language: str) -> Lexicon:
    """Read the lexicon of a language, once."""
    path = Path(__file__).parent / language / "lexicon.txt.gz"
    return Lexicon.parse(gzip.decompress(path.read_bytes()).decode())
