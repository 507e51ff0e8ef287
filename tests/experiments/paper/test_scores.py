"""Choosing among hypotheses, and samples of sentences to be timed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.paper.answers import Answer, Guessed
from experiments.paper.scores import by_length, by_plan, gleu, nth, oracle, rescored
from experiments.paper.settings import Timing
from experiments.paper.timing import Times, sample
from permend.corpora.pairs import Pair
from permend.evaluation.devset import PairDevSet
from permend.text.tokens import WordTokenizer

GOES = Guessed("he goes home", -1.0, -0.1, 6)
LONG = Guessed("he goes to his home", -1.2, -0.4, 8)
SAME = Guessed("he go home", -1.5, 0.0, 5)
ANSWERS = [Answer("he goes home", (GOES, LONG, SAME)), Answer("I am here")]


def test_hypotheses_are_ranked_as_asked() -> None:
    assert nth(ANSWERS, by_plan, 0, 3) == ["he goes home", "I am here"]
    assert nth(ANSWERS, by_plan, 1, 3) == ["he goes to his home", "I am here"]
    assert nth(ANSWERS, by_length, 0, 3)[0] == "he goes to his home", "-1.2 / 8 is more than -1.0 / 6"
    assert nth(ANSWERS, rescored(0.5), 0, 3)[0] == "he goes home"
    assert nth(ANSWERS, rescored(0.1), 0, 3)[0] == "he go home", "what fills nothing is sure of it"
    assert nth(ANSWERS, rescored(0.1), 0, 2)[0] == "he goes home", "the third is not looked at"


def test_the_oracle_knows_the_reference() -> None:
    devset = PairDevSet("two", [Pair("he go home", "he goes to his home"), Pair("I am here", "I am here")])
    assert oracle(devset, ANSWERS, 3) == ["he goes to his home", "I am here"]
    assert oracle(devset, ANSWERS, 1) == ["he goes home", "I am here"]


@given(st.lists(st.sampled_from("abc"), min_size=1), st.lists(st.sampled_from("abc"), min_size=1))
def test_gleu_is_one_for_equal_sentences_alone(one: list[str], two: list[str]) -> None:
    assert 0 <= gleu(one, two) == gleu(two, one) <= 1
    assert gleu(one, one) == 1
    if len(one) != len(two):
        assert gleu(one, two) < 1


def test_a_sample_is_even_and_fills_up_lengths() -> None:
    texts = ["a b c"] * 90 + [" ".join("x" * 25)] * 10
    chosen, lengths, even = sample(texts, WordTokenizer(), Timing(sentences=10, each_length=5))
    assert sum(even) == 10
    assert sorted(set(lengths)) == [3, 25]
    assert lengths.count(25) == 5
    assert len(chosen) == len(lengths) == len(even) == 14


def test_speed_ups_are_over_the_even_sample() -> None:
    seconds = {"AR": (2.0, 4.0, 90.0), "permend": (1.0, 1.0, 1.0)}
    times = Times("CPU", "", 1, (5, 15, 65), (True, True, False), seconds, {})
    assert times.speed_up("permend", "AR") == pytest.approx(3.0)
    assert times.by_length("AR") == {0: (2.0, 1), 10: (4.0, 1), 60: (90.0, 1)}
