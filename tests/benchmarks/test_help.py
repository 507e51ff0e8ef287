"""Every benchmark says what it measures when it is asked, instead of measuring or failing."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import benchmarks

FILES = sorted(Path(benchmarks.__path__[0]).glob("*.py"))
COMMANDS = [each.stem for each in FILES if "\ndef main(" in each.read_text(encoding="utf-8")]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_benchmark_can_be_asked_for_help(name: str) -> None:
    command = import_module(f"benchmarks.{name}").main
    assert isinstance(command, click.Command)
    answer = CliRunner().invoke(command, ["--help"])
    assert answer.exit_code == 0
    assert len(answer.output.split()) > 10
