"""Streams that are closed, full or of another encoding never show a traceback."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.model.tiny import exported

pytestmark = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full, and a shell")


def run(
    arguments: str, *, first: str = "", cwd: Path | None = None, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a shell, behind something that comes first; MODEL is a model."""
    model = f"--model {shlex.quote(str(exported()[1]))}"
    line = f"{first} {shlex.quote(sys.executable)} -m permend {arguments.replace('MODEL', model)}"
    return subprocess.run(["bash", "-c", line], capture_output=True, cwd=cwd, env={**os.environ, **(environment or {})})


@pytest.mark.parametrize(
    "command",
    ["--help", "correct MODEL 'w5 w6'", "correct MODEL --json w5", "info MODEL", "align w5 w6", "explain MODEL w5"],
)
def test_a_full_disk_is_one_sentence(command: str) -> None:
    result = run(f"{command} > /dev/full")
    assert result.returncode == 2
    assert result.stderr == b"Error: cannot write to standard output: No space left on device\n"


def test_a_full_disk_is_named_where_it_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("w5 w6\n")
    result = run("correct MODEL -o /dev/full a.txt", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (2, b"Error: /dev/full: cannot be written: No space left on device\n")


def test_errors_that_cannot_be_told_are_not_told_and_change_nothing() -> None:
    assert run("correct gone.txt 2> /dev/full").returncode == 2
    result = run("correct MODEL 'w5 w6' 2>&-")
    assert (result.returncode, result.stdout) == (0, b"w5 w6\n")


def test_whoever_reads_may_stop_reading(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("".join(f"w5 w6 w{number}.\n\n" for number in range(20_000)))
    result = run("correct MODEL long.txt | head -n 1; echo ${PIPESTATUS[0]}", cwd=tmp_path)
    assert (result.stdout, result.stderr) == (b"w5 w6 w0.\n141\n", b"")


def test_closed_streams_are_told_where_they_are_needed(tmp_path: Path) -> None:
    result = run("correct MODEL 'w5 w6' >&-")
    assert (result.returncode, result.stderr) == (
        2,
        b"Error: cannot write to standard output: Bad file descriptor\n",
    )
    for command in ("correct MODEL <&-", "correct MODEL --lines <&-", "check MODEL - <&-"):
        result = run(command)
        assert result.returncode == 2
        assert result.stderr.endswith(b": cannot be read: Bad file descriptor\n"), command
        assert len(result.stderr.splitlines()) == 1
    (tmp_path / "a.txt").write_text("w5 w6\n")
    result = run("correct MODEL -o b.txt a.txt <&- >&- 2>&-", cwd=tmp_path)
    assert (result.returncode, (tmp_path / "b.txt").read_text()) == (0, "w5 w6\n")


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
)
def test_what_an_encoding_cannot_write_is_escaped(environment: dict[str, str]) -> None:
    for command in ("explain MODEL 'w5 “w6” 😀'", "align 'I be – naïve 😀' 'I am – naïve'", "info MODEL"):
        result = run(command, environment=environment)
        assert (result.returncode, result.stderr) == (0, b""), command
    result = run("explain --json MODEL 'w5 “w6” 😀'", environment=environment)
    assert json.loads(result.stdout)["source"] == "w5 “w6” 😀", "JSON stays JSON"


def test_the_folder_that_one_is_in_may_be_gone(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("w5 w6\n")
    gone = "mkdir gone && cd gone && rmdir ../gone &&"
    for command, code in (
        ("correct MODEL 'w5 w6'", 0),
        ("correct MODEL FOLDER/a.txt", 0),
        ("correct MODEL a.txt b.txt", 2),
        ("correct MODEL --in-place FOLDER/a.txt b.txt", 2),
        ("correct MODEL -o new.txt FOLDER/a.txt", 2),
        ("correct MODEL --lines - < FOLDER/a.txt", 0),
        ("check MODEL - < FOLDER/a.txt", 0),
        ("check MODEL a.txt .", 2),
        ("info MODEL", 0),
        ("dict list --user", 0),
        ("dict add word", 2),
    ):
        command = command.replace("FOLDER", shlex.quote(str(tmp_path)))
        result = run(command, first=gone, cwd=tmp_path, environment={"XDG_CONFIG_HOME": str(tmp_path)})
        assert result.returncode == code, (command, result.stderr)
        assert all(line.startswith((b"Error: ", b"0 corr")) for line in result.stderr.splitlines()), result.stderr
        assert b"bug" not in result.stderr
        assert code == 0 or re.search(rb"(a|b)\.txt: |new\.txt: |is gone\n", result.stderr), (command, result.stderr)
