"""Error types: the examples that each type is known by."""

from __future__ import annotations

import pytest

from permend.corrector.explaining.en.types import TYPES
from permend.corrector.explaining.language import load_language, type_edits
from permend.text.edits import Edit, diff

ENGLISH = load_language("en")
EXAMPLES = [
    ("M:ADJ", "I like the car.", "I like the big car."),
    ("R:ADJ", "He is a tall dog.", "He is a big dog."),
    ("R:ADJ:FORM", "My house is more big.", "My house is bigger."),
    ("R:ADJ:FORM", "The film was very bored.", "The film was very boring."),
    ("R:ADV", "He runs very quickly.", "He runs very slowly."),
    ("U:ADV", "I do not really know.", "I do not know."),
    ("M:CONJ", "He ate fish chips.", "He ate fish and chips."),
    ("R:CONJ", "I was ill but tired.", "I was ill and tired."),
    ("R:CONTR", "I dont know.", "I don't know."),
    ("M:CONTR", "I think he late.", "I think he's late."),
    ("M:DET", "I saw cat.", "I saw the cat."),
    ("R:DET", "I saw a owl.", "I saw an owl."),
    ("U:DET", "I like the London.", "I like London."),
    ("R:MORPH", "He speaks quick.", "He speaks quickly."),
    ("R:MORPH", "It was a hard decide.", "It was a hard decision."),
    ("R:NOUN", "I bought a table.", "I bought a chair."),
    ("M:NOUN", "He is a bus.", "He is a bus driver."),
    ("R:NOUN:INFL", "Three childs played.", "Three children played."),
    ("R:NOUN:NUM", "I have two brother.", "I have two brothers."),
    ("R:NOUN:POSS", "My friends house is big.", "My friend's house is big."),
    ("M:NOUN:POSS", "I like Tom car.", "I like Tom's car."),
    ("R:ORTH", "I live in london.", "I live in London."),
    ("R:ORTH", "Every thing is fine.", "Everything is fine."),
    ("R:ORTH", "Yes , I know.", "Yes, I know."),
    ("R:OTHER", "In a matter of fact, I know.", "Honestly, I know."),
    ("M:PART", "Please wake at six.", "Please wake up at six."),
    ("R:PREP", "He is good in maths.", "He is good at maths."),
    ("M:PREP", "Listen me.", "Listen to me."),
    ("U:PREP", "I phoned to him.", "I phoned him."),
    ("R:PRON", "I saw he.", "I saw him."),
    ("M:PRON", "Yesterday was raining and rained.", "Yesterday it was raining and rained."),
    ("M:PUNCT", "However I know.", "However, I know."),
    ("R:PUNCT", "Is it you.", "Is it you?"),
    ("U:PUNCT", "I think, that he knows.", "I think that he knows."),
    ("R:SPELL", "I beleive you.", "I believe you."),
    ("R:SPELL", "He is bigger then me.", "He is bigger than me."),
    ("R:VERB", "I made my homework.", "I did my homework."),
    ("M:VERB", "He a doctor.", "He is a doctor."),
    ("R:VERB:FORM", "I enjoy to swim.", "I enjoy swimming."),
    ("M:VERB:FORM", "I want go home.", "I want to go home."),
    ("R:VERB:FORM", "He can swims.", "He can swim."),
    ("R:VERB:INFL", "He getted a prize.", "He got a prize."),
    ("R:VERB:SVA", "He go to school.", "He goes to school."),
    ("R:VERB:SVA", "We was late.", "We were late."),
    ("R:VERB:SVA", "She like apples.", "She likes apples."),
    ("R:VERB:SVA", "They likes apples.", "They like apples."),
    ("R:VERB:TENSE", "She down a glass.", "She downed a glass."),
    ("R:VERB:TENSE", "Yesterday he goes home.", "Yesterday he went home."),
    ("R:VERB:TENSE", "I live here since May.", "I have lived here since May."),
    ("M:VERB:TENSE", "He been working.", "He has been working."),
]


@pytest.mark.parametrize(("name", "source", "target"), EXAMPLES)
def test_the_type_of_an_example(name: str, source: str, target: str) -> None:
    assert type_edits(source, target, diff(source, target), ENGLISH) == [name]


def test_words_in_another_order() -> None:
    """For `diff` the two halves of a swap are an edit each; a corrector may see them as one."""
    edits = [Edit(12, 17, "is it", "it is")]
    assert type_edits("I know what is it.", "I know what it is.", edits, ENGLISH) == ["R:WO"]


def test_every_other_type_has_an_example() -> None:
    assert {name[2:] for name, _, _ in EXAMPLES} == set(TYPES) - {"WO"}


def test_apostrophes_may_be_curly() -> None:
    for source, target in (("I dont know.", "I don’t know."), ("My friends house.", "My friend’s house.")):
        straight = target.replace("’", "'")
        first = type_edits(source, target, diff(source, target), ENGLISH)
        assert first == type_edits(source, straight, diff(source, straight), ENGLISH)
