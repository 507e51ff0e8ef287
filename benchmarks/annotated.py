"""The sentences of an M2 file: corrected as raw text, brought back onto their tokens, judged by ERRANT, once each.

    annotated = Annotated.read("dev.m2")
    [corrected] = correct_with(corrector, annotated.texts, [Options(bias=0.3)])
    points = sweep(*annotated.judge(corrected))

ERRANT is slow, so a judgement is kept for each sentence and hypothesis: another bias or threshold costs only what is
new. Totals are those of `permend evaluate`. Sums over thresholds are the same where there is one annotator, as in
W&I+LOCNESS; with several, every sentence counts there against the one that suits it best.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import track

from permend.config import ModelConfig
from permend.corpora.detokenize import Detokenized, detokenize
from permend.corpora.m2 import M2Sentence, read_m2
from permend.corpora.tokenized import retokenize
from permend.corrector import Corrector, Options
from permend.evaluation.errant import ErrantScore, score_errant
from permend.evaluation.score import Score
from permend.evaluation.thresholds import Judged
from permend.runtime.networks import Bools, Floats, Ints, Networks, TemplateArrays
from permend.text.edits import diff

T = TypeVar("T")

CHUNK = 64
"""Sentences whose encodings are kept while they are searched with one set of options after the other."""


@dataclass(frozen=True)
class Corrected:
    """What a system makes of a text, and by how much it prefers something else to the text itself."""

    text: str
    margin: float = 0.0


@dataclass
class Annotated:
    """Sentences with their gold edits."""

    name: str
    sentences: list[M2Sentence]
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

    def score(self, place: int, text: str) -> ErrantScore:
        """Score one corrected text; kept, so that asking again costs nothing."""
        key = place, self.tokens(place, text)
        if key not in self._known:
            self._known[key] = score_errant([self.sentences[place]], [key[1]])
        return self._known[key]

    def judge(self, corrected: Sequence[Corrected]) -> tuple[list[Judged], Score]:
        """Return the sentences that are changed, judged, and the counts of those that are not."""
        judged, rest = [], Score()
        for place, each in tracked(list(enumerate(corrected)), "ERRANT"):
            source = self.lines[place].text
            kept = self.score(place, source).total
            if self.is_changed(place, each.text):
                judged.append(Judged(each.margin, self.score(place, each.text).total, kept, self.correct[place]))
            else:
                rest += kept
        return judged, rest

    def is_changed(self, place: int, text: str) -> bool:
        """Say whether a text differs from its sentence by more than spaces."""
        return self.tokens(place, text) != self.sentences[place].tokens

    def total(self, texts: Sequence[str], places: range) -> ErrantScore:
        """Return the score of some places' corrected texts, by type."""
        if any(len(self.sentences[place].annotations) > 1 for place in places):
            # Which annotator counts depends on the sentences before: nothing to be kept for each by itself.
            hypotheses = [self.tokens(place, texts[place]) for place in places]
            return score_errant(tracked(self.sentences[places.start : places.stop], "ERRANT"), hypotheses)
        total = ErrantScore()
        for place in tracked(places, "ERRANT"):
            total += self.score(place, texts[place])
        return total


class EncodedOnce:
    """Networks that remember the last chunk's encodings, which do not depend on how one searches."""

    def __init__(self, networks: Networks) -> None:
        """Wrap networks."""
        self._networks = networks
        self._memory: dict[bytes, tuple[Floats, Floats]] = {}

    @property
    def config(self) -> ModelConfig:
        """The networks' config."""
        return self._networks.config

    def encode(self, ids: Ints, mask: Bools) -> tuple[Floats, Floats]:
        """Encode, or remember."""
        key = ids.tobytes()
        if key not in self._memory:
            self._memory[key] = self._networks.encode(ids, mask)
        return self._memory[key]

    def fill(self, memory: Floats, mask: Bools, template: TemplateArrays) -> tuple[Ints, Floats]:
        """Fill."""
        return self._networks.fill(memory, mask, template)

    def forget(self) -> None:
        """Make room for the next chunk."""
        self._memory.clear()


def correct_with(corrector: Corrector, texts: Sequence[str], settings: Sequence[Options]) -> list[list[Corrected]]:
    """Correct texts with each of some settings; every text is encoded once."""
    networks = EncodedOnce(corrector.networks)
    correctors = [Corrector(networks, corrector.tokenizer, each) for each in settings]
    results = [[Corrected(text) for text in texts] for _ in settings]
    by_length = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    for places in tracked([by_length[at : at + CHUNK] for at in range(0, len(texts), CHUNK)], "correcting"):
        for result, each in zip(results, correctors, strict=True):
            for place, found in zip(places, each.correct_batch([texts[p] for p in places]), strict=True):
                result[place] = Corrected(found.text, found.margin)
        networks.forget()
    return results


def tracked(items: Sequence[T], what: str) -> Iterator[T]:
    """Draw a bar on standard error while items are taken, where somebody looks."""
    console = Console(stderr=True)
    yield from track(items, what, console=console, transient=True, disable=not console.is_terminal)
