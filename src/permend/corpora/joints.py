"""Whether a space stands between two tokens of English text (and of languages that punctuate like it).

In: the token left and the token right of a joint, and one more on either side, which tell a hyphen from a dash. Out:
yes or no. Quotation marks that look the same open or closed are not decided here: that takes the whole sentence.

>>> joint("she", "'s"), joint("part", "-", "a", "time"), joint("Sunday", "-", "on", "it"), joint("(", "we")
(False, False, True, False)
"""

from __future__ import annotations

_CLOSING = frozenset(
    [*",.;:!?)]}%…’”»、。，！？；：）」』】°", "...", "..", "....", ".....", "''", "!!", "!!!", "??", "-RRB-"]
)
_OPENING = frozenset([*"([{“‘«¿¡#@（「『【", "``", "-LRB-"])
_CURRENCY = frozenset("$£€¥₹")
_CLITICS = frozenset(["n't", "n’t", *(mark + word for mark in "'’" for word in ("s", "m", "re", "ve", "ll", "d"))])
_DASH_WORDS = frozenset(
    "i he she it we they you this that these those there here what which who whom when where why how the a an and or "
    "but so because if is are was were am be been can could will would not only even all both many some then".split()
)
"""Words that seldom stand in a hyphenated compound: next to them, a lone - is a dash."""


def joint(left: str, right: str, before: str = "", after: str = "") -> bool:
    """Whether a writer puts a space between two tokens."""
    if not left or not right:
        return False
    if right in _CLOSING or left in _OPENING:
        return False
    if right.lower() in _CLITICS and left[-1].isalnum():
        return False
    if left in _CURRENCY:
        return not right[0].isdecimal()
    if right in "-/":
        return not _compound(left, right, after)
    if left in "-/":
        return not _compound(before, left, right)
    return True


def _compound(first: str, sign: str, second: str) -> bool:
    """Whether a lone - or / joins two words or numbers."""
    if not first or not second or not first[-1].isalnum() or not second[0].isalnum():
        return False
    return sign == "/" or not {first.lower(), second.lower()} & _DASH_WORDS
