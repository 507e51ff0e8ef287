"""Words and signs of raw text, with their places: what errors are made of.

In: a sentence as a writer typed it. Out: `Words`, split roughly as annotated corpora are, so that what was learned from
their tokens fits. Fast rather than perfect: one regular expression.

>>> words = split_words('I don\\'t know "it" (a well-known film).')
>>> words.tokens
['I', 'do', "n't", 'know', '"', 'it', '"', '(', 'a', 'well', '-', 'known', 'film', ')', '.']
>>> words.splice(3, 4, ["understand"])
Edit(start=8, end=12, before='know', after='understand')
>>> words.splice(14, 15, []), words.splice(13, 13, [","])
(Edit(start=37, end=38, before='.', after=''), Edit(start=36, end=36, before='', after=','))
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from permend.text.edits import Edit
from permend.text.spacing import joint

_TOKEN = re.compile(
    r"""
    [^\W\d_]+(?![\w.'’\u0300-\u036f])                       # most words
  | (?:[^\W\d_]\.){2,}                                        # U.S., e.g.
  | (?:Mrs?|Ms|Dr|St|Prof)\.                                  # titles
  | [^\W\d_]+(?=[nN]['’][tT]\b) | [nN]['’][tT]\b              # do n't
  | ['’](?:[sSmMdD]|re|RE|ve|VE|ll|LL)\b                      # it 's
  | [^\W\d_](?!['’](?:ll|re|ve|LL|RE|VE)\b)['’][^\W\d_]{2,}  # o'clock
  | \d+(?:[.,:]\d+)*                                          # numbers, times
  | [\w\u0300-\u036f]+
  | \.{2,} | --+ | \S
    """,
    re.VERBOSE,
)

_QUOTES = frozenset("\"'“”‘’`")


@dataclass(slots=True)
class Words:
    """A text and its tokens; `starts` and `ends` are their characters."""

    text: str
    tokens: list[str]
    starts: list[int]
    ends: list[int]

    def splice(self, start: int, end: int, new: Sequence[str]) -> Edit | None:
        """Return the edit that puts `new` in the place of the tokens [start, end); None where nothing would change.

        Spaces at both sides come out as a writer would set them, unless the text spaces those places in its own way.
        """
        tokens, last = self.tokens, len(self.tokens)
        first_character = self.ends[start - 1] if start else 0
        last_character = self.starts[end] if end < last else len(self.text)
        before = tokens[start - 1] if start else ""
        after = tokens[end] if end < last else ""
        inner = [*new]
        parts: list[str] = []
        if inner:
            parts.append(self._space(start, before, inner[0], tokens[start] if start < end else after))
            for place, token in enumerate(inner):
                if place and joint(inner[place - 1], token, inner[place - 2] if place > 1 else before, after):
                    parts.append(" ")
                parts.append(token)
            parts.append(self._space(end, inner[-1], after, after, tokens[end - 1] if start < end else before))
        elif before and after:
            glued = after in _QUOTES or before in _QUOTES
            parts.append(self._gap(end if before in _QUOTES else start) if glued else " " * joint(before, after))
        return _trim(self.text, first_character, last_character, "".join(parts))

    def _gap(self, place: int) -> str:
        """Return the whitespace before the token at a place."""
        if not 0 < place < len(self.tokens):
            return ""
        return self.text[self.ends[place - 1] : self.starts[place]]

    def _space(self, place: int, left: str, right: str, old_right: str, old_left: str | None = None) -> str:
        """Return the whitespace for a new joint: the old one's, where the rule sees no difference between the two."""
        if not left or not right:
            return ""
        wanted = joint(left, right)
        old = joint(left if old_left is None else old_left, old_right)
        return self._gap(place) if wanted == old and 0 < place < len(self.tokens) else " " * wanted


def split_words(text: str) -> Words:
    """Split a text into tokens."""
    spans = [found.span() for found in _TOKEN.finditer(text)]
    return Words(
        text, [text[start:end] for start, end in spans], [start for start, _ in spans], [end for _, end in spans]
    )


def _trim(text: str, start: int, end: int, new: str) -> Edit | None:
    """Make an edit of what really changes."""
    old = text[start:end]
    if old == new:
        return None
    left = 0
    while left < len(old) and left < len(new) and old[left] == new[left] and old[left].isspace():
        left += 1
    right = 0
    while right < min(len(old), len(new)) - left and old[-1 - right] == new[-1 - right] and old[-1 - right].isspace():
        right += 1
    return Edit(start + left, end - right, old[left : len(old) - right], new[left : len(new) - right])
