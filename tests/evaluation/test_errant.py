"""ERRANT: its edits, its way of counting, and what happens where it is not installed."""

from __future__ import annotations

import sys

import pytest

from permend.corpora.m2 import M2Edit, M2Sentence
from permend.errors import InputError, MissingExtraError
from permend.evaluation import errant
from permend.evaluation.errant import ErrantScore, extract_edits, score_errant
from permend.evaluation.score import Score

SOURCE = "He go to school yesterday ."
GO = M2Edit(1, 2, "R:VERB:TENSE", ("went",), 0)


def sentence(source: str, *annotators: tuple[M2Edit, ...]) -> M2Sentence:
    return M2Sentence(tuple(source.split()), dict(enumerate(annotators)), "gold.m2", 1)


def score(source: str, hypothesis: str, *annotators: tuple[M2Edit, ...]) -> ErrantScore:
    return score_errant([sentence(source, *annotators)], [hypothesis.split()])


def test_edits_are_typed() -> None:
    edits = extract_edits(sentence(SOURCE, ()), "He went to the school yesterday .".split())
    assert edits == [GO, M2Edit(3, 3, "M:DET", ("the",), 0)]


def test_right_wrong_and_missed_edits_by_type() -> None:
    missed = M2Edit(5, 6, "R:PUNCT", ("!",), 0)
    result = score(SOURCE, "He went to the school yesterday .", (GO, missed))
    assert result.total == Score(tp=1, fp=1, fn=1)
    assert result.types == {"VERB:TENSE": Score(tp=1), "DET": Score(fp=1), "PUNCT": Score(fn=1)}


def test_a_right_edit_has_the_type_of_the_gold_edit() -> None:
    gold = M2Edit(1, 2, "R:SPELL", ("went",), 0)
    assert score(SOURCE, "He went to school yesterday .", (gold,)).types == {"SPELL": Score(tp=1)}


def test_types_of_other_schemes_stay_whole() -> None:
    gold = M2Edit(1, 2, "ArtOrDet", ("went",), 0)
    assert score(SOURCE, SOURCE, (gold,)).types == {"ArtOrDet": Score(fn=1)}


def test_same_span_with_another_correction_is_wrong() -> None:
    assert score(SOURCE, "He goes to school yesterday .", (GO,)).total == Score(fp=1, fn=1)


def test_each_alternative_is_right() -> None:
    gold = M2Edit(1, 2, "R:VERB", ("goes", "went"), 0)
    assert score(SOURCE, "He went to school yesterday .", (gold,)).total == Score(tp=1)


def test_errors_without_a_correction_do_not_count() -> None:
    gold = M2Edit(3, 4, "UNK", ("school",), 0)
    assert score(SOURCE, SOURCE, (gold,)).total == Score()


def test_a_gold_edit_listed_twice_counts_twice() -> None:
    assert score(SOURCE, "He went to school yesterday .", (GO, GO)).total == Score(tp=2)
    assert score(SOURCE, SOURCE, (GO, GO)).total == Score(fn=2)


def test_an_edit_made_twice_counts_once_where_it_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errant, "extract_edits", lambda *_: [GO, GO])
    assert score(SOURCE, "", (GO,)).total == Score(tp=1)
    assert score(SOURCE, "", ()).total == Score(fp=2)


def test_the_better_annotator_counts() -> None:
    assert score(SOURCE, SOURCE, (GO,), ()).total == Score()
    assert score(SOURCE, "He went to school yesterday .", (), (GO,)).total == Score(tp=1)


def test_an_empty_hypothesis_deletes_everything() -> None:
    deletion = M2Edit(0, 2, "U:OTHER", ("",), 0)
    assert score("Hello you", "", (deletion,)).total == Score(tp=1)


def test_lines_too_long_to_align_are_refused_in_one_sentence() -> None:
    long = sentence("word " * 10_000, ())
    with pytest.raises(InputError, match=r"^gold.m2:1: 10000 source tokens and 9999 hypothesis tokens are too many"):
        extract_edits(long, long.tokens[:-1])
    assert extract_edits(long, long.tokens) == []


@pytest.mark.parametrize(("hidden", "message"), [(("errant",), "ERRANT metric"), (errant.MODELS, "spaCy model")])
def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, hidden: tuple[str, ...], message: str) -> None:
    for name in hidden:
        monkeypatch.setitem(sys.modules, name, None)
    assert not errant.has_errant()
    with pytest.raises(MissingExtraError, match=rf"{message}.*pip install '\.\[eval\]'"):
        errant.load_annotator.__wrapped__()
