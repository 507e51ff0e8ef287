"""A server in memory, whose networks are made by hand: *was* becomes *am*, when the gate is open."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from permend.corrector.corrector import Corrector
from permend.model.networks import Bools, Floats, Ints
from permend.model.options import Mode, Modes, Options
from permend.serving.app import make_app
from permend.serving.engine import Engine
from permend.serving.settings import Settings
from tests.cli.conftest import nobodys_words
from tests.corrector.test_corrector import TOKENIZER, HandMade, replace_was
from tests.serving.running import Running, running

__all__ = ["nobodys_words"]

MODES = Modes({"thorough": Mode(Options()), "balanced": Mode(Options()), "precise": Mode(Options(min_margin=1e9))})


class Gated(HandMade):
    """Networks that wait for a gate to be opened, and remember how many sentences came together."""

    def __init__(self) -> None:
        super().__init__(replace_was)
        self.gate = threading.Event()
        self.gate.set()
        self.reached = threading.Event()
        self.batches: list[int] = []

    def encode(self, ids: Ints, mask: Bools) -> tuple[Floats, Floats]:
        self.reached.set()
        assert self.gate.wait(60)
        self.batches.append(len(ids))
        return super().encode(ids, mask)


class Server:
    """An engine and its application."""

    def __init__(self, **settings: Any) -> None:
        self.networks = Gated()
        self.engine = Engine(Corrector.of(self.networks, TOKENIZER), Settings(**settings), MODES, "toy")
        self.app = make_app(self.engine)

    def client(self) -> TestClient:
        return TestClient(self.app, base_url="http://127.0.0.1:8081", raise_server_exceptions=False)


@pytest.fixture
def start() -> Iterator[Callable[..., Server]]:
    """Return a function that makes a server with settings."""
    started: list[Server] = []

    def make(**settings: Any) -> Server:
        started.append(Server(**settings))
        return started[-1]

    yield make
    for server in started:
        server.networks.gate.set()
        server.engine.close()


@pytest.fixture
def client(start: Callable[..., Server]) -> TestClient:
    """Return a client of a server as it comes."""
    return start().client()


@pytest.fixture(scope="session")
def served() -> Iterator[Running]:
    """Return a process that serves the model which is installed with permend."""
    with running() as server:
        yield server
