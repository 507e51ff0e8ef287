"""Carry out a drawn error: which tokens go, and what a learner wrote instead.

In: the words of a sentence, a place and an `Option`. Out: a `Rewrite`, or None where nobody would write that.

    rewriter.rewrite(split_words("She goes home."), 1, option, random_)    # Rewrite(start=1, end=2, new=["go"])
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import NamedTuple

from permend.synthesis.casing import lower_first, move, raise_first
from permend.synthesis.contexts import NeighbourFactors, NeighbourKeys
from permend.synthesis.drawing import draw
from permend.synthesis.error_model import ErrorModel
from permend.synthesis.options import MARKS, Option
from permend.synthesis.slips import slip
from permend.synthesis.spelling import LetterNoise
from permend.synthesis.words import Words
from permend.text.edits import Edit

_KNOWN = 0.65  # share of misspellings taken from those seen, where there are any
_RARE, _ONCE = 0.4, 0.1  # what additions are worth whose neighbours are unknown
_OTHER_CAPITAL = 0.1  # how often a new first word lacks its capital
_NOT = ("n't", "n’t")
_APOSTROPHES = ("'", "’", "n'", "n’")


class Rewrite(NamedTuple):
    """Put `new` in the place of the tokens [start, end)."""

    start: int
    end: int
    new: list[str]
    edit: Edit | None = None
    """What is done instead where only spaces change."""


class Rewriter:
    """Knows what learners write instead."""

    def __init__(
        self,
        model: ErrorModel,
        factors: NeighbourFactors,
        keys: NeighbourKeys,
        misspellings: Mapping[str, Mapping[str, float]],
    ) -> None:
        """Take what is learned, and further misspellings."""
        self._model = model
        self._factors = factors
        self._keys = keys
        self._misspellings = misspellings
        self._letters = LetterNoise(model.letters)

    def rewrite(self, words: Words, place: int, option: Option, random_: random.Random) -> Rewrite | None:
        """Decide what becomes of the tokens at a place."""
        found = self._propose(words, place, option, random_)
        if found is not None and found.edit is not None:
            return found
        if found is None or found.new == words.tokens[found.start : found.end] or not self._is_plausible(words, found):
            return None
        begins = found.start == 0 and found.end < len(words.tokens) and words.tokens[0][:1].isupper()
        return _keep_capital(words, found, random_) if begins and option.kind != "case" else found

    def _propose(self, words: Words, place: int, option: Option, random_: random.Random) -> Rewrite | None:
        tokens, end = words.tokens, place + option.span
        if option.kind == "replace" and option.wrongs is not None:
            return Rewrite(place, end, _match_case(tokens[place], option.wrongs.draw(random_)))
        if option.kind == "drop":
            return Rewrite(place, end, [])
        if option.kind == "add":
            added = self._draw_addition(words, place, option.type, random_)
            return None if added is None else Rewrite(place, place, added)
        if option.kind == "case":
            return Rewrite(place, end, [_other_case(tokens[place])])
        if option.kind == "slip":
            return self._slip(words, place, option.slip, random_)
        if option.kind == "spell":
            wrong = self._misspell(tokens[place].lower(), random_)
            return None if wrong is None else Rewrite(place, end, _match_case(tokens[place], (wrong,)))
        first, last = min(place, end), max(place, end) + 1
        stretch = tokens[first:last] if first >= 0 else []
        if len(stretch) != last - first or not all(token[:1].isalpha() and token not in _NOT for token in stretch):
            return None
        return Rewrite(first, last, move(stretch, place - first, option.span))

    def _slip(self, words: Words, place: int, kind: str, random_: random.Random) -> Rewrite | None:
        made = slip(words, place, kind, random_)
        if made is None:
            return None
        start, end, new = made
        return Rewrite(start, end, [], new) if isinstance(new, Edit) else Rewrite(start, end, new)

    def _draw_addition(self, words: Words, place: int, kind: str, random_: random.Random) -> list[str] | None:
        """Draw an unnecessary word that the neighbours make likely."""
        tokens, factors = words.tokens, self._factors
        left, right = self._keys(tokens[place - 1] if place else ""), self._keys(tokens[place])
        weighted = []
        for phrase, count in self._model.added[kind].items():
            if not MARKS.isdisjoint(phrase.split()):
                continue
            if factors.has(kind, phrase):
                weighted.append((phrase, count * factors.left(kind, phrase, left) * factors.right(kind, phrase, right)))
            elif not phrase.startswith(_APOSTROPHES):
                weighted.append((phrase, count * (_RARE if count > 1 else _ONCE)))
        added = draw(weighted, random_).split() if weighted else [""]
        around = [token.lower() for token in tokens[max(0, place - 1) : place + 1]]
        if added[0].lower() in ("", *around) or added[-1].lower() in around:
            return None
        return None if place == 0 and added[0].startswith(_APOSTROPHES) else added

    def _misspell(self, word: str, random_: random.Random) -> str | None:
        known = self._misspellings.get(word) or self._model.pairs.get("R:SPELL", {}).get(word)
        if known and random_.random() < _KNOWN:
            return draw(list(known.items()), random_)
        wrong = self._letters.misspell(word, random_)
        return None if wrong in self._model.words or not wrong.isalpha() else wrong

    def _is_plausible(self, words: Words, found: Rewrite) -> bool:
        """Refuse what nobody writes: words inside a compound or a name, *maken't*."""
        tokens, (start, end, new, _) = words.tokens, found
        if start == end:
            if start and words.ends[start - 1] == words.starts[start]:
                return not new[0][:1].isalnum()
            inside_name = start and tokens[start - 1][:1].isupper() and tokens[start][:1].isupper()
            return not inside_name or tokens[start] == "I"
        if tokens[start:end] == ["-"] and new and 0 < start < len(tokens) - 1:
            return words.ends[start - 1] < words.starts[start] or words.ends[start] < words.starts[end]
        if end < len(tokens) and tokens[end].lower() in _NOT:
            last = new[-1] if new else tokens[start - 1] if start else ""
            return f"{last.lower()} n't" in self._model.phrases
        return True


def _match_case(model: str, tokens: tuple[str, ...]) -> list[str]:
    """Give a replacement the case of what it replaces."""
    if len(model) > 1 and model.isupper():
        return [token.upper() for token in tokens]
    return raise_first(tokens) if model[:1].isupper() and model != "I" else list(tokens)


def _other_case(token: str) -> str:
    return token[:1].lower() + token[1:] if token[:1].isupper() else token[:1].upper() + token[1:]


def _keep_capital(words: Words, found: Rewrite, random_: random.Random) -> Rewrite:
    """Let the sentence begin with a capital whatever was done to its first word."""
    start, end, new, _ = found
    keep = random_.random() >= _OTHER_CAPITAL
    if new and start < end:
        return Rewrite(start, end, raise_first(new) if keep else new)
    following = words.tokens[end]
    if start == end:
        first = following if following == "I" else lower_first((following,))[0]
        return Rewrite(start, end + 1, [*(raise_first(new) if keep else new), first])
    return Rewrite(start, end + 1, raise_first([following]) if keep else [following])
