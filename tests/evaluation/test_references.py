"""Files with references: what is given to a system, and how its corrections count."""

from __future__ import annotations

from pathlib import Path

import pytest

from permend.errors import MissingExtraError
from permend.evaluation import devset as references
from permend.evaluation.devset import has_references, read_references
from permend.evaluation.score import Score

M2 = """S She do n't likes dogs .
A 3 4|||R:VERB:FORM|||like|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||0
A 3 4|||R:VERB:FORM|||like|||REQUIRED|||-NONE-|||1

S It is fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
"""
TEXTS = ["She don't likes dogs.", "It is fine."]


@pytest.fixture
def m2(tmp_path: Path) -> Path:
    (tmp_path / "gold.m2").write_text(M2, encoding="utf-8")
    return tmp_path / "gold.m2"


def _absent() -> None:
    raise MissingExtraError("The ERRANT metric", "eval")


def test_m2_is_scored_by_errant_against_its_own_edits_and_annotators(m2: Path) -> None:
    pytest.importorskip("errant")
    found = read_references(m2)
    assert (found.texts, found.metric) == (TEXTS, "errant")
    assert found.score(["She doesn't like dogs.", "It is fine."]) == Score(tp=2)
    assert found.score(["She don't like dogs.", "It was fine."]) == Score(tp=1, fp=1)
    assert found.score(TEXTS) == Score(fn=1), "of two annotators the one counts who suits best"


def test_without_errant_edits_of_words_count(m2: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(references, "load_annotator", _absent)
    found = read_references(m2)
    assert (found.texts, found.metric) == (TEXTS, "edits")
    assert found.score(["She doesn't like dogs.", "It was fine."]) == Score(tp=1, fp=1), "neighbours are one edit"
    assert found.score(["She don't like dogs.", "It is fine."]) == Score(fp=1, fn=1)


def test_tables_are_taken_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("He go .\tHe goes .\n", encoding="utf-8")
    found = read_references(tmp_path / "pairs.tsv")
    assert (found.texts, found.metric) == (["He go ."], "edits")
    assert found.score(["He goes ."]) == Score(tp=1)
    assert [has_references(name) for name in ("a.m2", "a.tsv.gz", "a.txt", tmp_path)] == [True, True, False, True]
