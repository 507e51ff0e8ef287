"""Test sets of four kinds, each with its own way to count what a system made of its sentences.

In: files, and the corrected sentences as text. Out: a `Result`.

| | file | measure |
|---|---|---|
| `Errant` | M2, tokens of spaCy | ERRANT's edits, by type and by parts of the file |
| `MaxMatch` | M2, tokens of the Penn kind | the M2 scorer's edits |
| `Fluency` | sources, and references beside them (`dev.src`, `dev.ref0`, …) | GLEU |
| `Clean` | one correct sentence a line | sentences that were changed |

Systems get raw text; what they change is brought back onto the tokens of the file, and all other tokens stay as they
were.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Protocol

from benchmarks.results import Metric, Result
from permend.cli.terminal import tracked
from permend.corpora.lines import read_lines
from permend.errors import InputError
from permend.evaluation.devset import M2DevSet
from permend.evaluation.gleu import score_gleu
from permend.evaluation.maxmatch import score_maxmatch
from permend.text.edits import diff
from permend.text.tokenized import detokenize, retokenize


class Yardstick(Protocol):
    """Sentences, and a way to count."""

    @property
    def name(self) -> str:
        """What tables call it."""

    @property
    def metric(self) -> Metric:
        """The way to count."""

    @property
    def texts(self) -> list[str]:
        """The sentences as raw text."""

    def measure(self, corrected: Sequence[str]) -> Result:
        """Count what a system made of the texts."""


class Errant:
    """Sentences with edits of ERRANT's types, perhaps in parts that lie one behind the other."""

    metric: Metric = "errant"

    def __init__(self, devset: M2DevSet, parts: Mapping[str, int] | None = None) -> None:
        """Take sentences, and the number of them in each part."""
        self.devset = devset
        self.name = devset.name
        self.texts = devset.texts
        self._parts: dict[str, range] = {}
        at = 0
        for name, count in (parts or {}).items():
            self._parts[name] = range(at, at + count)
            at += count

    def measure(self, corrected: Sequence[str]) -> Result:
        """Count edits, by type, and the correct sentences that were changed."""
        parts = {name: self._measure(corrected, places) for name, places in self._parts.items()}
        return self._measure(corrected, range(len(self.texts)), parts)

    def _measure(self, corrected: Sequence[str], places: range, parts: dict[str, Result] | None = None) -> Result:
        score = self.devset.score_part(corrected, places, tracked)
        counts = _alarms(self.devset, corrected, places)
        return Result(
            len(places), *counts, edits=score.total, types=dict(sorted(score.types.items())), parts=parts or {}
        )


class MaxMatch:
    """Sentences with edits of other types, scored by the M2 scorer."""

    metric: Metric = "m2"

    def __init__(self, devset: M2DevSet) -> None:
        """Take sentences."""
        self.devset = devset
        self.name = devset.name
        self.texts = devset.texts

    def measure(self, corrected: Sequence[str]) -> Result:
        """Count edits."""
        tokens = (self.devset.tokens(place, text) for place, text in enumerate(corrected))
        score = score_maxmatch(tracked(self.devset.sentences, "MaxMatch"), tokens)
        return Result(len(self.texts), *_alarms(self.devset, corrected, range(len(self.texts))), edits=score)


class Fluency:
    """Sentences that several people rewrote."""

    metric: Metric = "gleu"

    def __init__(self, path: str | Path, limit: int | None = None, name: str | None = None) -> None:
        """Read sources, and all references beside them."""
        source = Path(path)
        self.name = name or source.name
        self._sources = [tuple(line.split()) for line in read_lines(source)][:limit]
        files = sorted(source.parent.glob(f"{source.name.removesuffix('.src')}.ref*"))
        columns = [[line.split() for line in read_lines(file)][:limit] for file in files]
        if not columns or any(len(column) != len(self._sources) for column in columns):
            raise InputError("sources need references beside them (NAME.ref0, …) with as many lines", source)
        self._references = list(zip(*columns, strict=True))

    @cached_property
    def texts(self) -> list[str]:
        """The sentences as raw text."""
        return [detokenize(tokens).text for tokens in self._sources]

    def measure(self, corrected: Sequence[str]) -> Result:
        """Score by the n-grams shared with the references."""
        lines = [detokenize(tokens) for tokens in self._sources]
        hypotheses = [
            tuple(retokenize(line, diff(line.text, text))) for line, text in zip(lines, corrected, strict=True)
        ]
        changed = sum(mine != source for mine, source in zip(hypotheses, self._sources, strict=True))
        gleu = score_gleu(tracked(self._sources, "GLEU"), self._references, hypotheses).score
        return Result(len(lines), changed, gleu=gleu)


class Clean:
    """Sentences that editors let pass: nearly every change is one too many."""

    metric: Metric = "clean"

    def __init__(self, path: str | Path, limit: int | None = None, name: str | None = None) -> None:
        """Read sentences, one a line."""
        self.name = name or Path(path).name
        self.texts = [line.strip() for line in read_lines(path) if line.strip()][:limit]

    def measure(self, corrected: Sequence[str]) -> Result:
        """Count changed sentences."""
        changed = sum(before != after for before, after in zip(self.texts, corrected, strict=True))
        return Result(len(self.texts), changed, len(self.texts), changed)


def _alarms(devset: M2DevSet, corrected: Sequence[str], places: range) -> tuple[int, int, int]:
    """Return how many sentences are changed, how many are correct, and how many are both."""
    changed = {place for place in places if devset.is_changed(place, corrected[place])}
    correct = {place for place in places if devset.correct[place]}
    return len(changed), len(correct), len(changed & correct)
