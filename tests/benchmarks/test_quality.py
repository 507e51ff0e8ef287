"""Measuring a model: the numbers are the scorers', every mode is measured as it ships, and reports come back whole."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.quality import find_changes, main, measure_modes, write_changes
from benchmarks.results import Report, Result, fingerprint
from benchmarks.speed import Row, Speed
from benchmarks.tables import all_grids, parts, scores, types
from benchmarks.yardsticks import Clean, Errant, Fluency, MaxMatch
from permend.corrector.corrector import Corrector, Options
from permend.errors import InputError
from permend.evaluation.devset import M2DevSet
from permend.evaluation.errant import score_errant
from permend.evaluation.gleu import score_gleu
from permend.evaluation.score import Score
from permend.model.options import Mode
from tests.corrector.test_corrector import TOKENIZER, HandMade, replace_was
from tests.evaluation.test_curves import GOLD

MODES = {"eager": Mode(Options()), "shy": Mode(Options(min_margin=99))}
CORRECTOR = Corrector.of(HandMade(replace_was), TOKENIZER)


def written(folder: Path, text: str, name: str = "gold.m2") -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def test_every_mode_is_measured_as_it_ships_whole_and_in_parts(tmp_path: Path) -> None:
    yardstick = Errant(M2DevSet.read(written(tmp_path, GOLD)), {"first": 3, "last": 1})
    measured, texts = measure_modes(yardstick, CORRECTOR, MODES)
    eager, shy = measured.systems.values()
    assert (eager.edits, eager.changed, eager.correct_changed, eager.correct) == (Score(1, 1, 1), 2, 1, 2)
    assert (shy.edits, shy.changed) == (Score(fn=2), 0)
    assert texts["shy"] == yardstick.texts
    assert (measured.at_recall, measured.alarms) == (0.107, 0), "the shorter sentence, rightly changed, is surer"
    assert eager.parts["first"].edits == Score(tp=1, fp=1)
    assert (eager.parts["last"].sentences, eager.parts["last"].edits) == (1, Score(fn=1))
    assert eager.types["VERB:TENSE"] == Score(tp=1, fp=1)


def test_tables_show_a_dash_where_there_is_nothing_to_divide_by(tmp_path: Path) -> None:
    measured, _ = measure_modes(Errant(M2DevSet.read(written(tmp_path, GOLD)), {"all": 4}), CORRECTOR, MODES)
    assert scores(measured).rows[0][:5] == ["eager", "50.0", "50.0", "50.0", "1 of 2"]
    assert scores(measured).rows[1][:5] == ["shy", "–", "0.0", "0.0", "0 of 2"]
    assert types(measured).rows[0] == ["VERB:SVA", "1", "– / 0.0 / 0.0", "– / 0.0 / 0.0"]
    assert [row[:3] for row in parts(measured).rows] == [["all", "4", "eager"], ["all", "4", "shy"]]
    assert len(list(all_grids(measured))) == 3


def test_with_two_annotators_the_total_is_that_of_the_official_scorer(tmp_path: Path) -> None:
    second = "A 1 2|||R:VERB:TENSE|||have been|||REQUIRED|||-NONE-|||1\n"
    devset = M2DevSet.read(written(tmp_path, GOLD.replace("|||0\n\nS She", f"|||0\n{second}\nS She")))
    corrected = ["I have been busy.", *devset.texts[1:]]
    tokens = [devset.tokens(place, text) for place, text in enumerate(corrected)]
    assert Errant(devset).measure(corrected).edits == score_errant(devset.sentences, tokens).total
    assert Errant(devset).measure(corrected).edits == Score(tp=1, fn=1)


def test_overlapping_edits_are_for_the_m2_scorer(tmp_path: Path) -> None:
    gold = "S In work places , we was busy .\nA 1 2|||ArtOrDet|||the workplace|||REQUIRED|||-NONE-|||0\n"
    path = written(tmp_path, gold + "A 1 3|||Mec|||workplaces|||REQUIRED|||-NONE-|||0\n")
    result = MaxMatch(M2DevSet.read(path)).measure(["In workplaces, we was busy."])
    assert (result.edits, result.correct, result.changed) == (Score(tp=1, fn=1), 0, 1)


def test_gleu_is_that_of_the_scorer_and_untouched_tokens_stay(tmp_path: Path) -> None:
    source, reference = "He do n't likes it , John .", "He does n't like it , John ."
    for name, text in (("dev.src", source), ("dev.ref0", reference), ("dev.ref1", source)):
        written(tmp_path, text + "\n", name)
    yardstick = Fluency(tmp_path / "dev.src")
    assert yardstick.texts == ["He don't likes it, John."]
    result = yardstick.measure(["He doesn't like it, John."])
    references = [[reference.split(), source.split()]]
    assert result.gleu == score_gleu([source.split()], references, [reference.split()]).score
    assert yardstick.measure(yardstick.texts).changed == 0
    written(tmp_path, "", "dev.ref1")
    with pytest.raises(InputError, match="references beside them"):
        Fluency(tmp_path / "dev.src")


def test_changes_in_clean_text_are_counted_and_listed_once_for_a_person_to_judge(tmp_path: Path) -> None:
    yardstick = Clean(written(tmp_path, "I was here.\n\nAll is well.\n", "clean.txt"))
    measured, texts = measure_modes(yardstick, CORRECTOR, {**MODES, "bold": Mode(Options(bias=0.1))})
    assert measured.systems["eager"] == Result(2, 1, 2, 1)
    assert scores(measured).rows[1] == ["shy", "0 of 2 (0.0%)"]
    write_changes(str(tmp_path / "changes.tsv"), find_changes(yardstick.texts, texts))
    with (tmp_path / "changes.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert rows == [{"verdict": "", "modes": "eager,bold", "before": "I was here.", "after": "I am here."}]


def test_the_command_writes_a_report_that_is_read_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Corrector, "from_pretrained", lambda *_, **__: CORRECTOR)
    (tmp_path / "model").mkdir()
    gold, clean = written(tmp_path, GOLD), written(tmp_path, "I was here.\n", "clean.txt")
    files = [f"Dev set={gold}", "--m2scorer", gold, "--clean", clean, "--json", tmp_path / "report.json"]
    arguments = [tmp_path / "model", *files, "--part", "A=1", "--part", "B=3", "--show-changes"]
    result = CliRunner().invoke(main, [str(each) for each in arguments])
    assert result.exit_code == 0, result.output
    for word in ("Dev set", "MaxMatch", "VERB:TENSE", "→ I am here.", "Harper is not installed"):
        assert word in result.output
    report = Report.read(tmp_path / "report.json")
    assert [(each.name, each.metric) for each in report.sets] == [
        ("Dev set", "errant"),
        ("gold.m2", "m2"),
        ("clean.txt", "clean"),
    ]
    assert list(report.sets[0].systems["default options"].parts) == ["A", "B"]
    report.write(tmp_path / "again.json")
    assert Report.read(tmp_path / "again.json") == report
    wrong = CliRunner().invoke(main, [str(tmp_path / "model"), str(gold), "--part", "A=7"])
    assert "the parts have 7 sentences together" in wrong.output
    with pytest.raises(InputError, match="no report"):
        Report.read(gold)


def test_a_fingerprint_knows_weights_and_modes_but_not_the_card(tmp_path: Path) -> None:
    written(tmp_path, "weights", "encoder.onnx")
    before = fingerprint(tmp_path)
    written(tmp_path, "a card", "README.md")
    assert fingerprint(tmp_path) == before
    written(tmp_path, "{}", "modes.json")
    assert fingerprint(tmp_path) != before


def test_speed_is_a_table() -> None:
    speed = Speed("ab", 500, "a processor", [Row("permend", 41.26, 210_000_000, 0.84), Row("Harper", 160, 400_000_000)])
    assert speed.grid().rows == [["permend", "41.3", "210", "0.84"], ["Harper", "160.0", "400", ""]]
