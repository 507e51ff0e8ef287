"""What people are told names what they wrote, never the noun that stands for their code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from permend import Checker, Corrector, PersonalDictionary
from permend.cli.main import main
from permend.documents import Document
from permend.documents.written import Written
from permend.text.edits import Edit

MARKDOWN = "After we installed `pip` we runs it on **the** `x86` machine.\n"


def test_the_sentence_is_what_stands_there() -> None:
    [block] = Document.from_text("# A\n\n" + MARKDOWN, "markdown")
    [_, sentence] = block.sentences
    written = Written.of(sentence, block.text, block.start)
    assert written.text == "After we installed `pip` we runs it on the `x86` machine."
    at = sentence.prose.index("runs")
    placed = written.place(Edit(at, at + 4, "runs", "run"))
    assert written.text[placed.start : placed.end] == "runs"


@pytest.mark.parametrize(
    ("explanation", "expected"),
    [
        ("A comma is missing after “Python”.", "A comma is missing after “`pip`”."),
        ("Write “the Python”.", "Write “the `pip`”."),
        ("Python is fine.", "Python is fine."),
    ],
)
def test_explanations_quote_what_stands_there(explanation: str, expected: str) -> None:
    [block] = Document.from_text(MARKDOWN, "markdown")
    [sentence] = block.sentences
    at = sentence.prose.index(" we runs")
    assert Written.of(sentence, block.text).explain(explanation, Edit(at, at, "", ",")) == expected


def test_a_picture_is_named_with_its_description() -> None:
    text = 'See ![a *red* cat](cat.png "Tom") and `pip`![](x.png) so we runs it.\n'
    [block] = Document.from_text(text, "markdown")
    [description, sentence] = block.sentences
    assert description.prose == "a red cat"
    assert Written.of(sentence, block.text).text == text.strip()


def test_a_word_that_the_writer_used_is_left_alone() -> None:
    [block] = Document.from_text("With `pip` and so on, we like Python so we runs it.\n", "markdown")
    [sentence] = block.sentences
    at = sentence.prose.index(" so we")
    why = Written.of(sentence, block.text).explain("A comma is missing after “Python”.", Edit(at, at, "", ","))
    assert why == "A comma is missing after “Python”."


def test_long_code_is_shortened_and_on_one_line() -> None:
    [block] = Document.from_text(f"We runs `{'x' * 500}\n{'y' * 500}` here.\n", "markdown")
    [sentence] = block.sentences
    text = Written.of(sentence, block.text).text
    assert len(text) < 100
    assert "\n" not in text


@pytest.fixture(scope="module")
def checker() -> Checker:
    return Checker(Corrector(mode="thorough"))


def test_findings_name_no_stand_in(checker: Checker) -> None:
    findings = checker.check_text(MARKDOWN, "markdown")
    assert findings
    for finding in findings:
        assert "Python" not in finding.sentence + finding.explanation
        assert "`pip`" in finding.sentence


def test_a_finding_beside_code_can_be_dismissed(checker: Checker, tmp_path: Path) -> None:
    finding = checker.check_text(MARKDOWN, "markdown")[0]
    words = PersonalDictionary(project=tmp_path)
    words.ignore_id(finding.id, project=True)
    assert finding.id not in [each.id for each in checker.check_text(MARKDOWN, "markdown", words)]


def test_no_report_of_the_command_line_names_a_stand_in(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text(MARKDOWN, encoding="utf-8")
    for arguments in (["check"], ["check", "--format", "json"], ["check", "--format", "lt"], ["correct", "--m2"]):
        result = CliRunner().invoke(main, [*arguments, "--mode", "thorough", str(file)])
        assert result.exit_code in (0, 1), result.output
        assert "Python" not in result.stdout
        assert "runs" in result.stdout


def test_ids_dismiss_findings_and_bring_them_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    Path("a.txt").write_text("He go to school yesterday.\n", encoding="utf-8")
    run = CliRunner().invoke
    first = json.loads(run(main, ["check", "--format", "json", "a.txt"]).stdout)["findings"][0]["id"]
    assert f"[{first}]" in run(main, ["check", "a.txt"]).stdout
    assert run(main, ["dict", "ignore", first]).exit_code == 0
    assert run(main, ["check", "a.txt"]).exit_code == 0
    assert first in run(main, ["dict", "ignored"]).stdout
    assert run(main, ["dict", "restore", first]).exit_code == 0
    assert run(main, ["check", "a.txt"]).exit_code == 1
    assert run(main, ["dict", "ignore", "not-an-id"]).exit_code == 2
