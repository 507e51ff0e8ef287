"""The log of a run: a table that can be read again and a picture."""

from __future__ import annotations

from pathlib import Path

import pytest

from permend.training.correction.run import LOG
from permend.training.log import Clock, Meter, Report, RunLog, StepResult, read_log
from permend.training.pretraining.run import LOG as PRETRAINING_LOG
from permend.training.task import Scores, Term, loss_of


def _report(step: int, loss: float) -> Report:
    means = {"pointer_loss": loss / 5, "infill_loss": loss / 2, "pointer_accuracy": 0.9, "infill_accuracy": 0.8}
    return Report(step, step / 10, 0.5, 1.0, loss, 1.5, 1e-4, 1e5, 0.01, means)


def test_a_log_has_the_columns_it_always_had(tmp_path: Path) -> None:
    RunLog(tmp_path, LOG)
    assert (tmp_path / "log.csv").read_text(encoding="utf-8") == (
        "step,share,epochs,minutes,loss,pointer_loss,infill_loss,pointer_accuracy,infill_accuracy,"
        "gradient,rate,tokens_per_second,waiting,precision,recall,score\n"
    )
    RunLog(tmp_path, PRETRAINING_LOG)
    assert (tmp_path / "log.csv").read_text(encoding="utf-8") == (
        "step,share,passes,minutes,loss,accuracy,masked,gradient,rate,tokens_per_second,"
        "held_out_loss,held_out_accuracy\n"
    )


def test_a_sum_over_nothing_adds_nothing_to_the_loss() -> None:
    assert loss_of((Term("pointer", 5.0), Term("infill", 1.0)), (3.0, 0.0), (2.0, 0.0)) == 7.5


def test_a_log_has_a_line_for_each_report(tmp_path: Path) -> None:
    record = RunLog(tmp_path, LOG)
    record.progress(_report(5, 3.0))
    record.validated(5, Scores({"score": 0.4, "precision": 0.5, "recall": 0.2}))
    record.progress(_report(10, 2.0))
    record.draw()
    rows = read_log(tmp_path / "log.csv")
    assert [row["step"] for row in rows] == [5, 5, 10]
    assert rows[1] == {"step": 5, "score": 0.4, "precision": 0.5, "recall": 0.2}
    assert rows[2]["loss"] == 2.0
    assert (tmp_path / "loss.png").read_bytes().startswith(b"\x89PNG")


def test_a_resumed_log_goes_on_behind_its_checkpoint(tmp_path: Path) -> None:
    record = RunLog(tmp_path, LOG)
    for step in (5, 10, 15):
        record.progress(_report(step, 3.0))
    RunLog(tmp_path, LOG, from_step=10).progress(_report(15, 2.0))
    assert [(row["step"], row["loss"]) for row in read_log(tmp_path / "log.csv")] == [(5, 3), (10, 3), (15, 2)]


def test_a_new_run_begins_a_new_log(tmp_path: Path) -> None:
    RunLog(tmp_path, LOG).progress(_report(5, 3.0))
    RunLog(tmp_path, LOG)
    assert read_log(tmp_path / "log.csv") == []


def test_a_report_divides_sums_by_what_they_were_found_on() -> None:
    terms = (Term("pointer", 5.0), Term("infill", 1.0), Term("pointer_right"), Term("infill_right"))
    meter = Meter(terms, begun=60.0)
    meter.tokens, meter.waited = 1000, 0.5
    meter.add(StepResult((10, 6, 8, 1), (20, 3, 10, 3), 1.0))
    meter.add(StepResult((20, 3, 9, 2), (40, 6, 10, 6), 3.0))
    report = meter.report(2, 0.5, 0.1, 62.0, 1e-3, {"masked": 0.3})
    assert report.loss == 3.5
    assert report.values == pytest.approx(
        {"pointer": 0.5, "infill": 1.0, "pointer_right": 17 / 20, "infill_right": 3 / 9, "masked": 0.3}
    )
    assert (report.gradient, report.tokens_per_second, report.waiting) == (2.0, 500, 0.25)
    assert report.minutes_left == pytest.approx(62 / 60)
    assert meter.steps == 0


def test_a_clock_stands_still_while_it_is_stopped() -> None:
    clock = Clock(seconds=100.0)
    assert clock.seconds == 100.0
    clock.start()
    clock.stop()
    shown = clock.seconds
    assert shown == clock.seconds >= 100.0
