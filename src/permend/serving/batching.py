"""Sentences of many clients in, batches through the networks, each client's corrections out.

    batcher = Batcher(threads=2)
    ticket = Ticket(batcher, corrector, deadline=time.monotonic() + 60)
    Checker(ticket).check_text("He go to school.")    # from a thread of its own; a ticket corrects as a corrector does
    ticket.cancel()                                   # from anywhere: whoever waits for it gets `Withdrawn`

Clients take turns: a batch holds a sentence of each before it holds two of one, so a keystroke does not wait for
somebody's novel. Sentences go together where the same corrector reads them and nobody's personal words decide. While
cores are idle, batches are smaller, so that one client's sentences use all of them.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING

from permend.corrector.correction import Correction
from permend.corrector.corrector import Corrector, Known
from permend.documents.checker import BATCH, CHARACTERS
from permend.errors import PermendError

if TYPE_CHECKING:
    from permend.corrector.explaining.language import Language


class Withdrawn(Exception):  # noqa: N818  # nothing is wrong
    """Nobody waits for this answer any more."""


class OutOfTimeError(PermendError):
    """An answer has taken longer than it may."""


class _Job:
    """Sentences of one client that wait, and the corrections of those that do not any more."""

    def __init__(self, corrector: Corrector, texts: Sequence[str], known: Known) -> None:
        self.corrector, self.known = corrector, known
        self.texts = texts
        self.waiting = deque(range(len(texts)))
        self.answers: list[Correction | None] = [None] * len(texts)
        self.open = len(texts)
        self.error: BaseException | None = None
        self.changed = threading.Event()

    def goes_with(self, other: _Job) -> bool:
        """Whether sentences of both may be corrected together."""
        return self is other or (self.corrector is other.corrector and self.known is None and other.known is None)

    def answer(self, place: int, correction: Correction) -> None:
        """Take in a correction."""
        self.answers[place] = correction
        self.open -= 1
        if not self.open:
            self.changed.set()

    def fail(self, error: BaseException) -> None:
        """End with an error."""
        self.error = error
        self.changed.set()


class Batcher:
    """Threads that correct what clients have handed in."""

    def __init__(self, threads: int = 1, observe: Callable[[int], None] = lambda size: None) -> None:
        """Start threads; `observe` hears how many sentences each batch has."""
        self._jobs: deque[_Job] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._observe = observe
        self._idle = 0
        self._threads = [
            threading.Thread(target=self._work, name=f"permend-batches-{number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def waiting(self) -> int:
        """How many sentences wait."""
        with self._changed:
            return sum(len(job.waiting) for job in self._jobs)

    def close(self) -> None:
        """End the threads when they have done what they are at; sentences that still wait are given up."""
        with self._changed:
            self._closed = True
            for job in self._jobs:
                job.fail(Withdrawn())
            self._jobs.clear()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def hand_in(self, job: _Job) -> None:
        """Have sentences corrected."""
        with self._changed:
            if self._closed:
                raise Withdrawn
            self._jobs.append(job)
            self._changed.notify(len(job.waiting))

    def withdraw(self, job: _Job) -> None:
        """Forget sentences that nobody waits for."""
        with self._changed:
            if job in self._jobs:
                self._jobs.remove(job)

    def _work(self) -> None:
        while batch := self._next_batch():
            corrector, known = batch[0][0].corrector, batch[0][0].known
            try:
                self._observe(len(batch))
                found = corrector.correct_batch([job.texts[place] for job, place in batch], BATCH, known)
            except BaseException as error:  # whoever waits is told, and the next batch goes on
                for job in {id(job): job for job, _ in batch}.values():
                    self.withdraw(job)
                    job.fail(error)
                continue
            with self._changed:
                for (job, place), correction in zip(batch, found, strict=True):
                    job.answer(place, correction)

    def _next_batch(self) -> list[tuple[_Job, int]]:
        """Wait for sentences and take some, a client after the other; none when there will be no more."""
        with self._changed:
            self._idle += 1
            while not self._jobs and not self._closed:
                self._changed.wait()
            batch: list[tuple[_Job, int]] = []
            if self._jobs:
                group = [job for job in self._jobs if job.goes_with(self._jobs[0])]
                size = min(BATCH, -(-sum(len(job.waiting) for job in group) // self._idle))
                characters = 0
                while group and len(batch) < size and characters < CHARACTERS:
                    job = group.pop(0)
                    batch.append((job, job.waiting.popleft()))
                    characters += len(job.texts[batch[-1][1]])
                    self._jobs.remove(job)
                    if job.waiting:  # its next turn is behind the others'
                        group.append(job)
                        self._jobs.append(job)
            self._idle -= 1
            return batch


class Ticket:
    """A client's place in the queue: corrects as a corrector does, until it is cancelled or its time is up."""

    def __init__(self, batcher: Batcher, corrector: Corrector, deadline: float) -> None:
        """Take a corrector, and when (`time.monotonic`) it is too late for an answer."""
        self._batcher, self._corrector, self._deadline = batcher, corrector, deadline
        self._job: _Job | None = None
        self._cancelled = False

    @property
    def options(self) -> Hashable:
        """All that answers depend on."""
        return self._corrector.options

    @property
    def language(self) -> Language:
        """What is corrected."""
        return self._corrector.language

    def cancel(self) -> None:
        """Give the place up."""
        self._cancelled = True
        job = self._job
        if job is not None:
            self._batcher.withdraw(job)
            job.fail(Withdrawn())

    def check_time(self) -> None:
        """Raise where nobody waits any more, or not for as long."""
        if self._cancelled:
            raise Withdrawn
        if time.monotonic() > self._deadline:
            raise OutOfTimeError(
                "this text took too long: what was found so far is remembered, so asking again goes faster, "
                "as does a shorter text"
            )

    def correct_batch(self, texts: Sequence[str], batch_size: int = BATCH, known: Known = None) -> list[Correction]:
        """Correct sentences together with those of others."""
        self.check_time()
        if not texts:
            return []
        job = self._job = _Job(self._corrector, list(texts), known)
        self._batcher.hand_in(job)
        try:
            if self._cancelled or not job.changed.wait(max(0.0, self._deadline - time.monotonic())):
                self._batcher.withdraw(job)
                self.check_time()
        finally:
            self._job = None
        if job.error is not None:
            raise job.error
        return [each for each in job.answers if each is not None]
