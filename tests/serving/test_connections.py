"""Clients that do nothing for too long are not waited for, and of too many nobody is left without a word."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, suppress

import pytest

from permend.serving.run import make_server
from tests.serving.conftest import Server

Talk = Callable[[socket.socket], Awaitable[None]]
SOON = 0.5
HEALTH = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"


def converse(server: Server, talk: Talk, patience: float) -> None:
    """Let a server run that has some patience, while somebody talks with it over its port."""
    running = make_server(server.engine)
    running.config.timeout_keep_alive = patience  # type: ignore[assignment]  # uvicorn's type has whole seconds

    async def serve(port: socket.socket) -> None:
        serving = asyncio.create_task(running.serve([port]))
        try:
            await asyncio.wait_for(talk(port), 60)
        finally:
            running.should_exit = True
            await serving

    with socket.socket() as port:
        port.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)  # little lies between server and reader
        port.bind(("127.0.0.1", 0))
        port.listen(100)
        asyncio.run(serve(port))


@pytest.mark.parametrize("half", [b"", b"\r\n", b"POST /v2/check HTTP/1.1\r\nHost: loc"])
@pytest.mark.parametrize("before", [0, 1])
def test_who_does_not_bring_a_whole_request_is_not_waited_for(
    start: Callable[..., Server], before: int, half: bytes
) -> None:
    async def talk(port: socket.socket) -> None:
        reader, writer = await asyncio.open_connection(*port.getsockname())
        for _ in range(before):
            writer.write(HEALTH)
            assert (await reader.readuntil(b"}")).startswith(b"HTTP/1.1 200")
        writer.write(half)
        with suppress(ConnectionResetError):
            assert await reader.read() == b""
        writer.close()

    converse(start(), talk, 4 * SOON)  # whole requests have to come through before


def test_a_head_that_comes_byte_by_byte_has_no_more_time_than_another(start: Callable[..., Server]) -> None:
    async def talk(port: socket.socket) -> None:
        _reader, writer = await asyncio.open_connection(*port.getsockname())
        writer.write(HEALTH[:-2] + b"X-Long: ")
        with suppress(ConnectionError):
            while True:
                writer.write(b"x")
                await writer.drain()
                await asyncio.sleep(SOON / 20)
        writer.close()

    converse(start(), talk, SOON)


def test_an_answer_that_nobody_takes_does_not_keep_its_place(start: Callable[..., Server]) -> None:
    server = start(queue=1)
    body = json.dumps({"text": "I was busy.\n\n" * 4_000}).encode()
    head = f"POST /api/check/stream HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n".encode()

    async def talk(port: socket.socket) -> None:
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.setblocking(False)
            loop = asyncio.get_running_loop()
            await loop.sock_connect(client, port.getsockname())
            await loop.sock_sendall(client, head + b"Content-Type: application/json\r\n\r\n" + body)
            while not server.engine.in_hand:
                await asyncio.sleep(0.01)
            while server.engine.in_hand:
                await asyncio.sleep(0.01)

    converse(server, talk, SOON)


def test_a_slow_reader_gets_all_of_an_answer(start: Callable[..., Server]) -> None:
    body = json.dumps({"text": "I was busy. " * 200}).encode()
    head = f"POST /api/check/stream HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n".encode()

    async def talk(port: socket.socket) -> None:
        reader, writer = await asyncio.open_connection(*port.getsockname(), limit=4096)
        writer.write(head + b"Content-Type: application/json\r\nConnection: close\r\n\r\n" + body)
        heard = b""
        while piece := await reader.read(4096):
            heard += piece
            await asyncio.sleep(0.001)
        assert b'"done": true' in heard
        writer.close()

    converse(start(), talk, 5)


def test_of_too_many_each_is_told_when_to_come_again(start: Callable[..., Server]) -> None:
    server = start(queue=1)
    most = 8 * server.engine.settings.queue

    async def talk(port: socket.socket) -> None:
        with ExitStack() as held:
            others = [held.enter_context(socket.create_connection(port.getsockname())) for _ in range(most)]
            assert await _ask(port) == (503, b"1", b'{"error":"there are too many connections')
            for each in others[:4]:
                each.close()
            while (await _ask(port))[0] != 200:
                await asyncio.sleep(0.01)

    converse(server, talk, 60)


async def _ask(port: socket.socket) -> tuple[int, bytes | None, bytes]:
    """Return the status, when to come again, and how the answer begins."""
    reader, writer = await asyncio.open_connection(*port.getsockname())
    writer.write(HEALTH.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    first, *lines = head.lower().split(b"\r\n")
    headers = dict(line.split(b": ", 1) for line in lines)
    return int(first.split()[1]), headers.get(b"retry-after"), body[:40]
