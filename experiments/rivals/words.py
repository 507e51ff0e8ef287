"""The words of a tokenised sentence, each with its first sub-token, and the sentence written with other words.

In: `Tokens`. Out of `words_of`: words and signs as annotated corpora split them (*do n't*, *John 's*), but never inside
a sub-token, since a tag stands on a word's first one: what begins inside one belongs to the word before it. In, to
`rewrite`: for the start and for each word the words that come to stand there. Out: the text; whatever stays keeps its
characters and its whitespace, new joints are spaced as permend does it.

>>> from permend.text.tokens import WordTokenizer
>>> words = words_of(WordTokenizer().encode("I agreed  with it ."))
>>> words.tokens, words.places
(['I', 'agreed', 'with', 'it', '.'], [1, 2, 3, 4, 5])
>>> rewrite(words, [["Well", ","], ["I"], ["agreed"], [], ["it", "now"], ["."]])
'Well, I agreed it now.'
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from permend.synthesis.words import split_words
from permend.text.spacing import joint
from permend.text.tokens import Tokens

_QUOTES = frozenset("\"'“”‘’`")


@dataclass(frozen=True)
class TokenWords:
    """Words, their characters [start, end), and the place of the sub-token with which each begins."""

    text: str
    tokens: list[str]
    starts: list[int]
    ends: list[int]
    places: list[int]

    def gap(self, word: int) -> str:
        """Return the whitespace before a word that is not the first."""
        return self.text[self.ends[word - 1] : self.starts[word]]


def words_of(sentence: Tokens) -> TokenWords:
    """Split a sentence into words."""
    text = sentence.text
    begins = {start: place for place, (start, end) in reversed(list(enumerate(sentence.spans))) if start < end}
    split = split_words(text)
    starts: list[int] = []
    ends: list[int] = []
    for start, end in zip(split.starts, split.ends, strict=True):
        if start in begins:
            starts.append(start)
            ends.append(end)
        elif ends:
            ends[-1] = end
    tokens = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    return TokenWords(text, tokens, starts, ends, [begins[start] for start in starts])


@dataclass(frozen=True)
class _Written:
    """A word to be written, and the source's word in whose place it stands; None if it is put in behind that."""

    text: str
    word: int | None


def rewrite(words: TokenWords, new: Sequence[Sequence[str]], merged: Collection[int] = ()) -> str:
    """Return the text with `new` words in the places of the start and of each word.

    A word in `merged` loses the space behind it.
    """
    out = [_Written(text, None) for text in new[0]]
    for word, texts in enumerate(new[1:]):
        out += [_Written(text, None if number else word) for number, text in enumerate(texts)]
    parts = [words.text[: words.starts[0]] if words.starts else ""]
    for place, each in enumerate(out):
        if place:
            before = out[place - 1]
            glued = each.word is not None and each.word - 1 in merged and before.word == each.word - 1
            parts.append("" if glued else _gap(words, out, place))
        parts.append(each.text)
    return "".join([*parts, words.text[words.ends[-1] :] if words.ends else ""])


def _gap(words: TokenWords, out: Sequence[_Written], place: int) -> str:
    """Return the whitespace before a written word: the source's, where it has that joint or one like it."""
    left, right = out[place - 1], out[place]
    wanted = _spaced([each.text for each in out[max(0, place - 2) : place + 2]], min(place, 2))
    before = words.gap(right.word) if right.word else None
    if left.word is not None and left.word + 1 == right.word and before is not None:
        old = words.tokens[left.word : right.word + 1]
        around = words.tokens[max(0, right.word - 2) : right.word + 2]
        alike = wanted == _spaced(around, min(right.word, 2)) and (before or not wanted)
        if alike or old == [left.text, right.text]:
            return before
    if right.text in _QUOTES and before is not None:  # whether a mark opens or closes is the source's to say
        return before
    if left.text in _QUOTES and left.word is not None and left.word + 1 < len(words.tokens):
        return words.gap(left.word + 1)
    return (before or " ") if wanted else ""


def _spaced(around: Sequence[str], place: int) -> bool:
    """Whether a space stands before one of some neighbouring words."""
    before = around[place - 2] if place > 1 else ""
    after = around[place + 1] if place + 1 < len(around) else ""
    return joint(around[place - 1], around[place], before, after)
