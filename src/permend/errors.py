"""Errors that a user can act on.

Every error that bad input can cause is a `PermendError` whose text is one clear sentence. The command line
prints that sentence and exits with code 2; the library raises it and leaves the decision to the caller.
"""

from __future__ import annotations

from pathlib import Path


class PermendError(Exception):
    """Something in the input, the arguments or the installation is wrong, and the message says what."""


class InputError(PermendError):
    """A file holds something that cannot be used; the message names the file and, where known, the line."""

    def __init__(self, message: str, path: str | Path | None = None, line: int | None = None) -> None:
        """Build the message ``path:line: message`` from whatever of the two places is known (lines from 1)."""
        where = "" if path is None else f"{path}: " if line is None else f"{path}:{line}: "
        super().__init__(where + message)
        self.path = path
        self.line = line


class ArgumentError(PermendError, ValueError):
    """A Python caller has given a value that cannot be used; one of the wrong kind is a `TypeError`."""


class MissingExtraError(PermendError):
    """An optional part of permend is asked for, but its packages are not installed."""

    def __init__(self, what: str, extra: str) -> None:
        """Tell how to install the extra that `what` needs, as the README does: from a checkout."""
        super().__init__(f"{what} needs an optional part: run pip install '.[{extra}]' in permend's folder")
        self.extra = extra


def first_line(error: BaseException) -> str:
    """Return what another library's error says, without its explanations; its name where it says nothing."""
    line = (str(error).strip() or error.__class__.__name__).splitlines()[0]
    return line if len(line) <= 300 else line[:299] + "…"
