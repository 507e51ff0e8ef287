"""Made errors beside real ones, as ERRANT sees both."""

from __future__ import annotations

from pathlib import Path

import pytest

from permend.corpora.m2 import read_m2
from permend.corpora.pairs import Pair, read_pairs
from permend.errors import InputError
from permend.method.label import Labeler
from permend.synthesis.profile import Comparison, Profile, compare, draw_chart, profile_m2, profile_pairs
from permend.text.tokens import WordTokenizer
from tests.synthesis.annotated import EDITS, write_m2


@pytest.fixture(scope="module")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    path = write_m2(tmp_path_factory.mktemp("corpus"), copies=1)
    made = [Pair("He have two car.", "He has two cars."), Pair("All is well.", "All is well.")]
    return compare(made, list(read_pairs(path, raw=True)), profile_m2(read_m2(path)), Labeler(WordTokenizer()))


def test_profiles_count_types_and_clean_sentences(comparison: Comparison) -> None:
    errors = sum(len(edits) for _, edits in EDITS)
    assert comparison.annotated.total == errors
    assert comparison.annotated.clean == sum(not edits for _, edits in EDITS) / len(EDITS)
    assert comparison.annotated.by_name()["VERB:SVA"] == 3 / errors
    assert sum(comparison.annotated.by_operation().values()) == pytest.approx(1)
    assert comparison.made.types == {"R:VERB:SVA": 1, "R:NOUN:NUM": 1}
    assert comparison.made.errors == {2: 1, 0: 1}


def test_errant_agrees_with_plain_annotations(comparison: Comparison) -> None:
    assert comparison.real.total == pytest.approx(comparison.annotated.total, rel=0.15)
    assert comparison.real.clean == comparison.annotated.clean


def test_label_losses_are_counted_on_both_sides(comparison: Comparison) -> None:
    assert comparison.made_labels.pairs == 2
    assert comparison.as_dict()["labels"]["made"]["exact"] == 1.0
    assert comparison.as_dict()["made"]["clean"] == 0.5


def test_the_chart_is_a_picture(comparison: Comparison, tmp_path: Path) -> None:
    draw_chart(comparison, tmp_path / "errors.png")
    assert (tmp_path / "errors.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(InputError, match="cannot be written"):
        draw_chart(comparison, tmp_path / "missing" / "errors.png")


def test_empty_profiles_divide_by_nothing() -> None:
    empty = Profile()
    assert (empty.clean, empty.rate, empty.shares()) == (0.0, 0.0, {})
    assert profile_pairs([]).total == 0
