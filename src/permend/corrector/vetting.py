r"""Which edits of a correction may be offered: none that would startle whoever reads the result.

In: a sentence, edits of it, and its language. Out: the edits that remain.

>>> from permend.corrector.explaining.language import load_language
>>> from permend.text.edits import diff
>>> for source, target in (
...     ("Who's bag is it?", "Wh bag is it?"),           # no such word
...     ("We have alot of work.", "We have a of work."),  # half of a word
...     ("The teh cat sat.", "The the cat sat."),         # the same word twice
...     ("I think its ok.", "I think it's."),             # nothing left to say
...     ("He don't has it.", "He hasn't have it."),       # what no sentence has
...     ("He recieve it.", "He receives it."),
... ):
...     print([(edit.before, edit.after) for edit in sound_edits(source, diff(source, target), load_language("en"))])
[]
[]
[]
[]
[]
[('recieve', 'receives')]

These are checks of the result, whatever the networks think of it: a word that is written must be one that the word
list, the writer or the text itself knows; a word that nobody knows may be spelt better, but not replaced by another or
taken away, and of a rare one only the form may change; no word comes to stand beside itself, or
beside one that it never stands beside; a clause keeps something that carries its meaning; and brackets and quotation
marks that had their partners keep them. Where an edit falls, so does the other half of a move.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeVar

from rapidfuzz.distance import OSA, Prefix

from permend.corrector.correction import Correction, ScoredEdit
from permend.corrector.explaining.language import Language, Vocabulary, type_edits
from permend.text.edits import Edit, apply, move_together

E = TypeVar("E", bound=Edit)

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_CLAUSE_END = re.compile(r"[.,;:!?()\[\]{}\"“”«»—–]|\s-\s")
_PAIRS = re.compile(r"[()\[\]{}\"“”«»]")
_CLOSES = {")": "(", "]": "[", "}": "{", "”": "“", "»": "«"}
_BESIDE = 3  # characters within which a word stands beside another
_STEM = 5  # letters that two words of one stem share at least


def vet(correction: Correction, language: Language, known: Callable[[str], bool] | None = None) -> Correction:
    """Leave out edits and suggestions that are unsound; words that are `known` to the writer are words."""
    if language.vocabulary is None:
        return correction
    if known is not None:
        language = language.and_words(known)
    source = correction.source
    edits = [_vet_suggestions(source, edit, language) for edit in correction.edits]
    sound = sound_edits(source, edits, language)
    withheld = tuple(edit for edit in edits if edit not in sound)
    return replace(correction, edits=tuple(sound), text=apply(source, sound), withheld=withheld)


def instead(vetted: Correction, other: Correction) -> Correction:
    """Return a vetted correction with what another one of the same sentence has where edits were withheld.

    Where the best hypothesis writes no word, or loses one on the way, the next one often has it right; elsewhere the
    best one stays.
    """
    near = [edit for edit in other.edits if any(_meet(edit, no) for no in vetted.withheld)]
    new = [edit for edit in other.edits if any(edit is one or move_together(edit, one) for one in near)]
    kept = [edit for edit in vetted.edits if not any(_meet(edit, one) for one in new)]
    edits = sorted([*kept, *new], key=lambda edit: (edit.start, edit.end))
    return replace(vetted, edits=tuple(edits), text=apply(vetted.source, edits), withheld=())


def _meet(edit: Edit, other: Edit) -> bool:
    return edit.start <= other.end and other.start <= edit.end


def _vet_suggestions(source: str, edit: ScoredEdit, language: Language) -> ScoredEdit:
    sound = [each for each in edit.alternatives if sound_edits(source, [replace(edit, after=each.after)], language)]
    return edit if len(sound) == len(edit.alternatives) else replace(edit, alternatives=tuple(sound))


def sound_edits(source: str, edits: Sequence[E], language: Language) -> list[E]:
    """Return the edits, given from left to right, without those that leave something unsound."""
    kept = list(edits)
    while kept and language.vocabulary is not None:
        unsound = list(_unsound(source, kept, language, language.vocabulary))
        if not unsound:
            break
        kept = [edit for edit in kept if not any(edit is no or move_together(edit, no) for no in unsound)]
    return kept


def _unsound(source: str, edits: Sequence[E], language: Language, vocabulary: Vocabulary) -> Iterator[E]:
    """Yield edits whose result has a fault."""
    target = apply(source, edits)
    old_words, new_words = list(_WORD.finditer(source)), list(_WORD.finditer(target))
    written = {word.group().lower() for word in old_words}
    clashing = _new_clashes(source, old_words, target, new_words, vocabulary)
    torn = _is_paired(source) and not _is_paired(target)
    types: list[str] = []
    shift = 0
    for place, edit in enumerate(edits):
        start, end = edit.start + shift, edit.start + shift + len(edit.after)
        shift += len(edit.after) - len(edit.before)
        old, new = _touched(old_words, edit.start, edit.end), _touched(new_words, start, end)
        if (
            any(word.lower() not in written and not vocabulary.is_word(word) for word in new)
            or any(first <= end and start <= last for first, last in clashing)
            or (torn and _PAIRS.findall(edit.before) != _PAIRS.findall(edit.after))
            or (_empties(source, edit, vocabulary) and not any(move_together(edit, other) for other in edits))
            or _helps_to_empty(source, target, edit, start, vocabulary)
        ):
            yield edit
        elif strange := [word for word in old if not vocabulary.is_common(word)]:
            types = types or type_edits(source, target, edits, language)
            around = _touched(new_words, start - _BESIDE, end + _BESIDE)
            if not types[place].endswith(vocabulary.form_types) and not all(
                _resembles(word, around, vocabulary) for word in strange
            ):
                yield edit


def _touched(words: Sequence[re.Match[str]], start: int, end: int) -> list[str]:
    """Return the words that a stretch overlaps or, if it is empty, lies inside."""
    return [word.group() for word in words if word.start() < end and start < word.end()]


def _resembles(word: str, others: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Whether one word, or two in a row, may be what a word was meant to be: alike in spelling, or of one stem.

    A word that is spelt right, though rare, was meant to be itself: only its form may be wrong.
    """
    lower = word.lower()
    candidates = [each.lower() for each in (*others, *(first + second for first, second in pairwise(others)))]
    stem = vocabulary.stem(lower)
    if vocabulary.is_word(word):
        return any(OSA.distance(lower, each) <= 1 or vocabulary.stem(each) == stem for each in candidates)
    return any(_is_close(lower, each) or _is_close(stem, vocabulary.stem(each)) for each in candidates)


def _is_close(word: str, other: str) -> bool:
    most = max(1, len(word) // 3)
    if OSA.distance(word, other, score_cutoff=most) <= most:
        return True
    return Prefix.similarity(word, other) >= max(_STEM, min(len(word), len(other)) * 2 / 3)


def _new_clashes(
    source: str,
    old_words: Sequence[re.Match[str]],
    target: str,
    new_words: Sequence[re.Match[str]],
    vocabulary: Vocabulary,
) -> list[tuple[int, int]]:
    """Return where in the target two words clash that do not in the source, which are the writer's own."""
    pairs = list(_clashing(target, new_words, vocabulary))
    if not pairs:
        return []
    more = Counter(words for words, *_ in pairs)
    more -= Counter(words for words, *_ in _clashing(source, old_words, vocabulary))
    return [(first, last) for words, first, last in pairs if more[words]]


def _clashing(
    text: str, words: Sequence[re.Match[str]], vocabulary: Vocabulary
) -> Iterator[tuple[tuple[str, str], int, int]]:
    """Yield which two words stand beside each other that should not, such as a word twice, and where."""
    lower = [word.group().lower() for word in words]
    for both, (first, second) in zip(pairwise(lower), pairwise(words), strict=True):
        if text[first.end() : second.start()].isspace():
            is_repeated = both[0] == both[1] and both[0] not in vocabulary.repeatable
            if is_repeated or vocabulary.clash(*both):
                yield both, first.start(), second.end()


def _is_paired(text: str) -> bool:
    """Whether all brackets and quotation marks have their partners."""
    opened: list[str] = []
    for mark in _PAIRS.findall(text):
        if opened and opened[-1] == _CLOSES.get(mark, mark):
            opened.pop()
        elif mark in _CLOSES:
            return False
        else:
            opened.append(mark)
    return not opened


def _empties(source: str, edit: Edit, vocabulary: Vocabulary) -> bool:
    """Whether an edit takes words from a clause and with them all that carries its meaning, or that which ends it."""
    taken, put = _WORD.findall(edit.before), _WORD.findall(edit.after)
    if len(put) >= len(taken) or not any(map(vocabulary.has_meaning, taken)):
        return False
    if any(map(vocabulary.carries_meaning, put)):
        return False
    left, right = _clause(source, edit.start, edit.end)
    after = _WORD.findall(left + edit.after + right)
    if not any(map(vocabulary.carries_meaning, after)):
        return True
    return not _WORD.search(right) and not vocabulary.carries_meaning(after[-1])


def _helps_to_empty(source: str, target: str, edit: Edit, start: int, vocabulary: Vocabulary) -> bool:
    """Whether an edit takes meaning from a clause that all edits together leave with fewer words and none that has any.

    `start` is where it stands in the target.
    """
    if not any(map(vocabulary.carries_meaning, _WORD.findall(edit.before))):
        return False
    left, right = _clause(target, start, start + len(edit.after))
    after = _WORD.findall(left + edit.after + right)
    if any(map(vocabulary.carries_meaning, after)):
        return False
    left, right = _clause(source, edit.start, edit.end)
    return len(after) < len(_WORD.findall(left + edit.before + right))


def _clause(text: str, start: int, end: int) -> tuple[str, str]:
    """Return what stands before and behind a stretch, up to the next sign."""
    first = max((sign.end() for sign in _CLAUSE_END.finditer(text, 0, start)), default=0)
    last = _CLAUSE_END.search(text, end)
    return text[first:start], text[end : last.start() if last else len(text)]
