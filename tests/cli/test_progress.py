"""A bar is drawn when there is time to look at it, and never stands in the way of what is written."""

from __future__ import annotations

import io
from types import SimpleNamespace

import pytest
from rich.console import Console

from permend.cli import batch
from permend.cli import terminal as progress
from permend.cli.terminal import Bar, steps, tracked


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Return what is standard output and standard error at once, as for somebody at work."""
    stream = Terminal()
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=stream))
    monkeypatch.setattr(progress, "Console", lambda **_: Console(file=stream, force_terminal=True, width=60))
    return stream


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the time, to be set."""
    now = [100.0]
    monkeypatch.setattr("permend.cli.terminal.time.monotonic", lambda: now[0])
    return now


@pytest.mark.parametrize(
    ("seconds", "share", "drawn"), [(0.5, 0.01, False), (1.5, 0.1, True), (1.5, 0.6, False), (60, 0.99, False)]
)
def test_a_bar_comes_by_the_time_that_is_left(
    terminal: Terminal, clock: list[float], seconds: float, share: float, drawn: bool
) -> None:
    with Bar("correcting") as bar:
        bar.expect(1000)
        clock[0] += seconds
        bar.advance(int(share * 1000))
    assert ("correcting" in terminal.getvalue()) is drawn


def test_without_a_size_or_somebody_who_looks_there_is_none(
    terminal: Terminal, clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Bar() as bar:
        clock[0] += 9
        bar.advance(10)
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=io.StringIO()))
    with Bar() as bar:
        bar.expect(1000)
        clock[0] += 9
        bar.advance(10)
    assert terminal.getvalue() == ""


def test_lines_are_written_where_no_bar_is(terminal: Terminal, clock: list[float]) -> None:
    with Bar("checking") as bar:
        bar.expect(1000)
        clock[0] += 9
        for _ in range(3):
            bar.advance(10)
            for line in ("a.md:1:1: one\n", "a.md:2:1: two\n"):
                bar.step_aside(terminal)
                terminal.write(line)
    written = terminal.getvalue()
    assert written.count("checking") >= 3, "it comes back"
    for line in ("a.md:1:1: one\n", "a.md:2:1: two\n"):
        before = [part.rpartition("\n")[2] for part in written.split(line)[:-1]]
        assert len(before) == 3
        assert not any("checking" in part.rpartition("\x1b[2K")[2] for part in before), "the line was cleared"


def test_items_and_steps_are_drawn_and_taken_away(terminal: Terminal) -> None:
    assert list(tracked(iter("abc"), "reading")) == ["a", "b", "c"]
    with steps("making", 9, "pairs") as advance:
        advance()
        advance(3)
    written = terminal.getvalue()
    assert "reading" in written
    assert "making" in written
    assert "4 pairs" in written
    assert written.endswith("\x1b[2K"), "the last line was cleared"


def test_items_and_steps_draw_nothing_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(tracked([1, 2], "reading")) == [1, 2]
    with steps("making", None) as advance:
        advance()
    assert capsys.readouterr().err == ""


def test_the_rate_of_a_corpus_counts_the_time_before_the_first_rows(terminal: Terminal, clock: list[float]) -> None:
    with batch._Bar() as bar:
        bar.expect(1000)
        clock[0] += 10
        bar.advance(500, 20)
    assert "20 rows, 2.0/s" in terminal.getvalue()
