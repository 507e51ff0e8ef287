"""Whoever does the work, results come in order, and a worker that dies loses nothing."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from permend.batch.engine import WorkError
from permend.batch.pool import Pool
from permend.errors import PermendError


def squares() -> Callable[[int], int]:
    """Return a function that takes longer for small numbers."""

    def square(number: int) -> int:
        time.sleep(max(0, 5 - number) / 100)
        return number * number

    return square


def deadly(file: Path) -> Callable[[], Callable[[int], int]]:
    """Return a function whose process is killed at 7, once."""

    def work(number: int) -> int:
        if number == 7 and not file.exists():
            file.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    return lambda: work


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_results_come_in_the_order_of_the_chunks(workers: int) -> None:
    with Pool(squares, workers) as pool:
        assert list(pool.map(range(40))) == [number * number for number in range(40)]
        assert list(pool.map([])) == []
        assert list(pool.map([3])) == [9]


def test_chunks_are_read_only_a_little_ahead() -> None:
    read = 0

    def chunks() -> Iterator[int]:
        nonlocal read
        for number in range(1000):
            read += 1
            yield number

    with Pool(squares, 2) as pool:
        for done, _ in enumerate(pool.map(chunks())):
            assert read - done <= 9
            if done == 50:
                break
        assert next(pool.map([4])) == 16, "what was broken off is forgotten"


@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    with Pool(deadly(tmp_path / "died"), 2) as pool:
        before = set(pool.processes)
        assert list(pool.map(range(20))) == list(range(20))
        assert (tmp_path / "died").exists()
        assert len(before & set(pool.processes)) == 1


def test_rows_that_end_every_worker_are_an_error() -> None:
    def work(number: int) -> int:
        return os._exit(3) if number == 2 else number

    with Pool(lambda: work, 2) as pool:
        results = pool.map(range(5))
        assert [next(results), next(results)] == [0, 1]
        with pytest.raises(PermendError, match=r"3 worker processes ended over the same rows \(exit code 3\)"):
            next(results)


def refuse(number: int) -> int:
    """Fail in two ways."""
    if number == 1:
        raise PermendError("no ones")
    return 1 // (number - 2)


@pytest.mark.parametrize("workers", [1, 2])
def test_errors_come_when_it_is_their_turn(workers: int) -> None:
    with Pool(lambda: refuse, workers) as pool:
        results = pool.map([3, 1])
        assert next(results) == 1
        with pytest.raises(PermendError, match="no ones"):
            next(results)
        with pytest.raises(WorkError if workers > 1 else ZeroDivisionError):
            list(pool.map([2]))
