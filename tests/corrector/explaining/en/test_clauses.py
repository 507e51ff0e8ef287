"""What is a sentence without a full stop, and what is none."""

from __future__ import annotations

import pytest

from permend.corrector.explaining.en.clauses import is_clause


@pytest.mark.parametrize(
    "text",
    [
        "she like tea",
        "i think its fine",
        "we very late",
        "my brother go to school every day",
        "peter likes tea",
        "yesterday it rained",
        "there is three books on the table",
        "the train was cancelled because it snowed",
        "when i was there she was ill",
        "please send me the file",
        "don't worry about it",
        "thank you",
        "can you come",
        "is it ok",
        "what is your name",
        "what do you want to eat",
        "how much does it cost",
        "that’s what she said",
    ],
)
def test_what_says_asks_or_orders_something_is_a_clause(text: str) -> None:
    assert is_clause(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "…",
        "please",
        "version",
        "small, fast, no network",
        "number of files",
        "results of the last run",
        "files that are read",
        "text written by hand",
        "commands to run",
        "best regards",
        "nice to meet you",
        "what is shown on the page",
        "how it works",
        "where results are written",
        "works without a network",
        "thin shells: a command, loaded when it is called",
        "speed: it is twice as fast",
    ],
)
def test_what_names_something_is_none(text: str) -> None:
    assert not is_clause(text)
