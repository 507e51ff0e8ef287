"""What comes out of a corrector: a sentence, its correction, and what else it could be.

    correction.text           # 'He went to school yesterday.'
    correction.edits          # (ScoredEdit(start=3, end=5, before='go', after='went', probability=0.93, …),)
    correction.alternatives   # ranked whole sentences, the unchanged one always among them
    [edit] = correction.edits
    edit.type                 # 'R:VERB:TENSE'
    edit.explanation          # 'The verb is in the wrong tense: write “went” instead of “go”.'
    edit.alternatives         # (Suggestion(after='goes', probability=0.04),): what else could stand in this place

`score_edits` gives edits their probabilities, types, explanations and alternatives; `join` puts the corrections of a
split text together again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import TypeVar

import numpy as np

from permend.text.edits import SENTENCE_END, Edit, apply, diff, move_together
from permend.text.quotes import Style, restore

E = TypeVar("E", bound=Edit)

_CLOSING = " \t\r\n\"')]”’»"

_LEAST = 0.01  # of the probability: what the end of the beam holds is no suggestion


@dataclass(frozen=True)
class Suggestion:
    """Another way to change the stretch that an edit changes."""

    after: str
    probability: float
    """The share of the hypotheses' probability that writes this."""


@dataclass(frozen=True)
class ScoredEdit(Edit):
    """An edit: how sure it is, what it is, why, and what else it could be."""

    probability: float
    """That it is right, where the model is calibrated; else the share of the hypotheses' probability that agrees."""
    type: str = ""
    """ERRANT's name for the error, such as ``R:VERB:SVA``."""
    explanation: str = ""
    """One plain sentence for the writer."""
    alternatives: tuple[Suggestion, ...] = ()
    """Other likely texts for the same stretch, best first; neither what stands there nor the edit's own."""


@dataclass(frozen=True)
class Alternative:
    """A whole corrected sentence and what the networks think of it."""

    text: str
    plan_log_prob: float
    """log p(π)"""
    fill_log_prob: float
    """log p(y | π); 0 where nothing is inserted."""
    length: int
    """Positions of the plan, by which scores are divided."""
    score: float
    """What alternatives are ranked by."""
    unchanged: bool
    """Whether this is the source as it stands."""

    @property
    def total(self) -> float:
        """Return the log-probability that it is ranked by, not divided by its length."""
        return self.score * self.length

    @property
    def log_prob(self) -> float:
        """Return log p(π) + log p(y | π)."""
        return self.plan_log_prob + self.fill_log_prob


@dataclass(frozen=True)
class Correction:
    """A sentence, its correction, and the runners-up."""

    source: str
    text: str
    edits: tuple[ScoredEdit, ...]
    """What changed, from left to right."""
    alternatives: tuple[Alternative, ...]
    """Best first; the unchanged sentence is always among them."""
    margin: float
    """Total of the best alternative minus that of the unchanged sentence: log-odds that something is wrong."""
    withheld: tuple[ScoredEdit, ...] = ()
    """What would have changed, too, but would have left something no reader expects (`permend.corrector.vetting`)."""

    @classmethod
    def blank(cls, source: str) -> Correction:
        """Return the correction of a text without a single character to read: itself."""
        return cls(source, source, (), (Alternative(source, 0.0, 0.0, 2, 0.0, True),), 0.0)  # <s> and </s>

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        from permend.corrector.notebook import correction_html  # needed nowhere else

        return correction_html(self)

    def without(self, unwanted: Callable[[Edit], bool]) -> Correction:
        """Return the correction without some of its edits, and without the other halves of words that they move."""
        dropped = [edit for edit in self.edits if unwanted(edit)]
        if not dropped:
            return self
        kept = [edit for edit in self.edits if not any(edit is no or move_together(edit, no) for no in dropped)]
        return replace(self, text=apply(self.source, kept), edits=tuple(kept))

    def then(self, second: Correction) -> Correction:
        """Return this correction with one of its own text carried out on top; alternatives and margin stay."""
        if not second.edits:
            return self
        edits = compose(self.source, self.edits, second.edits)
        return replace(self, text=second.text, edits=edits)

    def in_style_of(self, source: str) -> Correction:
        """Return the correction of a text that differs from this source in quotation marks and apostrophes alone."""
        if source == self.source:
            return self
        style = Style.of(source)
        edits = tuple(_styled(edit, source, style) for edit in self.edits)
        others = (
            apply(source, [_styled(e, source, style) for e in diff(self.source, a.text)]) for a in self.alternatives
        )
        alternatives = tuple(replace(each, text=text) for each, text in zip(self.alternatives, others, strict=True))
        withheld = tuple(_styled(edit, source, style) for edit in self.withheld)
        return Correction(source, apply(source, edits), edits, alternatives, self.margin, withheld)

    def framed(self, before: str, after: str) -> Correction:
        """Return the same correction of a longer text: with something in front and behind that stays as it is."""
        if not before and not after:
            return self
        at = len(before)
        return Correction(
            before + self.source + after,
            before + self.text + after,
            tuple(replace(edit, start=edit.start + at, end=edit.end + at) for edit in self.edits),
            tuple(replace(each, text=before + each.text + after) for each in self.alternatives),
            self.margin,
            self.withheld,
        )


def _styled(edit: E, source: str, style: Style) -> E:
    """Return an edit of a text with straight signs as one of the source."""
    before, left = source[edit.start : edit.end], source[: edit.start]
    edit = replace(edit, before=before, after=restore(before, edit.after, style, left))
    if isinstance(edit, ScoredEdit) and edit.alternatives:
        others = (replace(each, after=restore(before, each.after, style, left)) for each in edit.alternatives)
        return replace(edit, alternatives=tuple(others))
    return edit


def distinct(ranked: Iterable[Alternative]) -> list[Alternative]:
    """Keep the first of alternatives that read the same."""
    first: dict[str, Alternative] = {}
    for each in ranked:
        first.setdefault(each.text, each)
    return list(first.values())


def score_edits(source: str, text: str, ranked: Sequence[Alternative]) -> tuple[ScoredEdit, ...]:
    """Return the edits from source to text with all that the ranked alternatives say about each."""
    wanted = diff(source, text)
    if not wanted:
        return ()
    from permend.corrector.explaining.explain import (
        explain_edits,  # its word list is read only where something was wrong
    )

    log_probs = np.array([each.log_prob for each in ranked])
    shares = np.exp(log_probs - log_probs.max())
    shares /= shares.sum()
    hypotheses = [(float(share), diff(source, each.text)) for share, each in zip(shares, ranked, strict=True)]
    explanations = explain_edits(source, text, wanted)
    return tuple(
        ScoredEdit(
            edit.start,
            edit.end,
            edit.before,
            edit.after,
            sum(share for share, edits in hypotheses if edit in edits),
            why.type,
            why.sentence,
            _suggest(edit, hypotheses),
        )
        for edit, why in zip(wanted, explanations, strict=True)
    )


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


def level(edits: Sequence[ScoredEdit]) -> list[ScoredEdit]:
    """Give both halves of a moved word the lower probability: they stand or fall together."""
    halves = [[other for other in edits if other is edit or move_together(edit, other)] for edit in edits]
    return [
        replace(edit, probability=min(half.probability for half in both))
        for edit, both in zip(edits, halves, strict=True)
    ]


def compose(source: str, first: Sequence[ScoredEdit], second: Sequence[ScoredEdit]) -> tuple[ScoredEdit, ...]:
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
    from permend.corrector.explaining.explain import explain_edits

    explanations = explain_edits(source, text, composed)
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


def join(parts: Sequence[Correction]) -> Correction:
    """Put the corrections of a split text together: its best whole, and itself unchanged."""
    if len(parts) == 1:
        return parts[0]
    parts = _mind_cuts(parts)
    edits: list[ScoredEdit] = []
    at = 0
    for part in parts:
        for edit in part.edits:
            moved = replace(edit, start=edit.start + at, end=edit.end + at)
            if edits and edits[-1].start == moved.end:  # both put something in at the cut: nothing tells which is first
                last = edits.pop()
                least = min(last.probability, moved.probability)
                moved = replace(last, after=last.after + moved.after, probability=least, alternatives=())
            edits.append(moved)
        at += len(part.source)
    source, text = "".join(part.source for part in parts), "".join(part.text for part in parts)
    same = [next(each for each in part.alternatives if each.unchanged) for part in parts]
    chosen = [part.alternatives[0] if part.edits else kept for part, kept in zip(parts, same, strict=True)]
    wholes = distinct([_whole(chosen), _whole(same)])
    return Correction(source, text, tuple(edits), tuple(wholes), wholes[0].total - _whole(same).total)


def _mind_cuts(parts: Sequence[Correction]) -> list[Correction]:
    """Leave out what a cut inside a sentence misleads to: a full stop before it, a capital behind it."""
    minded = list(parts)
    for place, (first, second) in enumerate(pairwise(parts)):
        if first.source.rstrip(_CLOSING)[-1:] in SENTENCE_END:
            continue
        minded[place] = minded[place].without(partial(_touches_end, first.source))
        minded[place + 1] = minded[place + 1].without(partial(_touches_start, second.source))
    return minded


def _touches_end(source: str, edit: Edit) -> bool:
    return edit.end >= len(source.rstrip())


def _touches_start(source: str, edit: Edit) -> bool:
    return edit.start <= len(source) - len(source.lstrip())


def _whole(parts: Sequence[Alternative]) -> Alternative:
    length = sum(part.length for part in parts)
    return Alternative(
        "".join(part.text for part in parts),
        sum(part.plan_log_prob for part in parts),
        sum(part.fill_log_prob for part in parts),
        length,
        sum(part.score * part.length for part in parts) / length,
        all(part.unchanged for part in parts),
    )
