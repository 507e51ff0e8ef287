"""Fragments and technical words: what stays as it is."""

from __future__ import annotations

import random

from experiments.fragments import find_terms, is_english, put, write

KNOWN = frozenset("the is a of buffer memory view this function reads returns and word".split())


def test_terms_are_unknown_words_that_are_often_there() -> None:
    """A word that stands there once may be a misspelling."""
    often = ["A memoryview of this buffer."] * 5
    assert find_terms([*often, "A bufer of memory."], KNOWN) == {"memoryview"}


def test_sentences_of_other_languages_are_left_out() -> None:
    """One technical word is no other language."""
    assert is_english("The memoryview reads this buffer.", KNOWN)
    assert not is_english("In una classe possiamo creare metodi.", KNOWN)


def test_phrases_keep_their_words_and_may_change_their_capitals() -> None:
    """Cells, list items and headings."""
    ways = {write("number of retries", random.Random(seed)) for seed in range(50)}
    assert ways == {"number of retries", "Number of retries", "Number of Retries"}


def test_technical_words_stand_before_what_they_name() -> None:
    """The rest of the sentence stays."""
    made = {put("Call the new function.", ["memoryview"], ["send", "page"], random.Random(seed)) for seed in range(20)}
    assert "Call the memoryview function." in made
    assert put("Call it.", ["memoryview"], ["send"], random.Random(1)) is None
