"""The leak guard: no sentence of the validation file may be learned.

In: the validation pairs. Out: a test of training pairs. A pair leaks when its source or its target, written in words
alone and without regard to case, is also a source or target of validation. Short sentences (*Thank you very much.*)
occur everywhere and say nothing about a leak.

>>> guard = LeakGuard([Pair("He go to the school every day .", "He goes to school every day .")], least_words=6)
>>> guard.leaks(Pair("He goes to school, every day.", "He went to school every day."))
True
>>> guard.leaks(Pair("He goes to work every day.", "He goes to work every day."))
False
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from permend.corpora.pairs import Pair

_WORDS = re.compile(r"\w+")


class LeakGuard:
    """Knows the sentences that must not be trained on."""

    def __init__(self, held_out: Iterable[Pair] = (), least_words: int = 7) -> None:
        """Note the sentences of `held_out` that have at least `least_words` words."""
        self._least_words = least_words
        sides = (side for pair in held_out for side in (pair.source, pair.target))
        self._known = {key for side in sides if (key := self._key(side)) is not None}

    def leaks(self, pair: Pair) -> bool:
        """Whether either side of the pair is held out."""
        return bool(self._known) and (self._key(pair.source) in self._known or self._key(pair.target) in self._known)

    def _key(self, text: str) -> str | None:
        words = _WORDS.findall(text.casefold())
        return " ".join(words) if len(words) >= self._least_words else None
