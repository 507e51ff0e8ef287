r"""Text as it may be shown to people: what would steer a terminal is written out instead.

In: any text, such as a file's name or a message about it. Out: the same on one line, in which control characters, line
ends, marks that turn the direction of writing, and bytes that were no text stand as escapes.

>>> print(visible("a.md\x1b[2J\nb.md:1:1: \u202etxt"))
a.md\x1b[2J\nb.md:1:1: \u202etxt
>>> print(visible("naïve 😀 caf\udce9"))
naïve 😀 caf\xe9

Letters of all scripts stay, and so do backslashes: this is to be read, not to be read back. JSON has escapes of its
own, from which programs get what was there:

>>> print(visible_json({"path": "naïve\x1b\x9b2J.md"}))
{"path": "naïve\u001b\u009b2J.md"}
"""

from __future__ import annotations

import json
import re
from typing import Any

_STEERING = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # C0 and C1 controls: ESC, BEL, backspace, line ends
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction of writing
    "\u2028\u2029\ud800-\udfff]"  # line and paragraph separators; lone surrogates
)


def visible(text: str, keep: str = "") -> str:
    r"""Write out what steers a terminal, but for the characters to keep.

    >>> visible("a\tb\a", keep="\t")
    'a\tb\\x07'
    """
    return _STEERING.sub(lambda match: match[0] if match[0] in keep else _escape(match[0]), text)


def visible_json(value: Any) -> str:
    """Write a value as JSON that is safe to look at."""
    text = json.dumps(value, ensure_ascii=False)  # which leaves no control character below the space
    return _STEERING.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _escape(character: str) -> str:
    if "\udc80" <= character <= "\udcff":  # a byte of a file name that is no UTF-8
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape").decode("ascii")
