"""Errors that a user can act on, and the checks of arguments that raise them.

Every error that bad input can cause is a `PermendError` whose text is one clear sentence. The command line
prints that sentence and exits with code 2; the library raises it and leaves the decision to the caller.

A check takes a name for the message and a value, and returns the value. It raises a `TypeError` where the value is of
the wrong kind, an `ArgumentError` where no value of that kind can be used; so a mistake is told where it is handed
over, and not ten calls further down.

>>> check_count("beam", 3)
3
>>> check_count("beam", 0)
Traceback (most recent call last):
permend.errors.ArgumentError: beam must be at least 1, not 0
>>> check_texts("texts", "He go.")
Traceback (most recent call last):
TypeError: texts must be several strings, such as a list of them, not one: put it into a list
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from numbers import Integral, Real
from pathlib import Path
from typing import Any

_NUMBER = re.compile(r"\[(?:Errno|WinError) -?\d+\] ")


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
    """Return what another library's error says, without its explanations; its name where it says nothing.

    >>> first_line(ConnectionRefusedError(111, "Connection refused"))
    'Connection refused'
    """
    line = (_NUMBER.sub("", str(error).strip(), count=1) or error.__class__.__name__).splitlines()[0]
    return line if len(line) <= 300 else line[:299] + "…"


def check_count(name: str, value: Any, most: int | None = None, least: int = 1) -> int:
    """Return a whole number of at least `least`, and of at most `most` if that is given."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be a whole number, not {shown(value)}")
    number = int(value)
    if number < least:
        raise ArgumentError(f"{name} must be at least {least}, not {shown(value)}")
    if most is not None and number > most:
        raise ArgumentError(f"{name} must be at most {most:,}, not {shown(value)}")
    return number


def check_number(name: str, value: Any) -> float:
    """Return a number; True and False are none, though Python counts with them."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, not {shown(value)}")
    try:
        return float(value)
    except OverflowError:
        raise ArgumentError(f"{name} must be a number that a computer can reckon with, not {shown(value)}") from None


def check_text(name: str, value: Any) -> str:
    """Return a string."""
    if isinstance(value, bytes | bytearray):
        raise TypeError(f"{name} must be a string, not bytes: decode them first, as in data.decode('utf-8')")
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, not {shown(value)}")
    return value


def check_characters(name: str, text: str) -> str:
    """Return a string that can be written in UTF-8; JSON may hold half of a character that takes two units.

    >>> check_characters("text", "\\ud800")
    Traceback (most recent call last):
    permend.errors.ArgumentError: text holds half a character (an unpaired surrogate)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ArgumentError(f"{name} holds half a character (an unpaired surrogate)") from None
    return text


def check_texts(name: str, values: Any) -> Iterator[str]:
    """Return the strings of a list or of anything else that one can go through, each checked when it is its turn."""
    if isinstance(values, str | bytes | bytearray):  # of which each character would be a sentence
        raise TypeError(f"{name} must be several strings, such as a list of them, not one: put it into a list")
    if not isinstance(values, Iterable):
        raise TypeError(f"{name} must be several strings, such as a list of them, not {shown(values)}")
    return (check_text(f"{name}[{place}]", value) for place, value in enumerate(values))


def shown(value: Any) -> str:
    """Return a value for a message: on one line, and not all of it where it is long.

    >>> shown("x" * 100)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"
    """
    try:
        text = " ".join(ascii(value).split())
    except (RecursionError, ValueError):  # nested too deep, or a number with too many digits to write down
        text = type(value).__name__
    return text if len(text) <= 40 else text[:37] + "…"


def describe(error: BaseException) -> str:
    """Return an error as one sentence.

    >>> describe(FileNotFoundError(2, "No such file or directory", "a.txt")), describe(MemoryError())
    ('a.txt: No such file or directory', 'there is not enough memory')
    """
    match error:
        case MemoryError():
            return "there is not enough memory"
        case FileNotFoundError(filename=None):
            return "the folder that this runs in is gone"
        case OSError(strerror=str(reason)):
            return reason if error.filename is None else f"{error.filename}: {reason}"
    return str(error)
