"""A correction as the command line shows it: of raw text, or of a space-tokenised benchmark line.

In: a line and what the corrector made of it. Out: a `View`, which becomes JSON or text. For a tokenised line, text and
alternatives are tokenised, too, and edits count tokens where those of raw text count characters; an edit of tokens may
hold several of characters, and has all their types and explanations.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from permend.corpora.detokenize import Detokenized
from permend.corpora.tokenized import retokenize, token_edits
from permend.correction import Correction
from permend.reports.m2 import m2_sentence, m2_tokens
from permend.text.edits import diff

_DIGITS = 4


@dataclass(frozen=True)
class View:
    """What is shown of a correction."""

    source: str
    text: str
    edits: list[dict[str, Any]]
    alternatives: list[tuple[float, str]]
    """Scores and sentences, best first."""
    margin: float
    as_m2: Callable[[], str]
    """Writes the sentence with its edits as the benchmarks do."""

    def as_json(self, alternatives: int | None) -> str:
        """Return one line of JSON; None lists all alternatives."""
        document = {
            "source": self.source,
            "text": self.text,
            "edits": self.edits,
            "margin": round(self.margin, _DIGITS),
            "alternatives": [
                {"text": text, "score": round(score, _DIGITS)} for score, text in self.alternatives[:alternatives]
            ],
        }
        return json.dumps(document, ensure_ascii=False)

    def as_list(self, alternatives: int) -> str:
        """Return the best sentences, each on a line behind its score, and an empty line."""
        return "".join(f"{score:.{_DIGITS}f}\t{text}\n" for score, text in self.alternatives[:alternatives]) + "\n"


def view(correction: Correction) -> View:
    """Show a correction of raw text."""
    edits = [
        {
            "start": edit.start,
            "end": edit.end,
            "before": edit.before,
            "after": edit.after,
            "probability": round(edit.probability, _DIGITS),
            "type": edit.type,
            "explanation": edit.explanation,
            "alternatives": [
                {"after": each.after, "probability": round(each.probability, _DIGITS)} for each in edit.alternatives
            ],
        }
        for edit in correction.edits
    ]
    alternatives = [(each.score, each.text) for each in correction.alternatives]
    as_m2 = partial(m2_sentence, correction.source, correction.edits)
    return View(correction.source, correction.text, edits, alternatives, correction.margin, as_m2)


def tokenized_view(line: str, tokens: Detokenized, correction: Correction) -> View:
    """Show the correction of a line's detokenised text as one of its tokens."""
    scored = {edit.start: edit for edit in correction.edits}
    changed = token_edits(tokens, correction.edits)
    edits = [
        {
            "start": edit.start,
            "end": edit.end,
            "before": " ".join(edit.before),
            "after": " ".join(edit.after),
            "probability": round(min(scored[each.start].probability for each in edit.edits), _DIGITS),
            "type": " ".join(scored[each.start].type for each in edit.edits),
            "explanation": " ".join(scored[each.start].explanation for each in edit.edits),
        }
        for edit in changed
    ]
    alternatives = {
        " ".join(retokenize(tokens, diff(tokens.text, each.text))): each.score
        for each in reversed(correction.alternatives)  # where two become the same, the better one stays
    }
    text = " ".join(retokenize(tokens, correction.edits)) if changed else line
    ranked = sorted(((score, text) for text, score in alternatives.items()), key=lambda each: -each[0])
    as_m2 = partial(m2_tokens, tokens, correction.edits)
    return View(line, text, edits, ranked, correction.margin, as_m2)
