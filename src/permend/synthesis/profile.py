"""The profile of a corpus: how many errors of which types its sentences have.

In: annotated sentences, or pairs, whose differences ERRANT cuts into typed edits, or corruptions, which know their own
errors. Out: a `Profile`. Two profiles are comparable when both come from ERRANT or from annotations in its style.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from permend.corpora.m2 import M2Sentence
from permend.corpora.pairs import Pair
from permend.evaluation.errant import load_annotator
from permend.synthesis.changes import mirror_or_none, own_type
from permend.synthesis.corrupt import Corruption
from permend.synthesis.words import split_words

_UNTYPED = ("noop", "UNK", "Um")


@dataclass
class Profile:
    """Counts over the sentences of a corpus."""

    sentences: int = 0
    tokens: int = 0
    """Tokens of the sources."""
    errors: Counter[int] = field(default_factory=Counter)
    """How many sentences have so many errors."""
    types: Counter[str] = field(default_factory=Counter)
    """Errors by type with its operation, such as ``R:VERB:TENSE``."""

    def add(self, tokens: int, types: Iterable[str]) -> None:
        """Count one sentence."""
        found = [each for each in types if each not in _UNTYPED]
        self.sentences += 1
        self.tokens += tokens
        self.errors[len(found)] += 1
        self.types.update(found)

    @property
    def total(self) -> int:
        """All errors."""
        return self.types.total()

    @property
    def clean(self) -> float:
        """Share of sentences without errors."""
        return self.errors[0] / max(1, self.sentences)

    @property
    def rate(self) -> float:
        """Errors a sentence."""
        return self.total / max(1, self.sentences)

    def shares(self) -> dict[str, float]:
        """Return the share of each type among all errors, most frequent first."""
        return {name: count / max(1, self.total) for name, count in self.types.most_common()}

    def by_name(self) -> dict[str, float]:
        """Return the shares of the types without their operations."""
        return self._summed(lambda kind: kind.partition(":")[2] or kind)

    def by_operation(self) -> dict[str, float]:
        """Return the shares of replaced (R), missing (M) and unnecessary (U) words."""
        return self._summed(lambda kind: kind[0])

    def _summed(self, key: Callable[[str], str]) -> dict[str, float]:
        counts: Counter[str] = Counter()
        for kind, count in self.types.items():
            counts[key(kind)] += count
        return {name: count / max(1, self.total) for name, count in counts.most_common()}


def profile_m2(sentences: Iterable[M2Sentence], *, own: bool = False) -> Profile:
    """Count what the first annotator of each sentence found; with `own`, under the types that models use."""
    profile = Profile()
    for sentence in sentences:
        mirrored = mirror_or_none(sentence)
        if mirrored is not None:
            profile.add(len(sentence.tokens), (own_type(change) if own else change.type for change in mirrored[1]))
    return profile


def profile_pairs(pairs: Iterable[Pair]) -> Profile:
    """Count what ERRANT sees in pairs of raw text; needs the ``eval`` extra."""
    profile = Profile()
    for pair in pairs:
        if pair.source == pair.target:
            profile.add(len(split_words(pair.source).tokens), ())
        else:
            annotator = load_annotator()
            source, target = annotator.parse(pair.source, tokenise=True), annotator.parse(pair.target, tokenise=True)
            profile.add(len(source), (edit.type for edit in annotator.annotate(source, target)))
    return profile


def profile_corruptions(corruptions: Iterable[Corruption]) -> Profile:
    """Count what was made."""
    profile = Profile()
    for corruption in corruptions:
        tokens = len(split_words(corruption.pair.source).tokens)
        profile.add(tokens, (error.type for error in corruption.errors))
    return profile
