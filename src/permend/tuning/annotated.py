"""The sentences of an M2 file: corrected as raw text, brought back onto their tokens, judged by ERRANT, once each.

    annotated = Annotated.read("dev.m2")
    [corrected] = correct_with(corrector, annotated.texts, [Options(bias=0.3)])
    points = sweep(*annotated.judge(corrected))

ERRANT is slow, so a judgement is kept for each sentence and hypothesis: another bias or threshold costs only what is
new. Totals are those of `permend evaluate`. Sums over thresholds are the same where there is one annotator, as in
W&I+LOCNESS; with several, every sentence counts there against the one that suits it best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from permend.corpora.detokenize import Detokenized, detokenize
from permend.corpora.m2 import M2Sentence, read_m2
from permend.corpora.tokenized import retokenize
from permend.evaluation.errant import ErrantScore, score_errant
from permend.evaluation.score import Score
from permend.text.edits import diff
from permend.tuning.sentences import Sentences, Tracked, silently


@dataclass
class Annotated(Sentences):
    """Sentences with their gold edits."""

    name: str
    sentences: list[M2Sentence]
    metric: str = "ERRANT"
    _known: dict[tuple[int, tuple[str, ...]], ErrantScore] = field(default_factory=dict)

    @classmethod
    def read(cls, path: str | Path, limit: int | None = None, name: str | None = None) -> Annotated:
        """Read an M2 file, or its first sentences."""
        return cls(name or Path(path).name, list(read_m2(path))[:limit])

    @cached_property
    def lines(self) -> list[Detokenized]:
        """The sentences as written text, with the places of their tokens."""
        return [detokenize(sentence.tokens) for sentence in self.sentences]

    @property
    def texts(self) -> list[str]:
        """The sentences as raw text."""
        return [line.text for line in self.lines]

    @cached_property
    def correct(self) -> list[bool]:
        """Whether each sentence has no error, that is, an annotator who changed nothing."""
        return [not all(sentence.annotations.values()) for sentence in self.sentences]

    def tokens(self, place: int, text: str) -> tuple[str, ...]:
        """Return the tokens of a corrected text."""
        line = self.lines[place]
        return tuple(retokenize(line, diff(line.text, text)))

    def typed_score(self, place: int, text: str) -> ErrantScore:
        """Score one corrected text, by type; kept, so that asking again costs nothing."""
        key = place, self.tokens(place, text)
        if key not in self._known:
            self._known[key] = score_errant([self.sentences[place]], [key[1]])
        return self._known[key]

    def score(self, place: int, text: str) -> Score:
        """Score one corrected text."""
        return self.typed_score(place, text).total

    def is_changed(self, place: int, text: str) -> bool:
        """Say whether a text differs from its sentence by more than spaces."""
        return self.tokens(place, text) != self.sentences[place].tokens

    def total(self, texts: Sequence[str], places: range, tracked: Tracked = silently) -> ErrantScore:
        """Return the score of some places' corrected texts, by type."""
        if any(len(self.sentences[place].annotations) > 1 for place in places):
            # Which annotator counts depends on the sentences before: nothing to be kept for each by itself.
            hypotheses = [self.tokens(place, texts[place]) for place in places]
            return score_errant(tracked(self.sentences[places.start : places.stop], "ERRANT"), hypotheses)
        total = ErrantScore()
        for place in tracked(places, "ERRANT"):
            total += self.typed_score(place, texts[place])
        return total
