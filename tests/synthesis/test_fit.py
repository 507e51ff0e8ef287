"""What is learned from annotated text: counts, and nothing that would give a sentence away."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from permend.corpora.m2 import M2Edit, M2Sentence, read_m2
from permend.errors import InputError, PermendError
from permend.synthesis.annotations import mirror
from permend.synthesis.error_model import ErrorModel
from permend.synthesis.fit import Files, fit, learn
from tests.synthesis.annotated import EDITS, write_m2


def test_counts_go_from_right_to_wrong(model: ErrorModel) -> None:
    assert model.pairs["R:PREP"] == {"on": {"of": 12}}
    assert model.pairs["R:CONFUSED"] == {"than": {"then": 12}}  # a similar word is a type of its own
    assert model.dropped["M:DET"] == {"the": 24}
    assert model.added["U:DET"] == {"the": 12, "a": 12}
    assert model.moves == {"also": {"1": 12}, "like": {"-1": 12}}
    assert model.types["R:VERB:SVA"] == 36
    assert sum(sum(counts) for counts in model.errors.values()) == 12 * len(EDITS)


def test_forms_letters_and_capitals_are_learned(model: ErrorModel) -> None:
    assert list(model.changes["english"]["R:VERB:TENSE"].values()) == [{"VB": 12}]
    assert model.letters == {"c|ei|v": {"ie": 12}, "l||$": {"l": 12}}
    assert model.chances["start"][0] == 12
    assert model.chances["name"][0] == 12


def test_phrases_are_short(model: ErrorModel) -> None:
    longest = [phrase for table in model.pairs.values() for phrase in table] + list(model.phrases)
    assert max(phrase.count(" ") for phrase in longest) < 3


def test_a_model_survives_its_file(model: ErrorModel, tmp_path: Path) -> None:
    model.save(tmp_path / "errors.json")
    assert ErrorModel.load(tmp_path / "errors.json") == model
    first = (tmp_path / "errors.json").read_bytes()
    ErrorModel.load(tmp_path / "errors.json").save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == first


def test_types_without_an_operation_get_one_by_their_look() -> None:
    edits = (
        M2Edit(0, 1, "ArtOrDet", ("The",), 0),
        M2Edit(1, 2, "Mec", ("received",), 0),
        M2Edit(2, 2, "ArtOrDet", ("a",), 0),
        M2Edit(3, 4, "Mec", (",",), 0),
    )
    sentence = M2Sentence(
        ("A", "recieved", "letter", ";", "was", "UNKNOWN"), {0: (*edits, M2Edit(5, 6, "UNK", ("",), 0))}
    )
    corrected, changes = mirror(sentence)
    assert corrected == ["The", "received", "a", "letter", ",", "was", "UNKNOWN"]
    assert [change.type for change in changes] == ["R:ArtOrDet", "R:SPELL", "M:ArtOrDet", "R:PUNCT"]
    assert [corrected[change.start : change.end] for change in changes] == [["The"], ["received"], ["a"], [","]]


def test_any_language_can_be_learned(tmp_path: Path) -> None:
    lines = "S Ich gehe in der Schule .\nA 3 4|||R:DET|||die|||REQUIRED|||-NONE-|||0\n\n"
    lines += "S Die Kind spielen gern .\nA 1 2|||R:NOUN|||Kinder|||REQUIRED|||-NONE-|||0\n\n"
    (tmp_path / "de.m2").write_text(lines, encoding="utf-8")
    model = fit(lambda: read_m2(tmp_path / "de.m2"), "de")
    assert list(model.changes) == ["endings"]
    assert model.changes["endings"]["R:NOUN"] == {"der": {"er>": 1}}


def test_held_out_sentences_are_not_learned(tmp_path: Path) -> None:
    train, held_out = write_m2(tmp_path), tmp_path / "dev.m2"
    held_out.write_text("S she depends OF her parents, and friends\n\n", encoding="utf-8")
    model = learn(Files([train], [held_out]))
    assert "R:PREP" not in model.types
    assert model.origin["left_out"] == 12
    assert model.origin["corpora"] == ["annotated.m2"]
    assert str(tmp_path) not in json.dumps(vars(model))


def test_nothing_to_learn_is_said(tmp_path: Path) -> None:
    (tmp_path / "clean.m2").write_text("S All is well .\n\n", encoding="utf-8")
    with pytest.raises(PermendError, match="no errors to learn from"):
        learn(Files([tmp_path / "clean.m2"]))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "it is not JSON"),
        ("[]", "this is no error model"),
        ('{"format": "permend-errors-1"}', "is empty"),
        ('{"format": "permend-errors-1", "types": [], "errors": {}}', '"types" does not hold'),
    ],
)
def test_what_is_no_model_is_refused(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "errors.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        ErrorModel.load(tmp_path / "errors.json")
