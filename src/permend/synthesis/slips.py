"""Slips that any word may suffer: doubled, run together with the next, without its apostrophe, spaces gone astray.

In: an edit of a pair, from wrong to right. Out of `find_slip`: its type, if it is such a slip.

>>> find_slip("We met at at noon.", Edit(9, 12, " at", "")), find_slip("I like it alot.", Edit(10, 14, "alot", "a lot"))
('U:DOUBLED', 'R:JOINED')
>>> find_slip("They dont know.", Edit(5, 9, "dont", "don't")), find_slip("Eggs ,milk", Edit(4, 5, " ", ""))
('R:APOSTROPHE', 'R:SPACE')

In: a corrected sentence and its slips. Out of `SlipCounts`: how many there were of each kind, and at how many places
they could have been; error models keep them under ``chances``. In: words and a place. Out of `slip`: the slip made.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from permend.synthesis.annotations import Change
from permend.synthesis.words import Words
from permend.text.edits import Edit

TYPES = {
    "doubled": "U:DOUBLED",
    "run together": "R:JOINED",
    "apostrophe lost": "R:APOSTROPHE",
    "apostrophe moved": "R:APOSTROPHE",
    "space before": "R:SPACE",
    "space lost": "R:SPACE",
}
"""Kinds of slips, and the types under which they are learned and made."""
_CLITIC = re.compile(r"(?:n['’]t|['’](?:s|m|d|re|ve|ll))\Z", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+\Z")
_LAST = re.compile(r"([^\W\d_]+)\W*\Z")
_FIRST = re.compile(r"\W*([^\W\d_]+)")
_MARKS = frozenset(",.;:!?")
_APOSTROPHES = re.compile("['’]")
_REAL = frozenset("its were well ill id hell shell lets whose wed shed your there their".split())
"""Words that lack nothing: who writes them for others confuses two words."""


def find_slip(source: str, edit: Edit) -> str | None:
    """Return the type of a slip that an edit mends; None where it mends something else."""
    kind = _kind(source, edit)
    return None if kind is None else TYPES[kind]


def _kind(source: str, edit: Edit) -> str | None:
    before, after = edit.before.strip(), edit.after.strip()
    if not before and not after:
        return _space_kind(source, edit)
    if not after:
        return "doubled" if _is_doubled(source, edit) else None
    wrong, right = before.lower(), after.lower()
    if wrong == right.replace(" ", "") and len(after.split()) == 2 and all(map(_WORD.match, after.split())):
        return "run together"
    letters = _APOSTROPHES.sub("", right)
    if _APOSTROPHES.search(right) and wrong != right and " " not in right and wrong not in _REAL:
        if wrong == letters:
            return "apostrophe lost"
        return "apostrophe moved" if _APOSTROPHES.sub("", wrong) == letters else None
    return None


def _space_kind(source: str, edit: Edit) -> str | None:
    if edit.before and not edit.after:
        return "space before" if source[edit.end : edit.end + 1] in _MARKS else None
    if edit.after and not edit.before:
        return "space lost" if source[: edit.start][-1:] in _MARKS else None
    return None


def _is_doubled(source: str, edit: Edit) -> bool:
    word = edit.before.strip().lower()
    if not _WORD.match(word):
        return False
    left, right = _LAST.search(source[: edit.start]), _FIRST.match(source, edit.end)
    between = source[left.end(1) : edit.start] if left else "."
    behind = source[edit.end : right.start(1)] if right else "."
    return bool(
        (left and left[1].lower() == word and not between.strip())
        or (right and right[1].lower() == word and not behind.strip())
    )


class SlipCounts:
    """Counts slips, and places where they could be."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._errors: Counter[str] = Counter()
        self._places: Counter[str] = Counter()

    def count(self, corrected: Sequence[str], changes: Sequence[Change]) -> None:
        """Count a sentence's places, and its slips."""
        words = [bool(_WORD.match(token)) for token in corrected]
        self._places["doubled"] += sum(words)
        self._places["run together"] += sum(here and behind for here, behind in pairwise(words))
        clitics = sum(bool(_CLITIC.match(token)) for token in corrected)
        self._places["apostrophe lost"] += clitics
        self._places["apostrophe moved"] += sum(
            token.lower().startswith("n") for token in corrected if _CLITIC.match(token)
        )
        marks = [place for place, token in enumerate(corrected) if token in _MARKS]
        self._places["space before"] += len(marks)
        self._places["space lost"] += sum(place + 1 < len(corrected) for place in marks)
        self._errors.update(filter(None, map(_kind_of_change, changes)))

    def as_dict(self) -> dict[str, list[int]]:
        """Return errors and places by kind; nothing where there were no slips, as in text that is tokenised."""
        return {kind: [count, self._places[kind]] for kind, count in sorted(self._errors.items()) if count}


def _kind_of_change(change: Change) -> str | None:
    """Return the kind of a slip that was noted as a change: its wrong side is what was written."""
    kinds = [kind for kind, name in TYPES.items() if name == change.type]
    if len(kinds) < 2:
        return kinds[0] if kinds else None
    wrong = " ".join(change.wrong)
    if change.type == "R:SPACE":
        return "space before" if " " in wrong else "space lost"
    return "apostrophe moved" if _APOSTROPHES.search(wrong) else "apostrophe lost"


def slip(words: Words, place: int, kind: str, random_: random.Random) -> tuple[int, int, list[str] | Edit] | None:
    """Make a slip at a token: which tokens it concerns, and what stands there then, as tokens or as an edit."""
    tokens = words.tokens
    token, last = tokens[place], place + 1 == len(tokens)
    if kind == "doubled":
        again = token.lower() if place == 0 and random_.random() < 0.5 else token
        return place, place + 1, [token, again]
    if kind == "run together":
        if last or not _WORD.match(tokens[place + 1]) or tokens[place + 1][0].isupper():
            return None
        return place, place + 2, [token + tokens[place + 1]]
    if kind.startswith("apostrophe"):
        if not place or words.ends[place - 1] != words.starts[place] or not _WORD.match(tokens[place - 1]):
            return None
        letters = _APOSTROPHES.sub("", token)
        moved = f"'{letters}" if kind.endswith("moved") else letters
        return place - 1, place + 1, [tokens[place - 1] + moved]
    at, end = words.starts[place], words.ends[place]
    if kind == "space before":
        return (place, place + 1, Edit(at, at, "", " ")) if place and words.ends[place - 1] == at else None
    if last or words.text[end : end + 1] != " " or not _WORD.match(tokens[place + 1]):
        return None
    return place, place + 1, Edit(end, end + 1, " ", "")


def slips_of(token: str) -> list[str]:
    """Return the kinds of slips that a token may suffer.

    >>> slips_of("the"), slips_of("n't"), slips_of(","), slips_of("Paris")
    (['doubled', 'run together'], ['apostrophe lost', 'apostrophe moved'], ['space before', 'space lost'], [])
    """
    if token in _MARKS:
        return ["space before", "space lost"]
    if _CLITIC.match(token):
        return ["apostrophe lost", "apostrophe moved"] if token[0] in "nN" else ["apostrophe lost"]
    return ["doubled", "run together"] if _WORD.match(token) and token.islower() else []
