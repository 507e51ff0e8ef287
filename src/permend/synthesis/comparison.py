"""Made errors beside real ones: types, errors a sentence, operations, label losses.

In: made pairs and an annotated corpus. Out: a `Comparison`. Real types are given twice: as annotated, and as the ERRANT
that is installed here names them, since its versions differ; made ones come from that same ERRANT.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from permend.corpora.pairs import Pair
from permend.permutation.label import Labeler
from permend.permutation.statistics import Statistics
from permend.synthesis.profile import Profile, profile_pairs

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
) -> Comparison:
    """Measure made and real pairs of raw text; `track` may show progress."""
    return Comparison(
        annotated=annotated,
        real=profile_pairs(track(real, "real errors")),
        made=profile_pairs(track(made, "made errors")),
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
