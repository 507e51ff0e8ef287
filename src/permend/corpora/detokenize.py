"""Tokens to text as a writer types it, without loss: every token keeps its place, and nothing but spaces changes.

In: the tokens of an annotated corpus, split by spaCy or in the Penn way. Out: a `Detokenized`, that is the text and the
characters behind each token, so that edits of tokens and edits of characters can be turned into each other.

>>> sentence = detokenize('I do n\\'t know " it " ( a well - known film ) .'.split())
>>> sentence.text
'I don\\'t know "it" (a well-known film).'
>>> sentence.tokens[2], sentence.spans[2], sentence.characters(7, 13)
("n't", (4, 7), (18, 36))

Two sides of a pair must be spaced alike wherever they agree, or the corrector learns to move spaces about; see
`detokenize_pair`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz.distance import Indel

from permend.corpora.joints import joint

_DOUBLE = frozenset('"＂')
_SINGLE = frozenset("'`")


@dataclass(frozen=True)
class Detokenized:
    """A text and the place of every token in it; ``[text[start:end] for start, end in spans]`` are the tokens."""

    text: str
    spans: tuple[tuple[int, int], ...]

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The tokens that the text was made of."""
        return tuple(self.text[start:end] for start, end in self.spans)

    def characters(self, start: int, end: int) -> tuple[int, int]:
        """Return the characters [first, last) behind the tokens [start, end); no tokens lie behind the one before."""
        if start == end:
            place = self.spans[start - 1][1] if start else 0
            return place, place
        return self.spans[start][0], self.spans[end - 1][1]

    def token_range(self, start: int, end: int) -> tuple[int, int]:
        """Return the tokens [first, last) that the characters [start, end) touch; for a place between two: no token."""
        first = bisect_right(self._ends, start)
        last = bisect_left(self._starts, end)
        return first, max(first, last)

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _ in self.spans]

    @cached_property
    def _ends(self) -> list[int]:
        return [end for _, end in self.spans]


def detokenize(tokens: Sequence[str]) -> Detokenized:
    """Write tokens as text."""
    return _write(tokens, _spaces(tokens))


def detokenize_pair(source: Sequence[str], target: Sequence[str]) -> tuple[Detokenized, Detokenized]:
    """Write both sides of a pair; between two tokens that neither side changed the target's spacing holds for both."""
    before, after = _spaces(source), _spaces(target)
    if before != after or source != target:
        for block in Indel.opcodes(source, target):
            if block.tag == "equal":
                size = block.src_end - block.src_start
                kept = after[block.dest_start + 1 : block.dest_start + size]
                before[block.src_start + 1 : block.src_start + size] = kept
    return _write(source, before), _write(target, after)


def _write(tokens: Sequence[str], spaces: Sequence[bool]) -> Detokenized:
    parts: list[str] = []
    spans = []
    at = 0
    for token, space in zip(tokens, spaces, strict=True):
        if space:
            parts.append(" ")
            at += 1
        parts.append(token)
        spans.append((at, at + len(token)))
        at += len(token)
    return Detokenized("".join(parts), tuple(spans))


def _spaces(tokens: Sequence[str]) -> list[bool]:
    """Say of each token whether a space stands before it; quotation marks open and close by turns."""
    spaces = []
    opened = {'"': False, "'": False}
    glued = False  # the token before was an opening mark
    for place, token in enumerate(tokens):
        left = tokens[place - 1] if place else ""
        right = tokens[place + 1] if place + 1 < len(tokens) else ""
        space = place > 0 and not glued and joint(left, token, tokens[place - 2] if place > 1 else "", right)
        glued = False
        kind = '"' if token in _DOUBLE else "'" if token in _SINGLE else ""
        if kind == "'" and not opened["'"] and _is_apostrophe(left, right):
            space, glued = False, right[:2].lower() in ("s", "t", "m", "ll", "re", "ve", "d", "am")
        elif kind:
            space = space and not opened[kind]
            glued = not opened[kind]
            opened[kind] = not opened[kind]
        spaces.append(space)
    return spaces


def _is_apostrophe(left: str, right: str) -> bool:
    """Whether a lone ' belongs to the word before it (*students ' books*, *it ' s*) rather than opening a quotation."""
    return (
        bool(left) and left[-1].isalpha() and (left[-1] in "sS" or right.lower() in ("s", "t", "m", "ll", "re", "ve"))
    )
