"""Made errors: exactly what the edits say, the same for the same seed, and nothing silly."""

from __future__ import annotations

import pickle
import random
import re
from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from permend.synthesis.corrupt import Corruption, Corruptor, Corrupts, Settings
from permend.synthesis.error_model import ErrorModel
from permend.synthesis.fit import wanted_profile
from permend.synthesis.pie import PieCorruptor
from permend.synthesis.profile import profile_corruptions
from permend.synthesis.rates import calibrate, calibrate_clean
from permend.synthesis.targets import split_sentences
from permend.synthesis.words import split_words
from permend.text.edits import apply
from tests.synthesis.annotated import TEXT

SENTENCES = split_sentences(TEXT.replace("\n", " "))


def make(corruptor: Corrupts, rounds: int = 40) -> list[Corruption]:
    return [corruptor.corrupt(text, random.Random(f"{i} {text}")) for i in range(rounds) for text in SENTENCES]


@pytest.fixture(scope="module", params=["fitted", "pie"])
def corruptor(request: pytest.FixtureRequest, model: ErrorModel) -> Corrupts:
    return Corruptor(model) if request.param == "fitted" else PieCorruptor(model)


def test_the_errors_are_what_tells_the_sides_apart(corruptor: Corrupts) -> None:
    for made in make(corruptor):
        assert apply(made.pair.target, [error.edit for error in made.errors]) == made.pair.source
        assert (made.pair.source == made.pair.target) == (not made.errors)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60), st.integers(0, 9))
@example("A\r0", 2)  # neighbours that share whitespace which is no space
def test_any_text_can_be_given(model: ErrorModel, text: str, number: int) -> None:
    for each in (Corruptor(model), PieCorruptor(model)):
        made = each.corrupt(text, random.Random(number))
        assert made.pair.target == text
        assert apply(text, [error.edit for error in made.errors]) == made.pair.source
    made = Corruptor(model).corrupt_words(split_words(text), number, random.Random(number))
    assert apply(text, [error.edit for error in made.errors]) == made.pair.source


def test_the_same_seed_gives_the_same_errors_also_in_another_process(corruptor: Corrupts) -> None:
    assert make(corruptor, 3) == make(pickle.loads(pickle.dumps(corruptor)), 3)


def test_spaces_capitals_and_numbers_stay_sound(model: ErrorModel) -> None:
    text = 'On Monday, Anna paid $45.50 (about 40%) for the U.S. books, and she didn\'t say "thank you" at home.'
    capitals, corruptor = 0, Corruptor(model)
    for number in range(300):
        source = corruptor.corrupt_words(split_words(text), 3, random.Random(number)).pair.source
        assert not re.search(r"\s\s|\s[,.)]|\(\s|^\s|\s$", source), source
        capitals += source[0].isupper()
        assert re.findall(r"\d+", source) == ["45", "50", "40"]
        assert source.count('"') == 2
    assert 200 < capitals < 300  # some capitals are lost on purpose


def test_all_kinds_of_errors_are_made(model: ErrorModel) -> None:
    seen = Counter(error.type for made in make(Corruptor(model), 150) for error in made.errors)
    wanted = {"R:VERB:SVA", "M:DET", "U:DET", "R:SPELL", "R:ORTH", "R:PREP", "M:PUNCT", "R:NOUN:NUM", "R:VERB:TENSE"}
    assert not wanted - set(seen)


def test_errors_reach_words_that_were_never_seen_wrong(model: ErrorModel) -> None:
    text = "The dancers jumped over tables and expected the visitors."
    sources = {Corruptor(model).corrupt_words(split_words(text), 1, random.Random(n)).pair.source for n in range(400)}
    assert any(" jump " in source for source in sources)
    assert any(" table " in source for source in sources)


def test_real_misspellings_are_used(model: ErrorModel) -> None:
    rates = dict.fromkeys(model.types, 0.0) | {"R:SPELL": 1.0}
    corruptor = Corruptor(model, Settings(rates, misspellings={"yesterday": {"yesturday": 1.0}}))
    words = split_words("yesterday")
    sources = Counter(corruptor.corrupt_words(words, 1, random.Random(n)).pair.source for n in range(200))
    assert sources["yesturday"] > 100


def test_calibration_reaches_shares_and_clean_sentences(model: ErrorModel) -> None:
    sample = SENTENCES * 60
    wanted = wanted_profile(model)
    settings = calibrate(model, sample, wanted, rounds=8)
    corruptor = Corruptor(model, settings)
    seen = profile_corruptions(corruptor.corrupt(text, random.Random(i)) for i, text in enumerate(sample))
    assert seen.clean == pytest.approx(wanted.clean, abs=0.06)
    assert seen.rate == pytest.approx(wanted.rate, rel=0.2)
    for kind in ("R:VERB:SVA", "M:DET", "U:DET", "R:NOUN:NUM", "R:ORTH"):
        assert seen.shares()[kind] == pytest.approx(wanted.shares()[kind], rel=1 / 3), kind


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_the_share_of_clean_sentences_is_a_parameter(model: ErrorModel, share: float) -> None:
    sample = SENTENCES * 30
    corruptor = Corruptor(model, calibrate_clean(model, sample, share))
    seen = profile_corruptions(corruptor.corrupt(text, random.Random(i)) for i, text in enumerate(sample))
    assert seen.clean == pytest.approx(share, abs=0.05)


def test_pie_makes_as_many_errors_as_published(model: ErrorModel) -> None:
    seen = profile_corruptions(make(PieCorruptor(model)))
    assert seen.clean == pytest.approx(0.05, abs=0.04)
    assert 2.2 < seen.rate < 3.0
