r"""Findings as JSON: one object a document, or one a finding.

In: checked documents. Out: pieces of text that are written as they come, so that memory does not grow with a document.

    {"path": "a.txt", "format": "plain", "encoding": "utf-8", "findings": [{"start": 3, "end": 5, "line": 1,
     "column": 4, "before": "go", "after": "goes", "probability": 0.93, "type": "R:VERB:SVA", …}]}

Offsets count characters from the beginning of the document, lines and columns from 1; probabilities are from 0 to 1.
Each object stands on a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from permend.documents.checker import CheckedDocument
from permend.documents.reports.places import Located, locate
from permend.text.visible import visible_json

_DIGITS = 4


def write_json(documents: Iterable[CheckedDocument]) -> Iterator[str]:
    """Write one object a document, each on a line of its own."""
    for document in documents:
        head = {"path": document.name, "format": document.format, "encoding": document.encoding.name}
        yield visible_json(head).removesuffix("}") + ', "findings": ['
        for number, found in enumerate(locate(document.blocks)):
            yield ", " * bool(number) + visible_json(finding_object(found))
        yield "]}\n"


def write_lines(documents: Iterable[CheckedDocument]) -> Iterator[str]:
    """Write one object a finding, each on a line of its own with the path of its document."""
    for document in documents:
        for found in locate(document.blocks):
            yield visible_json({"path": document.name, **finding_object(found)}) + "\n"


def finding_object(found: Located) -> dict[str, Any]:
    """Return all that is known about a finding."""
    finding = found.finding
    return {
        "start": finding.start,
        "end": finding.end,
        "line": found.start.line,
        "column": found.start.column,
        "before": finding.before,
        "after": finding.after,
        "probability": round(finding.probability, _DIGITS),
        "type": finding.type,
        "explanation": finding.explanation,
        "alternatives": [
            {"after": each.after, "probability": round(each.probability, _DIGITS)} for each in finding.alternatives
        ],
        "sentence": finding.sentence,
        "id": finding.id,
    }
