"""What comes out of a corrector: a sentence, its correction, and what else it could be.

    correction.text           # 'He went to school yesterday.'
    correction.edits          # (ScoredEdit(start=3, end=5, before='go', after='went', probability=0.93, …),)
    correction.alternatives   # ranked whole sentences, the unchanged one always among them
    [edit] = correction.edits
    edit.type                 # 'R:VERB:TENSE'
    edit.explanation          # 'The verb is in the wrong tense: write “went” instead of “go”.'
    edit.alternatives         # (Suggestion(after='goes', probability=0.04),): what else could stand in this place

`permend.corrector.scoring` says all this about edits; `join` puts the corrections of a split text together again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import TypeVar

from permend.text.edits import SENTENCE_END, Edit, apply, diff, move_together
from permend.text.quotes import Style, restore

E = TypeVar("E", bound=Edit)

_CLOSING = " \t\r\n\"')]”’»"


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

    def unchanged(self) -> Correction:
        """Return what would be known had nothing been changed."""
        return replace(self, text=self.source, edits=(), withheld=())

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

    def shifted(self, before: str, after: str) -> Correction:
        """Return the same correction of a longer text: what stands before and after stays as it is."""
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
