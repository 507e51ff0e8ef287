"""FELIX: labels that lead to the target, plans out of any scores, and a second pass only where something is missing."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from experiments.rivals.corrector import RivalCorrector
from experiments.rivals.felix import Felix
from experiments.rivals.felix_labels import FelixLabels, Shape, make_template, point
from experiments.rivals.run import make_system
from experiments.rivals.system import tokenizer_of
from permend.errors import PermendError
from permend.method.align import align_felix
from permend.method.plan import Plan
from permend.method.template import render
from permend.text.tokens import WordTokenizer
from permend.training.correction.data import make_source
from tests.experiments.rivals.toys import recipe

WORDS = WordTokenizer()
SHAPE = Shape(most=3, mask=WORDS.mask, opening=1000, closing=1001)
sentences = st.lists(st.sampled_from("oma nelu tapi riko sumo vade".split()), max_size=9).map(" ".join)


@given(sentences, sentences)
def test_labels_carried_out_give_the_target(source: str, target: str) -> None:
    read, wanted = WORDS.encode(source), WORDS.encode(target)
    row = FelixLabels.of(WORDS, SHAPE).row(read, wanted)
    if row is None:
        assert not align_felix(read.ids, wanted.ids, slots=99, masks=SHAPE.most).losses.exact
        return
    length = len(read.ids)
    scores = np.zeros((length, length))
    for place, following in enumerate(row["next"]):
        scores[place, following] += 1.0 if following >= 0 else 0.0
    plan, sizes = point([*row["tags"][:-1], 0], scores, SHAPE)
    new = iter(token for token in row["fills"] if token >= 0)
    fills = [[next(new) for _ in range(size)] for size in sizes]
    assert list(new) == []
    assert render(read, plan, fills, WORDS) == target
    assert make_template(read.ids, plan, sizes, SHAPE) == list(row["template"])


@given(st.data(), st.integers(2, 12))
def test_any_scores_make_a_plan_that_keeps_what_the_tags_keep(data: st.DataObject, length: int) -> None:
    tags = data.draw(st.lists(st.integers(0, SHAPE.delete), min_size=length, max_size=length))
    numbers = st.floats(allow_nan=True, allow_infinity=True, width=32)
    scores = data.draw(st.lists(numbers, min_size=length**2, max_size=length**2))
    plan, sizes = point(tags, np.array(scores, np.float32).reshape(length, length), SHAPE)  # a plan checks itself
    kept = [place for place, tag in enumerate(tags) if tag != SHAPE.delete or place in (0, length - 1)]
    assert sorted(position for position in plan.order if position < length) == kept
    assert sizes == [tags[place] for place in plan.order[:-1] if place < length and 0 < tags[place] <= SHAPE.most]


def test_the_greedy_order_follows_the_best_free_pointer() -> None:
    scores = np.array([[9, 1, 3, 2, 8], [9, 9, 9, 1, 0], [9, 1, 9, 2, 0], [0, 1, 9, 9, 9], [0] * 5], float)
    plan, sizes = point([0, 0, 2, 0, 0], scores, SHAPE)
    assert plan.order == (0, 2, 5, 3, 1, 4)
    assert sizes == [2]


def test_what_is_replaced_stays_to_be_seen() -> None:
    plan = Plan((0, 1, 6, 4, 5), length=6)
    template = make_template([10, 11, 12, 13, 14, 15], plan, [2], SHAPE)
    assert template == [10, 11, 1000, 12, 13, 1001, WORDS.mask, WORDS.mask, 14, 15]


@pytest.fixture
def felix(tmp_path: Path) -> Felix:
    """Return a network that has learned nothing, and whose tags are all 0."""
    made = recipe("felix", tmp_path)
    system = cast(Felix, make_system(made, make_source(made.data)).eval())
    torch.nn.init.zeros_(system.tagger.weight)
    return system


def tag_all(system: Felix, tag: int) -> RivalCorrector:
    with torch.no_grad():
        system.tagger.bias.copy_(torch.eye(system.shape.delete + 1)[tag])
    return RivalCorrector(system, tokenizer_of(system))


def test_the_second_pass_runs_where_something_is_missing(felix: Felix) -> None:
    corrector = tag_all(felix, 0)
    tokens = corrector.tokenizer.encode("They are here.")
    assert [guess.passes for guess in corrector.guess([tokens])] == [1]
    corrector = tag_all(felix, 2)
    [guess] = corrector.guess([tokens])
    assert guess.passes == 2
    assert guess == corrector.guess([tokens])[0]
    assert len(guess.text) > len(tokens.text)


def test_all_may_be_deleted_but_the_ends(felix: Felix) -> None:
    assert tag_all(felix, felix.shape.delete).correct_batch(["They are here."])[0].text == ""


def test_a_template_that_the_encoder_cannot_take_leaves_the_sentence(felix: Felix) -> None:
    corrector = tag_all(felix, 3)
    texts = ["He go.", "She have two brother in the school every day."]
    tokens = [corrector.tokenizer.encode(text) for text in texts]
    short, long = corrector.guess(tokens)
    assert (short.passes, long.passes) == (2, 1)
    assert short.text != texts[0]
    assert long.text == texts[1]


def test_a_model_without_slots_has_no_brackets(tmp_path: Path) -> None:
    made = recipe("felix", tmp_path, "model.slots=1")
    with pytest.raises(PermendError, match="two slots"):
        make_system(made, make_source(made.data))
