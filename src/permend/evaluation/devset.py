"""Corrected texts against the texts that they should be, edit by edit, for references without annotated edits.

In: pairs, what a system makes of their sources, and a way to cut a change into edits. Out: a `Score`. An edit is right
when the reference has the same one.

>>> pairs = [Pair("He go to school", "He goes to school"), Pair("I am here", "I am here")]
>>> score_edits(pairs, ["He goes to school", "I was here"], word_edits)
Score(tp=1, fp=1, fn=0)

Sentences together with what they should be: texts for a system to correct, and a judge of what comes out.

In: an M2 file, a table of pairs, or a folder of the JFLEG kind. Out: a `References`.

    references = read_references("dev.m2")
    corrected = [correction.text for correction in corrector.correct_batch(references.texts)]
    references.metric               # 'errant'
    references.score(corrected)     # Score(tp=…, fp=…, fn=…)

M2 files are scored by ERRANT where it is installed: corrections go back onto the file's tokens and are compared with
its annotated edits, as `permend evaluate --metric errant` does. Everything else is scored by the edits of words.

Validation sentences and their judge: what a correction of each of them is worth.

In: places of sentences and corrected texts. Out: counts of right, wrong and missed edits. Two kinds are there:
`Annotated` (M2, judged by ERRANT) and `Paired` (pairs, judged by edits of words).

    points = sweep(*sentences.judge(corrected))     # every threshold on the margin

The sentences of an M2 file: corrected as raw text, brought back onto their tokens, judged by ERRANT, once each.

    annotated = Annotated.read("dev.m2")
    [corrected] = correct_with(corrector, annotated.texts, [Options(bias=0.3)])
    points = sweep(*annotated.judge(corrected))

ERRANT is slow, so a judgement is kept for each sentence and hypothesis: another bias or threshold costs only what is
new. Totals are those of `permend evaluate`. Sums over thresholds are the same where there is one annotator, as in
W&I+LOCNESS; with several, every sentence counts there against the one that suits it best.

Pairs as validation sentences, judged by the edits of words that they share with a correction.

>>> sentences = Paired("two", [Pair("He go home", "He goes home"), Pair("I am here", "I am here")])
>>> sentences.correct
[False, True]
>>> sentences.score(0, "He goes home now")
Score(tp=1, fp=1, fn=0)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal, Protocol, TypeVar

from permend.corpora.lines import content_suffix
from permend.corpora.m2 import M2Sentence, read_m2
from permend.corpora.pairs import Pair, read_pairs
from permend.corrector.correction import ScoredEdit
from permend.errors import MissingExtraError
from permend.evaluation.errant import ErrantScore, load_annotator, score_errant
from permend.evaluation.score import Judged, Score
from permend.text.edits import diff
from permend.text.tokenized import Detokenized, detokenize, retokenize

Extract = Callable[[str, str], Sequence[Hashable]]
"""From a source and a target to comparable edits."""


def score_edits(pairs: Sequence[Pair], hypotheses: Sequence[str], extract: Extract) -> Score:
    """Count the edits that hypothesis and reference share, and those of one alone."""
    total = Score()
    for pair, hypothesis in zip(pairs, hypotheses, strict=True):
        proposed, wanted = Counter(extract(pair.source, hypothesis)), Counter(extract(pair.source, pair.target))
        right = (proposed & wanted).total()
        total += Score(right, proposed.total() - right, wanted.total() - right)
    return total


def word_edits(source: str, target: str) -> Sequence[Hashable]:
    """Return the edits of words between two texts."""
    return diff(source, target)


def errant_edits(source: str, target: str) -> Sequence[Hashable]:
    """Return ERRANT's edits between two texts, each as its tokens and its correction."""
    if source == target:
        return ()
    annotator = load_annotator()
    old, new = annotator.parse(source, tokenise=True), annotator.parse(target, tokenise=True)
    return [(edit.o_start, edit.o_end, edit.c_str) for edit in annotator.annotate(old, new)]


_TABLES = (".tsv", ".csv", ".jsonl")


@dataclass(frozen=True)
class References:
    """Sentences with references."""

    texts: list[str]
    """The sources as a writer types them."""
    metric: Literal["errant", "edits"]
    score: Callable[[Sequence[str]], Score]
    """From the corrected texts, one for each source, to their score."""


def has_references(path: str | Path) -> bool:
    """Whether `read_references` can read a file: its ending says so."""
    return content_suffix(path) in (".m2", *_TABLES) or Path(path).is_dir()


def read_references(path: str | Path) -> References:
    """Read a file or folder; its ending says what it holds."""
    suffix = content_suffix(path)
    if suffix == ".m2" and _has_errant():
        return _read_m2(path)
    pairs = list(read_pairs(path, raw=suffix not in _TABLES))
    texts = [pair.source for pair in pairs]
    return References(texts, "edits", lambda corrected: score_edits(pairs, corrected, word_edits))


def _read_m2(path: str | Path) -> References:
    sentences = list(read_m2(path))
    lines = [detokenize(sentence.tokens) for sentence in sentences]

    def score(corrected: Sequence[str]) -> Score:
        hypotheses = (retokenize(line, diff(line.text, text)) for line, text in zip(lines, corrected, strict=True))
        return score_errant(sentences, hypotheses).total

    return References([line.text for line in lines], "errant", score)


def _has_errant() -> bool:
    try:
        load_annotator()
    except MissingExtraError:
        return False
    return True


T = TypeVar("T")


class Tracked(Protocol):
    """Hands items on, and may show how far they are."""

    def __call__(self, items: Sequence[T], what: str, /) -> Iterable[T]:
        """Return the items."""


def silently(items: Sequence[T], what: str) -> Iterable[T]:
    """Show nothing."""
    return items


@dataclass(frozen=True)
class Corrected:
    """What a system makes of a text, and by how much it prefers something else to the text itself."""

    text: str
    margin: float = 0.0
    edits: tuple[ScoredEdit, ...] = ()
    fill: float = 0.0
    """log p(y | π) of the text."""


class Sentences(ABC):
    """Sentences that are known to be right or wrong, and where."""

    name: str
    metric: str
    """Who judges, in words."""

    @property
    @abstractmethod
    def texts(self) -> list[str]:
        """The sentences as a writer types them."""

    @property
    @abstractmethod
    def correct(self) -> list[bool]:
        """Whether each sentence has no error."""

    @abstractmethod
    def score(self, place: int, text: str) -> Score:
        """Score one corrected text."""

    @abstractmethod
    def is_changed(self, place: int, text: str) -> bool:
        """Say whether a text counts as another one than its sentence."""

    def judge(self, corrected: Sequence[Corrected], tracked: Tracked = silently) -> tuple[list[Judged], Score]:
        """Return the sentences that are changed, judged, and the counts of those that are not."""
        judged, rest = [], Score()
        texts, correct = self.texts, self.correct
        for place, each in tracked(list(enumerate(corrected)), "judging"):
            kept = self.score(place, texts[place])
            if self.is_changed(place, each.text):
                judged.append(Judged(each.margin, self.score(place, each.text), kept, correct[place]))
            else:
                rest += kept
        return judged, rest


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
    if is_m2 and _errant_is_installed():
        return Annotated.read(path, limit)
    return Paired(Path(path).name, list(read_pairs(path, raw=is_m2))[:limit])


def _errant_is_installed() -> bool:
    try:
        load_annotator()
    except MissingExtraError:
        return False
    return True
