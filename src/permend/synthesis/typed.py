"""Pairs as annotated sentences: what differs, cut into edits of tokens, each with a type.

In: a `Pair` of raw text. Out: an `M2Sentence`, from which an error model can be learned as from annotated text.

>>> sentence = annotate(Pair("He go there , but we dont.", "He goes there, but we don't."))
>>> [(sentence.tokens[edit.start : edit.end], edit.corrections[0], edit.type) for edit in sentence.annotations[0]]
[(('go',), 'goes', 'R:VERB:SVA'), (('there ,',), 'there ,', 'R:SPACE'), (('dont',), "do n't", 'R:APOSTROPHE')]

Types are permend's own, which need no parser, or ERRANT's. Slips that any word may suffer (`slips`) have types of their
own in both cases. Of spaces gone astray, tokens would show nothing: there the source's token is what was written.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from permend.corpora.m2 import M2Edit, M2Sentence
from permend.corpora.pairs import Pair
from permend.corrector.explaining.language import load_language, type_edits
from permend.evaluation.errant import load_annotator
from permend.synthesis.slips import find_slip
from permend.synthesis.words import Words, split_words
from permend.text.edits import Edit, diff
from permend.text.quotes import straighten

Annotate = Callable[[Pair], M2Sentence | None]


class _Stretch(NamedTuple):
    """Tokens of both sides that an edit touches."""

    start: int
    end: int
    new_start: int
    new_end: int


def annotate(pair: Pair, language: str = "en") -> M2Sentence | None:
    """Annotate a pair with permend's own types; None where its edits do not fall on tokens."""
    source, target = straighten(pair.source), straighten(pair.target)
    edits = diff(source, target)
    types = type_edits(source, target, edits, load_language(language))
    return _annotated(source, target, edits, types)


def annotate_by_errant(pair: Pair) -> M2Sentence | None:
    """Annotate a pair with ERRANT's types; slips are mended before it looks."""
    source, target = straighten(pair.source), straighten(pair.target)
    edits = diff(source, target)
    annotator = load_annotator()
    types = []
    for edit in edits:
        shift = sum(len(e.after) - len(e.before) for e in edits if e.start < edit.start)
        alone = target[: edit.start + shift] + edit.before + target[edit.start + shift + len(edit.after) :]
        found = annotator.annotate(annotator.parse(alone, tokenise=True), annotator.parse(target, tokenise=True))
        types.append(found[0].type if len(found) == 1 else "R:OTHER")
    return _annotated(source, target, edits, types)


def _annotated(source: str, target: str, edits: Sequence[Edit], types: Sequence[str]) -> M2Sentence | None:
    old, new = split_words(source), split_words(target)
    tokens: list[str] = []
    found: list[M2Edit] = []
    done = shift = 0
    for edit, kind in zip(edits, types, strict=True):
        stretch = _stretch(old, new, edit, shift)
        shift += len(edit.after) - len(edit.before)
        slip = find_slip(source, edit)
        if stretch.start < done or kind == "UNK":
            return None
        tokens += old.tokens[done : stretch.start]
        wrong = old.tokens[stretch.start : stretch.end]
        correct = new.tokens[stretch.new_start : stretch.new_end]
        if wrong == correct:  # spaces alone
            wrong = [source[old.starts[stretch.start] : old.ends[stretch.end - 1]]] if wrong else wrong
        named = slip or _fitting(kind, wrong, correct)
        if wrong != correct:
            found.append(M2Edit(len(tokens), len(tokens) + len(wrong), named, (" ".join(correct),), 0))
        tokens += wrong
        done = stretch.end
    sentence = M2Sentence((*tokens, *old.tokens[done:]), {0: tuple(found)})
    return sentence if sentence.corrected() == new.tokens else None


def _stretch(old: Words, new: Words, edit: Edit, shift: int) -> _Stretch:
    """Find the tokens of an edit; one that it cuts on either side is taken whole on both."""
    start, end = edit.start, edit.end
    new_end = edit.start + shift + len(edit.after)
    while True:
        first, last = bisect_right(old.ends, start), bisect_left(old.starts, end)
        new_first, new_last = bisect_right(new.ends, start + shift), bisect_left(new.starts, new_end)
        begin = min(
            start,
            old.starts[first] if first < last else start,
            new.starts[new_first] - shift if new_first < new_last else start,
        )
        behind = max(
            0,
            old.ends[last - 1] - end if first < last else 0,
            new.ends[new_last - 1] - new_end if new_first < new_last else 0,
        )
        if not edit.before.strip() and not edit.after.strip() and first >= last:  # spaces: take the tokens around them
            begin, behind = old.starts[max(0, first - 1)], (old.ends[min(last, len(old.ends) - 1)] - end)
        if begin == start and behind == 0:
            return _Stretch(first, max(first, last), new_first, max(new_first, new_last))
        start, end, new_end = begin, end + behind, new_end + behind


def _fitting(kind: str, wrong: Sequence[str], correct: Sequence[str]) -> str:
    """Give a type the operation that the tokens show."""
    operation = "R" if wrong and correct else "M" if correct else "U"
    return f"{operation}:{kind.partition(':')[2] or 'OTHER'}"
