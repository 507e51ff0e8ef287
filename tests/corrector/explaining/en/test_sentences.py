"""Sentences: whatever the type, the words at issue are named."""

from __future__ import annotations

import pytest

from permend.corrector.explaining.en.glosses import CONFUSED, MEANINGS
from permend.corrector.explaining.en.sentences import explain
from permend.corrector.explaining.en.types import TYPES


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize(("operation", "before", "after"), [("M", "", "foo"), ("U", "foo", ""), ("R", "foo", "bar")])
def test_every_type_has_a_sentence_that_names_the_words(name: str, operation: str, before: str, after: str) -> None:
    sentence = explain(f"{operation}:{name}", before, after)
    assert before in sentence
    assert after in sentence
    assert sentence.endswith(".")
    assert sentence.count("“") == sentence.count("”") > 0


def test_a_type_that_does_not_suit_the_words_does_no_harm() -> None:
    assert explain("M:DET", "foo", "bar") == "“foo” does not fit here: write “bar”."
    assert explain("no such type", "foo", "bar") == "“foo” does not fit here: write “bar”."


def test_words_that_are_taken_for_one_another_have_a_meaning() -> None:
    assert {word for pair in CONFUSED for word in pair} == set(MEANINGS)


def test_linking_words_are_not_called_prepositions() -> None:
    assert explain("M:PREP", "", "because") == "The linking word “because” is missing here."
    assert explain("M:PREP", "", "of") == "The preposition “of” is missing here."
