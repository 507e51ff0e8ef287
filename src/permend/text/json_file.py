r"""Text and JSON files that others have made, and perhaps damaged on purpose: read within bounds, or refused.

In: a path and the most bytes that the file may have. Out: its text, or its JSON value; an `InputError` of one sentence
where there is anything else: a folder, a pipe that nobody writes to, a file that never ends, bytes that are no UTF-8,
values nested too deep, numbers that are none, a key twice, half a character.

>>> parse_json('{"beam": 5}')
{'beam': 5}
>>> parse_json('{"bias": NaN}')
Traceback (most recent call last):
permend.errors.PermendError: not valid JSON (NaN is no number)
"""

from __future__ import annotations

import errno
import json
import math
import os
import re
import stat
from collections import Counter
from pathlib import Path
from typing import Any

from permend.errors import InputError, PermendError, shown

SETTINGS = 1_000_000
"""Bytes that a file of settings may have, such as a config; real ones have a thousandth of that."""
DEEPEST = 50
"""Lists and objects that may lie inside one another."""

_SURROGATE = re.compile("[\ud800-\udfff]")


def read_json(path: str | Path, most: int = SETTINGS) -> Any:
    """Return the value of a JSON file; the error names the file, unless there is none: then it is FileNotFoundError."""
    try:
        return parse_json(read_text(path, most))
    except InputError:
        raise
    except PermendError as error:
        raise InputError(str(error), path) from None


def read_text(path: str | Path, most: int) -> str:
    """Return the text of a UTF-8 file, without its byte-order mark; a missing one is a FileNotFoundError."""
    try:
        return _read_bytes(path, most).decode("utf-8-sig")
    except FileNotFoundError:
        raise
    except UnicodeDecodeError:
        raise InputError("this is no UTF-8 text", path) from None
    except (OSError, ValueError) as error:  # a name with a null character is a ValueError
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path) from None


def _read_bytes(path: str | Path, most: int) -> bytes:
    """Read a regular file, and wait for no other: opening a pipe waits for somebody who writes to it."""
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        kind = os.fstat(number).st_mode
        if stat.S_ISDIR(kind):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(kind):
            raise InputError("cannot be read: it is no regular file", path)
        with open(number, "rb", closefd=False) as file:
            content = file.read(most + 1)
    finally:
        os.close(number)
    if len(content) > most:
        raise InputError(f"cannot be read: it is larger than {most / 1e6:g} MB", path)
    return content


def parse_json(text: str) -> Any:
    """Return the value of a JSON text."""
    try:
        value = json.loads(text, parse_constant=_refuse, parse_float=_finite, object_pairs_hook=_object)
    except RecursionError:
        raise PermendError(f"not valid JSON (nested more than {DEEPEST} deep)") from None
    except ValueError as error:
        raise PermendError(f"not valid JSON ({error})") from None
    _check(value)
    return value


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no number")


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _refuse(shown(digits))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a key that stands there twice: readers differ in which of the values they take."""
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the key {shown(twice)} stands there twice")
    return made


def _check(value: Any) -> None:
    """Go through a value layer by layer."""
    layer = [value]
    for _ in range(DEEPEST + 1):
        for each in layer:
            if isinstance(each, str) and _SURROGATE.search(each):
                raise PermendError(f"not valid JSON ({shown(each)} holds half a character)")
        layer = [
            part
            for each in layer
            if isinstance(each, dict | list)
            for part in ([*each, *each.values()] if isinstance(each, dict) else each)
        ]
        if not layer:
            return
    raise PermendError(f"not valid JSON (nested more than {DEEPEST} deep)")
