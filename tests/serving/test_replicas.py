"""Servers that come and go behind nginx lose no request, and say in time that they leave."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from benchmarks.replicas import CONFIG, roll
from permend.serving.settings import Settings
from tests.model.tiny import exported
from tests.serving.running import ENDED_BY, PATIENCE, running

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="nginx and signals as Linux has them")
ROOT = Path(__file__).parents[2]
SLOW = "".join(f"w{number % 30 + 5} w{number % 29 + 6} w{number % 23 + 7}.\n\n" for number in range(2_000))


def compose(name: str) -> dict[str, Any]:
    """Return the services of a compose file."""
    services = yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))["services"]
    assert isinstance(services, dict)
    return services


def test_a_rolling_restart_under_load_fails_no_request() -> None:
    if not shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin"):
        assert not os.environ.get("CI"), "scripts/test installs nginx where it may"
        pytest.skip("needs nginx")
    counts = roll(str(exported()[1]), "--workers", "2", pause=0.2)
    assert counts.failures == []
    assert counts.requests > 20
    assert counts.retries > 0, "or no server was ever missing"


def test_a_leaving_server_says_so_and_still_answers() -> None:
    with running("--model", exported()[1], "--drain", "60") as server:
        assert server.get("/api/ready").is_success
        server.process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + PATIENCE
        while (answer := server.get("/api/ready")).is_success:
            assert time.monotonic() < deadline
        assert (answer.status_code, answer.json()) == (503, {"error": "the server is ending"})
        assert server.get("/api/health").is_success
        assert server.check(text="w5 w6.").is_success
        assert server.end() == ENDED_BY[signal.SIGTERM], "a second signal does not wait"


def refuses(url: str) -> bool:
    """Whether a server takes no connection, asked a little later when it does."""
    try:
        httpx.get(f"{url}/api/health", timeout=2)
    except httpx.ConnectError:
        return True
    except httpx.TransportError:
        pass  # taken in the last moment, and given up
    time.sleep(0.05)
    return False


def test_whoever_comes_while_workers_finish_is_refused_and_does_not_wait() -> None:
    with running("--model", exported()[1], "--workers", "2") as server:
        request = {"text": SLOW}
        with httpx.stream("POST", f"{server.url}/api/check/stream", json=request, timeout=PATIENCE) as answer:
            lines = answer.iter_lines()
            next(lines)
            server.process.send_signal(signal.SIGTERM)
            assert any(refuses(server.url) for _ in range(100)), "while the first request is still answered"
            assert server.process.poll() is None
            assert json.loads(list(lines)[-1])["done"]


def test_replicas_are_what_one_server_is_but_for_their_addresses() -> None:
    [single] = compose("compose.yaml").values()
    replicas = [service for name, service in compose("compose.replicas.yaml").items() if name.startswith("permend-")]
    for replica in replicas:
        assert {**replica, "networks": None, "healthcheck": None} == {
            **{key: value for key, value in single.items() if key != "ports"},
            "networks": None,
            "healthcheck": None,
        }
        asked, alone = replica["healthcheck"]["test"], single["healthcheck"]["test"]
        assert asked == [part.replace("/api/health", "/api/ready") for part in alone]
    addresses = {replica["networks"]["inside"]["ipv4_address"] for replica in replicas}
    assert len(addresses) == len(replicas) == 2


def test_nginx_may_do_little_and_knows_the_servers() -> None:
    services = compose("compose.replicas.yaml")
    nginx = services["nginx"]
    assert (nginx["read_only"], nginx["cap_drop"]) == (True, ["ALL"])
    assert all(port.startswith("127.0.0.1:") for port in nginx["ports"])
    config = CONFIG.read_text(encoding="utf-8")
    assert re.findall(r"^ +server (\S+):8081 ", config, re.MULTILINE) == list(nginx["depends_on"])
    [size] = re.findall(r"client_max_body_size (\d+)m;", config)
    assert int(size) * 2**20 >= Settings().max_bytes
