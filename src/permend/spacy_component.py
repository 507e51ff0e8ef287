"""permend in a spaCy pipeline (the ``spacy`` extra); spaCy finds it by name, nothing else imports it.

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("permend", config={"mode": "precise"})
    doc = nlp("He go to school. All is well.")
    doc._.corrections           # (Finding(start=3, end=5, before='go', after='goes', …),)
    [*doc.sents][0]._.corrections
    permend.apply(doc.text, doc._.corrections)

In: a doc, with sentence boundaries or without. Out: the same doc; offsets of its corrections count its characters. A
doc keeps them as plain values, so that it can be sent to another process or to a file.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, Span

from permend.corrector.correction import Suggestion
from permend.corrector.corrector import Corrector
from permend.documents.checker import Checker, Finding
from permend.documents.dictionary import PersonalDictionary

_KEY = "permend"


class Component:
    """Finds what is wrong in docs."""

    def __init__(self, model: str | None = None, mode: str | None = None, words: bool = True) -> None:
        """Load a model folder, or the model installed with permend, and the writer's personal words if wanted."""
        self._settings = model, mode, words
        self._words = PersonalDictionary.load(Path()) if words else None
        self._checker = Checker(Corrector.from_pretrained(model, mode=mode))

    def __call__(self, doc: Doc) -> Doc:
        """Keep a doc's corrections with it."""
        stretches = doc.sents if doc.has_annotation("SENT_START") else [doc[:]]
        doc.user_data[_KEY] = [asdict(each) for stretch in stretches for each in self._findings(stretch)]
        return doc

    def __reduce__(self) -> tuple[type[Component], tuple[str | None, str | None, bool]]:
        """Load the model again in the process that a copy is sent to."""
        return Component, self._settings

    def _findings(self, stretch: Span) -> list[Finding]:
        at = stretch.start_char
        found = self._checker.check_text(stretch.text, words=self._words)
        return [replace(each, start=each.start + at, end=each.end + at) for each in found]


@Language.factory("permend", default_config={"model": None, "mode": None, "words": True})
def make_component(nlp: Language, name: str, model: str | None, mode: str | None, words: bool) -> Component:
    """Make the component of a pipeline."""
    return Component(model, mode, words)


def corrections(doc: Doc) -> tuple[Finding, ...]:
    """Return what was found in a doc; nothing where the component has not seen it."""
    return tuple(map(_finding, doc.user_data.get(_KEY, ())))


def corrections_within(span: Span) -> tuple[Finding, ...]:
    """Return what was found in a span of a doc, or reaches into it."""
    return tuple(each for each in corrections(span.doc) if _touches(each, span.start_char, span.end_char))


def _touches(finding: Finding, start: int, end: int) -> bool:
    """Whether a finding changes characters of a stretch, or inserts something there."""
    if finding.start == finding.end:
        return start <= finding.start <= end
    return finding.start < end and start < finding.end


def _finding(values: dict[str, Any]) -> Finding:
    alternatives = tuple(Suggestion(**each) for each in values["alternatives"])
    return Finding(**{**values, "alternatives": alternatives})


Doc.set_extension("corrections", getter=corrections, force=True)
Span.set_extension("corrections", getter=corrections_within, force=True)
