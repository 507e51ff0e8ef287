"""The last stage's data: everyday errors are really errors, and come with their corrections."""

from __future__ import annotations

import random

from experiments.last_stage import choose
from permend.corpora.pairs import Pair

PAIRS = [
    Pair("She gave me some informations about it.", "She gave me some information about it."),
    Pair("This way looks more nicer.", "This way looks nicer."),
    Pair("There is a lot of information here.", "There is a lot of information here."),
    Pair("Our house is bigger than yours.", "Our house is bigger than yours."),
    Pair("It is a more better idea .", "It is a more better idea ."),  # left alone by the annotator
    Pair("Too short.", "Too short."),
]


def test_rare_errors_come_three_times_and_are_made_where_they_fit() -> None:
    pairs, sentences = choose([PAIRS[:2], PAIRS[2:]], ["She has much advice for us."], random.Random(1))
    assert pairs.count(PAIRS[0]) == pairs.count(PAIRS[1]) == 4, "once as usual, three times as rare"
    assert Pair("There is many informations here.", PAIRS[2].target) in pairs
    assert Pair("She have many advices for us.", "She has much advice for us.") in pairs
    assert Pair("Our house is more bigger than yours.", PAIRS[3].target) in pairs
    assert PAIRS[4] not in pairs
    assert set(sentences) == {pair.target for pair in PAIRS[:5]}


def test_the_same_pairs_give_the_same_choice() -> None:
    assert choose([PAIRS], [], random.Random(2)) == choose([PAIRS], [], random.Random(2))
