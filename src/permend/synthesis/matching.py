"""Match a corpus: settings whose errors look like the annotated ones, as far as can be measured.

In: an error model, a sample of the text to corrupt, and the path of an annotated corpus. Out: `Settings`. First the
model's own types are fitted to the corpus, which is fast. Where ERRANT is installed it then looks at both sides, the
corpus and the made pairs, and the shares that it sees are brought together. Annotations may come from another version
of ERRANT, with somewhat other shares: the aim lies halfway between the annotated ones and those that it sees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from permend.corpora.m2 import read_m2
from permend.corpora.pairs import read_pairs
from permend.errors import MissingExtraError, PermendError
from permend.evaluation.errant import load_annotator
from permend.synthesis.calibrate import calibrate, measure_by_errant
from permend.synthesis.corrupt import Settings
from permend.synthesis.drawing import take_sample
from permend.synthesis.model import ErrorModel
from permend.synthesis.profile import Profile, profile_m2, profile_pairs

_ERRANT_ROUNDS = 4
_ERRANT_SENTENCES = 2500
_CORPUS_SENTENCES = 5000
_SHARED_TYPES = 0.8
_LEAST_KNOWN = 0.25


def match(
    model: ErrorModel,
    sample: Sequence[str],
    corpus: str | Path,
    settings: Settings,
    *,
    clean: float | None = None,
    seed: int = 0,
    progress: Callable[[], object] = lambda: None,
) -> Settings:
    """Return settings that make errors like those of an M2 file."""
    wanted = profile_m2(read_m2(corpus), own=True)
    if not wanted.total:
        raise PermendError(f"{corpus}: there are no errors to match")
    settings = calibrate(model, sample, wanted, settings=settings, clean=clean, seed=seed, progress=progress)
    if not has_errant() or model.language not in (None, "en"):
        return settings
    seen = profile_pairs(take_sample(read_pairs(corpus, raw=True), _CORPUS_SENTENCES))
    return calibrate(
        model,
        take_sample(sample, _ERRANT_SENTENCES),
        _halfway(seen, profile_m2(read_m2(corpus))),
        measure=measure_by_errant,
        settings=settings,
        clean=clean,
        rounds=_ERRANT_ROUNDS,
        seed=seed,
        progress=progress,
    )


def _halfway(seen: Profile, annotated: Profile) -> Profile:
    """Return a profile with types between the two, unless the annotation has types of another kind."""
    shared = sum(count for kind, count in annotated.types.items() if kind in seen.types)
    if shared < _SHARED_TYPES * annotated.total:
        return seen
    scale = seen.total / max(1, annotated.total)
    kinds = {*seen.types, *annotated.types}
    types = Counter({kind: round((seen.types[kind] + scale * annotated.types[kind]) / 2) for kind in kinds})
    return replace(seen, types=types)


def has_errant() -> bool:
    """Whether ERRANT can be used."""
    try:
        load_annotator()
    except MissingExtraError:
        return False
    return True


def check_language(model: ErrorModel, sample: Sequence[str]) -> None:
    """Refuse text that the model does not know: too few of its words occur in what the model was learned from."""
    words = [word for text in sample for word in text.lower().split() if word.isalpha()]
    known = sum(word in model.words for word in words) / max(1, len(words))
    if known < _LEAST_KNOWN:
        language = f" ({model.language})" if model.language else ""
        raise PermendError(
            f"the error model matches nothing here: it knows {known:.0%} of the words of this text. "
            f"Is the text in another language than the model{language}?"
        )
