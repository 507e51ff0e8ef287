"""The same engine on Ray: actors that hold what was prepared, here or on many machines.

In: a `Prepare`, a number of actors and an address: ``local`` starts a Ray of its own on this machine, ``auto`` or
``host:port`` joins a cluster. Out: results in order, as `engine` says, the same as from a `Pool`.

Ray restarts an actor whose process or machine has died, and gives it its chunks again. Each actor has at most two
chunks waiting, so nothing piles up. A local Ray listens on this machine alone, has no dashboard, reports no usage, and
leaves no files behind.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import sys
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Self
from urllib.parse import urlsplit

from permend.batch.engine import AHEAD, In, Out, Outcome, Prepare, attempt
from permend.documents.saving import UNFINISHED
from permend.errors import MissingExtraError, PermendError, first_line

LOCAL = "local"
_OBJECTS = 256_000_000  # bytes of shared memory for chunks that travel
_EACH = 2  # chunks that an actor has
_CLIENTS, _PATIENCE = 10_001, 10  # Ray's port for clients, and the seconds after which nobody answers there


class RayPool(Generic[In, Out]):
    """Actors that apply a function to chunks."""

    def __init__(self, prepare: Prepare[In, Out], workers: int | None = None, address: str = LOCAL) -> None:
        """Take what makes the function, how many actors there shall be (None: as many as the cluster has cores)."""
        self._prepare, self._count, self._address = prepare, workers, address
        self._actors: list[Any] = []
        self._folder: Path | None = None

    def __enter__(self) -> Self:
        """Start or join Ray, and have the actors prepare themselves."""
        _reach(self._address)  # before Ray is imported: that is when it settles on a password
        self._ray = load_ray(self._address)
        before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            self._join()
            for number, handler in before.items():  # Ray has put its own there
                signal.signal(number, handler)
            count = self._count or max(1, int(self._ray.cluster_resources().get("CPU", 1)))
            made = self._ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=-1)(_Actor)
            self._actors = [made.remote(self._prepare) for _ in range(count)]
            for outcome in self._ray.get([actor.ready.remote() for actor in self._actors]):
                outcome.get()
        except PermendError:
            self.__exit__(None, None, None)
            raise
        except Exception as error:  # Ray's own have no common base
            self.__exit__(None, None, None)
            raise PermendError(f"Ray cannot be used at {self._address}: {first_line(error)}") from None
        return self

    def _join(self) -> None:
        quiet = {"log_to_driver": False, "configure_logging": False}
        if self._address != LOCAL:
            self._ray.init(address=self._address, **quiet)
            return
        self._folder = Path(tempfile.mkdtemp(prefix="permend-ray-"))
        UNFINISHED.add(self._folder)  # Ray takes longer to end than a signal leaves it
        own: dict[str, Any] = {"include_dashboard": False, "object_store_memory": _OBJECTS, "num_cpus": self._count}
        self._ray.init(address=LOCAL, _temp_dir=str(self._folder), _node_ip_address="127.0.0.1", **quiet, **own)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the actors, and Ray where it was started here."""
        for actor in self._actors:
            with suppress(Exception):
                self._ray.kill(actor)
        self._actors = []
        self._ray.shutdown()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
            UNFINISHED.discard(self._folder)

    @property
    def processes(self) -> list[int]:
        """The ids of the actors' processes."""
        return [int(number) for number in self._ray.get([actor.process.remote() for actor in self._actors])]

    def map(self, chunks: Iterable[In]) -> Iterator[Out]:
        """Yield what the function returns for each chunk, in their order."""
        source = iter(chunks)
        waiting: deque[Any] = deque()  # in order
        at_work: dict[Any, int] = {}  # what is not done, and whose it is
        free = [_EACH] * len(self._actors)
        ended = False
        try:
            while True:
                while not ended and max(free) > 0 and len(waiting) < AHEAD * len(free):
                    try:
                        chunk = next(source)
                    except StopIteration:
                        ended = True
                        break
                    place = max(range(len(free)), key=free.__getitem__)
                    free[place] -= 1
                    reference = self._actors[place].work.remote(chunk)
                    at_work[reference] = place
                    waiting.append(reference)
                if not waiting:
                    return
                if at_work:
                    done, _ = self._ray.wait(list(at_work), num_returns=1)
                    for reference in done:
                        free[at_work.pop(reference)] += 1
                while waiting and waiting[0] not in at_work:
                    outcome: Outcome[Out] = self._result(waiting.popleft())
                    yield outcome.get()
        finally:
            for reference in at_work:
                with suppress(Exception):
                    self._ray.cancel(reference)

    def _result(self, reference: Any) -> Outcome[Out]:
        try:
            found: Outcome[Out] = self._ray.get(reference)
        except Exception as error:  # Ray's own have no common base
            raise PermendError(f"Ray has given up on some rows: {first_line(error)}") from None
        return found


class _Actor:
    """Applies a function, in a process of Ray's."""

    def __init__(self, prepare: Prepare[Any, Any]) -> None:
        self._prepared = attempt(lambda made: made(), prepare)

    def ready(self) -> Outcome[None]:
        """Say whether all is prepared."""
        return Outcome(error=self._prepared.error)

    def process(self) -> int:
        """Return the id of this process."""
        return os.getpid()

    def work(self, chunk: Any) -> Outcome[Any]:
        """Apply the function."""
        return self._prepared if self._prepared.error else attempt(self._prepared.get(), chunk)


def _reach(address: str) -> None:
    """See whether somebody listens there: Ray would try again for minutes, and write about it."""
    parts = urlsplit(address if "://" in address else f"//{address}")
    try:
        if parts.port or parts.scheme == "ray":
            socket.create_connection((parts.hostname or "", parts.port or _CLIENTS), _PATIENCE).close()
    except (OSError, ValueError) as error:
        raise PermendError(f"Ray cannot be reached at {address}: {first_line(error)}") from None


def load_ray(address: str = LOCAL) -> Any:
    """Import Ray, which ``import permend`` has told to report nothing.

    One of its own gets a password of its own, unless the user has said how that shall be: Ray would keep one in the
    home folder and talk about it. It looks for one while it is imported, so one that is imported already keeps its own.
    """
    if address == LOCAL and "RAY_AUTH_MODE" not in os.environ and "ray" not in sys.modules:
        os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=secrets.token_hex(32))
    try:
        import ray
    except ImportError:
        raise MissingExtraError("Ray", "ray") from None
    return ray
