"""A port that several processes take connections from: each gets its share."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest

from permend.serving.sharing import Shares, take
from tests.model.tiny import exported
from tests.serving.running import running
from tests.serving.test_process import children, wait_for

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs processes that fork")


class Held(asyncio.Protocol):
    """A connection that somebody has taken."""

    transport: asyncio.BaseTransport | None = None

    def __init__(self, connections: set[Held]) -> None:
        self._connections = connections

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self._connections.add(self)

    def close(self) -> None:
        if self.transport is not None:
            self.transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        self._connections.discard(self)


@contextmanager
def open_port() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0), backlog=100) as port:
        yield port


async def share_out(port: socket.socket, shares: Shares, takers: list[set[Held]], many: int) -> list[int]:
    """Let some take connections until so many are taken; return how many each has."""
    with ExitStack() as ports:
        tasks = [
            asyncio.create_task(take(ports.enter_context(port.dup()), shares.of(place), partial(Held, mine), mine))
            for place, mine in enumerate(takers)
        ]
        async with asyncio.timeout(60):
            while sum(map(len, takers)) < many:
                await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    counts = sorted(map(len, takers))
    taken = [each for mine in takers for each in mine if each.transport is not None]
    for each in taken:
        each.close()
    while any(mine.intersection(taken) for mine in takers):
        await asyncio.sleep(0.01)
    return counts


def connect(port: socket.socket, many: int) -> ExitStack:
    """Have so many clients wait."""
    clients = ExitStack()
    for _ in range(many):
        clients.enter_context(socket.create_connection(port.getsockname()))
    return clients


def test_connections_that_wait_are_shared_out_evenly() -> None:
    with open_port() as port, connect(port, 50):
        takers: list[set[Held]] = [set(), set(), set()]
        assert asyncio.run(share_out(port, Shares(3), takers, 50)) == [16, 17, 17]


def test_who_has_more_already_gets_fewer() -> None:
    with open_port() as port, connect(port, 30):
        takers: list[set[Held]] = [{Held(set()) for _ in range(10)}, set()]
        assert asyncio.run(share_out(port, Shares(2), takers, 40)) == [20, 20]


@pytest.mark.parametrize("is_there", [False, True])
def test_nobody_is_waited_for_who_is_gone_or_hangs(is_there: bool) -> None:
    shares = Shares(2)
    if is_there:
        shares.of(1).note(0)
    with open_port() as port, connect(port, 20):
        assert asyncio.run(share_out(port, shares, [set()], 20)) == [20]


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux shows them")
def test_workers_have_half_of_the_clients_each() -> None:
    with running("--model", exported()[1], "--workers", "2") as server:
        wait_for(lambda: len(children(server.process.pid)) == 2)
        workers = children(server.process.pid)
        wait_for(lambda: all(sockets(worker) >= 3 for worker in workers))  # the port and what wakes the loop
        before = [sockets(worker) for worker in workers]
        for _ in range(5):
            with ExitStack() as clients:
                for _ in range(40):
                    clients.enter_context(socket.create_connection(("127.0.0.1", server.port)))
                wait_for(lambda: sum(map(sockets, workers)) == sum(before) + 40)
                taken = [sockets(worker) - known for worker, known in zip(workers, before, strict=True)]
                assert min(taken) >= 10, taken
            wait_for(lambda: [sockets(worker) for worker in workers] == before)


def sockets(process: int) -> int:
    """Return how many sockets a process holds."""
    count = 0
    for each in Path(f"/proc/{process}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            count += os.readlink(each).startswith("socket:")
    return count
