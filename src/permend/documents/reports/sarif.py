"""Findings as SARIF 2.1.0, the format of code scanners and of continuous integration.

In: checked documents. Out: pieces of one JSON document, written as they come: one run, a rule for each error type, a
result for each finding with its place and the fix.

    {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "permend", "rules": […]}}, "results": [
      {"ruleId": "VERB:SVA", "message": {"text": "…"}, "locations": […], "fixes": […]}]}]}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from permend import __version__
from permend.documents.checker import CheckedDocument
from permend.documents.reports.places import Located, locate
from permend.documents.reports.rules import RULES, Rule, find_rule
from permend.text.visible import visible_json

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ORDER = {name: place for place, name in enumerate(RULES)}


def write_sarif(documents: Iterable[CheckedDocument]) -> Iterator[str]:
    """Write a whole log."""
    head, results, tail = json.dumps(log([])).rpartition("[]")
    assert results, "the results come last"
    yield f"{head}["
    first = True
    for document in documents:
        uri = _uri(document.name)
        for found in locate(document.blocks):
            yield ("" if first else ", ") + visible_json(result(found, uri))
            first = False
    yield f"]{tail}\n"


def log(results: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a log with results."""
    driver = {"name": "permend", "version": __version__, "rules": [_rule(rule) for rule in RULES.values()]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: Rule) -> dict[str, Any]:
    wrong, right = rule.example
    return {
        "id": rule.id,
        "name": "".join(word.capitalize() for word in rule.name.split()),
        "shortDescription": {"text": f"{rule.name}."},
        "fullDescription": {"text": rule.help},
        "help": {
            "text": f"{rule.help} Wrong: {wrong} Right: {right}",
            "markdown": f"{rule.help}\n\n- wrong: *{wrong}*\n- right: *{right}*",
        },
        "defaultConfiguration": {"level": "warning"},
    }


def result(found: Located, uri: str) -> dict[str, Any]:
    """Return the result for a finding in the file behind a URI."""
    wide = found.widened()
    finding, rule, file = wide.finding, find_rule(wide.finding.type), {"uri": uri}
    replacement = {"deletedRegion": _region(wide), "insertedContent": {"text": finding.after}}
    return {
        "ruleId": rule.id,
        "ruleIndex": _ORDER[rule.id],
        "level": "warning",
        "rank": round(100 * finding.probability, 2),
        "message": {"text": finding.explanation or rule.help},
        "locations": [{"physicalLocation": {"artifactLocation": file, "region": _region(wide)}}],
        "partialFingerprints": {"sentenceAndEdit/v1": _fingerprint(found)},
        "fixes": [
            {
                "description": {"text": f"Write “{finding.after.strip()}”." if finding.after.strip() else "Delete it."},
                "artifactChanges": [{"artifactLocation": file, "replacements": [replacement]}],
            }
        ],
    }


def _region(found: Located) -> dict[str, int]:
    """Return a stretch of the file; the end column is the first one behind it."""
    return {
        "startLine": found.start.line,
        "startColumn": found.start.column,
        "endLine": found.end.line,
        "endColumn": found.end.column,
        "charOffset": found.finding.start,
        "charLength": found.finding.end - found.finding.start,
    }


def _fingerprint(found: Located) -> str:
    """Know a finding again when the text around its sentence has changed."""
    parts = (found.finding.sentence, found.finding.type, found.finding.before, found.finding.after)
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _uri(name: str) -> str:
    path = Path(name)
    if name == "-":
        return "stdin"
    return path.as_uri() if path.is_absolute() else quote(path.as_posix(), errors="surrogateescape")
