"""PIE: an edit for each sub-token; masks in and between sub-tokens, read by the encoder itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from experiments.rivals.corrector import RivalCorrector
from experiments.rivals.learning import couples
from experiments.rivals.pie import Pie
from experiments.rivals.pie_edits import COPY, Editor, learn_edits, pieces_of
from experiments.rivals.run import make_system, train_rival
from experiments.rivals.texts import write
from permend.errors import PermendError
from permend.text.tokens import SubwordTokenizer
from permend.training.correction.data import make_source
from tests.experiments.rivals.toys import ENCODER, PAIRS, TOY, recipe

TOKENIZER = SubwordTokenizer.from_path(TOY / "tokenizer.json")
PIECES = pieces_of(TOKENIZER)
WORDS = [
    PIECES[token].removeprefix("Ġ") for token in TOKENIZER.encode("He go to very every have is are here").ids[1:-1]
]
MANY = {"grams": 1000, "suffixes": 50}


@given(st.lists(st.sampled_from(WORDS), max_size=8), st.lists(st.sampled_from(WORDS), max_size=8))
def test_edits_learned_from_a_pair_make_its_target(source: list[str], target: list[str]) -> None:
    old, new = TOKENIZER.encode(" ".join(source)), TOKENIZER.encode(" ".join(target))
    editor = Editor.of(learn_edits([(old, new)], PIECES, MANY), TOKENIZER)
    edits = editor.edits(old, new)
    if edits is not None:
        assert write(old, editor.carry_out(old.ids, edits), TOKENIZER) == new.text
        assert all(0 <= edit < editor.size for edit in edits)


def test_a_pair_with_three_new_tokens_in_a_row_cannot_be_expressed() -> None:
    editor = Editor.of(learn_edits(couples(PAIRS, TOKENIZER), PIECES, MANY), TOKENIZER)
    assert editor.edits(TOKENIZER.encode("He"), TOKENIZER.encode("He go to every")) is None
    assert editor.edits(TOKENIZER.encode("He go to every"), TOKENIZER.encode("He")) is not None


def test_an_edit_that_has_no_number_is_a_copy() -> None:
    editor = Editor.of({"appends": [], "replaces": [], "suffixes": []}, TOKENIZER)
    source = TOKENIZER.encode("He go here")
    assert editor.edits(source, TOKENIZER.encode("He is here to")) == [COPY] * 4


def test_endings_are_exchanged_in_words_never_seen_with_an_error() -> None:
    ending = {"appends": [], "replaces": [], "suffixes": [">s", "y>ies"]}
    editor = Editor.of(ending, TOKENIZER)
    for text, edit, written in (("here", 2, "heres"), ("are here", 2, "are heres"), ("day", 3, "day"), ("to", 2, "to")):
        source = TOKENIZER.encode(text)
        edits = [*[COPY] * (len(source.ids) - 2), edit]
        assert write(source, editor.carry_out(source.ids, edits), TOKENIZER) == written


def test_edits_are_bounded_and_do_not_depend_on_the_order_of_pairs() -> None:
    most = {"grams": 1, "suffixes": 1}
    learned = learn_edits(couples(PAIRS, TOKENIZER), PIECES, most)
    assert learned == learn_edits(couples(reversed(PAIRS), TOKENIZER), PIECES, most)
    assert [len(learned[name]) for name in ("appends", "replaces", "suffixes")] == [1, 1, 1]


@pytest.mark.parametrize("sliding", [False, True])
def test_sub_tokens_have_the_encoders_own_states(sliding: bool, tmp_path: Path) -> None:
    kinds = ["full_attention", "sliding_attention" if sliding else "full_attention"]
    made = recipe("pie", tmp_path)
    encoder = {**ENCODER, "layer_types": kinds, "local_attention": 4}
    torch.manual_seed(0)
    object.__setattr__(made.model, "encoder_config", encoder)
    system = make_system(made, make_source(made.data)).eval()
    assert isinstance(system, Pie)
    ids = torch.tensor([[0, 5, 6, 7, 8, 9, 10, 2], [0, 5, 9, 2, -1, -1, -1, -1]])
    memory, mask = system.memory(ids)
    torch.testing.assert_close(system.states(ids)[0][mask], memory[mask])


def test_in_one_layer_a_mask_knows_nothing_of_the_sub_token_in_whose_place_it_stands(tmp_path: Path) -> None:
    made = recipe("pie", tmp_path, "model.layers=1")
    system = make_system(made, make_source(made.data)).eval()
    assert isinstance(system, Pie)
    one, other = (system.states(torch.tensor([[0, 5, token, 7, 2]])) for token in (6, 9))
    torch.testing.assert_close(one[1][0, 2], other[1][0, 2])
    assert not torch.allclose(one[2][0, 2], other[2][0, 2])


def test_another_encoder_is_refused(tmp_path: Path) -> None:
    made = recipe("pie", tmp_path)
    object.__setattr__(made.model, "encoder_config", {**ENCODER, "model_type": "bert"})
    with pytest.raises(PermendError, match="ModernBERT, not a bert"):
        make_system(made, make_source(made.data))


def test_rounds_are_counted_until_nothing_changes(tmp_path: Path) -> None:
    train_rival(recipe("pie", tmp_path))
    corrector = RivalCorrector.load(tmp_path / "run" / "last", rounds=4)
    right, wrong = corrector.guess([TOKENIZER.encode(text) for text in ("They are here.", "I am agree with you.")])
    assert (right.text, right.passes) == ("They are here.", 1)
    assert 1 < wrong.passes <= 4


@pytest.mark.parametrize("options", [{"grams": 0}, {"suffixes": 1.5}, {"tags": 3}])
def test_options_that_make_no_sense_are_named(options: dict[str, Any]) -> None:
    with pytest.raises(PermendError, match=next(iter(options))):
        Pie.learn(PAIRS, TOKENIZER, options)
