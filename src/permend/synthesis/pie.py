"""PIE's recipe (Awasthi et al. 2019): the baseline that a fitted model should beat.

In: a sentence. Out: the same with up to four errors: words dropped at random, verbs in another form, words replaced and
inserted as learners do, whatever stands around them. The tables of replacements and insertions are the error model's.

    PieCorruptor(ErrorModel.load("errors.json")).corrupt("She goes home by bus.", random.Random(1)).pair.source
"""

from __future__ import annotations

import random
from collections import Counter

from permend.corpora.pairs import Pair
from permend.synthesis.corrupt import Corruption, Error
from permend.synthesis.drawing import WeightedChoice
from permend.synthesis.error_model import ErrorModel
from permend.synthesis.morphology import load_morphology
from permend.synthesis.words import Words, split_words
from permend.text.edits import apply

ERRORS = {0: 0.05, 1: 0.07, 2: 0.25, 3: 0.35, 4: 0.28}
OPERATIONS = {"drop": 0.30, "verb": 0.25, "replace": 0.25, "insert": 0.20}

_TYPES = {"drop": "M:OTHER", "verb": "R:VERB:FORM", "replace": "R:OTHER", "insert": "U:OTHER"}
_VERB_TAGS = ("VB", "VBZ", "VBD", "VBN", "VBG")
_TRIES = 10


class PieCorruptor:
    """Makes errors by PIE's published shares."""

    def __init__(self, model: ErrorModel) -> None:
        """Take the tables from an error model."""
        self.model = model
        self._forms = load_morphology("english" if model.language == "en" else "endings")
        self._errors, self._operations = WeightedChoice(ERRORS.items()), WeightedChoice(OPERATIONS.items())
        replaced: dict[str, Counter[str]] = {}
        for kind, table in model.pairs.items():
            for correct, wrongs in table.items() if not kind.endswith(":ORTH") else ():
                if " " not in correct:
                    replaced.setdefault(correct, Counter()).update(wrongs)
        self._replaced = {
            word: WeightedChoice((wrong, float(n)) for wrong, n in table.items()) for word, table in replaced.items()
        }
        inserted: Counter[str] = Counter()
        for phrases in model.added.values():
            inserted.update(phrases)
        self._inserted = WeightedChoice((phrase, float(n)) for phrase, n in inserted.items())

    def __reduce__(self) -> tuple[type[PieCorruptor], tuple[ErrorModel]]:
        """Prepare anew in another process."""
        return PieCorruptor, (self.model,)

    def corrupt(self, text: str, random_: random.Random) -> Corruption:
        """Make errors in a sentence."""
        words = split_words(text)
        errors: dict[int, Error] = {}
        for _ in range(self._errors.draw(random_)):
            for _ in range(_TRIES):
                operation = self._operations.draw(random_)
                place = random_.randrange(len(words.tokens)) if words.tokens else 0
                if any(abs(place - other) < 2 for other in errors):
                    continue
                new = self._rewrite(words, place, operation, random_)
                edit = None if new is None else words.splice(place, place + (operation != "insert"), new)
                if edit is not None:
                    errors[place] = Error(edit, _TYPES[operation])
                    break
        made = tuple(errors[place] for place in sorted(errors))
        return Corruption(Pair(apply(text, [error.edit for error in made]), text), made)

    def _rewrite(self, words: Words, place: int, operation: str, random_: random.Random) -> list[str] | None:
        if place >= len(words.tokens):
            return None
        word = words.tokens[place].lower()
        if operation == "drop":
            return [] if len(words.tokens) > 1 else None
        if operation == "insert":
            return self._inserted.draw(random_).split() if self._inserted.items else None
        if operation == "replace":
            return self._replaced[word].draw(random_).split() if word in self._replaced else None
        forms = [form for tag in _VERB_TAGS if (form := self._forms.apply(word, tag)) is not None]
        return [random_.choice(forms)] if forms else None
