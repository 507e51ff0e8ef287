"""What is said about the edits of a correction: how sure each is, what it is, why, and what else it could be.

In: a sentence, its correction, ranked alternatives, and the language. Out: `ScoredEdit`s.

>>> from permend.corrector.explaining.language import load_language
>>> texts = {"He goes home.": -0.4, "He went home.": -1.6, "He go home.": -2.3}
>>> ranked = [Alternative(text, log_prob, 0.0, 5, log_prob / 5, False) for text, log_prob in texts.items()]
>>> [edit] = score_edits("He go home.", "He goes home.", ranked, load_language("en"))
>>> edit.before, edit.after, round(edit.probability, 2), edit.type
('go', 'goes', 0.69, 'R:VERB:SVA')
>>> [(other.after, round(other.probability, 2)) for other in edit.alternatives]
[('went', 0.21)]

Edits that a calibration, or a second reading of the sentence, changes keep the rest of what was said. A corrector
imports this, and the language with it, only where something is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from permend.corrector.correction import Alternative, Correction, ScoredEdit, Suggestion
from permend.corrector.explaining.language import Explanation, Language, explain_edits, type_edits
from permend.text.edits import Edit, apply, diff, move_together

_LEAST = 0.01  # of the probability: what the end of the beam holds is no suggestion


def score_edits(
    source: str, text: str, ranked: Sequence[Alternative], language: Language, reasons: bool = True
) -> tuple[ScoredEdit, ...]:
    """Return the edits from source to text with all that the ranked alternatives say about each.

    Without `reasons` there are neither explanations nor suggestions.
    """
    wanted = diff(source, text)
    if not wanted:
        return ()
    log_probs = np.array([each.log_prob for each in ranked])
    shares = np.exp(log_probs - log_probs.max())
    shares /= shares.sum()
    hypotheses = [
        (share, wanted if each.text == text else diff(source, each.text))
        for share, each in zip(shares.tolist(), ranked, strict=True)
    ]
    if reasons:
        explanations = explain_edits(source, text, wanted, language)
    else:
        explanations = [Explanation(name, "") for name in type_edits(source, text, wanted, language)]
    return tuple(
        ScoredEdit(
            edit.start,
            edit.end,
            edit.before,
            edit.after,
            sum(share for share, edits in hypotheses if edit in edits),
            why.type,
            why.sentence,
            _suggest(edit, hypotheses) if reasons else (),
        )
        for edit, why in zip(wanted, explanations, strict=True)
    )


def _suggest(edit: Edit, hypotheses: Iterable[tuple[float, list[Edit]]]) -> tuple[Suggestion, ...]:
    """Return what else hypotheses write over the stretch of an edit, those that write the same taken together."""
    shares: dict[str, float] = {}
    for share, edits in hypotheses:
        after = _written(edit, edits)
        if after is not None and after not in (edit.before, edit.after):
            shares[after] = shares.get(after, 0.0) + share
    best_first = sorted(shares.items(), key=lambda each: -each[1])
    return tuple(Suggestion(after, probability) for after, probability in best_first if probability >= _LEAST)


def _written(stretch: Edit, edits: Iterable[Edit]) -> str | None:
    """Return what edits write over a stretch; None where one of them reaches out of it and cannot be told apart."""
    inside = []
    for edit in edits:
        if stretch.start <= edit.start and edit.end <= stretch.end:
            inside.append(Edit(edit.start - stretch.start, edit.end - stretch.start, edit.before, edit.after))
        elif edit.start < stretch.end and stretch.start < edit.end:
            return None
    return apply(stretch.before, inside)


def calibrated(edit: ScoredEdit, probability: float) -> ScoredEdit:
    """Give an edit another probability; its alternatives share the rest as before, but do not gain on the edit.

    What an edit loses goes to something unseen or to no change at all: its rivals have not become any better.
    """
    if not edit.alternatives:
        return replace(edit, probability=probability)
    if probability < edit.probability:
        scale = probability / edit.probability
    else:
        scale = (1 - probability) / (1 - edit.probability) if edit.probability < 1 else 0.0
    others = tuple(replace(each, probability=each.probability * scale) for each in edit.alternatives)
    return replace(edit, probability=probability, alternatives=others)


def equalise_moved_halves(edits: Sequence[ScoredEdit]) -> list[ScoredEdit]:
    """Give both halves of a moved word the lower probability: they stand or fall together."""
    halves = [[other for other in edits if other is edit or move_together(edit, other)] for edit in edits]
    return [
        edit if len(both) == 1 else replace(edit, probability=min(half.probability for half in both))
        for edit, both in zip(edits, halves, strict=True)
    ]


def followed_by(first: Correction, second: Correction, language: Language) -> Correction:
    """Return a correction with one of its own text carried out on top; alternatives and margin stay the first's."""
    if not second.edits:
        return first
    return replace(first, text=second.text, edits=compose(first.source, first.edits, second.edits, language))


def compose(
    source: str, first: Sequence[ScoredEdit], second: Sequence[ScoredEdit], language: Language
) -> tuple[ScoredEdit, ...]:
    """Return edits of a source that do what two rounds of edits do, the second made in the text of the first.

    Edits that do not touch stay as they are; those that do become one change, as sure as the least sure of them.
    """
    middle = apply(source, first)
    groups = _group([*_in_middle(first), *((edit.start, edit.end, False, edit) for edit in second)])
    text = apply(middle, second)
    composed: list[ScoredEdit] = []
    grown = 0  # characters by which the first round made the text longer, up to here
    for group in groups:
        start, end = min(each[0] for each in group), max(each[1] for each in group)
        ours = [edit for _, _, is_first, edit in group if is_first]
        theirs = [
            replace(edit, start=edit.start - start, end=edit.end - start)
            for *_, is_first, edit in group
            if not is_first
        ]
        growth = sum(len(edit.after) - len(edit.before) for edit in ours)
        at, until = start - grown, end - grown - growth
        grown += growth
        if len(group) == 1:
            composed.append(replace(group[0][3], start=at, end=until))
            continue
        after = apply(middle[start:end], theirs)
        least = min(edit.probability for *_, edit in group)
        composed += [
            ScoredEdit(edit.start + at, edit.end + at, edit.before, edit.after, least)
            for edit in diff(source[at:until], after)
        ]
    explanations = explain_edits(source, text, composed, language)
    return tuple(
        edit if edit.type else replace(edit, type=why.type, explanation=why.sentence)
        for edit, why in zip(composed, explanations, strict=True)
    )


_Placed = tuple[int, int, bool, ScoredEdit]  # start and end in the text between two rounds, whether of the first


def _in_middle(edits: Iterable[ScoredEdit]) -> Iterator[_Placed]:
    """Say where in the text that they make edits have written."""
    grown = 0
    for edit in sorted(edits):
        start = edit.start + grown
        yield start, start + len(edit.after), True, edit
        grown += len(edit.after) - len(edit.before)


def _group(placed: Iterable[_Placed]) -> list[list[_Placed]]:
    """Put edits together that overlap or meet in the text between the rounds."""
    groups: list[list[_Placed]] = []
    reached = -1
    for each in sorted(placed, key=lambda each: each[:3]):
        if each[0] <= reached:
            groups[-1].append(each)
        else:
            groups.append([each])
        reached = max(reached, each[1])
    return groups
