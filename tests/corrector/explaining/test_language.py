"""A second language is one object: its types, sentences and words reach every edit, and nothing else changes."""

from __future__ import annotations

import dataclasses
import re

import pytest

from permend import Corrector
from permend.corrector.explaining import language
from permend.corrector.explaining.language import Language, Vocabulary, load_language, register_language, type_edits
from permend.corrector.trace import trace
from permend.documents import Document
from permend.documents.checker import Checker
from permend.documents.reports.rules import find_rule
from permend.model.options import Options
from permend.text.edits import Edit, diff
from tests.corrector.test_corrector import TOKENIZER, HandMade, replace_was

WORDS = Vocabulary(
    is_word=lambda word: word in ("I", "am", "busy"),
    is_common=lambda word: True,
    carries_meaning=lambda word: word == "busy",
)
TOY = Language(
    "toy",
    re.compile(r"\w+"),
    type_change=lambda change: f"R:TOY:{len(change.after.touched)}",
    explain_change=lambda name, edit, change: f"{edit.before} is {edit.after} in Toyish ({name}).",
    vocabulary=WORDS,
)
FOREIGN = "Ich was gestern in der Schule, und das ist nicht gut."


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "_registered", {})
    register_language(TOY)


def corrector(code: str, readings: int = 1) -> Corrector:
    """Make a corrector that writes *am* for *was*, with a model of a language."""
    networks = HandMade(replace_was)
    networks.config = dataclasses.replace(networks.config, language=code)
    return Corrector.of(networks, TOKENIZER, Options(readings=readings))


@pytest.mark.parametrize("readings", [1, 2])
def test_edits_have_the_types_and_sentences_of_the_models_language(readings: int) -> None:
    [edit] = corrector("toy", readings).correct("I was busy.").edits
    assert (edit.type, edit.explanation) == ("R:TOY:1", "was is am in Toyish (R:TOY:1).")
    assert trace(corrector("toy"), "I was busy.").correction.edits[0].type == "R:TOY:1"
    assert find_rule(edit.type).id == "OTHER", "reports have a rule for every type"


def test_edits_are_vetted_with_the_words_of_the_models_language() -> None:
    poor = dataclasses.replace(TOY, vocabulary=dataclasses.replace(WORDS, is_word=lambda word: word == "I"))
    register_language(poor)
    [found] = corrector("toy").correct_batch(["I was busy."])
    assert (found.text, [edit.type for edit in found.withheld]) == ("I was busy.", ["R:TOY:1"])
    [found] = corrector("toy").correct_batch(["I was busy."], known=lambda word: word == "am")
    assert (found.text, found.withheld) == ("I am busy.", ())


def test_documents_are_read_in_the_correctors_language_unless_they_name_one() -> None:
    def checked(code: str, document: Document) -> list[str]:
        return [each.type for block in Checker(corrector(code)).check(document) for each in block.findings]

    assert checked("toy", Document.from_text(FOREIGN)) == ["R:TOY:1"], "nothing is foreign to it"
    assert checked("toy", Document.from_text(FOREIGN, language="en")) == []
    assert checked("", Document.from_text(FOREIGN)) == []
    assert checked("", Document.from_text(FOREIGN, language="de")) != []


@pytest.mark.parametrize("code", ["", "xx", "../en", "language"])
def test_an_unknown_language_is_typed_as_english_is_and_not_vetted(code: str) -> None:
    found = load_language(code)
    assert (found.code, found.vocabulary) == (code or "en", None)
    source, target = "He go home.", "He goes home."
    assert type_edits(source, target, diff(source, target), found) == ["R:VERB:SVA"]
    assert corrector(code).correct("I was busy.").text == "I am busy."


def test_what_changes_nothing_is_of_no_known_type_in_any_language() -> None:
    assert type_edits("I am.", "I am.", [Edit(2, 4, "am", "am")], TOY) == ["UNK"]


def test_another_implementation_of_an_included_language_can_be_registered() -> None:
    register_language(dataclasses.replace(TOY, code="en"))
    assert corrector("en").correct("I was busy.").edits[0].type == "R:TOY:1"
