"""Paragraphs in, good target sentences out.

In: a paragraph. Out: its sentences, split as documents are (`split_sentences`), and of each whether it may be a target:
`Judge` returns None or the reason to drop it, `Seen` whether it has been there before. A target teaches what is right,
so a doubtful one is worse than none: headlines, list items, half sentences, text in other languages, markup.

>>> judge = Judge()
>>> judge("It was late, so we went home."), judge("see page 7 of this book"), judge("He said that (we can stay.")
(None, 'no capital', 'unbalanced')
>>> seen = Seen(capacity=1000)
>>> seen.add("Hello there."), seen.add("hello  there"), seen.add("Good bye.")
(False, True, False)

`Seen` is a Bloom filter, whose memory does not grow: what was there is always found; something new is taken for a
repetition in fewer than one case in a hundred as long as no more than `capacity` sentences have come.

`join_some` keeps a few sentences together in twos, as learners' annotated lines often hold two: without those nobody
could learn that a comma does not end a sentence.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from hashlib import blake2b

from permend.documents.sentence import sentence_ranges

REASONS = {
    "too short": "fewer words than allowed",
    "too long": "more words than allowed",
    "no capital": "does not begin with a capital letter, a number or a quotation",
    "no end": "does not end like a sentence",
    "cut": "ends in an abbreviation: probably cut off",
    "digits": "too many digits",
    "punctuation": "too many signs",
    "capitals": "too many words in capitals, or almost none in lower case",
    "markup": "addresses, markup or symbols",
    "spaces": "spaces where none belong, or none where one belongs",
    "unbalanced": "a bracket or quotation mark without its partner",
    "twice": "a word stands twice in a row",
    "foreign": "too few words that the error model knows",
    "duplicate": "has been there before",
}

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_BEGIN = re.compile(r"""["“‘'(\[¿¡«]*[^\W_a-zß-öø-ÿ]""")
_END = re.compile(r"""[.!?…。！？]["”’')\]»]*$""")
_CUT = re.compile(r"(?:\b[^\W\d_]\.){2,}$|\b(?:Mr|Mrs|Ms|Dr|St|Prof|Gen|Sen|Rep|Jr|vs|No|Inc|Corp|Co|Ltd)\.$")
_MARKUP = re.compile(r"https?:|www\.|\.com\b|[<>{}|\\^~=_*•�\x00-\x08]|&\w+;|@\w|#\w")
_SPACES = re.compile(
    r"""\s[,.;:!?)\]](?!\.\.)|[(\[]\s|\w[,;:!?]{1,2}[^\W\d_]|[^\W\d_]{2}\.[A-Z][a-z]|\s{2}|\w[,.]"\w|^["']\s|\s["']\s|\s["']$"""
)
_TWICE = re.compile(r"\b([^\W\d_]+) \1\b", re.IGNORECASE)
_MAY_STAND_TWICE = ("had", "that", "very", "no", "ha", "so", "bye", "yes", "really", "there", "is")
_PAIRS = (("(", ")"), ("[", "]"), ("“", "”"))


@dataclass(frozen=True)
class Judge:
    """Decides whether a sentence may be a target."""

    least_words: int = 3
    most_words: int = 60
    most_digits: float = 0.15
    """Share of characters."""
    most_punctuation: float = 0.22
    most_capitals: float = 0.3
    """Share of words written in capitals."""
    least_known: float = 0.5
    """Share of lower-case words that `known` must hold."""
    known: Collection[str] = ()
    """Words of the language; without any, this is not judged."""

    def __call__(self, sentence: str) -> str | None:
        """Return the reason to drop a sentence, a key of `REASONS`, or None."""
        words = _WORD.findall(sentence)
        if len(words) < self.least_words:
            return "too short"
        if len(words) > self.most_words:
            return "too long"
        return self._look(sentence) or self._count(sentence, words)

    def _look(self, sentence: str) -> str | None:
        if not _BEGIN.match(sentence):
            return "no capital"
        if not _END.search(sentence):
            return "no end"
        if _CUT.search(sentence):
            return "cut"
        if _MARKUP.search(sentence):
            return "markup"
        if _SPACES.search(sentence):
            return "spaces"
        if any(sentence.count(first) != sentence.count(last) for first, last in _PAIRS) or sentence.count('"') % 2:
            return "unbalanced"
        twice = _TWICE.search(sentence)
        return "twice" if twice and twice[1].lower() not in _MAY_STAND_TWICE else None

    def _count(self, sentence: str, words: list[str]) -> str | None:
        letters = sum(map(len, words))
        digits = sum(character.isdecimal() for character in sentence)
        if digits > self.most_digits * len(sentence):
            return "digits"
        if len(sentence) - letters - digits - sentence.count(" ") > self.most_punctuation * len(sentence):
            return "punctuation"
        capitals = sum(len(word) > 1 and word.isupper() for word in words)
        lower = [word for word in words if word.islower()]
        if capitals > self.most_capitals * len(words) or (len(words) > 4 and len(lower) < 0.4 * len(words)):
            return "capitals"
        if self.known and lower:
            known = sum(word in self.known or word.partition("'")[0] in self.known for word in lower)
            if known < self.least_known * len(lower):
                return "foreign"
        return None


@dataclass
class Tally:
    """What became of the sentences of a text."""

    kept: int
    dropped: Counter[str]

    @classmethod
    def empty(cls) -> Tally:
        """Begin to count."""
        return cls(0, Counter())

    @property
    def seen(self) -> int:
        """All sentences."""
        return self.kept + self.dropped.total()


_PROBES = 4
_BITS_EACH = 10
_WORDS = re.compile(r"\w+")


class Seen:
    """Remembers sentences by their words, whatever their case and punctuation."""

    def __init__(self, capacity: int = 20_000_000) -> None:
        """Reserve the memory: ten bits a sentence."""
        self._size = max(64, capacity * _BITS_EACH)
        self._bits = bytearray(self._size // 8 + 1)

    def add(self, sentence: str) -> bool:
        """Remember a sentence; say whether it had been there."""
        words = " ".join(_WORDS.findall(sentence.lower()))
        digest = blake2b(words.encode("utf-8", "surrogatepass"), digest_size=8 * _PROBES).digest()
        known = True
        for probe in range(0, len(digest), 8):
            byte, bit = divmod(int.from_bytes(digest[probe : probe + 8], "little") % self._size, 8)
            if not self._bits[byte] >> bit & 1:
                known = False
                self._bits[byte] |= 1 << bit
        return known


_LONGEST_JOINED = 220  # characters of two sentences that stay together


def split_sentences(paragraph: str, language: str = "en") -> list[str]:
    """Split a paragraph; whitespace around sentences is dropped."""
    return [paragraph[start:end] for start, end in sentence_ranges(paragraph, language)]


def join_some(sentences: list[str], share: float, random_: random.Random) -> Iterator[str]:
    """Join a share of neighbouring sentences in twos."""
    place = 0
    while place < len(sentences):
        two = " ".join(sentences[place : place + 2])
        if place + 1 < len(sentences) and len(two) <= _LONGEST_JOINED and random_.random() < share:
            yield two
            place += 2
        else:
            yield sentences[place]
            place += 1
