"""Findings as the protocol has them: diagnostics, the name of a result, what one reads when pointing at a finding.

In: an open document. Out: plain dictionaries, ready to be sent: there are hundreds of them at every keystroke.

    >>> text = EditorText("I like cinema.")
    >>> finding = Finding(6, 6, "", " the", 0.93, "M:DET", "The article “the” is missing.")
    >>> diagnostic(text, Found(6, 6, finding), severity=3)["range"]  # there must be something to see
    {'start': {'line': 0, 'character': 2}, 'end': {'line': 0, 'character': 6}}
    >>> print(describe_finding(finding, markdown=False))
    Article or other determiner, 93 % sure
    The article “the” is missing.
    ∅ → the
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

from permend.corrector.correction import Suggestion
from permend.documents.checker import Finding
from permend.documents.reports.places import Located, Place
from permend.documents.reports.rules import find_rule
from permend.lsp.opened import Found, OpenDocument
from permend.lsp.text import EditorText

SOURCE = "permend"
_AROUND = 40  # characters
_HERE = Place(1, 1, 0)
_NOTHING = "∅"
_SPECIAL = str.maketrans({sign: "\\" + sign for sign in "\\`*_{}[]()<>#+-.!|~"})


def diagnostics(document: OpenDocument) -> list[dict[str, Any]]:
    """Return what is known of a document."""
    severity = document.settings.severity
    return [diagnostic(document.text, found, severity) for found in document.found()]


def diagnostic(text: EditorText, found: Found, severity: int) -> dict[str, Any]:
    """Return a finding as a diagnostic."""
    finding = found.finding
    return {
        "range": text.range(*shown_range(text, found)),
        "severity": severity,
        "code": finding.type,
        "source": SOURCE,
        "message": finding.explanation or show_change(finding.before, finding.after),
        "data": {"id": finding.id},
    }


def shown_range(text: EditorText, found: Found) -> tuple[int, int]:
    """Return where a finding is shown: with the word beside it where something is missing."""
    if found.start < found.end:
        return found.start, found.end
    left, right = text.content[max(0, found.start - _AROUND) : found.start], text.content[found.end :][:_AROUND]
    wide = Located(found.finding, _HERE, _HERE, left, right).widened().finding
    moved = found.start - found.finding.start
    return wide.start + moved, wide.end + moved


def result_id(items: list[dict[str, Any]]) -> str:
    """Return a name for diagnostics, the same for the same ones."""
    return blake2b(json.dumps(items).encode(), digest_size=12).hexdigest()


def describe_finding(finding: Finding, markdown: bool) -> str:
    """Say what a finding is, how sure, why, and what could stand there."""
    rule = find_rule(finding.type)
    ways: list[Finding | Suggestion] = [finding, *finding.alternatives]
    if not markdown:
        head = f"{rule.name}, {finding.probability:.0%} sure".replace("%", " %")
        return "\n".join([head, finding.explanation, *(show_change(finding.before, way.after) for way in ways)])
    head = f"**{rule.name}** · {100 * finding.probability:.0f} % sure"
    changes = [f"- {_escaped(show_change(finding.before, way.after))} ({way.probability:.0%})" for way in ways]
    wrong, right = rule.example
    why = f"{rule.help} *{wrong}* → *{right}*"
    return "\n\n".join([head, _escaped(finding.explanation), "\n".join(changes), why])


def show_change(before: str, after: str) -> str:
    """Show what becomes of what."""
    old, new = " ".join(before.split()), " ".join(after.split())
    if old == new:  # only whitespace changes
        old, new = before.replace(" ", "␣"), after.replace(" ", "␣")
    return f"{old or _NOTHING} → {new or _NOTHING}"


def _escaped(text: str) -> str:
    return text.translate(_SPECIAL)
