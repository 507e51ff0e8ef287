"""Typographic signs: whatever a text uses, it is corrected alike and keeps its own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permend import Checker, Corrector, PersonalDictionary
from permend.text.edits import Edit
from permend.text.quotes import Style, restore, straighten

CURLED = str.maketrans({"'": "’"})
TEXTS = st.text(st.sampled_from("ab '\"’‘“”„ .xyz"), max_size=30)


@given(TEXTS)
def test_every_sign_stays_in_its_place(text: str) -> None:
    plain = straighten(text)
    assert len(plain) == len(text)
    assert not set(plain) & set("‘’“”„")
    assert all(old == new for old, new in zip(text, plain, strict=True) if new not in "'\"")


@given(TEXTS)
def test_what_does_not_change_keeps_its_signs(text: str) -> None:
    assert restore(text, straighten(text), Style.of(text)) == text


@given(TEXTS, TEXTS)
def test_restoring_changes_signs_alone(original: str, changed: str) -> None:
    changed = straighten(changed)
    assert straighten(restore(original, changed, Style.of(original))) == changed


def test_new_signs_open_and_close() -> None:
    assert Style(True).write("He said \"yes\" ('no').") == "He said “yes” (‘no’)."
    assert Style.of("He said 'yes' and “no”.") == Style(False), "a mixed text gets what a keyboard has"


@pytest.fixture(scope="module")
def corrector() -> Corrector:
    return Corrector()


WRONG = [
    "She doesn't likes it, but I don't know why he haven't told us.",
    "I've forgot my keys at Ann's houses yesterday.",
    "They're going to their friends house, aren't they, because it's they're wedding.",
    "He didn't went to school yesterday.",
    "We wasn't there, and that's the reasons.",
]
RIGHT = [
    "I can't come today, but my sister's friends will.",
    "It's been a long day, hasn't it?",
    "She'd have told you if she'd known.",
    "That's what the dog's owner said.",
]


@pytest.mark.parametrize("text", WRONG + RIGHT)
def test_apostrophes_of_phones_change_no_answer(corrector: Corrector, text: str) -> None:
    plain, curled = corrector.correct(text), corrector.correct(text.translate(CURLED))
    assert curled.text == plain.text.translate(CURLED)
    assert [each.probability for each in curled.edits] == [each.probability for each in plain.edits]
    assert curled.source == text.translate(CURLED)
    assert straighten(curled.alternatives[0].text) == plain.alternatives[0].text


def test_quotation_marks_stay(corrector: Corrector) -> None:
    correction = corrector.correct("“He go to school yesterday,” she said.")
    assert correction.text == "“He went to school yesterday,” she said."


def test_a_new_apostrophe_is_as_the_text_around_has_it(corrector: Corrector) -> None:
    checker = Checker(corrector)
    [finding] = checker.check_text("We don’t mind.\n\nIts raining today.\n")
    assert finding.after == "It’s"
    [finding] = checker.check_text("We don't mind.\n\nIts raining today.\n")
    assert finding.after == "It's"


@pytest.mark.parametrize("word", ["O'Neil", "O’Neil"])
@pytest.mark.parametrize("text", ["O'Neil was here.", "O’Neil was here."])
def test_personal_words_hold_with_either_sign(word: str, text: str) -> None:
    assert not PersonalDictionary([word]).allows(text, Edit(0, 6, text[:6], "ONeil"))
    assert not PersonalDictionary(ignored=[f"[{word} → One] was"]).allows(text, Edit(0, 6, text[:6], "One"))
