"""Tokens of annotated corpora, written as text; and edits of that text, brought back onto the tokens.

In: tokens split by spaCy or in the Penn way. Out of `detokenize`: the text as a writer types it and the characters
behind each token. Nothing but spaces changes.

>>> sentence = detokenize('I do n\\'t know " it " ( a well - known film ) .'.split())
>>> sentence.text
'I don\\'t know "it" (a well-known film).'
>>> sentence.tokens[2], sentence.spans[2], sentence.characters(7, 13)
("n't", (4, 7), (18, 36))

Two sides of a pair must be spaced alike wherever they agree, or the corrector learns to move spaces about; see
`detokenize_pair`.

In: such a line and edits of its characters. Out of `retokenize`: its tokens with the edits carried out. Tokens that no
edit touches stay as they were, so that a system which changes nothing gives the line back exactly; new text is split as
the benchmarks split theirs (*do n't*, *John 's*, *well - known*, every sign by itself).

>>> from permend.text.edits import diff
>>> line = detokenize("I do n't likes it , John".split())
>>> line.text
"I don't likes it, John"
>>> edits = diff(line.text, "I don't like it, can't you, John?")
>>> " ".join(retokenize(line, edits))
"I do n't like it , ca n't you , John ?"

An edit inside a token has that token split anew and no other. In a line that keeps hyphens inside its tokens
(*well-known*, as the CoNLL files do), new ones stay inside, too.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz.distance import Indel

from permend.text.edits import Edit, apply
from permend.text.spacing import joint

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


_LETTERS = r"\w[\w\u0300-\u036f\u200c\u200d]*"
_WORD = rf"{_LETTERS}(?:(?:(?<=\d)-|-(?=\d)){_LETTERS})*"  # 11-year and mid-80s stay whole
_COMPOUND = re.compile(r"[^\W\d]-[^\W\d]")
_PIECE = re.compile(
    rf"""
      https?://\S*[\w/] | www\.\S*[\w/] | [\w.+-]+@[\w-]+\.[\w.]*\w   # addresses stay whole
    | \d+(?:[.,:]\d+)+                                              # 1,000.50 and 10:30
    | (?:[^\W\d_]\.){{2,}}                                            # e.g., U.S.
    | (?:Mr|Mrs|Ms|Dr|St|Prof|etc|vs)\.
    | \.{{2,}} | …                                                    # dots in a row
    | --+
    | {_WORD}
    | \S
    """,
    re.VERBOSE,
)
_CLITIC = re.compile(r"['’](?:s|m|re|ve|ll|d)(?!\w)", re.IGNORECASE)
_NOT = re.compile(r"(?<=\w)n['’]t(?!\w)", re.IGNORECASE)


@dataclass(frozen=True)
class TokenEdit:
    """Replace the tokens [start, end), which read `before`, by `after`."""

    start: int
    end: int
    before: tuple[str, ...]
    after: tuple[str, ...]
    edits: tuple[Edit, ...]
    """The edits of characters behind it."""


def retokenize(line: Detokenized, edits: Iterable[Edit]) -> list[str]:
    """Return the tokens of a line after edits of its text."""
    tokens: list[str] = []
    done = 0
    for edit in token_edits(line, edits):
        tokens += [*line.tokens[done : edit.start], *edit.after]
        done = edit.end
    return [*tokens, *line.tokens[done:]]


def token_edits(line: Detokenized, edits: Iterable[Edit]) -> list[TokenEdit]:
    """Turn edits of a line's characters into edits of its tokens; those that only move spaces vanish."""
    found = (_token_edit(line, *group) for group in _groups(line, sorted(edits)))
    return [edit for edit in found if edit.before != edit.after]


def split_tokens(text: str, hyphens: bool = True) -> list[str]:
    """Split text as the benchmarks do; `hyphens` stand by themselves, or stay inside their word.

    >>> split_tokens("She's paid $1,500 (e.g. by well-known people...), wasn't she?")[:12]
    ['She', "'s", 'paid', '$', '1,500', '(', 'e.g.', 'by', 'well', '-', 'known', 'people']
    >>> split_tokens("a well-known cannot", hyphens=False)
    ['a', 'well-known', 'can', 'not']
    """
    return [token for chunk in text.split() for token in _split_chunk(chunk, hyphens)]


def _split_chunk(chunk: str, hyphens: bool) -> Iterator[str]:
    """Split what stands between two spaces."""
    at = 0
    for negation in _NOT.finditer(chunk):
        yield from _pieces(chunk[at : negation.start()], hyphens)
        yield negation.group()
        at = negation.end()
    yield from _pieces(chunk[at:], hyphens)


def _pieces(text: str, hyphens: bool) -> Iterator[str]:
    if not hyphens and re.fullmatch(rf"{_WORD}(?:-{_WORD})+", text):
        yield text
        return
    at = 0
    while at < len(text):
        piece = (_CLITIC.match(text, at) if at else None) or _PIECE.match(text, at)
        assert piece, "whatever is no space is a piece"
        at = piece.end()
        if piece.group().lower() == "cannot":
            yield from (piece.group()[:3], piece.group()[3:])
        else:
            yield piece.group()


def _groups(line: Detokenized, edits: Sequence[Edit]) -> Iterator[tuple[int, int, list[Edit]]]:
    """Yield the tokens [first, last) to split anew, with the edits that touch them; groups do not meet."""
    group: tuple[int, int, list[Edit]] | None = None
    for edit in edits:
        first, last = _reach(line, edit)
        if group is not None and first < group[1]:
            group = group[0], max(group[1], last), [*group[2], edit]
        else:
            if group is not None:
                yield group
            group = first, last, [edit]
    if group is not None:
        yield group


def _reach(line: Detokenized, edit: Edit) -> tuple[int, int]:
    """Return the tokens that an edit touches, and the neighbours with which its text may now make one token."""
    first, last = line.token_range(edit.start, edit.end)
    left, right = line.text[: edit.start][-1:], line.text[edit.end :][:1]
    if first and line.spans[first - 1][1] == edit.start:
        first -= _joins(edit, (edit.after or right)[:1], line.tokens[first - 1])
    if last < len(line.spans) and line.spans[last][0] == edit.end:
        last += _joins(edit, (edit.after or left)[-1:], line.tokens[last])
    return first, last


def _joins(edit: Edit, sign: str, neighbour: str) -> bool:
    """Whether a neighbour, now right beside a sign, is to be split anew with it.

    One that we would split by itself is kept as it is, unless the space between it and the next token has gone.
    """
    return bool(sign.strip()) and (edit.before.isspace() or split_tokens(neighbour) == [neighbour])


def _token_edit(line: Detokenized, first: int, last: int, edits: Sequence[Edit]) -> TokenEdit:
    """Carry out edits on the tokens [first, last) and split the result; tokens that stay the same are left out."""
    start = min(edits[0].start, line.spans[first][0]) if first < last else edits[0].start
    end = max(edits[-1].end, line.spans[last - 1][1]) if first < last else edits[-1].end
    moved = [Edit(each.start - start, each.end - start, each.before, each.after) for each in edits]
    before = line.tokens[first:last]
    hyphens = not any(map(_COMPOUND.search, line.tokens))
    after = tuple(split_tokens(apply(line.text[start:end], moved), hyphens))
    while before and after and before[-1] == after[-1]:
        before, after = before[:-1], after[:-1]
    while before and after and before[0] == after[0]:
        before, after, first = before[1:], after[1:], first + 1
    return TokenEdit(first, first + len(before), before, after, tuple(edits))
