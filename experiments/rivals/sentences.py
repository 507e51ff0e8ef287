"""What all correctors of the comparison share: sentences as people write them around a system that only guesses.

In: texts, with any spaces and quotation marks, and a corrector that says how it reads a text and what it guesses for
some at once. Out: `Correction`s in the order of the texts. A text without a word, or longer than the system takes,
stays as it is; so do the spaces around a text, and its quotation marks: a system sees straight ones.

    " I am “tierd”.\\n"   is read as   I am "tierd".   guessed   I am "tired".   becomes   " I am “tired”.\\n"
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from experiments.rivals.system import Guess
from permend.corrector.correction import Alternative, Correction, distinct
from permend.corrector.corrector import Known
from permend.corrector.scoring import score_edits
from permend.errors import check_count, check_texts
from permend.text.quotes import straighten

if TYPE_CHECKING:
    from permend.corrector.explaining.language import Language

S = TypeVar("S")


class SentenceCorrector(ABC, Generic[S]):
    """Corrects sentences with a system that reads them as `S`."""

    @property
    @abstractmethod
    def language(self) -> Language:
        """What types and explains its edits."""

    @abstractmethod
    def read(self, texts: Sequence[str]) -> list[S]:
        """Return what the system sees of texts without spaces around them."""

    @abstractmethod
    def length(self, sentence: S) -> int:
        """Return how long a sentence is to the system; 0 where it is left alone."""

    @abstractmethod
    def guess(self, sentences: Sequence[S]) -> list[Guess]:
        """Return what the system makes of sentences, all at once."""

    def correct_batch(self, texts: Sequence[str], batch_size: int = 8, known: Known = None) -> list[Correction]:
        """Correct sentences, the longest together with the longest; the order of the results is the texts'."""
        check_count("batch_size", batch_size)
        originals = list(check_texts("texts", texts))
        cores = [straighten(text).strip() for text in originals]
        sentences = self.read(cores)
        lengths = [self.length(sentence) for sentence in sentences]
        places = sorted((place for place, length in enumerate(lengths) if length), key=lengths.__getitem__)
        corrections = [Correction.blank(core) for core in cores]
        for start in range(0, len(places), batch_size):
            batch = places[start : start + batch_size]
            for place, guess in zip(batch, self.guess([sentences[place] for place in batch]), strict=True):
                corrections[place] = self._correction(cores[place], guess)
        return [_as_written(each, text) for each, text in zip(corrections, originals, strict=True)]

    def _correction(self, source: str, guess: Guess) -> Correction:
        same = Alternative(source, -guess.confidence, 0.0, 1, -guess.confidence, True)
        if guess.text == source:
            return Correction(source, source, (), (same,), 0.0)
        ranked = distinct([Alternative(guess.text, 0.0, 0.0, 1, 0.0, False), same])
        return Correction(
            source, guess.text, score_edits(source, guess.text, ranked, self.language), tuple(ranked), guess.confidence
        )


def _as_written(correction: Correction, text: str) -> Correction:
    """Return the correction of a core as that of the whole text, with its own quotation marks and spaces."""
    core = text.strip()
    before, _, after = text.partition(core) if core else (text, "", "")
    return correction.in_style_of(core).shifted(before, after)
