"""Whatever a server is sent, it answers and goes on: a short turn of `benchmarks.serving_fuzz`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random

import pytest

from benchmarks.fuzzing.description import fuzz_description
from benchmarks.fuzzing.requests import make_request, send
from benchmarks.serving_fuzz import bombard, held
from tests.model.tiny import exported
from tests.serving.running import Running, running

SEED = 0 if os.environ.get("CI") else Random().randrange(1_000_000)  # what lands must not depend on luck


@pytest.fixture(scope="module")
def tiny() -> Iterator[Running]:
    """Return a server with a tiny model."""
    with running("--model", exported()[1]) as server:
        yield server
        assert "Traceback" not in server.log
        assert '"status": 500' not in server.log


def test_answers_are_as_the_description_says(tiny: Running) -> None:
    good, said = fuzz_description(tiny.url, examples=8, deterministic=bool(os.environ.get("CI")))
    assert good, said


def test_hostile_bytes_do_no_harm(tiny: Running) -> None:
    bombard(tiny.port, range(200), SEED, clients=4)
    memory, threads, files = held(tiny.process.pid)
    statuses, _ = bombard(tiny.port, range(200, 900), SEED, clients=4)
    assert set(statuses) <= {0, 200, 400, 404, 405, 411, 413, 414, 431}, f"seed {SEED}"
    assert {200, 400} <= set(statuses)
    after = held(tiny.process.pid)
    assert after[0] < memory + 30, f"MiB, seed {SEED}"
    assert after[1] <= threads + 4
    assert after[2] <= files + 4
    assert "permend_requests_in_hand 0.0" in tiny.get("/metrics").text


def test_the_same_number_makes_the_same_request() -> None:
    requests = [make_request(1, number) for number in range(50)]
    assert requests == [make_request(1, number) for number in range(50)]
    assert len({request.data for request in requests}) > 45


def test_silence_would_be_noticed(tiny: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.fuzzing.requests._NEVER", 0.2)
    request = make_request(0, 0)._replace(
        data=b"POST /v2/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"
    )
    with pytest.raises(TimeoutError):
        send(tiny.port, request)
