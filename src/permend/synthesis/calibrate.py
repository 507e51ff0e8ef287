"""Rates that make the errors agree with those of a corpus: types, errors a sentence, clean sentences.

In: an error model, a sample of the text to corrupt, and the profile to reach. Out: `Settings`. The text differs from
the corpus that the model was learned from (news have fewer pronouns than letters), so its errors would too. Iterative
proportional fitting: make errors in the sample, compare, multiply every rate by what it lacks, and again.

What counts as a type is what `measure` sees: ERRANT, where the profile to reach comes from annotations in its style, or
the model's own types.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from permend.synthesis.corrupt import Corruption, Corruptor, Prepared, Settings
from permend.synthesis.model import ErrorModel
from permend.synthesis.profile import Profile, profile_corruptions, profile_pairs

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
