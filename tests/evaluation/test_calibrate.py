"""Learning a calibration: what it says comes true, on sentences that it was not learned from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from permend.corpora.pairs import Pair
from permend.corrector.correction import ScoredEdit
from permend.evaluation.calibrate import BINS, JudgedEdit, check, judge_edits, learn, reliability
from permend.evaluation.correcting import Corrected
from permend.evaluation.devset import PairDevSet
from permend.evaluation.figures import draw_reliability
from permend.model.options import Calibration, Evidence

TRUTH = Calibration(-1.6, 0.4, 0.6, 3.0, 0.2, {"R:SPELL": 1.0, "R:OTHER": -1.5, "M:DET": 0.3})


def draw(edits: int, bias: float, seed: int) -> list[JudgedEdit]:
    """Draw edits that are right as often as the truth says."""
    random = np.random.default_rng(seed)
    found = []
    for place in range(edits):
        sureness = random.uniform(0.3, 1), -random.exponential(0.5), bias, random.uniform(0, 8)
        evidence = Evidence(*sureness, str(random.choice([*TRUTH.types])))
        found.append(JudgedEdit(place, evidence, bool(random.random() < TRUTH(evidence))))
    return found


def test_what_it_says_comes_true() -> None:
    settings = [draw(4000, 0.0, 1), draw(4000, 0.3, 2)]
    found, calibration = check(settings, shown=0), learn(settings)
    assert calibration is not None
    assert found.after.error < 0.03 < found.before.error
    assert found.after.log_loss < found.before.log_loss
    for evidence in (edit.evidence for edit in draw(50, 0.15, 3)):
        assert calibration(evidence) == pytest.approx(TRUTH(evidence), abs=0.08)


def test_probabilities_that_are_noise_do_not_look_better_than_they_are() -> None:
    """A type for every sentence could be learned by heart; held-out edits tell."""
    random = np.random.default_rng(0)
    edits = [JudgedEdit(n, Evidence(0.9, 0.0, 0.0, 4.0, f"T{n}"), bool(random.random() < 0.5)) for n in range(300)]
    assert check([edits], shown=0).after.log_loss > 0.68, "no better than a coin"


def test_too_few_edits_teach_nothing() -> None:
    assert learn([draw(10, 0.0, 1)]) is None


def test_every_edit_is_judged_by_itself() -> None:
    pairs = PairDevSet("one", [Pair("He go to a school", "He goes to school")])
    edits = (ScoredEdit(3, 5, "go", "goes", 0.9, "R:VERB:SVA"), ScoredEdit(9, 10, "a", "the", 0.4, "R:DET"))
    judged = judge_edits(pairs, [Corrected("He goes to the school", 1.0, edits, -0.3)], bias=0.2)
    assert [edit.right for edit in judged] == [True, False]
    assert judged[0].evidence == Evidence(0.9, -0.3, 0.2, 0.5, "R:VERB:SVA"), "the margin is shared by two edits"


def test_halves_of_a_move_are_judged_together() -> None:
    """Neither half is right by itself: judged so, all words that can be moved would look like bad edits."""
    pairs = PairDevSet("one", [Pair("I often him see .", "I often see him .")])
    edits = (ScoredEdit(8, 12, "him ", "", 0.9, "U:PRON"), ScoredEdit(15, 15, "", " him", 0.9, "M:PRON"))
    judged = judge_edits(pairs, [Corrected("I often see him .", 4.0, edits)], bias=0.0)
    assert [edit.right for edit in judged] == [True, True]


def test_the_error_is_the_gap_between_word_and_deed(tmp_path: Path) -> None:
    said = np.repeat([0.2, 0.8], 50)
    right = np.r_[np.ones(10), np.zeros(40), np.ones(30), np.zeros(20)]  # 20% as said, and 60% instead of 80%
    random = np.random.default_rng(0).permutation(50)
    found = reliability(said, np.r_[right[:50][random], right[50:][random]])
    assert len(found.bins) == BINS
    assert sum(each.edits for each in found.bins) == 100
    assert found.error >= 0.1
    draw_reliability(found.bins, found.bins, tmp_path / "reliability.png")
    assert (tmp_path / "reliability.png").read_bytes().startswith(b"\x89PNG")
