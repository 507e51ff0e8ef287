"""Why a changed sentence may be no correction.

In: a sentence before and behind a commit. Out of `Look`: a reason to leave the pair out, a key of `REASONS`, or None;
and the types of its edits.

>>> look = Look()
>>> look("They dont work on my machine.", "They don't work on my machine.")
(None, ['R:CONTR'])
>>> look("We have 3 colours in the box.", "We have 5 colours in the box.")[0]
'numbers'
>>> look("Pick the colour of your box.", "Pick the color of your box.")[0]
'variant'

What needs the whole history (renames, repetitions) is known to `mine`, what needs the model to `gain`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from permend.corrector.explaining.language import Language, load_language, type_edits
from permend.documents.language import is_foreign
from permend.documents.paragraphs import NOUN, VOWEL_NOUN
from permend.synthesis.mining.style import changes_person, is_contraction, is_variant
from permend.text.edits import Edit, diff
from permend.text.quotes import straighten

REASONS = {
    "length": "fewer than four words, or more than sixty",
    "signs": "too many signs, numbers or stand-ins for code",
    "foreign": "in another language",
    "rewritten": "too much is changed",
    "numbers": "numbers changed",
    "code": "code, addresses or signs of markup changed",
    "names": "names changed",
    "stop": "the sign at the end alone",
    "variant": "British and American spelling",
    "contraction": "a contraction or its full form",
    "person": "another person (I, we, you)",
    "duplicate": "has been there before",
    "again": "changed again later, or taken back",
    "rename": "the same replacement all over the repository",
    "inexpressible": "more than a label can express",
    "target": "what it became looks wrong to the model",
    "gain": "looks no better to the model than before",
}
"""Reasons to leave a pair out, in the order in which they are looked for."""
BY_MODEL = ("target", "gain")
"""Those that the model has to be asked for."""
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_MARKUP = re.compile(r"[_@#/\\<>{}=|~^*$%&+\[\]`→]")
_END = re.compile(r"[\s.:;,!?…]+\Z")
_OPENING = re.compile(r"(?:^|[.!?:;]['\")]*\s|[\"'(\[])\W*\Z")
_FEWEST, _MOST = 4, 60
_LEAST_LETTERS = 0.65
_MOST_STAND_INS = 0.1
_LEAST_KNOWN = 0.6
_SLIP = 2  # letters by which a name may be misspelled


@dataclass(frozen=True)
class Look:
    """Looks at pairs for the reasons that they show themselves."""

    language: str = "en"
    most_edits: int = 6
    most_changed: float = 1 / 3
    """Share of the words that may be changed."""
    kept: Collection[str] = ()
    """Reasons that are none."""

    def __call__(self, source: str, target: str) -> tuple[str | None, list[str]]:
        """Return a reason to leave a pair out, and the types of its edits."""
        speech, old, new = load_language(self.language), straighten(source), straighten(target)
        edits = diff(old, new)
        found = (reason for reason in self._reasons(old, new, edits, speech) if reason not in self.kept)
        return next(found, None), type_edits(old, new, edits, speech)

    def _reasons(self, old: str, new: str, edits: Sequence[Edit], speech: Language) -> list[str]:
        """Return all reasons."""
        lengths = [len(_WORD.findall(side)) for side in (old, new)]
        changed = max(sum(len(edit.before.split()) for edit in edits), sum(len(edit.after.split()) for edit in edits))
        is_word = speech.vocabulary.is_word if speech.vocabulary else lambda word: True
        words = [(_WORD.findall(edit.before), _WORD.findall(edit.after)) for edit in edits]
        both = [(*some, *others) for some, others in words if len(some) == len(others) == 1]
        found = {
            "length": not all(_FEWEST <= length <= _MOST for length in lengths),
            "signs": not all(_is_mostly_letters(side) for side in (old, new)),
            "foreign": is_foreign(old, self.language) or is_foreign(new, self.language) or not _knows(is_word, new),
            "rewritten": len(edits) > self.most_edits or changed > max(2, self.most_changed * max(lengths)),
            "numbers": any(map(_changes_numbers, edits)),
            "code": any(map(_touches_code, edits)),
            "names": any(_changes_name(old, edit) for edit in edits),
            "stop": _END.sub("", old) == _END.sub("", new),
            "variant": any(is_variant(*two) and is_word(two[0].lower()) and is_word(two[1].lower()) for two in both),
            "contraction": any(is_contraction(edit.before, edit.after) for edit in edits),
            "person": any(changes_person(*each) for each in words),
        }
        return [reason for reason, holds in found.items() if holds]


def _is_mostly_letters(text: str) -> bool:
    words = _WORD.findall(text)
    letters, stand_ins = sum(map(len, words)), words.count(NOUN) + words.count(VOWEL_NOUN)
    return letters >= _LEAST_LETTERS * len(text) and stand_ins <= 1 + len(words) * _MOST_STAND_INS


def _knows(is_word: Callable[[str], bool], text: str) -> bool:
    """Whether most words without capitals are words of the language."""
    words = [word for word in _WORD.findall(text) if not any(map(str.isupper, word))]
    return sum(map(is_word, words)) >= _LEAST_KNOWN * len(words)


def _changes_numbers(edit: Edit) -> bool:
    return sorted(filter(str.isdecimal, edit.before)) != sorted(filter(str.isdecimal, edit.after))


def _touches_code(edit: Edit) -> bool:
    taken, put = Counter(_WORD.findall(edit.before)), Counter(_WORD.findall(edit.after))
    stand_ins = {NOUN, VOWEL_NOUN} & ((taken - put) | (put - taken)).keys()
    signs = Counter(_MARKUP.findall(edit.before)) != Counter(_MARKUP.findall(edit.after))
    return bool(stand_ins) or signs


def _changes_name(text: str, edit: Edit) -> bool:
    """Whether words with a capital come, go or become others; a capital that opens a sentence says nothing."""
    at_start = bool(_OPENING.search(text[: edit.start]))
    before, after = _WORD.findall(edit.before), _WORD.findall(edit.after)
    old = [word for place, word in enumerate(before) if _is_name(word) and not (at_start and place == 0)]
    new = [word for place, word in enumerate(after) if _is_name(word) and not (at_start and place == 0)]
    return any(not _has_like(word, after) for word in old) or any(not _has_like(word, before) for word in new)


def _is_name(word: str) -> bool:
    return any(map(str.isupper, word)) and word != "I" and not word.startswith("I'")


def _has_like(name: str, others: Sequence[str]) -> bool:
    """Whether the other side has the name in another case, or with a slip."""
    most = min(_SLIP, len(name) // 3)
    joined = "".join(others).replace("-", "")
    return any(OSA.distance(name.lower(), word.lower()) <= most for word in (*others, joined))
