"""Sinkhorn normalisation of pointer scores, an option of the paper's ablation (Mena et al. 2018).

In: a square matrix of scores. Out: a matrix of log-probabilities whose rows and columns both sum to about one, the
more nearly the more steps are taken: a soft permutation.

>>> import numpy as np
>>> soft = np.exp(sinkhorn(np.array([[2.0, 0.0], [1.0, 1.0]]), steps=20))
>>> bool(np.allclose(soft.sum(axis=0), 1) and np.allclose(soft.sum(axis=1), 1))
True
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def sinkhorn(scores: NDArray[np.floating], steps: int) -> NDArray[np.float64]:
    """Normalise rows, then columns, `steps` times, in the log domain; zero steps leave the scores as they are."""
    log_probs = np.array(scores, np.float64)
    for _ in range(steps):
        for axis in (1, 0):
            log_probs -= np.logaddexp.reduce(log_probs, axis=axis, keepdims=True)
    return log_probs
