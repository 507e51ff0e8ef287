"""Choosing modes: the numbers written into a folder are those that the modes then give."""

from __future__ import annotations

from pathlib import Path

import pytest

from permend.corrector.correction import ScoredEdit
from permend.corrector.corrector import Corrector, Options
from permend.corrector.explaining.language import load_language
from permend.evaluation.correcting import Corrected, correct_with
from permend.evaluation.devset import DevSet, M2DevSet, PairDevSet, read_devset
from permend.evaluation.errant import score_errant
from permend.evaluation.figures import draw_curves
from permend.evaluation.score import Point, Score
from permend.evaluation.tuning import Curve, choose, find_curves, find_slip_curves
from permend.model.options import Modes, read_modes, write_modes
from permend.text.edits import diff
from tests.corrector.test_corrector import TOKENIZER, HandMade, replace_was

GOLD = """S I was busy .
A 1 2|||R:VERB:TENSE|||am|||REQUIRED|||-NONE-|||0

S She was late , so I did n't come .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S All is well .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S I were " here " .
A 1 2|||R:VERB:SVA|||was|||REQUIRED|||-NONE-|||0
"""
SETTINGS = [Options(bias=bias) for bias in (0.0, 0.3)]
CORRECTOR = Corrector.of(HandMade(replace_was), TOKENIZER)


def curves_of(devset: DevSet) -> list[Curve]:
    return find_curves(devset, SETTINGS, correct_with(CORRECTOR, devset.texts, SETTINGS))


@pytest.fixture
def devset(tmp_path: Path) -> M2DevSet:
    (tmp_path / "gold.m2").write_text(GOLD, encoding="utf-8")
    found = read_devset(tmp_path / "gold.m2")
    assert isinstance(found, M2DevSet)
    return found


def test_what_is_chosen_is_what_the_modes_then_give(devset: M2DevSet, tmp_path: Path) -> None:
    assert devset.correct == [False, True, True, False]
    curves = curves_of(devset)
    modes = choose(curves, sum(devset.correct))
    assert list(modes) == ["thorough", "balanced", "precise"]
    precise = modes["precise"].measured
    assert precise is not None
    assert (precise.precision, precise.recall, precise.correct_changed) == (1.0, 0.5, 0), (
        "the shorter sentence is surer"
    )
    write_modes(tmp_path, Modes(modes, "gold.m2"))
    for mode in read_modes(tmp_path).modes.values():
        corrections = Corrector.of(CORRECTOR.networks, TOKENIZER, mode.options).correct_batch(devset.texts)
        tokens = [devset.tokens(place, each.text) for place, each in enumerate(corrections)]
        score = score_errant(devset.sentences, tokens).total
        assert mode.measured is not None
        assert (mode.measured.precision, mode.measured.recall) == (score.precision, score.recall)
    draw_curves(curves, modes, tmp_path / "curves.png")
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")


def test_a_larger_beta_never_finds_less(devset: M2DevSet) -> None:
    curves = curves_of(devset)
    found = [choose(curves, 2, beta)["thorough"].measured for beta in (0.1, 0.5, 2.0)]
    recalls = [each.recall for each in found if each is not None]
    assert recalls == sorted(recalls)


def test_what_is_given_up_of_f_buys_recall_and_no_more_than_that_is_given_up() -> None:
    scores = [Score(40, 10, 60), Score(45, 15, 55), Score(60, 40, 40)]  # F0.5 0.667, 0.662 and 0.6
    curves = [Curve(Options(), [Point(3.0 - n, score, n) for n, score in enumerate(scores)])]
    recalls = []
    for give in (0.0, 0.02, 0.1):
        measured = choose(curves, 10, give=give)["thorough"].measured
        assert measured is not None
        assert measured.f >= max(score.f() for score in scores) - give
        recalls.append(measured.recall)
    assert recalls == [0.4, 0.45, 0.6]
    assert choose(curves, 10, give=0.1)["precise"].options.min_margin == 3.0, "false alarms are not for sale"


def test_no_mode_keeps_edits_that_a_more_eager_one_drops() -> None:
    nothing = Point(9.0, Score(fn=100), 0)
    eager = Curve(
        Options(min_confidence=0.3), [nothing, Point(2.0, Score(30, 10, 70), 2), Point(0.0, Score(50, 20, 50), 9)]
    )
    better = Curve(Options(), [nothing, Point(2.0, Score(35, 10, 65), 2), Point(0.0, Score(50, 40, 50), 9)])
    modes = choose([eager, better], correct=200)
    assert modes["thorough"].options.min_confidence == 0.3
    assert modes["balanced"].options.min_confidence == 0.3, "though the other curve is better here"
    assert modes["balanced"].measured is not None
    assert modes["balanced"].measured.recall == 0.3


def test_pairs_without_a_correct_sentence_say_nothing_of_alarms_and_all_modes_are_one(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("I was busy.\tI am busy.\nHe was late.\tHe is late.\n", encoding="utf-8")
    pairs = read_devset(tmp_path / "pairs.tsv")
    assert isinstance(pairs, PairDevSet)
    modes = choose(curves_of(pairs), sum(pairs.correct))
    assert modes["thorough"] == modes["balanced"] == modes["precise"]
    assert pairs.score_one(0, "I am busy.") == Score(tp=1)
    assert pairs.score_one(1, "He am late.") == Score(fp=1, fn=1)


def test_the_first_sentences_alone(tmp_path: Path) -> None:
    (tmp_path / "gold.m2").write_text(GOLD, encoding="utf-8")
    assert len(read_devset(tmp_path / "gold.m2", 3).texts) == 3


def test_below_the_threshold_slips_count_and_above_it_everything(tmp_path: Path) -> None:
    rows = [
        ("We recieved it, and he go.", "We received it, and he goes.", "We received it, and he goes.", 3.0),
        ("They dont like it.", "They don't like it.", "They don't like them.", 1.2),
        ("All of teh words are here.", "All of the words are here.", "All of the words are there.", 0.3),
        ("It is late, we know.", "It is late, we know.", "It is late, we knew.", 0.7),
        ("He go home.", "He goes home.", "He goes home.", 0.1),
    ]
    (tmp_path / "pairs.tsv").write_text("".join(f"{a}\t{b}\n" for a, b, *_ in rows), encoding="utf-8")
    pairs, language = read_devset(tmp_path / "pairs.tsv"), load_language("en")
    whole = [
        Corrected(text, margin, tuple(ScoredEdit(e.start, e.end, e.before, e.after, 0.9) for e in diff(source, text)))
        for source, _, text, margin in rows
    ]
    slips = ["We received it, and he go.", "They don't like it.", "All of the words are here.", rows[3][0], rows[4][0]]
    for margin in (0.2, 0.5, 1.0, 2.0):
        (curve,) = find_slip_curves(pairs, [Options()], [whole], margin, language)
        assert curve.options.slip_margin == margin
        for point in curve.points[1:]:
            texts = [
                each.text if each.margin >= point.threshold else slip if each.margin >= margin else row[0]
                for each, slip, row in zip(whole, slips, rows, strict=True)
            ]
            assert point.score == pairs.score(texts), (margin, point)
            changed = [text != row[0] for text, row in zip(texts, rows, strict=True)]
            assert point.correct_changed == sum(
                alarm for alarm, correct in zip(changed, pairs.correct, strict=True) if correct
            )


def test_slips_have_a_margin_of_their_own_in_the_default_mode_alone() -> None:
    points = [Point(9.0, Score(fn=100), 0), Point(2.0, Score(30, 10, 70), 1), Point(0.0, Score(50, 20, 50), 90)]
    modes = choose([Curve(Options(), points), Curve(Options(slip_margin=1.0), points)], correct=100)
    assert {name: mode.options.slip_margin for name, mode in modes.items()} == {
        "thorough": None,
        "balanced": 1.0,
        "precise": None,
    }
