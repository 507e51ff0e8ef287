"""Fill the masks of templates, and look at the result again: step-unrolled denoising (Section 3.2).

In: a function that gives the most probable token at every mask, and its log-probability, for templates as they stand.
Out: the tokens after `steps` passes. Each pass sees what the one before wrote; only mask positions ever change.

>>> import numpy as np
>>> def countdown(ids):                         # a decoder that lowers what it sees by one
...     return ids[0, 1:3] - 1, np.log([0.5, 0.5])
>>> tokens, log_probs = refine(countdown, np.array([[7, 9, 9, 7]]), np.array([1, 2]), steps=3)
>>> tokens.tolist()
[6, 6]
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]


def refine(
    predict: Callable[[Ints], tuple[Ints, Floats]], ids: Ints, fill_index: Ints, steps: int
) -> tuple[Ints, Floats]:
    """Return the tokens (F,) at `fill_index` of `ids` (B, T), and their log-probabilities in the last pass.

    A pass that changes nothing is the last one: all further passes would say the same.
    """
    ids = ids.copy()
    flat = ids.reshape(-1)
    tokens, log_probs = predict(ids)
    for _ in range(steps - 1):
        if np.array_equal(flat[fill_index], tokens):
            break
        flat[fill_index] = tokens
        tokens, log_probs = predict(ids)
    return tokens, log_probs
