"""Edits: what changed between two texts, as replacements of character ranges; and where to cut a text that is too long.

In: a source and a target text. Out of `diff`: the fewest changed words, as non-overlapping edits from left to right;
`apply` is its exact inverse on any two strings.

>>> edits = diff("He go to  school yesterday.", "He went to  school yesterday.")
>>> edits
[Edit(start=3, end=5, before='go', after='went')]
>>> apply("He go to  school yesterday.", edits)
'He went to  school yesterday.'

Words are the unit, since a writer reads *go → went*, not *g* here and *nt* there; a sign is a unit too, so a missing
comma is an edit of one character. As many words as possible stay (the longest common subsequence), and an edit begins
and ends with what really changes, be it a word or the whitespace before it.

In: a tokenised text and the most tokens that the network takes. Out of `split_text`: character ranges that cover the
text from end to end, cut at the best boundaries there are, never inside a token.

>>> from permend.text.tokens import WordTokenizer
>>> tokens = WordTokenizer().encode("I was tired, so I slept. Then it rained all day long.")
>>> [tokens.text[start:end] for start, end in split_text(tokens, limit=7)]
['I was tired, so I slept.', ' Then it rained all day long.']
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from rapidfuzz.distance import Indel

from permend.errors import PermendError
from permend.text.tokens import Tokens

_WORDS = re.compile(r"\w+")

# Marks that combine with a letter, and joiners, belong to their word.
_LETTERS = r"[\w\u0300-\u036f\u200c\u200d]+"
_WORD = rf"{_LETTERS}(?:['’]{_LETTERS})*"  # don't is one word
_UNITS = re.compile(rf"\s*(?:{_WORD}|\S)|\s+")  # a word or sign with the whitespace before it
_PARTS = re.compile(rf"{_WORD}|\s+|\S")


@dataclass(frozen=True, order=True)
class Edit:
    """Replace characters [start, end) of a text, which read `before`, by `after`."""

    start: int
    end: int
    before: str
    after: str


def diff(source: str, target: str) -> list[Edit]:
    """Return the smallest set of word edits that turns one text into the other."""
    if source == target:
        return []
    old, new = _UNITS.findall(source), _UNITS.findall(target)
    old_at = list(accumulate(map(len, old), initial=0))
    new_at = list(accumulate(map(len, new), initial=0))
    changes: list[list[int]] = []  # [start and end in the source, start and end in the target]
    for step in Indel.opcodes(old, new):
        if step.tag != "equal":
            if changes and changes[-1][1] == old_at[step.src_start] and changes[-1][3] == new_at[step.dest_start]:
                changes[-1][1::2] = old_at[step.src_end], new_at[step.dest_end]
            else:
                places = step.src_start, step.src_end, step.dest_start, step.dest_end
                changes.append([at[place] for at, place in zip((old_at, old_at, new_at, new_at), places, strict=True)])
    return [_trimmed(start, source[start:end], target[first:last]) for start, end, first, last in changes]


def _trimmed(start: int, before: str, after: str) -> Edit:
    """Make an edit without the words and whitespace that both of its sides begin or end with."""
    old, new = _PARTS.findall(before), _PARTS.findall(after)
    while old and new and old[-1] == new[-1]:
        before = before.removesuffix(old.pop())
        after = after.removesuffix(new.pop())
    for same, other in zip(old, new, strict=False):
        if same != other:
            break
        before, after, start = before.removeprefix(same), after.removeprefix(same), start + len(same)
    return Edit(start, start + len(before), before, after)


def apply(source: str, edits: Iterable[Edit]) -> str:
    """Carry out edits, given in any order; they must fit the text and not overlap.

    What is put in at one and the same place comes to stand in the order given.
    """
    parts: list[str] = []
    done = 0
    for edit in sorted(edits, key=lambda each: (each.start, each.end)):
        fits = source[edit.start : edit.end] == edit.before and edit.end - edit.start == len(edit.before)
        if edit.start < done or not fits:
            raise PermendError(f"{edit} overlaps another edit or does not fit the text")
        parts += source[done : edit.start], edit.after
        done = edit.end
    return "".join([*parts, source[done:]])


def move_together(edit: Edit, other: Edit) -> bool:
    """Whether one edit puts in a word that the other takes away: halves of a move, which make no sense alone.

    >>> move_together(Edit(2, 8, "often ", ""), Edit(10, 10, "", "often "))
    True
    """
    taken, put = (set(_WORDS.findall(text.lower())) for text in (edit.before, edit.after))
    other_taken, other_put = (set(_WORDS.findall(text.lower())) for text in (other.before, other.after))
    return bool((put - taken) & (other_taken - other_put) or (taken - put) & (other_put - other_taken))


SENTENCE_END = frozenset(".!?…。！？\n")
_CLAUSE_END = frozenset(",;:)—–、，；：")


def split_text(tokens: Tokens, limit: int) -> list[tuple[int, int]]:
    """Cut into parts of at most `limit` tokens, ``<s>`` and ``</s>`` not counted.

    Of all places in a part's second half, the last one behind a sentence is best, then behind a clause, then a space;
    where there is none of these, the part is as long as it may be.
    """
    spans = tokens.spans[1:-1]
    parts = []
    begin, at = 0, 0
    while len(spans) - at > limit:
        cut = _best_cut(tokens.text, spans, at, limit)
        end = spans[cut - 1][1]
        parts.append((begin, end))
        begin, at = end, cut
    return [*parts, (begin, len(tokens.text))]


def _best_cut(text: str, spans: Sequence[tuple[int, int]], at: int, limit: int) -> int:
    """Return the token before which to cut."""
    tests: tuple[Callable[[int], bool], ...] = (
        lambda place: text[spans[place - 1][1] - 1] in SENTENCE_END and _apart(place),
        lambda place: text[spans[place - 1][1] - 1] in _CLAUSE_END and _apart(place),
        lambda place: _apart(place),
    )

    def _apart(place: int) -> bool:
        return text[spans[place - 1][1] : spans[place][0]].isspace()

    for test in tests:
        for place in range(at + limit, at + max(1, limit // 2) - 1, -1):
            if place < len(spans) and spans[place - 1][1] > 0 and test(place):
                return place
    place = at + limit
    while place > at + 1 and spans[place][0] < spans[place - 1][1]:  # not inside a character
        place -= 1
    return place
