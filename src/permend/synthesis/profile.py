"""The profile of a corpus, how many errors of which types its sentences have, and two of them side by side.

In: annotated sentences, or pairs, whose differences ERRANT cuts into typed edits, or corruptions, which know their own
errors. Out: a `Profile`; of made pairs and an annotated corpus, a `Comparison`, and a chart of it.

    profile = profile_m2(read_m2("dev.m2"))
    profile.rate, profile.clean, profile.by_name()
    draw_chart(compare(made_pairs, real_pairs, profile, labeler), "errors.png")

Two profiles are comparable when both come from ERRANT or from annotations in its style. A comparison gives the real
types twice: as annotated, and as the ERRANT that is installed here names them, since its versions differ; made ones
come from that same ERRANT. The chart needs matplotlib (the ``synth`` extra).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from permend.corpora.m2 import M2Sentence
from permend.corpora.pairs import Pair
from permend.errors import InputError, MissingExtraError
from permend.evaluation.errant import load_annotator
from permend.method.label import Labeler, Statistics
from permend.synthesis.annotations import mirror_or_none, own_type
from permend.synthesis.corrupt import Corruption
from permend.synthesis.typed import annotate
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


def profile_typed(pairs: Iterable[Pair]) -> Profile:
    """Count what permend itself sees in pairs of raw text: its own types, and slips by their kind."""
    profile = Profile()
    for pair in pairs:
        sentence = annotate(pair)
        if sentence is not None:
            mirrored = mirror_or_none(sentence)
            profile.add(len(sentence.tokens), (own_type(change) for change in mirrored[1]) if mirrored else ())
    return profile


def profile_corruptions(corruptions: Iterable[Corruption]) -> Profile:
    """Count what was made."""
    profile = Profile()
    for corruption in corruptions:
        tokens = len(split_words(corruption.pair.source).tokens)
        profile.add(tokens, (error.type for error in corruption.errors))
    return profile


MOST_SHOWN = 7
"""Errors a sentence from which sentences are counted together."""


@dataclass(frozen=True)
class Comparison:
    """Two corpora, measured alike."""

    annotated: Profile
    """The real corpus by its annotations."""
    real: Profile
    """The real corpus by ERRANT."""
    made: Profile
    real_labels: Statistics
    made_labels: Statistics

    def rows(self) -> list[tuple[str, float, float, float]]:
        """Return type, annotated share, real share and made share, most frequent first."""
        annotated, real, made = self.annotated.by_name(), self.real.by_name(), self.made.by_name()
        names = [*annotated, *(name for name in made if name not in annotated)]
        return [(name, annotated.get(name, 0.0), real.get(name, 0.0), made.get(name, 0.0)) for name in names]

    def as_dict(self) -> dict[str, Any]:
        """Return everything for a program to read."""
        return {
            "types": {
                name: {"annotated": annotated, "real": real, "made": made}
                for name, annotated, real, made in self.rows()
            },
            **{name: _summary(getattr(self, name)) for name in ("annotated", "real", "made")},
            "labels": {"real": self.real_labels.as_dict(), "made": self.made_labels.as_dict()},
        }


def compare(
    made: Sequence[Pair],
    real: Sequence[Pair],
    annotated: Profile,
    labeler: Labeler,
    track: Callable[[Sequence[Pair], str], Iterable[Pair]] = lambda pairs, _: pairs,
    measure: Callable[[Iterable[Pair]], Profile] = profile_pairs,
) -> Comparison:
    """Measure made and real pairs of raw text, by ERRANT unless told otherwise; `track` may show progress."""
    return Comparison(
        annotated=annotated,
        real=measure(track(real, "real errors")),
        made=measure(track(made, "made errors")),
        real_labels=_label(real, labeler),
        made_labels=_label(made, labeler),
    )


def error_shares(profile: Profile) -> list[float]:
    """Return the shares of sentences with 0, 1, 2, … errors; the last number stands for all above."""
    shares = [profile.errors[number] / max(1, profile.sentences) for number in range(MOST_SHOWN)]
    return [*shares, max(0.0, 1 - sum(shares)) if profile.sentences else 0.0]


def _label(pairs: Iterable[Pair], labeler: Labeler) -> Statistics:
    statistics = Statistics()
    for pair in pairs:
        statistics.add(labeler.label(pair.source, pair.target))
    return statistics


def _summary(profile: Profile) -> dict[str, Any]:
    return {
        "sentences": profile.sentences,
        "errors_per_sentence": profile.rate,
        "errors_per_100_tokens": 100 * profile.total / max(1, profile.tokens),
        "clean": profile.clean,
        "operations": profile.by_operation(),
        "errors": error_shares(profile),
    }


_TYPES = 20
_REAL, _MADE = "#4878a8", "#e0873c"


def draw_chart(comparison: Comparison, path: str | Path) -> None:
    """Draw the shares of types, and the errors a sentence."""
    try:
        figure_module: Any = import_module("matplotlib.figure")
    except ImportError:
        raise MissingExtraError("The chart (matplotlib)", "synth") from None
    figure = figure_module.Figure(figsize=(11, 6), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    rows = comparison.rows()[:_TYPES]
    _bars(left, [row[0] for row in rows], [row[1] for row in rows], [row[3] for row in rows], upright=False)
    left.set_title("Types of errors")
    left.set_xlabel("share of all errors, %")
    names = [*map(str, range(MOST_SHOWN)), f"{MOST_SHOWN}+"]
    _bars(right, names, error_shares(comparison.annotated), error_shares(comparison.made), upright=True)
    right.set_title("Errors a sentence")
    right.set_ylabel("share of sentences, %")
    right.legend()
    try:
        figure.savefig(path, dpi=120)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be written: {error}", path) from None


def _bars(axes: Any, names: list[str], real: list[float], made: list[float], *, upright: bool) -> None:
    draw = axes.bar if upright else axes.barh
    size = {"width" if upright else "height": 0.4}
    places = range(len(names))
    draw([place - 0.2 for place in places], [100 * share for share in real], color=_REAL, label="real", **size)
    draw([place + 0.2 for place in places], [100 * share for share in made], color=_MADE, label="made", **size)
    (axes.set_xticks if upright else axes.set_yticks)(places, names)
    axes.grid(axis="y" if upright else "x", alpha=0.3)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    if not upright:
        axes.invert_yaxis()
