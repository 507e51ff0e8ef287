"""A port that several processes take connections from: each leaves some to the others."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from permend.serving.run import make_server
from tests.serving.conftest import Server


class Port(socket.socket):
    """A port that counts how many connections were taken in one turn of the event loop."""

    taken = at_once = most = 0

    def accept(self) -> tuple[socket.socket, Any]:
        connection = super().accept()
        if self.at_once == 0:
            asyncio.get_running_loop().call_soon(self._next_turn)
        self.taken, self.at_once = self.taken + 1, self.at_once + 1
        self.most = max(self.most, self.at_once)
        return connection

    def _next_turn(self) -> None:
        self.at_once = 0


def test_a_process_that_could_take_all_connections_takes_one_at_a_time(start: Callable[..., Server]) -> None:
    server = make_server(start().engine)

    async def serve(port: Port, many: int) -> None:
        serving = asyncio.create_task(server.serve([port]))
        while port.taken < many and not serving.done():
            await asyncio.sleep(0.01)
        server.should_exit = True
        await serving

    with Port() as port, ExitStack() as clients:
        port.bind(("127.0.0.1", 0))
        port.listen(100)
        for _ in range(50):
            clients.enter_context(socket.create_connection(port.getsockname()))
        asyncio.run(serve(port, 50))
        assert port.taken == 50
        assert port.most <= 2, "asyncio takes one more from Python 3.12 on"
