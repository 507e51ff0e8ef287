"""Minutes of writing played back: no wrong position, no crash, and in the end what a fresh check finds.

`python -m benchmarks.lsp --replay` plays an hour.
"""

from __future__ import annotations

import asyncio

import pytest

from benchmarks.editing.recording import Writer
from benchmarks.editing.replay import play


@pytest.mark.parametrize(("seed", "unit"), [(1, "utf-16"), (2, "utf-8")])
def test_what_is_said_is_true_of_the_version_that_it_is_said_of(seed: int, unit: str) -> None:
    played = asyncio.run(play(120, 40, seed, unit, large=20_000))
    assert played.faults == []
    assert played.positions > 100
    assert played.answered == played.cancelled == 80
    assert played.late - played.early < 20_000_000


def test_a_recording_is_the_same_every_time() -> None:
    assert list(Writer(3).write(30)) == list(Writer(3).write(30))
