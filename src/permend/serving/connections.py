"""A connection that has its limits: nobody holds one for nothing, and there are not too many of them.

In: what uvicorn tells of a connection. Out: what uvicorn does, and besides: one that brings no whole head of a request
is closed after as long as one that is kept between two requests, so is one whose answer nobody takes, and requests on
more connections than there may be are marked as `CROWDED`, for the guard to refuse.

    uvicorn.Config(app, http=Connection, timeout_keep_alive=65, limit_concurrency=512)
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

CROWDED = "crowded"
"""In the state of a request's scope, where there are too many connections."""


class Connection(HttpToolsProtocol):
    """A connection that ends when its client does nothing for too long."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """Take what uvicorn gives."""
        super().__init__(*arguments, **options)
        self._most, self.limit_concurrency = (
            self.limit_concurrency,
            None,
        )  # uvicorn's refusal says not when to come again
        self._head, self._answer = _Patience(self), _Patience(self)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._head.begin()

    def data_received(self, data: bytes) -> None:
        """Take what comes; a head must be whole in time, however often a part of it comes."""
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            self._head.begin()

    def on_headers_complete(self) -> None:
        """Hear that there is a request; mark it where there are too many connections."""
        self._head.end()
        if self._most is not None and len(self.connections) > self._most:
            self.scope["state"][CROWDED] = True
        super().on_headers_complete()

    def pause_writing(self) -> None:
        """Wait for the client to take what there is of its answer."""
        super().pause_writing()
        self._answer.begin()

    def resume_writing(self) -> None:
        """Hear that it does."""
        super().resume_writing()
        self._answer.end()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        super().connection_lost(exc)
        self._head.end()
        self._answer.end()


class _Patience:
    """Ends a connection, unless what it waits for comes in time."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Wait, if it does not already."""
        if self._timer is None:
            loop, config = self._connection.loop, self._connection.config
            self._timer = loop.call_later(config.timeout_keep_alive, self._connection.transport.abort)

    def end(self) -> None:
        """Wait no longer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
