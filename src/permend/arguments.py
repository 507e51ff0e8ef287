"""Arguments that a caller got wrong, told where they are handed over and not ten calls further down.

In: a name for the message, and a value. Out: the value; a `TypeError` where it is of the wrong kind, an `ArgumentError`
where no value of that kind can be used.

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

from collections.abc import Iterable, Iterator
from numbers import Integral, Real
from typing import Any

from permend.errors import ArgumentError


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
