"""The sentences of an M2 file: corrected as raw text, brought back onto their tokens, judged by ERRANT, once each.

    annotated = Annotated.read("dev.m2")
    [corrected] = correct_with(corrector, annotated.texts, [Options(bias=0.3)])
    points = sweep(*annotated.judge(corrected))

ERRANT is slow, so a judgement is kept for each sentence and hypothesis: another bias or threshold costs only what is
new. With several annotators every sentence counts against the one that suits it best; with one, as in W&I+LOCNESS, the
sums are exactly those of `permend evaluate`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
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
    """What a system makes of a text when it is as eager as it can be, and how sure it is of that."""

    text: str
    margin: float = 0.0


@dataclass
class Annotated:
    """Sentences with their gold edits."""

    name: str
    sentences: list[M2Sentence]
    _known: dict[tuple[int, tuple[str, ...]], ErrantScore] = field(default_factory=dict)

    @classmethod
    def read(cls, path: str | Path, limit: int | None = None) -> Annotated:
        """Read an M2 file, or its first sentences."""
        return cls(Path(path).name, list(read_m2(path))[:limit])

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
        for place, each in _tracked(list(enumerate(corrected)), "ERRANT"):
            source = self.lines[place].text
            kept = self.score(place, source).total
            if self.tokens(place, each.text) == self.sentences[place].tokens:
                rest += kept
            else:
                judged.append(Judged(each.margin, self.score(place, each.text).total, kept, self.correct[place]))
        return judged, rest

    def total(self, corrected: Sequence[Corrected], threshold: float = 0.0) -> tuple[ErrantScore, int]:
        """Return the score at a threshold, by type, and how many correct sentences are changed."""
        total, alarms = ErrantScore(), 0
        for place, each in enumerate(corrected):
            text = each.text if each.margin >= threshold else self.lines[place].text
            total += self.score(place, text)
            alarms += self.correct[place] and self.tokens(place, text) != self.sentences[place].tokens
        return total, alarms


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
    """Correct texts with each of some settings, thresholds left aside; every text is encoded once."""
    networks = EncodedOnce(corrector.networks)
    eager = [Corrector(networks, corrector.tokenizer, replace(each, min_confidence=0.0)) for each in settings]
    results = [[Corrected(text) for text in texts] for _ in settings]
    by_length = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    for places in _tracked([by_length[at : at + CHUNK] for at in range(0, len(texts), CHUNK)], "correcting"):
        for result, each in zip(results, eager, strict=True):
            for place, found in zip(places, each.correct_batch([texts[p] for p in places]), strict=True):
                result[place] = Corrected(found.text, found.margin)
        networks.forget()
    return results


def _tracked(items: Sequence[T], what: str) -> Iterator[T]:
    console = Console(stderr=True)
    yield from track(items, what, console=console, transient=True, disable=not console.is_terminal)
