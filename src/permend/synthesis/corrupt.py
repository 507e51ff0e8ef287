"""Make errors: a correct sentence in, the sentence as a learner might have written it out.

In: a sentence as it is written, and a `random.Random`. Out: a `Corruption`: the pair, and the errors with their types.

    corruptor = Corruptor(ErrorModel.load("errors.json"))
    corruptor.corrupt("She goes to school by bus.", random.Random(1)).pair.source

How many errors a sentence gets is drawn from what sentences of its length had. Each error is then drawn by rejection
sampling: draw a word and an error by their weights, accept the error in proportion to its neighbours' factor, and draw
again otherwise. So most words cost one look-up, and only drawn ones more.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Protocol

from permend.corpora.pairs import Pair
from permend.synthesis.contexts import NeighbourFactors, NeighbourKeys
from permend.synthesis.drawing import WeightedChoice
from permend.synthesis.error_model import ErrorModel, length_class
from permend.synthesis.options import MARKS, Option, Options, Weights
from permend.synthesis.rewrite import Rewrite, Rewriter
from permend.synthesis.words import Words, split_words
from permend.text.edits import Edit

_LIKELIEST = 4.0  # the factor of neighbours from which a draw always stands
_TRIES = 30


@dataclass(frozen=True)
class Error:
    """An error that was made: an edit of the correct text, and its type."""

    edit: Edit
    type: str


@dataclass(frozen=True)
class Corruption:
    """A pair and the errors that tell its sides apart; ``apply(pair.target, edits)`` is ``pair.source``."""

    pair: Pair
    errors: tuple[Error, ...] = ()


class Corrupts(Protocol):
    """Anything that makes errors."""

    def corrupt(self, text: str, random_: random.Random) -> Corruption:
        """Make errors in a sentence."""


@dataclass(frozen=True)
class Settings:
    """What may be changed without a new model."""

    rates: Mapping[str, float] | None = None
    """Factors by type; by default the model's."""
    clean: float = 1.0
    """Factor of the odds that a sentence stays clean."""
    more: float = 1.0
    """Factor of the odds of each further error in a sentence that has one."""
    misspellings: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Word → misspelling → weight, instead of the model's own."""

    def tilted(self, errors: Mapping[str, Sequence[float]]) -> dict[str, list[float]]:
        """Work the two factors into the model's numbers of errors a sentence."""
        return {
            name: [round(count * (self.more ** (n - 1) if n else self.clean), 3) for n, count in enumerate(counts)]
            for name, counts in errors.items()
        }


class Prepared:
    """An error model made ready for drawing; several corruptors with different settings can share it."""

    def __init__(self, model: ErrorModel, remember: int = 0) -> None:
        """Index the neighbours; the rest is worked out when it is needed, and remembered for so many words."""
        self.model = model
        self._remember = remember
        usual = model.neighbours.get("usual", {})
        self.keys = NeighbourKeys({key for key in usual if key[:1] not in ("*", "#")})
        self.factors = NeighbourFactors(model.neighbours, {**model.words, **model.phrases})

    @cached_property
    def weights(self) -> Weights:
        """Weights of all errors, rates left aside."""
        return Weights(self.model, self.factors, self._remember)


class Corruptor:
    """Makes the errors of an error model."""

    def __init__(self, model: ErrorModel | Prepared, settings: Settings | None = None) -> None:
        """Prepare the model for drawing."""
        prepared = model if isinstance(model, Prepared) else Prepared(model)
        self.model = prepared.model
        self.settings = settings or Settings()
        rates = self.model.rates if self.settings.rates is None else self.settings.rates
        self._keys, self._factors = prepared.keys, prepared.factors
        self._options = Options(prepared.weights, rates)
        self._rewriter = Rewriter(self.model, self._factors, self._keys, self.settings.misspellings)
        errors = self.settings.tilted(self.model.errors)
        choices = {
            name: WeightedChoice((n, count) for n, count in enumerate(counts)) for name, counts in errors.items()
        }
        self._counts = {name: choice for name, choice in choices.items() if choice.items}
        self._any_length = WeightedChoice((n, count) for counts in errors.values() for n, count in enumerate(counts))

    def __reduce__(self) -> tuple[type[Corruptor], tuple[ErrorModel, Settings]]:
        """Prepare anew in another process."""
        return Corruptor, (self.model, self.settings)

    def corrupt(self, text: str, random_: random.Random) -> Corruption:
        """Make as many errors as a learner would have made, which is often none."""
        words = split_words(text)
        number = self._counts.get(length_class(len(words.tokens)), self._any_length).draw(random_)
        return self.corrupt_words(words, number, random_) if number else Corruption(Pair(text, text))

    def corrupt_words(self, words: Words, number: int, random_: random.Random) -> Corruption:
        """Make a number of errors, or fewer where they find no place."""
        places, choices = self._lay_out(words)
        sums = list(accumulate(choice.total for choice in choices))
        errors: list[Error] = []
        taken = bytearray(2 * len(words.tokens) + 1)  # gaps and tokens by turns
        for _ in range(number if sums and sums[-1] > 0 else 0):
            for _ in range(_TRIES):
                chosen = bisect_right(sums, random_.random() * sums[-1])
                if chosen == len(sums):
                    continue
                option, place = choices[chosen].draw(random_), places[chosen]
                if random_.random() * _LIKELIEST >= self._factor(words.tokens, place, option):
                    continue
                edit = _place(words, self._rewriter.rewrite(words, place, option, random_), taken)
                if edit is not None and not any(_overlap(edit, error.edit) for error in errors):
                    errors.append(Error(edit, option.type))
                    break
        made = tuple(sorted(errors, key=lambda error: error.edit))
        return Corruption(Pair(_write(words.text, made), words.text), made)

    def _lay_out(self, words: Words) -> tuple[list[int], list[WeightedChoice[Option]]]:
        """List the places of a sentence and what can go wrong there."""
        options, tokens = self._options, words.tokens
        places = list(range(len(tokens)))
        choices = [options.of_word(token, place == 0) for place, token in enumerate(tokens)]
        additions = [place for place, token in enumerate(tokens) if token not in MARKS]
        places += additions
        choices += [options.of_gap(self._keys(tokens[place])) for place in additions]
        lower = [token.lower() for token in tokens]
        for place, two in enumerate(map(" ".join, pairwise(lower))):
            if two in options.openings:
                places.append(place)
                choices.append(options.of_phrase(two))
                if place + 2 < len(lower):
                    places.append(place)
                    choices.append(options.of_phrase(f"{two} {lower[place + 2]}"))
        return places, choices

    def _factor(self, tokens: Sequence[str], place: int, option: Option) -> float:
        """Return how much the neighbours speak for an error."""
        kind = option.kind
        if kind in ("spell", "case", "slip"):
            return 1.0
        phrase = option.phrase if option.phrase and self._factors.has(option.type, option.phrase) else ""
        factor = self._factors.left(option.type, phrase, self._keys(tokens[place - 1] if place else ""))
        if kind == "add":  # the word behind is in the weight already
            return factor
        end = place + (1 if kind == "move" else option.span)
        right = self._keys(tokens[end] if end < len(tokens) else "")
        return factor * self._factors.right(option.type, phrase, right)


def _place(words: Words, found: Rewrite | None, taken: bytearray) -> Edit | None:
    """Turn a rewrite into an edit, unless it would touch another one, change nothing, or leave nothing."""
    if found is None:
        return None
    start, end, new, edit = found
    reach = slice(2 * start, 2 * end + (start == end or not new))
    if any(taken[reach]) or (edit is None and not new and end - start == len(words.tokens)):
        return None
    edit = edit or words.splice(start, end, new)
    if edit is not None:
        taken[reach] = b"\1" * len(taken[reach])
    return edit


def _overlap(first: Edit, second: Edit) -> bool:
    """Whether two edits share a character: neighbours may both have changed the whitespace between them."""
    return first.start < second.end and second.start < first.end


def _write(text: str, errors: Sequence[Error]) -> str:
    """Carry out errors that are in order and do not touch."""
    parts: list[str] = []
    done = 0
    for error in errors:
        parts += text[done : error.edit.start], error.edit.after
        done = error.edit.end
    return "".join([*parts, text[done:]])
