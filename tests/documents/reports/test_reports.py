"""Reports hold every finding, once and in its place, whatever a document is cut into."""

from __future__ import annotations

import json
import subprocess
import weakref
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from permend.corpora.m2 import read_m2
from permend.corrector.explaining.en.types import TYPES
from permend.documents import Block, Document
from permend.documents.checker import CheckedBlock, CheckedDocument, Finding
from permend.documents.reports.compiler import write_messages
from permend.documents.reports.json_report import write_json, write_lines
from permend.documents.reports.languagetool import languagetool, write_languagetool
from permend.documents.reports.m2 import write_m2
from permend.documents.reports.patch import write_patch
from permend.documents.reports.rules import RULES, find_rule
from permend.documents.reports.sarif import write_sarif
from permend.text.edits import Edit, apply
from tests.documents.reports.made import TEXT, checked, document

Writer = Callable[[Iterable[CheckedDocument]], Iterator[str]]
WRITERS: tuple[Writer, ...] = (
    write_json, write_languagetool, write_lines, write_m2, write_messages, write_patch, write_sarif,
)  # fmt: skip


def test_messages_are_lines_that_an_editor_can_jump_to() -> None:
    assert "".join(write_messages(document())).splitlines() == [
        "a.txt:2:4: R:VERB:SVA go → goes  Because of R:VERB:SVA.",
        "a.txt:2:7: M:DET to → to the  Because of M:DET.",
        "a.txt:4:11: U:PREP to → ∅  Because of U:PREP.",
        "a.txt:4:17: R:ORTH bed . → bed.  Because of R:ORTH.",
    ]


def test_json_holds_what_is_needed_to_correct_a_document() -> None:
    two = [*document(), *document("empty.txt", [])]
    first, second = (json.loads(line) for line in "".join(write_json(two)).splitlines())
    assert (first["path"], first["format"], first["encoding"]) == ("a.txt", "plain", "utf-8")
    keys = ("start", "end", "before", "after")
    edits = [Edit(*(each[key] for key in keys)) for each in first["findings"]]
    assert apply(TEXT, edits) == "".join(block.text for block in checked())
    assert first["findings"][0]["alternatives"] == [{"after": "went", "probability": 0.04}]
    assert second["findings"] == []
    lines = [json.loads(line) for line in "".join(write_lines(document())).splitlines()]
    assert lines == [{"path": "a.txt", **each} for each in first["findings"]]


def test_every_error_type_has_a_rule() -> None:
    assert tuple(RULES) == TYPES
    assert find_rule("R:VERB:SVA").id == "VERB:SVA"
    assert find_rule("UNK").id == find_rule("").id == "OTHER"


def test_sarif_has_what_version_2_1_0_requires() -> None:
    log = json.loads("".join(write_sarif([*document("docs/ä b.md"), *document("/abs.txt")])))
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "permend"
    assert [rule["id"] for rule in driver["rules"]] == list(TYPES)
    for rule in driver["rules"]:
        assert all(rule[key]["text"] for key in ("shortDescription", "fullDescription", "help"))
    assert len(run["results"]) == 8
    for result in run["results"]:
        assert result["message"]["text"]
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert 0 <= result["rank"] <= 100
        assert result["level"] in ("none", "note", "warning", "error")
        [location] = result["locations"]
        region = location["physicalLocation"]["region"]
        assert (region["startLine"], region["startColumn"]) < (region["endLine"], region["endColumn"])
        assert all(isinstance(number, int) for number in region.values())
        [fix] = result["fixes"]
        [change] = fix["artifactChanges"]
        assert change["artifactLocation"] == location["physicalLocation"]["artifactLocation"]
        [replacement] = change["replacements"]
        assert replacement["deletedRegion"] == region
        assert isinstance(replacement["insertedContent"]["text"], str)
    uris = [each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in run["results"]]
    assert {*uris} == {"docs/%C3%A4%20b.md", "file:///abs.txt"}
    prints = [each["partialFingerprints"]["sentenceAndEdit/v1"] for each in run["results"]]
    assert len({*prints}) == 4, "the same finding is known again"


def test_languagetools_clients_find_every_field_of_the_right_type() -> None:
    answer = languagetool(checked())
    shape: dict[str, Any] = {
        "software": {
            "name": str, "version": str, "buildDate": str, "apiVersion": int, "premium": bool, "premiumHint": str,
            "status": str,
        },
        "warnings": {"incompleteResults": bool},
        "language": {
            "name": str, "code": str, "detectedLanguage": {"name": str, "code": str, "confidence": float, "source": str}
        },
        "matches": [{
            "message": str, "shortMessage": str, "replacements": [{"value": str, "confidence": float}],
            "offset": int, "length": int, "context": {"text": str, "offset": int, "length": int}, "sentence": str,
            "type": {"typeName": str},
            "rule": {"id": str, "description": str, "issueType": str, "category": {"id": str, "name": str}},
            "ignoreForIncompleteSentence": bool, "contextForSureMatch": int,
        }],
        "sentenceRanges": [[int]],
        "extendedSentenceRanges": [{"from": int, "to": int, "detectedLanguages": [{"language": str, "rate": float}]}],
    }  # fmt: skip
    fits(answer, shape)
    assert len(answer["matches"]) == 4
    assert json.loads("".join(write_languagetool(document()))) == answer


def fits(value: Any, shape: Any) -> None:
    if isinstance(shape, dict):
        assert value.keys() == shape.keys()
        for key, inner in shape.items():
            fits(value[key], inner)
    elif isinstance(shape, list):
        assert value
        for each in value:
            fits(each, shape[0])
    else:
        assert type(value) is shape


@pytest.mark.parametrize(
    ("before", "after", "kind", "issue", "category"),
    [
        ("monday", "Monday", "R:ORTH", "typographical", "CASING"),
        ("some times", "sometimes", "R:ORTH", "typographical", "TYPOGRAPHY"),
        ("recieve", "receive", "R:SPELL", "misspelling", "TYPOS"),
        (",", ";", "R:PUNCT", "typographical", "PUNCTUATION"),
        ("go", "goes", "R:VERB:SVA", "grammar", "GRAMMAR"),
        ("strange", "stranger", "R:UNHEARD:OF", "grammar", "GRAMMAR"),
    ],
)
def test_types_become_languagetools_categories(before: str, after: str, kind: str, issue: str, category: str) -> None:
    text = f"They say {before} again."
    [match] = languagetool(checked(text, ((before, 0, before, after, kind),)))["matches"]
    assert (match["rule"]["issueType"], match["rule"]["category"]["id"]) == (issue, category)


def test_languagetools_offsets_count_utf_16_units() -> None:
    answer = languagetool(checked())
    raw = TEXT.encode("utf-16-le")
    marked = [raw[2 * each["offset"] :][: 2 * each["length"]].decode("utf-16-le") for each in answer["matches"]]
    assert marked == ["go", "to", " to", " "]
    for match in answer["matches"]:
        context = match["context"]["text"].encode("utf-16-le")
        inside = context[2 * match["context"]["offset"] :][: 2 * match["context"]["length"]].decode("utf-16-le")
        assert inside == raw[2 * match["offset"] :][: 2 * match["length"]].decode("utf-16-le")
        assert "\n" not in match["context"]["text"]
    assert [raw[2 * start : 2 * end].decode("utf-16-le") for start, end in answer["sentenceRanges"]] == [
        "Hi 😀, all is well.", "He go to cinema.", "She go to to bed .",
    ]  # fmt: skip
    assert answer["matches"][1]["replacements"] == [{"value": "to the", "confidence": 0.9}]


def test_m2_is_read_back_with_the_same_corrections(tmp_path: Path) -> None:
    file = tmp_path / "a.m2"
    file.write_text("".join(write_m2(document())), encoding="utf-8")
    sentences = list(read_m2(file))
    assert [" ".join(each.tokens) for each in sentences] == [
        "Hi 😀 , all is well .", "He go to cinema .", "She go to to bed .",
    ]  # fmt: skip
    assert [" ".join(each.corrected()) for each in sentences] == [
        "Hi 😀 , all is well .", "He goes to the cinema .", "She go to bed .",
    ]  # fmt: skip
    assert [edit.type for edit in sentences[1].annotations[0]] == ["R:VERB:SVA", "M:DET"]


def test_m2_is_read_back_where_a_correction_is_a_bar(tmp_path: Path) -> None:
    file = tmp_path / "a.m2"
    blocks = checked("One / two.\n", (("One / two", 4, "/", "|", "R:PUNCT"),))
    file.write_text("".join(write_m2(document(blocks=blocks))), encoding="utf-8")
    [sentence] = read_m2(file)
    assert sentence.corrected() == ["One", "|", "two", "."]


def test_m2_has_a_finding_once_where_two_sentences_touch() -> None:
    text = "This .You came."
    [block] = Document.from_text(text)
    assert [each.prose for each in block.sentences] == ["This .", "You came."]
    findings = tuple(Finding(6, 6, "", after, 0.9, "M:PUNCT", "", (), sentence)
                     for after, sentence in (("!", "This ."), ("And ", "You came.")))  # fmt: skip
    report = "".join(write_m2(document(blocks=[CheckedBlock(block, findings, block.apply(findings))])))
    assert report.split("\n\n") == [
        "S This .\nA 2 2|||M:PUNCT|||!|||REQUIRED|||-NONE-|||0",
        "S You came .\nA 0 0|||M:PUNCT|||And|||REQUIRED|||-NONE-|||0",
        "",
    ]


LINES = [f"Line {number} is here.\n" for number in range(30)]
DOCUMENTS = {
    "far apart": ("".join(LINES), (3, 25)),
    "close": ("".join(LINES), (3, 4, 10)),
    "first and last": ("".join(LINES), (0, 29)),
    "no end": ("".join(LINES).removesuffix("\n"), (2, 29)),
    "one line": ("Line 0 is here.", (0,)),
    "windows": ("".join(LINES).replace("\n", "\r\n"), (0, 7, 29)),
}


@pytest.mark.skipif(not which("patch"), reason="there is no patch")
@pytest.mark.parametrize("name", DOCUMENTS)
def test_patch_carries_a_diff_out(name: str, tmp_path: Path) -> None:
    text, wrong = DOCUMENTS[name]
    blocks = checked(text, tuple((f"Line {number} is", 5, str(number), "x 😀", "R:OTHER") for number in wrong))
    for new, right in ((tmp_path / "cut.txt", in_pieces(blocks)), (tmp_path / "whole.txt", blocks)):
        new.write_bytes(text.encode())
        diff = "".join(write_patch([CheckedDocument(new.name, iter(right))]))
        subprocess.run(["patch", "-p1", "--binary"], input=diff.encode(), cwd=tmp_path, check=True, capture_output=True)
        assert new.read_bytes().decode() == "".join(block.text for block in blocks)
        removed = [row for row in diff.splitlines() if row.startswith("-") and not row.startswith("---")]
        assert len(removed) == len(wrong), "no line that stays is in the way"


@pytest.mark.parametrize("text", ["He see the\ncat.\nAll is well.\n", "All.\nHe see the\ncat.", "He see the\n"])
@pytest.mark.parametrize("program", ["patch -p1", "git apply -"])
def test_lines_that_become_one_are_one_in_the_diff(text: str, program: str, tmp_path: Path) -> None:
    [block] = checked(text, (("the\n", 0, "the\n", "", "U:DET"),))
    cut = text.index("the\n") + len("the\n")
    first, second = Block(0, text[:cut], []), Block(cut, text[cut:], [])
    halves = [
        CheckedBlock(first, block.findings, first.apply(block.findings)),
        CheckedBlock(second, (), second.text),
    ]
    for blocks in ([block], halves):
        (tmp_path / "a.txt").write_text(text)
        diff = "".join(write_patch([CheckedDocument("a.txt", iter(blocks))]))
        subprocess.run(program.split(), input=diff.encode(), cwd=tmp_path, check=True, capture_output=True)
        assert (tmp_path / "a.txt").read_text() == block.text


def in_pieces(blocks: list[CheckedBlock]) -> list[CheckedBlock]:
    """Cut a document somewhere in its lines, as one of great length is."""
    [whole] = blocks
    text = whole.block.text
    cuts = [0, *(at + 14 for at in range(0, len(text) - 14, 37) if not inside(whole, at + 14)), len(text)]
    pieces = []
    for start, end in pairwise(cuts):
        block = Block(start, text[start:end], [])
        here = tuple(each for each in whole.findings if start <= each.start and each.end <= end)
        pieces.append(CheckedBlock(block, here, block.apply(here)))
    assert "".join(piece.text for piece in pieces) == whole.text
    return pieces


def inside(block: CheckedBlock, at: int) -> bool:
    return any(each.start < at < each.end for each in block.findings)


def test_a_diff_in_colours_shows_the_words_and_is_else_the_same() -> None:
    plain, coloured = ("".join(write_patch(document(), colour)) for colour in (False, True))
    assert "\x1b" not in plain
    assert "\x1b[31;7mgo\x1b[0m" in coloured
    assert "\x1b[32;7mgoes\x1b[0m" in coloured
    for code in ("0", "1", "31", "31;7", "32", "32;7", "36"):
        coloured = coloured.replace(f"\x1b[{code}m", "")
    assert coloured == plain


def test_where_nothing_is_wrong_a_diff_is_empty() -> None:
    assert "".join(write_patch(document("a.txt", checked(TEXT, ())))) == ""


@pytest.mark.parametrize("write", WRITERS, ids=lambda write: write.__name__)
def test_blocks_are_let_go_as_a_report_is_written(write: Writer) -> None:
    alive: weakref.WeakValueDictionary[int, Block] = weakref.WeakValueDictionary()
    most = 0

    def blocks() -> Iterator[CheckedBlock]:
        nonlocal most
        for block in Document.from_text("All is well, and nothing is wrong here.\n\n" * 10_000):
            alive[block.start] = block
            most = max(most, len(alive))
            yield CheckedBlock(block, (), block.text)

    for _ in write([CheckedDocument("a.txt", blocks())]):
        pass
    assert 0 < most < 6


@pytest.mark.parametrize("colour", [False, True])
def test_a_diff_for_people_shows_what_would_steer_their_terminal(colour: bool) -> None:
    text = "He go \x1b]0;mine\x07there.\r+ forged\u202e\tand\r\n"
    finding = Finding(3, 5, "go", "goes", 0.9)
    [block] = Document.from_text(text)
    made = document("a.txt", [CheckedBlock(block, (finding,), block.apply([finding]))])
    diff = "".join(write_patch(made, colour, escaped=True))
    assert "\\x1b]0;mine\\x07there.\\r+ forged\\u202e\tand" in diff
    assert not {"\x07", "\u202e"} & set(diff)
    assert "\r+" not in diff
