"""Pairs as validation sentences, judged by the edits of words that they share with a correction.

>>> sentences = Paired("two", [Pair("He go home", "He goes home"), Pair("I am here", "I am here")])
>>> sentences.correct
[False, True]
>>> sentences.score(0, "He goes home now")
Score(tp=1, fp=1, fn=0)
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from permend.corpora.lines import content_suffix
from permend.corpora.pairs import Pair, read_pairs
from permend.errors import MissingExtraError
from permend.evaluation.edits import score_edits, word_edits
from permend.evaluation.errant import load_annotator
from permend.evaluation.score import Score
from permend.tuning.annotated import Annotated
from permend.tuning.sentences import Sentences


@dataclass
class Paired(Sentences):
    """Sentences with what they should be."""

    name: str
    pairs: list[Pair]
    metric: str = "edits of words"

    @property
    def texts(self) -> list[str]:
        """The sources."""
        return [pair.source for pair in self.pairs]

    @property
    def correct(self) -> list[bool]:
        """Whether each source is its own target."""
        return [pair.source == pair.target for pair in self.pairs]

    def score(self, place: int, text: str) -> Score:
        """Score one corrected text."""
        return score_edits([self.pairs[place]], [text], word_edits)

    def is_changed(self, place: int, text: str) -> bool:
        """Say whether a text differs from its source."""
        return text != self.pairs[place].source


def read_sentences(path: str | Path, limit: int | None = None) -> Sentences:
    """Read a file or folder, or its first sentences; M2 is judged by ERRANT where that is installed."""
    is_m2 = content_suffix(path) == ".m2"
    if is_m2 and _has_errant():
        return Annotated.read(path, limit)
    return Paired(Path(path).name, list(read_pairs(path, raw=is_m2))[:limit])


def _has_errant() -> bool:
    try:
        load_annotator()
    except MissingExtraError:
        return False
    return True
