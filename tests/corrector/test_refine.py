"""Refinement passes see what the pass before wrote, and nothing but masks ever changes."""

from __future__ import annotations

import numpy as np
import pytest

from permend.corrector.filling import refine
from permend.model.networks import Floats, Ints

TEMPLATES = np.array([[0, 4, 4, 2], [0, 7, 4, 2]])
FILL_INDEX = np.array([1, 2, 6])


class Decoder:
    """Writes one more than it sees, up to a limit, and remembers what it saw."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.seen: list[Ints] = []

    def __call__(self, ids: Ints) -> tuple[Ints, Floats]:
        self.seen.append(ids.copy())
        tokens = np.minimum(ids.reshape(-1)[FILL_INDEX] + 1, self.limit)
        return tokens, np.full(3, -len(self.seen), np.float32)


@pytest.mark.parametrize("steps", [1, 2, 5])
def test_every_pass_reads_the_one_before(steps: int) -> None:
    decoder = Decoder(limit=99)
    tokens, log_probs = refine(decoder, TEMPLATES, FILL_INDEX, steps)
    assert len(decoder.seen) == steps
    assert tokens.tolist() == [4 + steps] * 3
    assert log_probs.tolist() == [-steps] * 3, "those of the last pass"
    for ids in decoder.seen:
        assert np.delete(ids.reshape(-1), FILL_INDEX).tolist() == [0, 2, 0, 7, 2]
    assert TEMPLATES[0].tolist() == [0, 4, 4, 2], "the caller's templates are left alone"


def test_a_pass_that_changes_nothing_is_the_last() -> None:
    decoder = Decoder(limit=6)
    assert refine(decoder, TEMPLATES, FILL_INDEX, steps=9)[0].tolist() == [6] * 3
    assert len(decoder.seen) == 3
