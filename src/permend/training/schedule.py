"""The course of the learning rate, and how much of a run is done.

In: the number of the step, and the share of the training that is done (by steps, by epochs or by the clock, whichever
is furthest). Out: a factor on the peak learning rate.

>>> options = Course(schedule="linear", warmup_steps=4, steps=100)
>>> [rate_factor(options, step, step / 100) for step in (0, 1, 4, 50)]
[0.25, 0.495, 0.96, 0.5]
"""

from __future__ import annotations

import math

from permend.training.course import Course


def rate_factor(options: Course, step: int, share: float) -> float:
    """Return the factor for the step that is taken next, `step` being the number of those before it."""
    return min(1.0, (step + 1) / options.warmup_steps if options.warmup_steps else 1.0) * _course(options, share)


def _course(options: Course, share: float) -> float:
    left = 1.0 - min(1.0, max(0.0, share))
    match options.schedule:
        case "linear":
            return left
        case "cosine":
            return 0.5 - 0.5 * math.cos(math.pi * left)
        case "warmup-stable-decay":
            return min(1.0, left / options.decay_share)
        case "constant":
            return 1.0


def share_done(options: Course, steps: int, epochs: float, seconds: float) -> float:
    """Return how much of the training is done: 1 or more means that it is over."""
    shares = [0.0]
    if options.steps is not None:
        shares.append(steps / options.steps)
    if options.epochs is not None:
        shares.append(epochs / options.epochs)
    if options.minutes is not None:
        shares.append(seconds / (60 * options.minutes))
    return max(shares)


def minutes_left(minutes: float, share: float) -> float | None:
    """Return the time left of a run that took so many minutes for a share of itself, if the rest goes as it went."""
    return minutes * (1 - share) / share if share > 0 else None
