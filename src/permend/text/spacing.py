"""Whether a writer of English (or of a language that punctuates like it) puts a space between two stretches of text.

In, to `joint`: the token left and the token right of a joint, and one more on either side, which tell a hyphen from a
dash. Quotation marks that look the same open or closed are not decided here: that takes the whole sentence.

>>> joint("she", "'s"), joint("part", "-", "a", "time"), joint("Sunday", "-", "on", "it"), joint("(", "we")
(False, False, True, False)

In, to `space_between`: all that stands left and right of the joint, for vocabularies whose pieces do not say whether
a space stands before them.

>>> space_between("She is", "busy"), space_between("She is busy", "."), space_between("Bob (", "my friend")
(True, False, False)
>>> space_between("I don", "'"), space_between("I don'", "t")
(False, False)
"""

from __future__ import annotations

_CLOSING = frozenset(",.;:!?)]}%…’”»、。，！？；：）」』】")
_OPENING = frozenset("([{“‘«¿¡#@$£€（「『【")
_JOINING = frozenset("'’-/‐‑")


def space_between(left: str, right: str) -> bool:
    """Decide from the characters at the joint; a straight quotation mark closes when one is open."""
    if not left or not right or left[-1].isspace() or right[0].isspace():
        return False
    before, after = left[-1], right[0]
    if after in _CLOSING or before in _OPENING:
        return False
    if after in _JOINING or (before in _JOINING and len(left) > 1 and left[-2].isalnum()):
        return False
    if after == '"':
        return left.count('"') % 2 == 0
    if before == '"':
        return left.count('"') % 2 == 0
    return not (_unspaced(before) or _unspaced(after))


def _unspaced(character: str) -> bool:
    """Whether a character belongs to a script that is written without spaces (Chinese, Japanese, Thai, …)."""
    code = ord(character)
    return (
        0x0E00 <= code <= 0x0EFF or 0x3040 <= code <= 0x30FF or 0x3400 <= code <= 0x9FFF or 0x20000 <= code <= 0x3FFFF
    )


_CLOSING_SIGNS = frozenset(
    [*",.;:!?)]}%…’”»、。，！？；：）」』】°", "...", "..", "....", ".....", "''", "!!", "!!!", "??", "-RRB-"]
)
_OPENING_SIGNS = frozenset([*"([{“‘«¿¡#@（「『【", "``", "-LRB-"])
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
    if right in _CLOSING_SIGNS or left in _OPENING_SIGNS:
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
