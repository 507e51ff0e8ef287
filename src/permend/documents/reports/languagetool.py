"""Findings as LanguageTool's HTTP API gives them, for the clients that speak it.

In: the checked blocks of a document. Out: the answer to ``/v2/check`` as a dictionary.

    languagetool(checker.check(document))["matches"][0]
    # {"message": "The verb …", "offset": 3, "length": 2, "replacements": [{"value": "goes", …}], "rule": {…}, …}

Clients check the types of all fields, so all are always there. Offsets count UTF-16 units. An insertion is
shown on the word beside it, since clients cannot underline nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from permend import __version__
from permend.documents.checker import CheckedBlock, CheckedDocument
from permend.documents.reports.places import Located, MeasuredBlock, measure, units
from permend.documents.reports.rules import find_rule
from permend.text.visible import visible_json

PREFIX = "PERMEND_"
"""What the ids of our rules begin with."""
_GRAMMAR = ("grammar", "GRAMMAR", "Grammar")
_KINDS = {
    "SPELL": ("misspelling", "TYPOS", "Possible Typo"),
    "PUNCT": ("typographical", "PUNCTUATION", "Punctuation"),
    "ORTH": ("typographical", "TYPOGRAPHY", "Typography"),
}
"""LanguageTool's issue type, category and its name, by error type."""
_CASING = ("typographical", "CASING", "Capitalization")


def write_languagetool(documents: Iterable[CheckedDocument]) -> Iterator[str]:
    """Write one answer a document, each on a line of its own."""
    for document in documents:
        yield visible_json(languagetool(document.blocks)) + "\n"


def languagetool(
    blocks: Iterable[CheckedBlock], code: str = "en-US", name: str = "English (US)", detected: str = "given"
) -> dict[str, Any]:
    """Return the answer for a text in a language with a code and a name, and how that was found out."""
    matches: list[dict[str, Any]] = []
    ranges: list[list[int]] = []
    for measured in measure(blocks):
        matches += map(match, measured.locate())
        ranges += _sentence_ranges(measured)
    language = {"name": name, "code": code}
    return {
        "software": software(),
        "warnings": {"incompleteResults": False},
        "language": {**language, "detectedLanguage": {**language, "confidence": 1.0, "source": detected}},
        "matches": matches,
        "sentenceRanges": ranges,
        "extendedSentenceRanges": [
            {"from": start, "to": end, "detectedLanguages": [{"language": code.partition("-")[0], "rate": 1.0}]}
            for start, end in ranges
        ],
    }


def software() -> dict[str, Any]:
    """Say who answers."""
    return {
        "name": "permend",
        "version": __version__,
        "buildDate": "",
        "apiVersion": 1,
        "premium": False,
        "premiumHint": "",
        "status": "",
    }


def match(found: Located) -> dict[str, Any]:
    """Return the match for a finding."""
    found = found.widened()
    finding, rule = found.finding, find_rule(found.finding.type)
    casing = rule.id == "ORTH" and finding.before.lower() == finding.after.lower()
    issue, category, category_name = _CASING if casing else _KINDS.get(rule.id, _GRAMMAR)
    return {
        "message": finding.explanation or rule.help,
        "shortMessage": rule.name,
        "replacements": [
            {"value": finding.after, "confidence": round(finding.probability, 4)},
            *({"value": each.after, "confidence": round(each.probability, 4)} for each in finding.alternatives),
        ],
        "offset": found.start.unit,
        "length": found.end.unit - found.start.unit,
        "context": _context(found),
        "sentence": finding.sentence,
        "type": {"typeName": "UnknownWord" if rule.id == "SPELL" else "Other"},
        "rule": {
            "id": rule_id(finding.type),
            "description": rule.help,
            "issueType": issue,
            "category": {"id": category, "name": category_name},
        },
        "ignoreForIncompleteSentence": False,
        "contextForSureMatch": 0,
    }


def rule_id(kind: str) -> str:
    """Return the id of the rule for a type: ``PERMEND_VERB_SVA`` for ``R:VERB:SVA``."""
    return PREFIX + find_rule(kind).id.replace(":", "_")


def _context(found: Located) -> dict[str, Any]:
    """Return what stands around a finding, on one line."""
    text = found.left + found.finding.before + found.right
    offset, length = units(found.left), units(found.finding.before)
    return {"text": "".join(" " if sign in "\r\n\t" else sign for sign in text), "offset": offset, "length": length}


def _sentence_ranges(measured: MeasuredBlock) -> list[list[int]]:
    sentences = measured.checked.block.sentences
    ranges = ((measured.place(each.start).unit, measured.place(each.end).unit) for each in sentences)
    return [list(each) for each in sorted(ranges)]
