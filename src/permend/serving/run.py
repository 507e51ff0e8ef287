"""A server that runs: a port, one process or several, an orderly end.

In: settings and a model. Out: nothing, until a signal ends it; what was accepted is then answered first.

The model is loaded once. Several processes are forks of the one that has loaded it, so its memory is theirs together as
long as nobody writes to it; a process that dies is replaced. Each has its own queue, and they take connections from the
same port, as many as the others (`sharing`).

How it ends: after a signal it goes on for ``Settings.drain`` seconds while ``/api/ready`` says no, then gives the port
back, so that whoever connects is refused at once and can ask another server, and then answers what it has accepted.
Nothing may hold the port open without taking connections from it: they would wait in its queue for nobody.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from types import FrameType

import uvicorn

from permend.errors import PermendError
from permend.serving.app import make_app
from permend.serving.connections import Connection
from permend.serving.engine import Engine
from permend.serving.metrics import count_together, forget_process
from permend.serving.settings import Settings
from permend.serving.sharing import Share, Shares, take

logger = logging.getLogger("permend.serving")
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_BACKLOG = 512
_KEEP_ALIVE = 65  # seconds for a connection on which nothing happens: longer than proxies keep theirs
_TOO_SOON = 2.0  # seconds after which a process may end without being suspected of never starting


def serve(settings: Settings, model: str | None = None, tell: Callable[[str], None] = lambda url: None) -> None:
    """Answer requests until a signal comes; `tell` hears where, as soon as they are."""
    if settings.workers > 1 and not hasattr(os, "fork"):
        raise PermendError("several workers need a system that can fork processes: use --threads instead")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # its threads would not outlive a fork
    with ExitStack() as held:
        port = held.enter_context(listen(settings))
        settings = _with_port(settings, port)
        if settings.workers > 1:
            count_together(held.enter_context(tempfile.TemporaryDirectory(prefix="permend-")))
        engine = Engine.load(settings, model)
        engine.warm_up()
        tell(settings.url)
        if settings.workers == 1:
            answer(engine, port)
        else:
            _Workers(engine, port).run()


def listen(settings: Settings) -> socket.socket:
    """Take a port."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        found = socket.create_server((settings.host, settings.port), family=family, backlog=_BACKLOG)
    except (OSError, OverflowError) as error:
        reason = str(getattr(error, "strerror", None) or error).partition(" (while")[0]
        raise PermendError(f"cannot listen at {settings.host}, port {settings.port}: {reason}") from None
    found.set_inheritable(True)
    found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else answers wait for their readers
    return found


def answer(engine: Engine, port: socket.socket, share: Share | None = None) -> None:
    """Answer requests in this process; all of them, or its share."""
    make_server(engine, share).run(sockets=[port])


def make_server(engine: Engine, share: Share | None = None) -> uvicorn.Server:
    """Return what answers requests."""
    config = uvicorn.Config(
        make_app(engine),
        loop="asyncio",
        http=Connection,
        ws="none",
        access_log=False,  # it would write down texts that come in the address
        log_config=None,
        server_header=False,
        timeout_keep_alive=_KEEP_ALIVE,
        timeout_graceful_shutdown=int(engine.settings.timeout) + 1,
        limit_concurrency=8 * engine.settings.queue,
        backlog=_BACKLOG,
    )
    return _Server(config, engine, share)


class _Server(uvicorn.Server):
    """A server that takes its share of connections, and says that it is leaving before it does."""

    def __init__(self, config: uvicorn.Config, engine: Engine, share: Share | None) -> None:
        super().__init__(config)
        self._engine, self._share = engine, share
        self._leaves_at = float("inf")
        self._taking: list[asyncio.Task[None]] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to take connections."""
        if self._share is None or sockets is None:
            await super().startup(sockets)
            return
        await super().startup([])
        connections = self.server_state.connections
        protocol = partial(
            Connection, config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        self._taking = [asyncio.create_task(take(port, self._share, protocol, connections)) for port in sockets]

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more connections, and answer what was accepted."""
        for each in self._taking:
            each.cancel()
        await asyncio.gather(*self._taking, return_exceptions=True)
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to leave at the first signal; a second one ends it without waiting for balancers."""
        first, self._engine.leaving = not self._engine.leaving, True
        super().handle_exit(sig, frame)
        if first and self._engine.settings.drain:
            self._leaves_at = time.monotonic() + self._engine.settings.drain
            self.should_exit = False

    async def on_tick(self, counter: int) -> bool:
        """Tell, ten times a second, whether to end; connections are closed meanwhile."""
        self.should_exit = self.should_exit or time.monotonic() >= self._leaves_at
        if self._share is not None:
            self._share.note(len(self.server_state.connections))
        return await super().on_tick(counter)


class _Workers:
    """Processes that answer, and one that looks after them."""

    def __init__(self, engine: Engine, port: socket.socket) -> None:
        self._engine, self._port = engine, port
        self._running: dict[int, tuple[int, float]] = {}
        """The place of each among the shares, and when it was started."""
        self._shares = Shares(engine.settings.workers)
        self._ended_by: int | None = None
        self._read_end, self._write_end = os.pipe()  # nothing is ever written: it closes with this process

    def run(self) -> None:
        """Start them, replace those that die, and end them all; the signal that ends them then ends this process."""
        before = {number: signal.signal(number, self._end) for number in _SIGNALS}
        try:
            for place in range(self._engine.settings.workers):
                self._start(place)
            while self._running:
                self._wait()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        if self._ended_by:
            signal.raise_signal(self._ended_by)

    def _start(self, place: int) -> None:
        number = os.fork()
        if number:
            self._running[number] = place, time.monotonic()
            if self._ended_by:  # while it was started
                self._end(self._ended_by, None)
            return
        code = 1
        try:
            for each in _SIGNALS:
                signal.signal(each, signal.SIG_DFL)
            os.close(self._write_end)
            threading.Thread(target=self._end_with_parent, name="permend-parent", daemon=True).start()
            answer(self._engine, self._port, self._shares.of(place))
            code = 0
        finally:
            sys.stderr.flush()
            os._exit(code)

    def _end_with_parent(self) -> None:
        os.read(self._read_end, 1)
        os.kill(os.getpid(), signal.SIGTERM)

    def _wait(self) -> None:
        try:
            number, status = os.wait()
        except (InterruptedError, ChildProcessError):
            return
        place, began = self._running.pop(number, (None, 0.0))
        forget_process(number)
        if place is None:
            return
        self._shares.of(place).leave()
        if self._ended_by:
            return
        logger.error("worker ended", extra={"facts": {"status": status}})
        if time.monotonic() - began < _TOO_SOON:
            self._end(signal.SIGTERM, None)
            raise PermendError("a worker process ended as soon as it was started")
        self._start(place)

    def _end(self, number: int, frame: object) -> None:
        self._ended_by = number
        self._port.close()  # only workers still take connections from it
        for each in self._running:
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGTERM)


def _with_port(settings: Settings, port: socket.socket) -> Settings:
    return replace(settings, port=port.getsockname()[1])


class JsonLines(logging.Formatter):
    """Log records as lines of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a line: when, what, and the facts that came with it; never a text."""
        facts = {"time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"), "event": record.getMessage()}
        if record.exc_info and record.exc_info[0]:
            facts["error"] = record.exc_info[0].__name__  # its message may quote a text
        return json.dumps({**facts, **getattr(record, "facts", {})})
