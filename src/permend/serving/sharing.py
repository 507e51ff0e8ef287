"""Connections that wait at a port, shared out between the processes that take them from it.

In: a port, and memory in which each process notes how many connections it has. Out: connections, each in a process that
has no more than another has. Left to the system, whoever wakes up first takes what there is: of 32 clients at two
workers, one had 26 or all.

    shares = Shares(2)                                       # before the processes are forked
    await take(port, shares.of(0), protocol, connections)    # in the first one, until it is cancelled
"""

from __future__ import annotations

import asyncio
import mmap
import socket
from collections.abc import Callable, Sized

_NOBODY = 2**62  # connections: more than anybody has
_MOMENT, _MOMENTS = 0.001, 50
"""Seconds to leave a connection to others that have fewer, and how often: they may be busy, or hang."""
_LATER = 1.0  # seconds after which to try again where no more files can be open


class Shares:
    """How many connections each of some processes has, for all of them to see."""

    def __init__(self, processes: int) -> None:
        """Begin with processes that are not there yet."""
        self._counts = memoryview(mmap.mmap(-1, 8 * processes)).cast("q")
        for place in range(processes):
            self.of(place).leave()

    def of(self, place: int) -> Share:
        """Return what a process notes."""
        return Share(self._counts, place)


class Share:
    """How many connections a process has."""

    def __init__(self, counts: memoryview, place: int) -> None:
        """Take the counts of all, and whose this is."""
        self._counts, self._place = counts, place

    def note(self, connections: int) -> None:
        """Let the others know."""
        self._counts[self._place] = connections

    def leave(self) -> None:
        """Let them know that nobody is here any more."""
        self.note(_NOBODY)

    @property
    def is_least(self) -> bool:
        """Whether nobody has fewer."""
        return bool(self._counts[self._place] <= min(self._counts))


async def take(port: socket.socket, share: Share, protocol: Callable[[], asyncio.Protocol], connections: Sized) -> None:
    """Take connections, one at a time, each unless somebody else has fewer and takes it."""
    port.setblocking(False)
    try:
        while True:
            share.note(len(connections))
            await _knock(port)
            for _ in range(_MOMENTS):
                share.note(len(connections))
                if share.is_least:
                    break
                await asyncio.sleep(_MOMENT)
            try:
                taken, _address = port.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                continue  # somebody else has it, or it is gone
            except OSError:
                await asyncio.sleep(_LATER)
                continue
            await asyncio.get_running_loop().connect_accepted_socket(protocol, taken)
    finally:
        share.leave()


async def _knock(port: socket.socket) -> None:
    """Wait until a connection waits."""
    loop, knocked = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(port, knocked.set)
    try:
        await knocked.wait()
    finally:
        loop.remove_reader(port)
