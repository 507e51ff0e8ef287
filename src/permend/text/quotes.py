"""Typographic quotation marks and apostrophes: networks see straight ones, a text keeps its own.

In: a text as Word or a phone writes it. Out of `straighten`: the same text, character for character, with straight
signs. `restore` brings what was written in that text back into the original's style.

>>> straighten("“It’s mine”, she said.")
'"It\\'s mine", she said.'
>>> restore("don’t", "didn't", Style.of("I don’t know.")), restore("its", "it's", Style.of("“I think its ok.”"))
('didn’t', 'it’s')
>>> restore("its", "it's", Style.of("its 'ok'"))
"it's"
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rapidfuzz.distance import Indel

_STRAIGHT = str.maketrans({**dict.fromkeys("‘’‛ʼ", "'"), **dict.fromkeys("“”„‟", '"')})
_CURLED = re.compile("[‘’‛ʼ“”„‟]")
_OPENS = re.compile(r"(?:^|[\s(\[{—–])\Z")


def straighten(text: str) -> str:
    """Return a text with straight signs, each in its place."""
    return text.translate(_STRAIGHT)


@dataclass(frozen=True)
class Style:
    """Which signs a text uses."""

    curled: bool = False
    """Whether new ones are curled."""

    @classmethod
    def of(cls, text: str) -> Style:
        """Tell a text's style: curled where it has such signs and no straight ones."""
        return cls(bool(_CURLED.search(text)) and "'" not in text and '"' not in text)

    def write(self, text: str, before: str = "") -> str:
        """Write straight signs in this style, behind something that stands before them."""
        if not self.curled or ("'" not in text and '"' not in text):
            return text
        written: list[str] = []
        for sign in text:
            opens = sign in "\"'" and _OPENS.search(before[-1:])
            written.append({'"': "“" if opens else "”", "'": "‘" if opens else "’"}.get(sign, sign))
            before = sign
        return "".join(written)


def restore(original: str, changed: str, style: Style, before: str = "") -> str:
    """Return what a stretch was changed into with the signs of the original, where they stayed, and new ones in style.

    `before` is what stands in front of the stretch.
    """
    plain = straighten(original)
    if plain == original:
        return style.write(changed, before)
    parts: list[str] = []
    for step in Indel.opcodes(plain, changed):
        if step.tag == "equal":
            parts.append(original[step.src_start : step.src_end])
        elif step.tag != "delete":
            parts.append(style.write(changed[step.dest_start : step.dest_end], ("".join(parts) or before)[-1:]))
    return "".join(parts)
