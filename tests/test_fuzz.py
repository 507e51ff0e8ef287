"""A short turn of the fuzzing in `benchmarks/fuzz.py`, and that it would find something."""

from __future__ import annotations

import pytest

from benchmarks.fuzz import fuzz
from benchmarks.fuzzing.inputs import make_case
from benchmarks.fuzzing.minimise import minimise
from benchmarks.fuzzing.work import Setting, Tally, attempt, shorten
from permend.documents import FORMATS, Sentence
from permend.documents.dictionary import PersonalDictionary
from permend.documents.formats import SOURCE_FORMATS
from permend.documents.sentence import E

PATIENT = Setting(limit=60)


def test_nothing_gets_lost_whatever_a_document_holds() -> None:
    tally = fuzz(6_000, PATIENT, workers=1, first=10_000_000)
    assert not tally.failures, [(each.case.number, each.kind, each.details) for each in tally.failures]
    assert all(tally.inputs[form] > 300 for form in FORMATS)
    assert all(tally.edits[form] > (100 if form in SOURCE_FORMATS else 300) for form in FORMATS)
    assert 0 < tally.refused.total() < 600


def test_inputs_come_from_their_numbers_alone() -> None:
    assert [make_case(3, number) for number in range(50)] == [make_case(3, number) for number in range(50)]
    assert make_case(3, 0).text != make_case(4, 0).text


def test_an_edit_of_markup_is_found_and_made_short(monkeypatch: pytest.MonkeyPatch) -> None:
    def anywhere(self: Sentence, edits: list[E], allowed: object = None) -> list[E]:
        return edits

    monkeypatch.setattr(Sentence, "map_edits", anywhere)
    tally = fuzz(250, PATIENT, workers=1)
    assert len(tally.failures) >= 10
    failure = min(tally.failures, key=lambda each: len(each.case.text))
    short = shorten(failure, PATIENT)
    assert short.kind == failure.kind
    assert len(short.case.text) <= len(failure.case.text)
    assert attempt(short.case, PATIENT)[0] == short


def test_a_changed_personal_word_is_found_and_what_only_looks_like_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    case = make_case(1306, 32056)  # "s\\ s" in reStructuredText is shown as "ss"
    assert attempt(case, Setting(1306, limit=60))[0] is None
    monkeypatch.setattr(PersonalDictionary, "allows", lambda *_: True)
    kinds = {each.kind for each in fuzz(1_000, PATIENT, workers=1).failures}
    assert "a personal word changes" in kinds


def test_what_takes_too_long_is_found() -> None:
    case = make_case(0, 139)  # a long one: clocks of processor time may tick slowly
    failure, _ = attempt(case, Setting(limit=1e-9))
    assert failure
    assert failure.kind == "too slow"


def test_a_text_is_made_as_short_as_can_be() -> None:
    assert minimise("He go to school.", lambda text: "g" in text and "." in text) == "g."
    assert minimise("x" * 100, lambda text: len(text) >= 17) == "x" * 17
    assert len(minimise("x" * 100, lambda text: len(text) >= 17, patience=1)) == 50


def test_tallies_are_added() -> None:
    one, two = (fuzz(40, PATIENT, workers=1, first=first) for first in (0, 40))
    both = Tally()
    both.add(one)
    both.add(two)
    whole = fuzz(80, PATIENT, workers=1)
    assert (both.inputs, both.edits, both.refused) == (whole.inputs, whole.edits, whole.refused)
