"""A trace tells what the corrector did, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from permend.corrector.corrector import Corrector, Options
from permend.corrector.trace import trace
from permend.errors import PermendError
from permend.method.search import score_plan
from permend.model.networks import Floats, Ints
from tests.corrector.test_corrector import TOKENIZER, HandMade, corrector, next_token, replace_was, wild


@pytest.mark.parametrize("rule", [next_token, replace_was, wild])
@pytest.mark.parametrize("text", ["I was busy.", "All is well.", "He was here, and I was there.", "was was was"])
def test_a_trace_tells_the_story_of_the_correction(rule: Callable[[Ints, Floats], None], text: str) -> None:
    traced = trace(corrector(rule), text)
    wanted = corrector(rule, prune=False).correct(text)
    assert traced.correction == wanted
    assert corrector(rule).correct(text).text == wanted.text
    assert [each.alternative for each in traced.candidates] == list(wanted.alternatives)
    assert traced.chosen.alternative.text == wanted.text
    for each in traced.candidates:
        assert each.label.text() == each.alternative.text
        assert score_plan(traced.scores, each.plan).log_prob == pytest.approx(each.alternative.plan_log_prob)
        written = each.passes[-1] if each.passes else ()
        assert sum(np.log(guess.probability) for guess in written) == pytest.approx(each.alternative.fill_log_prob)
        assert len(written) == 3 * each.plan.slots


def test_the_plan_its_fills_and_its_margin() -> None:
    traced = trace(corrector(replace_was), "I was busy.")
    length = len(traced.tokens.ids)
    assert traced.scores.shape == (length + 2, length + 2)
    assert traced.chosen.plan.slots == 1
    assert [TOKENIZER.decode(fill) for fill in traced.chosen.label.alignment.fills] == ["am"]
    assert [guess.piece for guess in traced.chosen.passes[0]] == ["Ġam", "<pad>", "<pad>"]
    assert traced.margin(traced.chosen) == pytest.approx(traced.correction.margin)


def test_where_confidence_is_low_the_sentence_itself_is_chosen() -> None:
    traced = trace(corrector(replace_was, min_margin=99), "I was busy.")
    assert traced.chosen.plan.is_identity
    assert not traced.best.plan.is_identity
    assert traced.margin(traced.chosen) == 0 < traced.margin(traced.best)


@given(st.text(alphabet="ab I\nbe.,😀", min_size=1, max_size=30).filter(str.strip))
@settings(max_examples=30)
def test_the_chances_along_a_plan_are_its_probability(text: str) -> None:
    traced = trace(corrector(wild, bias=0.3), text)
    for each in traced.candidates:
        chances = traced.chances(each.plan)
        sums = chances.sum(axis=1)
        assert np.all(np.isclose(sums, 1) | (sums == 0))
        steps = [chances[step] for step in pairwise(each.plan.order)]
        assert np.log(steps).sum() == pytest.approx(score_plan(traced.scores, each.plan).log_prob)


def test_the_traced_corrector_stays_as_it_was() -> None:
    networks = HandMade(replace_was)
    watched = Corrector.of(networks, TOKENIZER, Options())
    trace(watched, "  I was busy.\n")
    assert watched.networks is networks
    assert watched.options == Options()


@pytest.mark.parametrize(
    ("text", "message"), [(" \n", "nothing to read"), ("I was busy. " * 30, "too long to be read at once")]
)
def test_what_cannot_be_traced_is_refused(text: str, message: str) -> None:
    with pytest.raises(PermendError, match=message):
        trace(corrector(next_token), text)
