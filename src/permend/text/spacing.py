"""Whether a writer puts a space between two pieces of text, for vocabularies whose pieces do not say.

In: what stands left and right of the joint. Out: yes or no.

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
