"""The record of a run: a log that can be read again and a picture."""

from __future__ import annotations

from pathlib import Path

import pytest

from permend.training.log import Clock, Finding, Meter, Record, Report, read_log


def _report(step: int, loss: float) -> Report:
    return Report(step, step / 10, 0.5, 1.0, loss, loss / 5, loss / 2, 0.9, 0.8, 1.5, 1e-4, 1e5, 0.01)


def test_a_log_has_a_line_for_each_report(tmp_path: Path) -> None:
    record = Record(tmp_path)
    record.progress(_report(5, 3.0))
    record.validated(5, {"score": 0.4, "precision": 0.5, "recall": 0.2})
    record.progress(_report(10, 2.0))
    record.draw()
    rows = read_log(tmp_path / "log.csv")
    assert [row["step"] for row in rows] == [5, 5, 10]
    assert rows[1] == {"step": 5, "score": 0.4, "precision": 0.5, "recall": 0.2}
    assert rows[2]["loss"] == 2.0
    assert (tmp_path / "loss.png").read_bytes().startswith(b"\x89PNG")


def test_a_resumed_log_goes_on_behind_its_checkpoint(tmp_path: Path) -> None:
    record = Record(tmp_path)
    for step in (5, 10, 15):
        record.progress(_report(step, 3.0))
    Record(tmp_path, from_step=10).progress(_report(15, 2.0))
    assert [(row["step"], row["loss"]) for row in read_log(tmp_path / "log.csv")] == [(5, 3), (10, 3), (15, 2)]


def test_a_new_run_begins_a_new_log(tmp_path: Path) -> None:
    Record(tmp_path).progress(_report(5, 3.0))
    Record(tmp_path)
    assert read_log(tmp_path / "log.csv") == []


def test_a_report_divides_sums_by_what_they_were_found_on() -> None:
    meter = Meter(lambda_per=5.0, begun=60.0)
    meter.tokens, meter.waited = 1000, 0.5
    meter.add(Finding(10, 6, 8, 1, 20, 10, 3, 1.0))
    meter.add(Finding(20, 3, 9, 2, 40, 10, 6, 3.0))
    report = meter.report(2, 0.5, 0.1, 62.0, 1e-3)
    assert (report.pointer_loss, report.infill_loss) == (0.5, 1.0)
    assert report.loss == 3.5
    assert (report.pointer_accuracy, report.infill_accuracy) == pytest.approx((17 / 20, 3 / 9))
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
