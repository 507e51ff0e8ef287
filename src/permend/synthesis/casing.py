"""Capitals, words in two pieces and word order: errors that no list of phrases can hold.

In: corrected sentences and their errors. Out of `OrthographyCounts`: how often a capital at the start of a sentence or
of a name is lost, a capital set where none belongs, a word split, a word of some length misspelled; each with the
number of places where it could have happened. Out of `find_move`: the one word that jumps when learners put words in a
wrong order, and how far, seen from the correct text; where a neighbour jumping the other way explains it as well, both
are given.

>>> find_move(("also", "like"), ("like", "also"))
[('also', 1), ('like', -1)]
>>> find_move(("what", "is", "your", "name"), ("what", "your", "name", "is"))
[('is', 2)]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from permend.synthesis.annotations import Change

LONGEST_WORD = 14
_COMMON = 20
_PIECE = 3
_STOPS = (".", "!", "?")


class OrthographyCounts:
    """Counts of errors that any word can suffer, and of places for them; ``joined`` are lines with two sentences.

    Error models keep them under ``chances``.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self._errors: Counter[str] = Counter()
        self._places: Counter[str] = Counter()
        self._split: list[str] = []

    def count(self, corrected: Sequence[str], changes: Sequence[Change]) -> None:
        """Count the places of a sentence, and its errors."""
        self._places["joined"] += 1
        self._errors["joined"] += any(token in _STOPS for token in corrected[:-1])
        for place, token in enumerate(corrected):
            kind = case_kind(token, place == 0)
            if kind:
                self._places[kind] += 1
        for change in changes:
            if change.type.endswith(":SPELL") and len(change.correct) == 1:
                self._errors[spell_kind(change.correct[0])] += 1
            elif change.type.endswith(":ORTH"):
                self._count_orthography(change)

    def _count_orthography(self, change: Change) -> None:
        if len(change.correct) == len(change.wrong):
            for offset, (correct, wrong) in enumerate(zip(change.correct, change.wrong, strict=True)):
                if correct != wrong and correct.lower() == wrong.lower():
                    self._errors[case_kind(correct, change.start + offset == 0)] += 1
        elif len(change.correct) == 1 and len(change.wrong) == 2:
            self._split.append(change.correct[0].lower())

    def as_dict(self, words: Mapping[str, int]) -> dict[str, list[int]]:
        """Return errors and places by kind, given the words of the corrected text."""
        places = Counter(self._places)
        errors = Counter(self._errors)
        for word, count in words.items():
            if word.isalpha():
                places[spell_kind(word)] += count
                if split_places(word, words):
                    places["split"] += count
        errors["split"] = sum(bool(split_places(word, words)) for word in self._split)
        return {kind: [errors[kind], places[kind]] for kind in sorted(places) if places[kind]}


def spell_kind(word: str) -> str:
    """Name the class of words that are misspelled equally often: those of one length."""
    return f"spell {min(len(word), LONGEST_WORD)}"


def case_kind(token: str, at_start: bool) -> str:
    """Name what can happen to a token's case: ``start``, ``name`` (a lost capital), ``upper`` (one too many)."""
    if not token.isalpha():
        return ""
    if token[0].isupper():
        return "" if token == "I" else "start" if at_start else "name"
    return "upper"


def split_places(word: str, words: Mapping[str, int]) -> list[int]:
    """Say where a word can be cut in two common words."""
    if not word.isalpha():
        return []
    return [
        place
        for place in range(_PIECE, len(word) - _PIECE + 1)
        if words.get(word[:place], 0) >= _COMMON and words.get(word[place:], 0) >= _COMMON
    ]


def lower_first(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Take away the capital of the first token, but not from *I* or from a word in capitals."""
    if not tokens or tokens[0] == "I" or tokens[0][1:2].isupper():
        return tokens
    return (tokens[0][:1].lower() + tokens[0][1:], *tokens[1:])


def raise_first(tokens: Sequence[str]) -> list[str]:
    """Give the first token a capital."""
    return [tokens[0][:1].upper() + tokens[0][1:], *tokens[1:]] if tokens else []


FURTHEST = 3


def find_move(correct: Sequence[str], wrong: Sequence[str]) -> list[tuple[str, int]]:
    """Return the possible movers with the number of tokens they jump over, to the right if positive."""
    old, new = [token.lower() for token in correct], [token.lower() for token in wrong]
    moves = []
    for start in range(len(old)):
        for end in range(max(0, start - FURTHEST), min(len(old), start + FURTHEST + 1)):
            if start != end and move(old, start, end - start) == new and old != new:
                moves.append((old[start], end - start))
    return moves


def move(tokens: Sequence[str], start: int, distance: int) -> list[str]:
    """Let one token jump over others."""
    rest = [*tokens[:start], *tokens[start + 1 :]]
    return [*rest[: start + distance], tokens[start], *rest[start + distance :]]
