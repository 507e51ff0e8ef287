"""A correction as HTML, the way a notebook shows it.

In: a `Correction`. Out: one HTML element without scripts: what was deleted and inserted, with type, probability and
explanation when the mouse rests on it; other suggestions, and other whole sentences, can be unfolded.

    correction_html(Corrector().correct("He go to school."))
    # … He <del>go</del><ins title="R:VERB:TENSE, 93 %: The past tense fits here: “went”.">went</ins> to school. …

Colours are see-through, so that they suit light and dark pages. Whatever the texts hold, the element is well-formed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from permend.corrector.correction import Alternative, Correction, ScoredEdit

_TEXT = "white-space:pre-wrap;font-size:1.1em;line-height:1.6"
_MARK = "text-decoration:{line};background:rgba({colour},.3);border-radius:.2em;padding:0 .1em;unicode-bidi:isolate"
_DELETED = _MARK.format(line="line-through", colour="248,81,73")
_INSERTED = _MARK.format(line="none", colour="46,160,67")
_FAINT = "opacity:.7;font-size:.9em"
_CELL = "text-align:left;background:none"
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")  # not allowed in a page


def correction_html(correction: Correction) -> str:
    """Draw a correction."""
    pieces = _marked(correction.source, correction.edits)
    changes = _changes(correction.edits) if correction.edits else f'<div style="{_FAINT}">nothing to correct</div>'
    return f'<div class="permend"><div style="{_TEXT}">{pieces}</div>{changes}{_sentences(correction)}</div>'


def _marked(source: str, edits: Iterable[ScoredEdit]) -> str:
    """Write the source with its edits marked."""
    out, at = [], 0
    for edit in edits:
        out.append(_escape(source[at : edit.start]))
        title = _escape(_describe(edit))
        for tag, style, text in (("del", _DELETED, edit.before), ("ins", _INSERTED, edit.after)):
            if text:
                out.append(f'<{tag} style="{style}" title="{title}">{_escape(text)}</{tag}>')
        at = edit.end
    return "".join([*out, _escape(source[at:])])


def _describe(edit: ScoredEdit) -> str:
    name = f"{edit.type}, " if edit.type else ""
    why = f": {edit.explanation}" if edit.explanation else ""
    return f"{name}{_percent(edit.probability)}{why}"


def _changes(edits: Sequence[ScoredEdit]) -> str:
    """List the edits with what else could stand there."""
    heads = ["change", "probability", "why", "or else"]
    rows = [
        [
            f"<b>{_side(edit.before)} → {_side(edit.after)}</b>",
            _percent(edit.probability),
            _escape(edit.explanation or edit.type),
            ", ".join(f"{_side(each.after)} {_percent(each.probability)}" for each in edit.alternatives),
        ]
        for edit in edits
    ]
    if not any(edit.alternatives for edit in edits):
        heads, rows = heads[:-1], [row[:-1] for row in rows]
    return _unfolding("changes", heads, rows)


def _side(text: str) -> str:
    """Write one side of an edit so that one sees it also where it is empty or a space."""
    return _escape(text.strip()) or ("␣" if text else "∅")


def _sentences(correction: Correction) -> str:
    """List the ranked sentences."""
    rows = [[_score(each), _escape(each.text)] for each in correction.alternatives]
    return _unfolding("alternatives", ["score", "sentence"], rows)


def _score(alternative: Alternative) -> str:
    return f"{alternative.score:.3f}" + (" unchanged" if alternative.unchanged else "")


def _unfolding(summary: str, heads: list[str], rows: list[list[str]]) -> str:
    head = _cells("th", heads)
    body = "".join(f"<tr>{_cells('td', row)}</tr>" for row in rows)
    return (
        f'<details><summary style="{_FAINT}">{len(rows)} {summary if len(rows) != 1 else summary[:-1]}</summary>'
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></details>"
    )


def _cells(tag: str, contents: Iterable[str]) -> str:
    return "".join(f'<{tag} style="{_CELL}">{content}</{tag}>' for content in contents)


def _percent(share: float) -> str:
    return f"{share:.0%}"


def _escape(text: str) -> str:
    return escape(_NO_TEXT.sub("\ufffd", text))
