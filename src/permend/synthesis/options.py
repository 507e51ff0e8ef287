"""What can go wrong at a word: every error that the model allows there, with its weight.

In: an error model. Out: for a token, and for a phrase of two or three, a `WeightedChoice` of `Option`s. A weight is the
chance that a learner makes this error at this word, whatever its neighbours: counted, where it was seen often, and
otherwise backed off to what happens to words of its class (its tags or ending, its length, its case). Everything that
depends on the word alone is worked out once and kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple, TypeVar

from permend.synthesis.annotations import alike
from permend.synthesis.casing import case_kind, spell_kind, split_places
from permend.synthesis.contexts import NeighbourFactors
from permend.synthesis.drawing import BoundedCache, WeightedChoice
from permend.synthesis.error_model import ErrorModel
from permend.synthesis.morphology import load_morphology
from permend.synthesis.slips import TYPES as SLIPS
from permend.synthesis.slips import slips_of

Item = TypeVar("Item")
Kind = Literal["replace", "spell", "drop", "add", "move", "case", "slip"]

_BACK_OFF = 25.0  # occurrences of a word from which its own errors count more than those of its class
_NAME = 0.3  # how much seldomer names are misspelled than words
_WORDS, _PHRASES, _GAPS = 40_000, 20_000, 2_000  # remembered at a time
_ONCE_UNLIKE, _ONCE_ALIKE = 0.35, 0.8  # what a replacement seen only once is worth
MARKS = frozenset("\"'“”‘’`()[]{}«»")
"""Signs that come in twos: errors would break the pair."""
_SHORTEST_MISSPELLED = 3


class Option(NamedTuple):
    """An error that can be made at a token or phrase."""

    kind: Kind
    type: str
    span: int
    """Tokens that it concerns."""
    phrase: str
    """The phrase whose neighbours decide, where it has some of its own."""
    wrongs: WeightedChoice[tuple[str, ...]] | None = None
    """What to write instead, where that is known beforehand."""
    slip: str = ""
    """Which slip it is, where it is one."""


class Options:
    """The options of every word and phrase, worked out when it is first met, times the rates of their types.

    `openings` are the first two tokens of all phrases of several tokens.
    """

    def __init__(self, weights: Weights, rates: Mapping[str, float]) -> None:
        """Combine weights, which can be shared, with rates."""
        self._rates = rates
        self._nothing: WeightedChoice[Option] = WeightedChoice(())
        self._words: BoundedCache[tuple[str, bool], WeightedChoice[Option]]
        self._words = BoundedCache(lambda key: self._rated(weights.of_word(*key)), _WORDS)
        self._gaps: BoundedCache[str, WeightedChoice[Option]] = BoundedCache(
            lambda key: self._rated(weights.of_gap(key)), _GAPS
        )
        self._phrases: BoundedCache[str, WeightedChoice[Option]]
        self._phrases = BoundedCache(lambda phrase: self._rated(weights.of_phrase(phrase)), _PHRASES)
        self.openings = weights.openings

    def of_word(self, token: str, at_start: bool) -> WeightedChoice[Option]:
        """Return what can go wrong at a token."""
        return self._words[token, at_start]

    def of_gap(self, key: str) -> WeightedChoice[Option]:
        """Return what can be added before a word, given by its key as a neighbour."""
        return self._gaps[key]

    def of_phrase(self, phrase: str) -> WeightedChoice[Option]:
        """Return what can go wrong at several tokens, given in lower case."""
        return self._phrases[phrase]

    def _rated(self, weighted: Iterable[tuple[Option, float]]) -> WeightedChoice[Option]:
        choice = WeightedChoice((option, weight * self._rates.get(option.type, 1.0)) for option, weight in weighted)
        return choice if choice.items else self._nothing


class Weights:
    """What the model says about single words and phrases, rates left aside."""

    def __init__(self, model: ErrorModel, factors: NeighbourFactors, remember: int) -> None:
        """Look up phrases in the model and additions in the factors; remember so many words."""
        self._model = model
        self._factors = factors
        self._morphologies = [load_morphology(name) for name in model.changes]
        self._words: BoundedCache[tuple[str, bool], list[tuple[Option, float]]]
        self._words = BoundedCache(lambda key: list(self._weigh(*key)), remember)
        self._pairs = _by_phrase(model.pairs)
        self._dropped = _by_phrase(model.dropped)
        self._added = [
            (Option("add", kind, 0, ""), sum(phrases.values()) / max(1, model.tokens))
            for kind, phrases in model.added.items()
        ]
        self._changes = {name: _by_phrase(kinds) for name, kinds in model.changes.items()}
        phrases = (phrase.lower() for phrase in (*self._pairs, *self._dropped) if _is_usable(phrase))
        self.openings = {" ".join(phrase.split(" ", 2)[:2]) for phrase in phrases}

    def of_word(self, token: str, at_start: bool) -> list[tuple[Option, float]]:
        """Return what can go wrong at a token."""
        return self._words[token, at_start]

    def of_gap(self, key: str) -> list[tuple[Option, float]]:
        """Return what can be added before a word with that key."""
        return [(option, weight * self._factors.right(option.type, "", key)) for option, weight in self._added]

    def of_phrase(self, phrase: str) -> Iterator[tuple[Option, float]]:
        """Return what can go wrong at several tokens, given in lower case."""
        if not _is_usable(phrase):
            return
        model, span = self._model, phrase.count(" ") + 1
        count = model.phrases.get(phrase, 1) + _BACK_OFF
        for kind, wrongs in self._pairs.get(phrase, ()):
            weighted = ((tuple(wrong.split()), worth(phrase, wrong, n)) for wrong, n in wrongs.items())
            choice = WeightedChoice((wrong, weight) for wrong, weight in weighted if MARKS.isdisjoint(wrong))
            yield Option("replace", kind, span, phrase, choice), choice.total / count
        for kind, dropped in self._dropped.get(phrase, ()):
            yield Option("drop", kind, span, phrase), dropped / count

    def _weigh(self, token: str, at_start: bool) -> Iterator[tuple[Option, float]]:
        if token in MARKS or any(character.isdecimal() for character in token):
            return
        word = token.lower()
        is_name = not at_start and token[0].isupper() and token != "I"
        yield from self._weigh_slips(token)
        yield from self._weigh_orthography(token, word, at_start)
        yield from self._weigh_spelling(word, _NAME if is_name else 1.0)
        if is_name:
            return
        yield from self._weigh_pairs(word)
        count = self._model.words.get(word, 1) + _BACK_OFF
        for kind, dropped in self._dropped.get(word, ()):
            yield Option("drop", kind, 1, word), dropped / count
        for distance, moved in self._model.moves.get(word, {}).items():
            yield Option("move", "R:WO", int(distance), ""), moved / count

    def _weigh_pairs(self, word: str) -> Iterator[tuple[Option, float]]:
        """Weigh replacements: those seen for this word, and changes of form seen for others of its class."""
        count = self._model.words.get(word, 1) + _BACK_OFF
        found: dict[str, dict[tuple[str, ...], float]] = {}
        for kind, wrongs in self._pairs.get(word, ()):
            if not kind.endswith((":ORTH", ":SPELL")):
                found[kind] = {tuple(wrong.split()): worth(word, wrong, n) for wrong, n in wrongs.items()}
        for morphology in self._morphologies:
            name = morphology.classify(word)
            tokens = self._model.classes[morphology.name].get(name or "", 0)
            if name is None or not tokens:
                continue
            for kind, changes in self._changes[morphology.name].get(name, ()):
                for change, seen in changes.items():
                    wrong = morphology.apply(word, change)
                    if wrong is not None and wrong != word and (morphology.exact or wrong in self._model.words):
                        weights = found.setdefault(kind, {})
                        weights[(wrong,)] = weights.get((wrong,), 0.0) + _BACK_OFF * seen / tokens
        for kind, weights in found.items():
            choice = WeightedChoice((wrong, weight) for wrong, weight in weights.items() if MARKS.isdisjoint(wrong))
            yield Option("replace", kind, 1, word, choice), choice.total / count

    def _weigh_orthography(self, token: str, word: str, at_start: bool) -> Iterator[tuple[Option, float]]:
        """Weigh wrong case and words in pieces."""
        for kind, wrongs in self._pairs.get(token, ()):
            if kind.endswith(":ORTH"):
                choice = WeightedChoice((tuple(wrong.split()), float(n)) for wrong, n in wrongs.items())
                count = self._model.words.get(word, 1) + _BACK_OFF
                yield Option("replace", kind, 1, "", choice), choice.total / count
        case = case_kind(token, at_start)
        if case and not (case == "name" and token.isupper()):
            yield Option("case", "R:ORTH", 1, ""), self._chance(case)
        places = split_places(word, self._model.words)
        if places:
            halves: WeightedChoice[tuple[str, ...]] = WeightedChoice(
                ((token[:place], token[place:]), 1.0) for place in places
            )
            yield Option("replace", "R:ORTH", 1, "", halves), self._chance("split")

    def _weigh_slips(self, token: str) -> Iterator[tuple[Option, float]]:
        """Weigh slips, where the model was learned from text that shows them."""
        for kind in slips_of(token):
            if kind in self._model.chances:
                yield Option("slip", SLIPS[kind], 1, "", slip=kind), self._chance(kind)

    def _weigh_spelling(self, word: str, factor: float) -> Iterator[tuple[Option, float]]:
        if word.isalpha() and len(word) >= _SHORTEST_MISSPELLED:
            seen = sum(self._model.pairs.get("R:SPELL", {}).get(word, {}).values())
            usual = self._chance(spell_kind(word))
            count = self._model.words.get(word, 1)
            weight = (seen + _BACK_OFF * 4 * usual) / (count + _BACK_OFF * 4)
            yield Option("spell", "R:SPELL", 1, ""), factor * weight

    def _chance(self, name: str) -> float:
        errors, places = self._model.chances.get(name, (0, 1))
        return errors / max(1, places)


def _by_phrase(tables: Mapping[str, Mapping[str, Item]]) -> dict[str, list[tuple[str, Item]]]:
    """Turn type → phrase → counts around."""
    found: dict[str, list[tuple[str, Item]]] = {}
    for kind, table in tables.items():
        for phrase, counts in table.items():
            found.setdefault(phrase, []).append((kind, counts))
    return found


def _is_usable(phrase: str) -> bool:
    """Whether a phrase has several tokens, none of them a quotation mark or bracket, and does not cut a compound."""
    tokens = phrase.split()
    return len(tokens) > 1 and MARKS.isdisjoint(tokens) and tokens[0] != "-" and tokens[-1] != "-"


def worth(correct: str, wrong: str, count: int) -> float:
    """Return what a count is worth: a replacement seen once, of a word by one quite unlike it, may be an accident."""
    if count > 1:
        return float(count)
    return _ONCE_ALIKE if alike(correct, wrong) else _ONCE_UNLIKE
