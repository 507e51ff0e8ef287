"""Development sets: what is given to a system, and how its corrections count."""

from __future__ import annotations

from pathlib import Path

import pytest

from permend.corpora.pairs import Pair
from permend.evaluation import devset
from permend.evaluation.correcting import Corrected
from permend.evaluation.devset import Metric, PairDevSet, read_devset
from permend.evaluation.score import Score

M2 = """S She do n't likes dogs .
A 3 4|||R:VERB:FORM|||like|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||0
A 3 4|||R:VERB:FORM|||like|||REQUIRED|||-NONE-|||1

S It is fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
"""
PAIRS = [
    Pair("She go to school .", "She goes to school ."),
    Pair("It is fine .", "It is fine ."),
    Pair("He have two brother .", "He has two brothers ."),
]
TEXTS = ["She don't likes dogs.", "It is fine."]


@pytest.fixture
def m2(tmp_path: Path) -> Path:
    (tmp_path / "gold.m2").write_text(M2, encoding="utf-8")
    return tmp_path / "gold.m2"


def test_m2_is_scored_by_errant_against_its_own_edits_and_annotators(m2: Path) -> None:
    pytest.importorskip("errant")
    found = read_devset(m2)
    assert (found.texts, found.metric) == (TEXTS, "errant")
    assert found.score(["She doesn't like dogs.", "It is fine."]) == Score(tp=2)
    assert found.score(["She don't like dogs.", "It was fine."]) == Score(tp=1, fp=1)
    assert found.score(TEXTS) == Score(fn=1), "of two annotators the one counts who suits best"


def test_without_errant_edits_of_words_count(m2: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devset, "has_errant", lambda: False)
    found = read_devset(m2)
    assert (found.texts, found.metric) == (TEXTS, "edits")
    assert found.score(["She doesn't like dogs.", "It was fine."]) == Score(tp=1, fp=1), "neighbours are one edit"
    assert found.score(["She don't like dogs.", "It is fine."]) == Score(fp=1, fn=1)


def test_tables_are_taken_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("He go .\tHe goes .\n", encoding="utf-8")
    found = read_devset(tmp_path / "pairs.tsv")
    assert (found.texts, found.metric) == (["He go ."], "edits")
    assert found.score(["He goes ."]) == Score(tp=1)


def test_folders_hold_tokens_and_are_corrected_as_text(tmp_path: Path) -> None:
    for name, text in {"dev.src": "She do n't go .", "dev.ref0": "She does n't go ."}.items():
        (tmp_path / name).write_text(text + "\n", encoding="utf-8")
    found = read_devset(tmp_path)
    assert found.texts == ["She don't go."]
    assert found.score(["She doesn't go."]) == Score(tp=1)


@pytest.mark.parametrize("metric", ["edits", "errant"])
def test_edits_of_pairs_are_counted(metric: Metric) -> None:
    if metric == "errant":
        pytest.importorskip("errant")
    pairs = PairDevSet("three", PAIRS, metric)
    assert pairs.correct == [False, True, False]
    assert pairs.score(["She goes to school .", "It was fine .", "He has two brother ."]) == Score(2, 1, 1)
    assert pairs.score([pair.target for pair in PAIRS]).f(0.5) == 1.0


def test_every_sentence_needs_its_correction() -> None:
    pairs = PairDevSet("three", PAIRS)
    with pytest.raises(ValueError, match="3 sentences have 1 corrections"):
        pairs.score(["She goes to school ."])
    with pytest.raises(ValueError, match="3 sentences have 4 corrections"):
        pairs.judge([Corrected("It")] * 4)


def test_judged_sentences_add_up_to_the_score_of_all(m2: Path) -> None:
    for found in (PairDevSet("three", PAIRS), read_devset(m2)):
        texts = [text.replace("is", "was").replace("do", "did") for text in found.texts]
        judged, total = found.judge([Corrected(text, margin=1.0) for text in texts])
        for each in judged:
            total += each.changed
        assert total == found.score(texts)
