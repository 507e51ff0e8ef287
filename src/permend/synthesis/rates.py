"""Settings that make the errors agree with those of a corpus: types, errors a sentence, clean sentences.

In: an error model, a sample of the text to corrupt, and what to reach: a `Profile`, or the path of an M2 file. Out:
`Settings`.

    settings = calibrate(model, sample, wanted)                    # types as the model names them
    settings = match(model, sample, "dev.m2", Settings())          # those first, then as ERRANT sees them

The text differs from the corpus that the model was learned from (news have fewer pronouns than letters), so its errors
would too. `calibrate` is iterative proportional fitting: make errors in the sample, compare, multiply every rate by
what it lacks, and again. What counts as a type is what its `measure` sees.

`match` first fits the model's own types, which is fast. Where ERRANT is installed it then names the errors on both
sides, the corpus and the made pairs, and their shares are brought together. Annotations may come from another version
of ERRANT, with somewhat other shares: the aim lies halfway between the annotated ones and those that it sees.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from permend.corpora.m2 import read_m2
from permend.corpora.pairs import read_pairs
from permend.errors import PermendError
from permend.evaluation.errant import has_errant
from permend.synthesis.corrupt import Corruption, Corruptor, Prepared, Settings
from permend.synthesis.drawing import take_sample
from permend.synthesis.error_model import ErrorModel
from permend.synthesis.profile import Profile, profile_corruptions, profile_m2, profile_pairs

Measure = Callable[[Iterable[Corruption]], Profile]

ROUNDS = 5
_CLEAN_ROUNDS = 3
_REMEMBERED = 15_000  # words, from one round to the next
_STEP, _LAST_STEP = 0.8, 0.5  # the last steps are smaller, since every sample is off by chance
_LARGEST_STEP = 4.0
_LOWEST, _HIGHEST = 0.02, 40.0
_FEW = 5.0  # errors of a type below which its share is mostly chance


def measure_by_errant(corruptions: Iterable[Corruption]) -> Profile:
    """Let ERRANT name the types."""
    return profile_pairs(corruption.pair for corruption in corruptions)


def calibrate(
    model: ErrorModel,
    sample: Sequence[str],
    wanted: Profile,
    *,
    measure: Measure = profile_corruptions,
    settings: Settings | None = None,
    clean: float | None = None,
    rounds: int = ROUNDS,
    seed: int = 0,
    progress: Callable[[], object] = lambda: None,
) -> Settings:
    """Return settings whose errors in the sample look like the wanted profile.

    `clean` sets the share of clean sentences apart from the profile. `progress` is called after each round.
    """
    current = settings or Settings()
    current = replace(current, rates=dict(model.rates if current.rates is None else current.rates))
    clean = wanted.clean if clean is None else clean
    wrong = wanted.total / max(1, wanted.sentences - wanted.errors[0])  # errors in a sentence that has one
    prepared = Prepared(model, _REMEMBERED)
    for number in range(rounds):
        corruptor = Corruptor(prepared, current)
        made = [corruptor.corrupt(text, random.Random(f"{seed} {number} {i}")) for i, text in enumerate(sample)]
        seen = measure(made)
        current = replace(
            current,
            rates=_corrected(dict(current.rates or {}), seen, wanted, _STEP if number < rounds - 2 else _LAST_STEP),
            clean=current.clean * _odds(clean) / _odds(seen.clean),
            more=_bounded(current.more * (wrong / max(0.01, _errors_of_wrong(seen))) ** 0.6, 0.2, 3.0),
        )
        progress()
    return current


def calibrate_clean(
    model: ErrorModel, sample: Sequence[str], clean: float, settings: Settings | None = None, seed: int = 0
) -> Settings:
    """Return settings that leave a share of the sample clean; nothing else changes."""
    current, prepared = settings or Settings(), Prepared(model, _REMEMBERED)
    if clean in (0.0, 1.0):
        return replace(current, clean=0.0 if clean == 0 else 1e12)
    for number in range(_CLEAN_ROUNDS):
        corruptor = Corruptor(prepared, current)
        seen = profile_corruptions(
            corruptor.corrupt(text, random.Random(f"{seed} {number} {i}")) for i, text in enumerate(sample)
        )
        current = replace(current, clean=current.clean * _odds(clean) / _odds(seen.clean))
    return current


def _corrected(rates: dict[str, float], seen: Profile, wanted: Profile, step: float) -> dict[str, float]:
    for kind in {*rates, *seen.types, *wanted.types}:
        expected = wanted.types[kind] * seen.total / max(1, wanted.total)
        factor = ((expected + _FEW) / (seen.types[kind] + _FEW)) ** step
        factor = _bounded(factor, 1 / _LARGEST_STEP, _LARGEST_STEP)
        rates[kind] = round(_bounded(rates.get(kind, 1.0) * factor, _LOWEST, _HIGHEST), 4)
    return rates


def _errors_of_wrong(profile: Profile) -> float:
    return profile.total / max(1, profile.sentences - profile.errors[0])


def _odds(share: float) -> float:
    share = _bounded(share, 0.002, 0.998)
    return share / (1 - share)


def _bounded(value: float, low: float, high: float) -> float:
    return min(high, max(low, value))


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
