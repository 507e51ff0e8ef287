"""Slips and pairs: errors of raw text are seen, counted and made; what annotated text taught stays as it was."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest

from permend.corpora.pairs import Pair
from permend.evaluation.errant import has_errant
from permend.synthesis.corrupt import Corruptor, Settings
from permend.synthesis.error_model import ErrorModel
from permend.synthesis.fit import Files, fit, learn
from permend.synthesis.options import Weights
from permend.synthesis.profile import profile_typed
from permend.synthesis.slips import TYPES
from permend.synthesis.typed import annotate, annotate_by_errant
from permend.text.edits import apply

SLIPS = [
    ("We met at at the old park.", "We met at the old park.", "U:DOUBLED"),
    ("The the old park is closed.", "The old park is closed.", "U:DOUBLED"),
    ("I like this park alot.", "I like this park a lot.", "R:JOINED"),
    ("They dont like the park.", "They don't like the park.", "R:APOSTROPHE"),
    ("They do'nt like the park.", "They don't like the park.", "R:APOSTROPHE"),
    ("Thats the park we like.", "That's the park we like.", "R:APOSTROPHE"),
    ("We came , but it was closed.", "We came, but it was closed.", "R:SPACE"),
    ("We came,but it was closed.", "We came, but it was closed.", "R:SPACE"),
    ("It was closed.We went home.", "It was closed. We went home.", "R:SPACE"),
]
OTHERS = [
    ("The park lost it's old gate.", "The park lost its old gate.", "R:"),
    ("The dogs is in the park.", "The dogs are in the park.", "R:VERB:SVA"),
    ("We walked in park today.", "We walked in the park today.", "M:DET"),
    ("We like some times the park.", "We like sometimes the park.", "R:ORTH"),
    ("He recieved a letter today.", "He received a letter today.", "R:SPELL"),
]


@pytest.mark.parametrize(("wrong", "right", "kind"), [*SLIPS, *OTHERS])
def test_every_slip_is_told_from_other_errors(wrong: str, right: str, kind: str) -> None:
    sentence = annotate(Pair(wrong, right))
    assert sentence is not None
    [edit] = sentence.annotations[0]
    assert edit.type.startswith(kind)
    assert (edit.type in TYPES.values()) == ((wrong, right, kind) in SLIPS)
    [same] = [annotate(Pair(right, right))]
    assert same is not None
    assert same.annotations == {0: ()}
    assert list(same.tokens) == sentence.corrected()


def test_several_edits_of_a_pair_keep_their_places() -> None:
    pair = Pair("He dont know,that they  is is here .", "He doesn't know, that they are here.")
    sentence = annotate(pair)
    assert sentence is not None
    assert sentence.corrected() == ["He", "does", "n't", "know", ",", "that", "they", "are", "here", "."]


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pairs") / "pairs.jsonl"
    rows = [(wrong, right) for wrong, right, _ in (*SLIPS, *OTHERS)] * 12
    rows += [(right, right) for _, right, _ in SLIPS] * 6
    path.write_text("".join(json.dumps({"source": s, "target": t}) + "\n" for s, t in rows), encoding="utf-8")
    return path


def test_a_model_learned_from_pairs_makes_the_slips_that_it_saw(pairs: Path) -> None:
    model = learn(Files([pairs]))
    assert model.origin["sentences"] == 14 * 12 + 9 * 6
    assert model.types["U:DOUBLED"] == 24
    assert model.chances["apostrophe moved"][0] == 12
    corruptor = Corruptor(model, Settings(clean=0.0))
    made = [corruptor.corrupt(right, random.Random(seed)) for seed in range(60) for _, right, _ in SLIPS]
    types = Counter(error.type for corruption in made for error in corruption.errors)
    assert all(types[kind] for kind in set(TYPES.values())), types
    for corruption in made:
        assert apply(corruption.pair.target, [error.edit for error in corruption.errors]) == corruption.pair.source
    sources = " ".join(corruption.pair.source for corruption in made)
    for words in ("dont ", "do'nt ", " the the ", "came ,", ",but"):
        assert words in sources, words
    seen = profile_typed(corruption.pair for corruption in made)
    assert sum(seen.types[kind] for kind in set(TYPES.values())) > 0.8 * sum(types[k] for k in set(TYPES.values()))


def test_rates_hold_for_slips(pairs: Path) -> None:
    model = learn(Files([pairs]))
    corruptor = Corruptor(model, Settings(rates={**model.rates, "U:DOUBLED": 0.0}, clean=0.0))
    made = [corruptor.corrupt("We met at the old park.", random.Random(seed)) for seed in range(100)]
    assert not any(error.type == "U:DOUBLED" for corruption in made for error in corruption.errors)


def test_models_of_annotated_text_make_no_slips(model: ErrorModel) -> None:
    assert not TYPES.keys() & model.chances.keys()
    corruptor = Corruptor(model, Settings(clean=0.0))
    made = [corruptor.corrupt("We don't like it, but they do.", random.Random(seed)) for seed in range(60)]
    assert not any(error.type in TYPES.values() for corruption in made for error in corruption.errors)
    weights = Weights(model, corruptor._factors, 0)
    assert not any(option.kind == "slip" for word in ("the", ",", "n't") for option, _ in weights.of_word(word, False))


@pytest.mark.skipif(not has_errant(), reason="needs ERRANT")
def test_errant_may_name_the_errors_and_slips_keep_their_types() -> None:
    sentence = annotate_by_errant(Pair("They dont know he have time .", "They don't know he has time."))
    assert sentence is not None
    assert [edit.type for edit in sentence.annotations[0]] == ["R:APOSTROPHE", "R:VERB:SVA", "R:SPACE"]
    assert fit(lambda: [sentence], "en").types["R:VERB:SVA"] == 1
