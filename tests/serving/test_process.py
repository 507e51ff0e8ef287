"""`permend serve` as a process: how it starts, how it ends, its workers, what it says and to whom it talks."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.model.tiny import exported
from tests.serving.running import ENDED_BY, PATIENCE, ROOT, Running, running

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux shows them")

LONG = "".join(f"w{number % 30 + 5} w{number % 29 + 6} w{number % 23 + 7}.\n\n" for number in range(3_000))
"""Some seconds of work."""


def refused(*arguments: str | Path, code: str = "from permend.__main__ import main; main()") -> str:
    """Start a server that cannot be, and return the sentence that it ends with."""
    command = [sys.executable, "-c", code, "serve", "--port", "0", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    *warnings, line = done.stderr.splitlines()
    assert all(warning.startswith("Warning: ") for warning in warnings)
    return line


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def children(number: int) -> list[int]:
    """Return the processes that a process has started."""
    tasks = Path(f"/proc/{number}/task").glob("*/children")
    return sorted(int(child) for task in tasks for child in task.read_text(encoding="ascii").split())


def is_running(number: int) -> bool:
    """Whether a process is there, and more than a name in its parent's list."""
    try:
        return Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def memory(number: int) -> dict[str, int]:
    """Return what the system counts as a process's memory, in KiB."""
    lines = Path(f"/proc/{number}/smaps_rollup").read_text(encoding="ascii").splitlines()[1:]
    return {line.partition(":")[0]: int(line.split()[1]) for line in lines}


class TestStarting:
    """What a server needs, or one sentence and exit code 2."""

    def test_a_port_that_is_taken(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            said = refused("--model", exported()[1], "--port", str(port))
        assert said == f"Error: cannot listen at 127.0.0.1, port {port}: Address already in use"

    def test_an_address_that_is_not_ours(self) -> None:
        assert "cannot listen at 192.0.2.7" in refused("--model", exported()[1], "--host", "192.0.2.7")
        assert "cannot listen at no.such.name" in refused("--model", exported()[1], "--host", "no.such.name.invalid")
        assert refused("--host", "").startswith("Error: host must be an address or a name")

    @pytest.mark.parametrize("package", ["fastapi", "uvicorn", "prometheus_client"])
    def test_an_extra_that_is_missing(self, package: str) -> None:
        code = f"import sys; sys.modules[{package!r}] = None\nfrom permend.__main__ import main; main()"
        assert "pip install '.[serve]'" in refused(code=code)

    def test_a_model_that_is_damaged(self, tmp_path: Path) -> None:
        model = tmp_path / "model"
        shutil.copytree(exported()[1], model)
        weights = model / "weights.bin"
        weights.write_bytes(weights.read_bytes()[:-100])
        assert "weights.bin" in refused("--model", model)
        assert "weights.bin" in refused("--model", model, "--workers", "2")

    def test_a_model_that_is_not_there(self, tmp_path: Path) -> None:
        assert str(tmp_path / "nothing") in refused("--model", tmp_path / "nothing")

    def test_other_machines_are_a_reason_to_warn(self) -> None:
        with running("--model", exported()[1], "--host", "0.0.0.0") as server:
            assert "anybody who reaches it may ask" in server.log
            assert httpx.get(f"http://127.0.0.1:{server.port}/api/health").is_success


@pytest.fixture(scope="module")
def tiny() -> Iterator[Running]:
    """Return a server with a tiny model."""
    with running("--model", exported()[1]) as server:
        yield server


class TestEnding:
    """A signal ends it, when what was accepted is answered."""

    @pytest.mark.parametrize("number", list(ENDED_BY))
    @pytest.mark.parametrize("workers", ["1", "2"])
    def test_what_was_accepted_is_answered_first(self, number: signal.Signals, workers: str) -> None:
        with running("--model", exported()[1], "--workers", workers) as server:
            request = {"text": LONG}
            with httpx.stream("POST", f"{server.url}/api/check/stream", json=request, timeout=PATIENCE) as answer:
                lines = answer.iter_lines()
                first = json.loads(next(lines))
                server.process.send_signal(number)
                rest = [json.loads(line) for line in lines]
            assert first["start"] == 0
            assert rest[-1]["done"] is True
            assert rest[-1]["characters"] == len(LONG)
            assert server.process.wait(PATIENCE) == ENDED_BY[number]
            with pytest.raises(httpx.ConnectError):
                server.get("/api/health")
            assert "Traceback" not in server.log

    @pytest.mark.parametrize("workers", ["1", "2"])
    def test_connections_without_a_request_hold_nobody_up(self, workers: str) -> None:
        with (
            running("--model", exported()[1], "--workers", workers) as server,
            socket.create_connection(("127.0.0.1", server.port)),
            httpx.Client(base_url=server.url) as client,
        ):
            assert client.get("/api/health").is_success
            assert server.end() == ENDED_BY[signal.SIGTERM]

    def test_nothing_is_left_behind(self, tmp_path: Path) -> None:
        with running("--model", exported()[1], "--workers", "2", TMPDIR=str(tmp_path)) as server:
            assert server.check(text="w5 w6.").is_success
            assert list(tmp_path.iterdir())
            server.end()
            assert list(tmp_path.iterdir()) == []


class TestWorkers:
    """Several processes answer as one does."""

    @pytest.fixture
    def pair(self) -> Iterator[Running]:
        """Return a server with two workers."""
        with running("--model", exported()[1], "--workers", "2") as server:
            wait_for(lambda: len(children(server.process.pid)) == 2)
            yield server

    def test_their_counts_are_added_up(self, pair: Running) -> None:
        for _ in range(40):  # a connection each, so that both have some
            assert pair.get("/v2/healthcheck").is_success
        counted = 'permend_requests_total{path="/v2/healthcheck",status="200"} 40.0'
        for _ in range(10):
            assert counted in pair.get("/metrics").text

    def test_one_that_is_killed_is_replaced(self, pair: Running) -> None:
        time.sleep(2.5)  # one that ends at once would never start
        before = children(pair.process.pid)
        os.kill(before[0], signal.SIGKILL)
        wait_for(lambda: len(now := children(pair.process.pid)) == 2 and before[0] not in now)
        for _ in range(10):
            assert pair.check(text="w5 w6.").is_success
        assert "worker ended" in pair.log

    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
    def test_they_end_with_their_parent(self, pair: Running, number: signal.Signals) -> None:
        workers = children(pair.process.pid)
        pair.end(number)
        wait_for(lambda: not any(map(is_running, workers)))

    def test_they_share_the_models_memory(self) -> None:
        with running("--workers", "2") as server:
            wait_for(lambda: len(children(server.process.pid)) == 2)
            for _ in range(12):
                assert server.check(text="He go to school yesterday.").is_success
            for worker in children(server.process.pid):
                counted = memory(worker)
                assert counted["Pss"] < 0.7 * counted["Rss"]


class TestLog:
    """A line of JSON for each request, and no word of a text in any of them."""

    def test_no_word_of_a_text_is_logged(self, tiny: Running) -> None:
        tiny.check(text="zebra w5")
        tiny.get("/v2/check", params={"text": "zebra", "language": "en"})
        tiny.get("/v2/check", params={"text": "zebra", "language": "zebra"})
        tiny.get("/zebra/zebra.html", params={"zebra": "zebra"})
        tiny.check(data='{"annotation": [{"zebra": "zebra"}]}')
        tiny.check(text="zebra " * 100_000)
        httpx.post(f"{tiny.url}/api/check", json={"text": "zebra", "format": "zebra"})
        httpx.post(f"{tiny.url}/api/check", content=b'{"text": "zebra')
        httpx.post(f"{tiny.url}/api/words", json={"word": "zebra" * 100})
        httpx.request("ZEBRA", f"{tiny.url}/v2/check")
        httpx.get(f"{tiny.url}/api/health", headers={"Host": "zebra.example", "Origin": "https://zebra.example"})
        with socket.create_connection(("127.0.0.1", tiny.port)) as raw:
            raw.sendall(b"ZEBRA zebra zebra\r\nzebra\r\n\r\n")
            raw.recv(1000)
        wait_for(lambda: "421" in tiny.log)
        assert "zebra" not in tiny.log.lower()
        events = [json.loads(line) for line in tiny.log.splitlines()]
        assert {"time", "event", "method", "path", "status", "ms"} == set(events[0])
        statuses = {event.get("status") for event in events}
        assert statuses >= {200, 400, 404, 413, 421, 422}
        assert 500 not in statuses

    def test_it_can_be_switched_off(self) -> None:
        with running("--model", exported()[1], "--quiet") as server:
            assert server.check(text="w5").is_success
            assert server.log == ""


def test_nothing_but_its_own_port_is_opened(tmp_path: Path) -> None:
    if not shutil.which("strace"):
        assert not os.environ.get("CI"), "scripts/test installs strace where it may"
        pytest.skip("needs strace")
    trace = tmp_path / "trace"
    tracer = ("strace", "-f", "-e", "trace=network", "-o", str(trace))
    with running("--workers", "2", before=tracer, PYTHONPATH=os.environ.get("PYTHONPATH", str(ROOT / "src"))) as server:
        port = server.port
        for _ in range(5):
            assert server.check(text="He go to school yesterday.").json()["matches"]
        assert httpx.post(f"{server.url}/api/trace", json={"sentence": "He go."}, timeout=PATIENCE).is_success
        [process] = children(server.process.pid)
        os.kill(process, signal.SIGTERM)
        server.process.wait(PATIENCE)
    calls = [line for line in trace.read_text(encoding="utf-8", errors="replace").splitlines() if "AF_INET" in line]
    assert [call for call in calls if re.search(r"\b(connect|sendto|sendmsg|sendmmsg)\(", call)] == []
    bound = {call.partition("bind(")[2] for call in calls if " bind(" in call}
    assert len(bound) == 1, "the port that it listens at"
    assert any(f"htons({port})" in call for call in calls)


def test_many_clients_at_a_time_get_their_own_answers(tiny: Running) -> None:
    wrong: list[str] = []

    def ask(number: int) -> None:
        sentence = f"w{number % 30 + 5} w6 w{number % 7 + 5}."
        answer = httpx.post(f"{tiny.url}/api/check", json={"text": sentence}, timeout=PATIENCE).json()
        if answer["characters"] != len(sentence):
            wrong.append(sentence)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(48)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert wrong == []
