"""Clients that go away: their work is dropped as soon as they are gone.

found = await unless_gone(request, check(document))     # `ClientGone` when nobody waits any more
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

T = TypeVar("T")


class ClientGone(Exception):  # noqa: N818  # nothing is wrong
    """Nobody reads the answer."""


async def unless_gone(request: Request, work: Coroutine[Any, Any, T], gone: Callable[[], None]) -> T:
    """Return what work returns; where the client leaves first, drop it and call `gone`."""
    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            gone()
            raise ClientGone
        return await working
    finally:
        working.cancel()
        leaving.cancel()


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


class HeldResponse(StreamingResponse):
    """An answer that comes in pieces, and gives back what it holds when it ends, however it ends."""

    def __init__(self, content: Any, held: AsyncExitStack, gone: Callable[[], None], **options: Any) -> None:
        """Take what to send, what to give back, and whom to tell where the client leaves before the end."""
        super().__init__(content, **options)
        self._held, self._gone = held, gone
        self.finished = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer."""
        async with self._held:
            try:
                await super().__call__(scope, receive, send)
            finally:
                if not self.finished:
                    self._gone()
