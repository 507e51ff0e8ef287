"""Development sets: sentences that are known to be right or wrong, and the judge of what a system makes of them.

In: an M2 file, a table of pairs (``.tsv``, ``.csv``, ``.jsonl``) or a folder of the JFLEG kind. Out of `read_devset`: a
`DevSet`, which counts right, wrong and missed edits. An `M2DevSet` is judged by ERRANT: corrections go back onto the
file's tokens and are compared with its annotated edits, as ``permend evaluate --metric errant`` does. A `PairDevSet` is
judged by the edits that a correction and the reference share: edits of words, or ERRANT's.

    devset = read_devset("dev.m2")                          # an M2DevSet where ERRANT is installed
    found = correct_all(corrector, devset.texts)
    devset.score([each.text for each in found])             # Score(tp=…, fp=…, fn=…)
    sweep(*devset.judge(found))                             # the same for every threshold on the margin

>>> devset = PairDevSet("two", [Pair("He go home", "He goes home"), Pair("I am here", "I am here")])
>>> devset.correct
[False, True]
>>> devset.score(["He goes home", "I was here"])
Score(tp=1, fp=1, fn=0)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

from permend.corpora.lines import content_suffix
from permend.corpora.m2 import M2Sentence, read_m2
from permend.corpora.pairs import Pair, is_tokenised, read_pairs
from permend.evaluation.correcting import Corrected, Tracked, silently
from permend.evaluation.errant import ErrantScore, errant_edits, has_errant, score_errant
from permend.evaluation.score import Judged, Score
from permend.text.edits import diff
from permend.text.tokenized import Detokenized, detokenize, retokenize

Metric = Literal["errant", "edits"]

METRIC_NAMES: dict[Metric, str] = {"errant": "ERRANT", "edits": "edits of words"}
"""What tables call the judges."""


class DevSet(ABC):
    """Sentences and their judge; a `place` is a sentence's number in `texts`."""

    name: str
    metric: Metric
    """The judge."""

    @property
    def metric_name(self) -> str:
        """The judge in words."""
        return METRIC_NAMES[self.metric]

    @property
    @abstractmethod
    def texts(self) -> list[str]:
        """The sentences as a writer types them, for a system to correct."""

    @property
    @abstractmethod
    def correct(self) -> list[bool]:
        """Whether each sentence has no error."""

    @abstractmethod
    def is_changed(self, place: int, text: str) -> bool:
        """Say whether a text counts as another one than its sentence."""

    @abstractmethod
    def score_one(self, place: int, text: str) -> Score:
        """Score the correction of one sentence."""

    def score(self, texts: Sequence[str]) -> Score:
        """Score the corrections of all sentences."""
        return sum(map(self.score_one, _places(self.texts, texts), texts), Score())

    def judge(self, corrected: Sequence[Corrected], tracked: Tracked = silently) -> tuple[list[Judged], Score]:
        """Return the sentences that are changed, judged, and the counts of those that are not."""
        judged, rest = [], Score()
        sources, correct = self.texts, self.correct
        for place in tracked(_places(sources, corrected), "judging"):
            each, kept = corrected[place], self.score_one(place, sources[place])
            if self.is_changed(place, each.text):
                judged.append(Judged(each.margin, self.score_one(place, each.text), kept, correct[place]))
            else:
                rest += kept
        return judged, rest


@dataclass
class M2DevSet(DevSet):
    """Sentences with annotated edits, judged by ERRANT.

    ERRANT is slow, so a judgement is kept for each sentence and correction: another bias or threshold costs only what
    is new. Scores of all sentences are those of `permend evaluate`. Sums over thresholds are the same where there is
    one annotator, as in W&I+LOCNESS; with several, every sentence counts there against the one that suits it best.
    """

    name: str
    sentences: list[M2Sentence]
    metric: Metric = field(default="errant", init=False)
    _known: dict[tuple[int, tuple[str, ...]], ErrantScore] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def read(cls, path: str | Path, limit: int | None = None, name: str | None = None) -> M2DevSet:
        """Read an M2 file, or its first sentences."""
        return cls(name or Path(path).name, list(read_m2(path))[:limit])

    @cached_property
    def _lines(self) -> list[Detokenized]:
        """The sentences as written text, with the places of their tokens."""
        return [detokenize(sentence.tokens) for sentence in self.sentences]

    @cached_property
    def texts(self) -> list[str]:
        """The sentences as raw text."""
        return [line.text for line in self._lines]

    @cached_property
    def correct(self) -> list[bool]:
        """Whether each sentence has an annotator who changed nothing."""
        return [not all(sentence.annotations.values()) for sentence in self.sentences]

    def tokens(self, place: int, text: str) -> tuple[str, ...]:
        """Return the tokens of a corrected text."""
        line = self._lines[place]
        return tuple(retokenize(line, diff(line.text, text)))

    def is_changed(self, place: int, text: str) -> bool:
        """Say whether a text differs from its sentence by more than spaces."""
        return self.tokens(place, text) != self.sentences[place].tokens

    def score_one(self, place: int, text: str) -> Score:
        """Score the correction of one sentence."""
        return self._score_types(place, text).total

    def score(self, texts: Sequence[str]) -> Score:
        """Score the corrections of all sentences."""
        return self.score_part(texts, _places(self.texts, texts)).total

    def score_part(self, texts: Sequence[str], places: range, tracked: Tracked = silently) -> ErrantScore:
        """Score the corrections of some sentences, by type; `texts` has those of all."""
        if any(len(self.sentences[place].annotations) > 1 for place in places):
            # Which annotator counts depends on the sentences before: nothing to be kept for each by itself.
            hypotheses = [self.tokens(place, texts[place]) for place in places]
            return score_errant(tracked(self.sentences[places.start : places.stop], "ERRANT"), hypotheses)
        total = ErrantScore()
        for place in tracked(places, "ERRANT"):
            total += self._score_types(place, texts[place])
        return total

    def _score_types(self, place: int, text: str) -> ErrantScore:
        key = place, self.tokens(place, text)
        if key not in self._known:
            self._known[key] = score_errant([self.sentences[place]], [key[1]])
        return self._known[key]


@dataclass
class PairDevSet(DevSet):
    """Sentences with what they should be; an edit is right when the reference has the same one."""

    name: str
    pairs: Sequence[Pair]
    metric: Metric = "edits"

    @cached_property
    def texts(self) -> list[str]:
        """The sources."""
        return [pair.source for pair in self.pairs]

    @cached_property
    def correct(self) -> list[bool]:
        """Whether each source is its own target."""
        return [pair.source == pair.target for pair in self.pairs]

    def is_changed(self, place: int, text: str) -> bool:
        """Say whether a text differs from its source."""
        return text != self.pairs[place].source

    def score_one(self, place: int, text: str) -> Score:
        """Score the correction of one sentence."""
        proposed, wanted = self._edits(self.pairs[place].source, text), self._wanted[place]
        right = (proposed & wanted).total()
        return Score(right, proposed.total() - right, wanted.total() - right)

    @cached_property
    def _wanted(self) -> list[Counter[Hashable]]:
        return [self._edits(pair.source, pair.target) for pair in self.pairs]

    def _edits(self, source: str, target: str) -> Counter[Hashable]:
        extract: Callable[[str, str], Sequence[Hashable]] = errant_edits if self.metric == "errant" else diff
        return Counter(extract(source, target))


def read_devset(path: str | Path, limit: int | None = None) -> DevSet:
    """Read a file or folder, or its first sentences; M2 is judged by ERRANT where that is installed."""
    if content_suffix(path) == ".m2" and has_errant():
        return M2DevSet.read(path, limit)
    return PairDevSet(Path(path).name, list(read_pairs(path, raw=is_tokenised(path)))[:limit])


def _places(sources: Sequence[str], corrected: Sequence[object]) -> range:
    """Return the places of all sentences; a correction is needed for each."""
    if len(sources) != len(corrected):
        raise ValueError(f"{len(sources)} sentences have {len(corrected)} corrections")
    return range(len(sources))
