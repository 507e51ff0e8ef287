"""What must hold for every report of a checked document.

In: a document's text and checked blocks. Out: nothing, or `Broken`.

Each report has each finding once, in its place: a reader that goes by line and column, by characters, by UTF-16 units
or by tokens comes to the same stretch, and what it writes there makes the text that the finding makes. A diff that is
carried out gives the corrected document byte for byte.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.fuzzing.broken import hold
from permend.documents import Document, Encoding
from permend.documents.checker import CheckedBlock, CheckedDocument, Finding
from permend.documents.reports.compiler import write_messages
from permend.documents.reports.json_report import write_json, write_lines
from permend.documents.reports.languagetool import write_languagetool
from permend.documents.reports.m2 import write_m2
from permend.documents.reports.patch import write_patch
from permend.documents.reports.sarif import write_sarif
from permend.documents.written import Written
from permend.errors import PermendError

_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n")
_STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\ud800-\udfff]")
_NO_END = b"\\ No newline at end of file\n"
_NAME = "a.txt"


def examine_reports(text: str, blocks: Sequence[CheckedBlock], document: Document, patch: bool = False) -> None:
    """Write all reports and read them again; the diff also with `patch`, if that is wanted."""

    def made() -> Iterator[CheckedDocument]:
        yield CheckedDocument(_NAME, iter(blocks), document.format, document.encoding)

    findings = [finding for each in blocks for finding in each.findings]
    starts = [0, *accumulate(len(line) for line in text.split("\n"))]
    starts = [start + number for number, start in enumerate(starts)]
    _examine_json(text, starts, findings, json.loads("".join(write_json(made())))["findings"])
    _examine_json(text, starts, findings, [json.loads(line) for line in write_lines(made())])
    _examine_messages(findings, list(write_messages(made())))
    _examine_sarif(text, starts, findings, json.loads("".join(write_sarif(made()))))
    _examine_languagetool(text, findings, json.loads("".join(write_languagetool(made()))))
    _examine_m2(blocks, findings, "".join(write_m2(made())))
    _examine_patch(text, "".join(each.text for each in blocks), document.encoding, made(), patch)
    if _is_narrow(document.encoding, text):
        list(write_patch(made(), colour=True))


def _examine_json(text: str, starts: list[int], findings: list[Finding], objects: list[dict[str, Any]]) -> None:
    hold(len(objects) == len(findings), "json: another number of findings")
    for each, finding in zip(objects, findings, strict=True):
        hold(
            (each["start"], each["end"], each["after"]) == (finding.start, finding.end, finding.after),
            "json: elsewhere",
        )
        hold(text[each["start"] : each["end"]] == each["before"], "json: reads something else")
        hold(starts[each["line"] - 1] + each["column"] - 1 == each["start"], "json: another line or column")


def _examine_messages(findings: list[Finding], lines: list[str]) -> None:
    hold(len(lines) == len(findings), "text: another number of lines")
    for line, finding in zip(lines, findings, strict=True):
        hold(line.endswith(f"[{finding.id}]\n"), "text: another finding")
        hold(not _STEERING.search(line[:-1]), "text: something steers a terminal")


def _examine_sarif(text: str, starts: list[int], findings: list[Finding], log: dict[str, Any]) -> None:
    results = log["runs"][0]["results"]
    hold(len(results) == len(findings), "sarif: another number of results")
    for each, finding in zip(results, findings, strict=True):
        region = each["locations"][0]["physicalLocation"]["region"]
        change = each["fixes"][0]["artifactChanges"][0]["replacements"][0]
        start, end = region["charOffset"], region["charOffset"] + region["charLength"]
        hold(0 <= start <= end <= len(text), "sarif: a region outside the file")
        hold(change["deletedRegion"] == region, "sarif: a fix elsewhere")
        hold(
            text[:start] + change["insertedContent"]["text"] + text[end:] == _carried_out(text, finding),
            "sarif: another fix",
        )
        for line, column, place in (("startLine", "startColumn", start), ("endLine", "endColumn", end)):
            hold(region[column] >= 1 and starts[region[line] - 1] + region[column] - 1 == place, "sarif: another line")


def _examine_languagetool(text: str, findings: list[Finding], answer: dict[str, Any]) -> None:
    hold(len(answer["matches"]) == len(findings), "lt: another number of matches")
    wide = text.encode("utf-16-le", "surrogatepass")
    for each, finding in zip(answer["matches"], findings, strict=True):
        start, end = 2 * each["offset"], 2 * (each["offset"] + each["length"])
        value = each["replacements"][0]["value"].encode("utf-16-le", "surrogatepass")
        expected = _carried_out(text, finding).encode("utf-16-le", "surrogatepass")
        hold(0 <= start <= end <= len(wide) and wide[:start] + value + wide[end:] == expected, "lt: another fix")
        context = each["context"]
        shown = context["text"].encode("utf-16-le", "surrogatepass")
        shown = shown[2 * context["offset"] : 2 * (context["offset"] + context["length"])]
        hold(_blank(shown) == _blank(wide[start:end]), "lt: another context")
    for first, last in answer["sentenceRanges"]:
        hold(0 <= first <= last <= len(wide) // 2, "lt: a sentence outside the text")


def _blank(wide: bytes) -> str:
    return re.sub(r"[\r\n\t]", " ", wide.decode("utf-16-le", "surrogatepass"))


def _examine_m2(blocks: Sequence[CheckedBlock], findings: list[Finding], report: str) -> None:
    sentences = [(each.block, sentence) for each in blocks for sentence in each.block.sentences]
    groups = report.split("\n\n")
    hold(groups.pop() == "" and len(groups) == len(sentences), "m2: another number of sentences")
    grown = 0
    for group, (block, sentence) in zip(groups, sentences, strict=True):
        first, *rows = group.split("\n")
        tokens = first.removeprefix("S ").split(" ")
        written = Written.of(sentence, block.text, block.start).text
        hold("".join(tokens) == _dense(written), "m2: another sentence")
        done = 0
        for row in rows:
            hold(row.startswith("A ") and row.count("|||") == 5, "m2: no line of an edit")
            place, kind, after, *_ = row[2:].split("|||")
            start, end = map(int, place.split())
            if kind == "noop":
                hold(len(rows) == 1, "m2: nothing and something")
                continue
            hold(done <= start <= end <= len(tokens), "m2: edits overlap or leave the sentence")
            done = end
            grown += len(_dense(after)) - sum(map(len, tokens[start:end]))
    expected = sum(len(_dense(each.after)) - len(_dense(each.before)) for each in findings)
    hold(grown == expected, "m2: a finding is missing or there twice")


def _dense(text: str) -> str:
    return "".join(text.split())


def _is_narrow(encoding: Encoding, text: str) -> bool:
    return encoding.encode("\n") == b"\n" and encoding.can_write(text)


def _examine_patch(text: str, corrected: str, encoding: Encoding, made: Iterator[CheckedDocument], real: bool) -> None:
    try:
        diff = "".join(write_patch(made)).encode("utf-8", "surrogateescape")
    except PermendError:
        hold(not _is_narrow(encoding, text), "patch: refused")
        return
    if not encoding.can_write(text):
        return
    old, new = (encoding.mark + encoding.encode(side) for side in (text, corrected))
    hold(bool(diff) == (old != new), "patch: a diff of nothing, or none of something")
    if diff:
        hold(_patched(old, diff) == new, "patch: another document")
    if diff and real:
        with TemporaryDirectory() as folder:
            file = Path(folder, _NAME)
            file.write_bytes(old)
            command = ["patch", "--binary", "--fuzz=0", "-s", "-p1", "-d", folder]
            done = subprocess.run(command, input=diff, capture_output=True, check=False)
            hold(done.returncode == 0 and file.read_bytes() == new, "patch: the program makes something else of it")


def _patched(old: bytes, diff: bytes) -> bytes:
    """Carry out a diff, strictly."""
    lines, done = _lines(old), 0
    result: list[bytes] = []
    rows = _lines(diff)[2:]
    at = 0
    while at < len(rows):
        head = _HUNK.fullmatch(rows[at])
        assert head, rows[at]
        first, count, _, new_count = (int(each or 1) if each != b"0" else 0 for each in head.groups())
        begin = first - 1 if count else first
        result += lines[done:begin]
        done, at = begin, at + 1
        while count or new_count:
            sign, line = rows[at][:1], rows[at][1:]
            at += 1
            if at < len(rows) and rows[at] == _NO_END:
                line, at = line[:-1], at + 1
            if sign in b" -":
                hold(lines[done] == line, "patch: a line that is not there")
                done, count = done + 1, count - 1
            if sign in b" +":
                result.append(line)
                new_count -= 1
    return b"".join([*result, *lines[done:]])


def _lines(data: bytes) -> list[bytes]:
    """Split behind line feeds, and nowhere else."""
    return [line for line in re.findall(rb"[^\n]*\n?", data) if line]


def _carried_out(text: str, finding: Finding) -> str:
    return text[: finding.start] + finding.after + text[finding.end :]
