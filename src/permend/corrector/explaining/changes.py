"""An edit of characters as a change of words, seen in both sentences.

In: an edit, the text before and the text after it, and where the edit lies in the latter. Out: a `Change`, that is the
words of the neighbourhood on each side and which of them the edit touches.

>>> change = find_change("He don't know.", "He doesn't know.", Edit(3, 6, "don", "doesn"), 3, re.compile(r"[\\w']+"))
>>> change.before.touched, change.after.touched
(["don't"], ["doesn't"])

Words come whole: where an edit cuts one, the rest of it belongs to the change. Words that both sides begin or end with
do not (with contractions split, the change above is *do → does*).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from permend.text.edits import Edit

_REACH = 25  # characters to each side that are read: a few neighbours are all that matters


@dataclass(frozen=True, slots=True)
class Side:
    """Words around an edit; those in [start, end) belong to it."""

    words: list[str]
    start: int
    end: int
    complete: bool = False
    """Whether the words begin where the text begins."""

    @property
    def touched(self) -> list[str]:
        """The words of the edit."""
        return self.words[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Change:
    """What an edit does to words."""

    before: Side
    after: Side

    def words(self) -> list[Change]:
        """Return the changes of single words, where as many stand on both sides; otherwise none."""
        old, new = self.before, self.after
        if len(old.touched) != len(new.touched):
            return []
        places = zip(range(old.start, old.end), range(new.start, new.end), strict=True)
        singles = [
            Change(replace(old, start=place, end=place + 1), replace(new, start=new_place, end=new_place + 1))
            for place, new_place in places
        ]
        return [each for each in singles if each.before.touched != each.after.touched]


def find_change(source: str, target: str, edit: Edit, place: int, word: re.Pattern[str]) -> Change:
    """Find the words that an edit changes; `place` is where it begins in the target, `word` finds words."""
    before = _side(source, edit.start, edit.end, word)
    after = _side(target, place, place + len(edit.after), word)
    return _without_rest(before, after)


def _side(text: str, start: int, end: int, word: re.Pattern[str]) -> Side:
    """Split a neighbourhood into words."""
    far = max(start - 2 * _REACH, 0)
    low = max(text.rfind(" ", far, max(start - _REACH, 0)), far)
    high = text.find(" ", end + _REACH, end + 2 * _REACH)
    high = high if high >= 0 else end + 2 * _REACH  # a language without spaces, perhaps
    words: list[str] = []
    first = last = 0
    for found in word.finditer(text, low, high):
        words.append(found.group())
        begin, stop = found.span()
        if stop <= start:
            first = len(words)
        elif begin < end or begin < start:
            last = len(words)
    return Side(words, first, max(first, last), low == 0)


def _without_rest(before: Side, after: Side) -> Change:
    """Leave out words that both sides begin or end with."""
    old, new = before.touched, after.touched
    most = min(len(old), len(new))
    front = next((place for place in range(most) if old[place] != new[place]), most)
    most -= front
    back = next((place for place in range(most) if old[-1 - place] != new[-1 - place]), most)
    if not front and not back:
        return Change(before, after)
    return Change(
        replace(before, start=before.start + front, end=before.end - back),
        replace(after, start=after.start + front, end=after.end - back),
    )
