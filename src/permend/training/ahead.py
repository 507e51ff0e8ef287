"""Making things before they are wanted, in a thread.

In: an iterator. Out: the same items; while one is used, the next ones are made.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, TypeVar, cast

Item = TypeVar("Item")


def ahead(items: Iterator[Item], depth: int) -> Iterator[Item]:
    """Yield the items while a thread makes up to `depth` of them in advance; its errors are raised here."""
    box: queue.Queue[Any] = queue.Queue(depth)
    stopped = threading.Event()
    end = object()

    def put(item: Any) -> None:
        while not stopped.is_set():
            with suppress(queue.Full):
                box.put(item, timeout=0.1)
                return

    def work() -> None:
        try:
            for item in items:
                put(item)
                if stopped.is_set():
                    return
            put(end)
        except BaseException as error:  # raised again where the items are wanted
            put(error)

    thread = threading.Thread(target=work, name="permend-batches", daemon=True)
    thread.start()
    try:
        while (item := box.get()) is not end:
            if isinstance(item, BaseException):
                raise item
            yield cast(Item, item)
    finally:
        stopped.set()
        thread.join()
