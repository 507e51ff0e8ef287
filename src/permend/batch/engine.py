"""The seam between what is to be done with chunks of rows, and who does it.

In: chunks, as many as there are, and a `Prepare`, which makes the function over one chunk: it is called once where the
work is done, so that whatever takes long to load (a model) is loaded there and kept. Out: what the function returns for
each chunk, in the order of the chunks. Chunks are read only a little ahead of what is taken, so memory stays the same
however many there are.

    def prepare() -> Callable[[list[str]], list[str]]:      # importable and picklable: it may travel
        corrector = Corrector(threads=1)
        return lambda texts: [each.text for each in corrector.correct_batch(texts)]

    with Pool(prepare, workers=8) as engine:                # or RayPool(prepare, workers=8)
        for corrected in engine.map(chunks):
            ...

What the function returns must depend on its chunk alone; then so does the whole result, whoever does the work, and
however often a part of it is done again because a process was killed.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Generic, Protocol, Self, TypeAlias, TypeVar

from permend.errors import PermendError

In = TypeVar("In")
Out = TypeVar("Out")
_In = TypeVar("_In", contravariant=True)
_Out = TypeVar("_Out", covariant=True)

Function: TypeAlias = Callable[[In], Out]
Prepare: TypeAlias = Callable[[], Callable[[In], Out]]

AHEAD = 4
"""Chunks for each worker that may be under way, or done and waiting for one before them."""
TRIES = 3
"""How often a chunk is begun before it is blamed for the ends of its workers."""


class Engine(Protocol[_In, _Out]):
    """Applies a function to chunks, inside of a ``with`` block."""

    def __enter__(self) -> Self:
        """Get ready."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End all that was started."""

    def map(self, chunks: Iterable[_In], /) -> Iterator[_Out]:
        """Yield what the function returns for each chunk, in their order."""


class WorkError(Exception):
    """The function has failed in another process: a bug, whose traceback this is."""


@dataclass(frozen=True)
class Outcome(Generic[Out]):
    """What came of a chunk: a value, or an error that can travel between processes."""

    value: Out | None = None
    error: Exception | None = None

    def get(self) -> Out:
        """Return the value, or raise the error."""
        if self.error is not None:
            raise self.error
        return self.value  # type: ignore[return-value]  # there is one where there is no error


def attempt(function: Callable[[In], Out], chunk: In) -> Outcome[Out]:
    """Apply a function; errors of other libraries may not survive the journey, so they travel as text.

    >>> attempt(len, "four").get()
    4
    """
    try:
        return Outcome(function(chunk))
    except PermendError as error:
        return Outcome(error=PermendError(str(error)))
    except MemoryError:
        return Outcome(error=PermendError("there is not enough memory for a worker"))
    except Exception as error:
        return Outcome(error=WorkError("".join(traceback.format_exception(error))))
