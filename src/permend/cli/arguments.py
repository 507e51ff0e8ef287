"""Sentences as the shell hands them over: bytes, which Python has decoded by the locale and not always as UTF-8."""

from __future__ import annotations

import os

from permend.errors import PermendError


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
