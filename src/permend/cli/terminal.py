r"""What goes to and comes from a terminal: arguments, consoles and progress bars that are safe to look at.

In: bytes from the shell, text that may hold anything, work of unknown length. Out: arguments as UTF-8 (`as_text`),
text and tables in which nothing steers the terminal (`as_shown`, `SafeConsole`), and bars on standard error, where
somebody looks, which go when the work is done: `Bar` for bytes, `tracked` for items, `steps` for counts. All bars are
made by `make_progress`.

>>> import sys
>>> SafeConsole(file=sys.stdout).print("[b]He go\x1b[2J\u202e :smile:")
[b]He go\x1b[2J\u202e :smile:
>>> [len(text) for text in tracked(["He go.", "I see."], "measuring")]
[6, 6]
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from permend.cli.ending import tell
from permend.errors import PermendError
from permend.text.visible import visible

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn


def as_text(argument: str, name: str) -> str:
    r"""Return an argument as the UTF-8 that it is, in any locale; refuse what is none, by the argument's name.

    >>> as_text(os.fsdecode("naïve".encode()), "SENTENCE")
    'naïve'
    >>> as_text(os.fsdecode(b"na\xefve"), "SENTENCE")
    Traceback (most recent call last):
    permend.errors.PermendError: SENTENCE is not valid UTF-8.
    """
    try:
        return os.fsencode(argument).decode("utf-8")
    except UnicodeError:
        raise PermendError(f"{name} is not valid UTF-8.") from None


def as_shown(output: bytes) -> bytes:
    r"""Return output as it may be shown in a terminal: line by line as it is, but for what would steer it.

    >>> as_shown(b"He went\x1b[2J\tcaf\xc3\xa9 \xe9.\r\n") == b"He went\\x1b[2J\tcaf\xc3\xa9 \\xe9.\n"
    True
    """
    text = output.decode("utf-8", "surrogateescape").replace("\r\n", "\n")
    return visible(text, keep="\n\t").encode()


class SafeConsole(Console):
    """A console that writes out the control characters of what it shows, and takes no text for markup."""

    def __init__(self, **options: Any) -> None:
        """Take the options of rich's console."""
        super().__init__(**{"highlight": False, "markup": False, "emoji": False, **options})

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Draw something as pieces of text, each with its style."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else visible(text, keep="\n"), style, control)


T = TypeVar("T")

AFTER, LEFT = 1.0, 2.0
"""Seconds of work after which the rest can be estimated, and seconds left that are worth a bar."""


def make_progress(
    *behind: str,
    columns: Iterable[ProgressColumn] | None = None,
    console: Console | None = None,
    show: bool = True,
    redirect: bool = True,
) -> Progress:
    """Make a bar, drawn where standard error is a terminal: name, bar, share or speed, time left, and what is behind.

    `columns` stand in the place of these; `redirect` draws what is printed meanwhile above the bar.
    """
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn  # slow to load

    if columns is None:
        name = TextColumn("[progress.description]{task.description}")
        columns = (name, BarColumn(), TaskProgressColumn(show_speed=True), TimeRemainingColumn())
    console = console or Console(stderr=True)
    return Progress(
        *columns,
        *behind,
        console=console,
        transient=True,
        disable=not (show and console.is_terminal),
        redirect_stdout=redirect,
        redirect_stderr=redirect,
    )


class Bar:
    """How many bytes are done of those that there are.

    It is drawn when more than two seconds are left by the speed so far, and steps aside when something is written to
    the same terminal:

        with Bar("correcting") as bar:
            bar.expect(10_000_000)
            for piece in pieces:
                bar.step_aside(sys.stdout)
                write(piece)
                bar.advance(len(piece))
    """

    def __init__(self, what: str = "correcting") -> None:
        """Name the work."""
        self._what = what
        self._total = self._done = 0
        self._began = 0.0
        self._drawn: Progress | None = None

    def __enter__(self) -> Bar:
        """Begin."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bar away."""
        if self._drawn is not None:
            self._drawn.stop()

    def expect(self, size: int) -> None:
        """Say how many bytes there are; without that, there is no bar."""
        self._total = size
        self._began = time.monotonic()

    def advance(self, size: int) -> None:
        """Count bytes as done."""
        self._done += size
        if self._drawn is not None:
            self._drawn.update(self._drawn.task_ids[0], completed=self._done)
            self._drawn.start()  # it may have stepped aside
        elif self._is_worth_it() and sys.stderr.isatty():
            self._draw()

    def step_aside(self, stream: TextIO) -> None:
        """Take the bar away until the next part is done: something is written to what may be the same terminal."""
        if self._drawn is not None and stream.isatty():
            self._drawn.stop()

    def tell(self, error: PermendError) -> None:
        """Say on standard error what is wrong, with the bar out of the way."""
        self.step_aside(sys.stderr)
        tell(error)

    def _is_worth_it(self) -> bool:
        seconds = time.monotonic() - self._began
        return seconds > AFTER and seconds * (self._total - self._done) > LEFT * self._done > 0

    def _draw(self) -> None:
        self._drawn = make_progress(redirect=False)
        self._drawn.add_task(self._what, total=self._total, completed=self._done)
        self._drawn.start()


def tracked(items: Iterable[T], what: str) -> Iterator[T]:
    """Draw a bar while items are taken."""
    with make_progress() as progress:
        yield from progress.track(items, description=what)


@contextmanager
def steps(what: str, total: int | None, unit: str = "") -> Iterator[Callable[..., None]]:
    """Draw a bar that moves with every call, by one or by the number given; a unit shows the count, too."""
    with make_progress(*([f"{{task.completed:,.0f}} {unit}"] if unit else [])) as progress:
        task = progress.add_task(what, total=total)

        def advance(count: int = 1) -> None:
            progress.advance(task, count)

        yield advance
