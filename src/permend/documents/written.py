"""A sentence as its writer sees it: with the code, maths and names that a noun was shown for.

In: a sentence and the text of the document around it. Out: what a person is told, since nobody should read that a comma
is missing after a word that he never wrote.

>>> from permend.documents.paragraphs import Run
>>> text = "We run `pip` so it works."
>>> before, behind = Run(0, 7, "We run ", editable=True), Run(12, 25, " so it works.", editable=True)
>>> runs = (before, Run(7, 12, "Python", placeholder=True), behind)
>>> written = Written.of(Sentence("We run Python so it works.", runs), text)
>>> written.text
'We run `pip` so it works.'
>>> edit = Edit(13, 13, "", ",")
>>> written.place(edit), written.explain("A comma is missing after “Python”.", edit)
(Edit(start=12, end=12, before='', after=','), 'A comma is missing after “`pip`”.')
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from permend.documents.paragraphs import NOUN, VOWEL_NOUN
from permend.documents.sentence import E, Sentence
from permend.text.edits import Edit

_STAND_IN = re.compile(rf"\b(?:{NOUN}|{VOWEL_NOUN})\b")
_QUOTED = re.compile(r"(?<=“)[^”]*(?=”)")
_LONGEST = 60  # characters shown of what a noun stands for


@dataclass(frozen=True)
class Written:
    """A sentence's text, and what became of the places in its prose."""

    text: str
    prose: str
    stand_ins: tuple[tuple[int, int, str], ...]
    """Where in the prose a noun stands for something, and for what."""

    @classmethod
    def of(cls, sentence: Sentence, text: str, origin: int = 0) -> Written:
        """Take a sentence, and the text of the document from `origin` on."""
        at = 0
        parts: list[str] = []
        found: list[tuple[int, int, str]] = []
        for run in sentence.runs:
            shown = run.shown
            if not run.editable and (noun := _STAND_IN.fullmatch(shown.strip())):
                what = _shortened(text[run.start - origin : run.end - origin])
                begin = at + shown.index(noun.group())
                found.append((begin, begin + len(noun.group()), what))
                shown = shown.replace(noun.group(), what)
            parts.append(shown)
            at += len(run.shown)
        return cls("".join(parts), sentence.prose, tuple(found))

    def place(self, edit: E) -> E:
        """Return an edit of the prose as one of the text."""
        start, end = (
            place + sum(len(what) - (last - first) for first, last, what in self.stand_ins if last <= place)
            for place in (edit.start, edit.end)
        )
        return replace(edit, start=start, end=end)

    def explain(self, explanation: str, edit: Edit) -> str:
        """Return an explanation of an edit of the prose that quotes what is written."""
        return _QUOTED.sub(lambda quoted: _STAND_IN.sub(lambda noun: self._named(noun, edit), quoted[0]), explanation)

    def _named(self, noun: re.Match[str], edit: Edit) -> str:
        """Return what the nearest such noun stands for; itself, where the writer wrote it."""
        same = [each.span() for each in re.finditer(rf"\b{noun[0]}\b", self.prose)]
        nearest = min(same, key=lambda span: max(span[0] - edit.end, edit.start - span[1]), default=None)
        return next((what for first, last, what in self.stand_ins if (first, last) == nearest), noun[0])


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
