"""What a server counts, for Prometheus: requests, the queue, batches, what was remembered. Never a word of a text.

    metrics = Metrics()
    metrics.batch(8)
    metrics.write()         # the page that Prometheus reads

Several processes count together when `count_together` was told a folder for their counts first.
"""

from __future__ import annotations

import os

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest, values
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that prometheus_client takes a folder from."""
CONTENT_TYPE = CONTENT_TYPE_LATEST
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """The counts of a server."""

    def __init__(self) -> None:
        """Begin to count."""
        self._registry = registry = CollectorRegistry()
        self._requests = Counter("permend_requests", "Requests answered.", ["path", "status"], registry=registry)
        self._seconds = Histogram(
            "permend_request_seconds", "Time to the end of an answer.", ["path"], buckets=_SECONDS, registry=registry
        )
        self.in_hand = Gauge(
            "permend_requests_in_hand", "Checks under way or waiting.", registry=registry, multiprocess_mode="livesum"
        )
        self.refused = Counter("permend_requests_refused", "Checks answered with 503: too busy.", registry=registry)
        self.gone = Counter("permend_clients_gone", "Clients that did not wait for their answer.", registry=registry)
        self._batches = Histogram(
            "permend_batch_sentences", "Sentences in a batch.", buckets=(1, 2, 3, 4, 5, 6, 7, 8), registry=registry
        )
        self.remembered = Counter("permend_sentences_remembered", "Sentences answered from memory.", registry=registry)
        self.characters = Counter("permend_characters", "Characters checked.", registry=registry)
        self.findings = Counter("permend_findings", "Findings reported.", registry=registry)

    def request(self, path: str, status: int, seconds: float) -> None:
        """Count an answer."""
        self._requests.labels(path, str(status)).inc()
        self._seconds.labels(path).observe(seconds)

    def batch(self, sentences: int) -> None:
        """Count a batch that goes through the networks."""
        self._batches.observe(sentences)

    def write(self) -> bytes:
        """Return all counts as text, of all processes where there are several."""
        if SHARED not in os.environ:
            return generate_latest(self._registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)


def count_together(folder: str) -> None:
    """Have this process, and those that it forks, keep their counts in a folder."""
    os.environ[SHARED] = folder
    values.ValueClass = values.MultiProcessValue()  # type: ignore[no-untyped-call]  # it has looked for the variable when it was imported


def forget_process(number: int) -> None:
    """Take a process that has ended out of the counts of what is under way."""
    if SHARED in os.environ:
        mark_process_dead(number)  # type: ignore[no-untyped-call]
