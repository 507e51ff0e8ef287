"""An engine of processes on this machine.

In: a `Prepare` and a number of workers. Out: results in order, as `engine` says.

Where the system can fork, the function is prepared once, in this process, and the workers are forks of it: a model's
memory is theirs together as long as nobody writes to it. Elsewhere each prepares its own, as it does with
``fork=False``: what a GPU holds does not survive a fork. A worker that dies (killed,
out of memory) is replaced and its chunk done again; a chunk at which worker after worker dies is an error. Workers end
with this process, however it ends. One worker is this process itself.

>>> with Pool(lambda: len, workers=1) as pool:
...     list(pool.map(["one", "three"]))
[3, 5]
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, Generic, Self

from permend.batch.engine import AHEAD, TRIES, In, Out, Outcome, Prepare, attempt
from permend.errors import PermendError

CAN_FORK = sys.platform not in ("win32", "darwin")
"""Whether workers are forks; macOS can fork, but its own libraries do not bear it."""


@dataclass(eq=False)
class _Task(Generic[In, Out]):
    chunk: In
    tries: int = 0
    outcome: Outcome[Out] | None = None


@dataclass(eq=False)
class _Worker:
    process: BaseProcess
    connection: Connection
    task: _Task[Any, Any] | None = None


class Pool(Generic[In, Out]):
    """Processes that apply a function to chunks."""

    def __init__(self, prepare: Prepare[In, Out], workers: int = 1, fork: bool = True) -> None:
        """Take what makes the function, how many processes there shall be, and whether they may be forks."""
        self._forks = CAN_FORK and fork
        self._prepare = prepare
        self._count = workers
        self._function: Callable[[In], Out] | None = None
        self._workers: list[_Worker] = []
        self._context: Any = get_context("fork" if self._forks else "spawn")

    def __enter__(self) -> Self:
        """Prepare the function here, if this process or its forks need it."""
        # Workers share the cores as it is, and threads would not outlive a fork.
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        if self._forks or self._count == 1:
            self._function = self._prepare()
        if self._count > 1:
            self._lifeline, self._end = self._context.Pipe(duplex=False)  # this process alone keeps the end
            gc.collect()
            gc.freeze()  # counting references would copy the pages that are shared
            self._workers = [self._start() for _ in range(self._count)]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the workers at once: whatever they still do, nobody waits for it."""
        self._stop()
        if self._count > 1:
            gc.unfreeze()
            self._end.close()
            self._lifeline.close()

    @property
    def processes(self) -> list[int]:
        """The ids of the workers."""
        return [each.process.pid or 0 for each in self._workers]

    def map(self, chunks: Iterable[In]) -> Iterator[Out]:
        """Yield what the function returns for each chunk, in their order."""
        if self._count == 1:
            assert self._function is not None
            yield from map(self._function, chunks)
            return
        self._workers = self._workers or [self._start() for _ in range(self._count)]
        source = iter(chunks)
        waiting: deque[_Task[In, Out]] = deque()  # all that is under way, in order
        unbegun: deque[_Task[In, Out]] = deque()
        try:
            while True:
                self._hand_out(unbegun)
                while len(unbegun) < self._count and len(waiting) < AHEAD * self._count:
                    try:
                        task = _Task[In, Out](next(source))
                    except StopIteration:
                        break
                    waiting.append(task)
                    unbegun.append(task)
                    self._hand_out(unbegun)
                if not waiting:
                    return
                self._collect(unbegun)
                self._hand_out(unbegun)
                while waiting and (outcome := waiting[0].outcome):
                    waiting.popleft()
                    yield outcome.get()
        finally:
            if any(each.task for each in self._workers):
                self._stop()  # whoever maps again is not to get these results

    def _hand_out(self, unbegun: deque[_Task[In, Out]]) -> None:
        for worker in self._workers:
            if not unbegun:
                return
            if worker.task is None:
                worker.task = unbegun.popleft()
                worker.task.tries += 1
                try:
                    worker.connection.send(worker.task.chunk)
                except OSError:
                    self._replace(worker, unbegun)

    def _collect(self, unbegun: deque[_Task[In, Out]]) -> None:
        """Wait for results, and take those that there are."""
        ready = set(wait([each.connection for each in self._workers]))
        for worker in list(self._workers):
            if worker.connection not in ready:
                continue
            try:
                outcome = worker.connection.recv()
            except (EOFError, OSError):
                self._replace(worker, unbegun)
                continue
            assert worker.task is not None
            worker.task.outcome = outcome
            worker.task = None

    def _replace(self, worker: _Worker, unbegun: deque[_Task[In, Out]]) -> None:
        worker.connection.close()
        worker.process.join()
        if worker.task is not None:
            if worker.task.tries >= TRIES:
                raise PermendError(f"{TRIES} worker processes ended over the same rows ({_ended(worker.process)})")
            unbegun.appendleft(worker.task)
        self._workers.remove(worker)
        self._workers.append(self._start())

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        others = [self._end, ours, *(each.connection for each in self._workers)] if self._forks else []
        work = self._function if self._forks else None
        arguments = (work, None if self._forks else self._prepare, theirs, self._lifeline, others)
        process = self._context.Process(target=_work, args=arguments, name="permend-worker", daemon=True)
        with _without_interruption(), warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # other threads of this process hold nothing of theirs
            process.start()
        theirs.close()
        return _Worker(process, ours)

    def _stop(self) -> None:
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
            worker.connection.close()
        self._workers = []


def _ended(process: BaseProcess) -> str:
    code = process.exitcode or 0
    return f"signal {-code}; there may not be enough memory" if code < 0 else f"exit code {code}"


def _work(
    function: Callable[[In], Out] | None,
    prepare: Prepare[In, Out] | None,
    connection: Connection,
    lifeline: Connection,
    others: list[Connection],
) -> None:
    """Apply the function to what comes, until nothing does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process decides
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    for each in others:
        each.close()  # else nobody would notice that the first process has ended
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    if function is None:
        assert prepare is not None
        function = prepare()
    try:
        while True:
            connection.send(attempt(function, connection.recv()))
    except (EOFError, OSError):
        os._exit(0)


def _end_with(lifeline: Connection) -> None:
    lifeline.poll(None)  # nothing ever comes, but the end
    os._exit(1)


@contextmanager
def _without_interruption() -> Iterator[None]:
    """Hold Ctrl-C back while a process is started, until it has said that it will not hear of it."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
