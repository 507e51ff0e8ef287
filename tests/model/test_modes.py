"""Operating points: what is written is read, folders without them work, and mistakes are one sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from permend.errors import PermendError
from permend.model.folder import check_hashes, write_hashes
from permend.model.options import FORMAT, Measured, Mode, Modes, Options, read_modes, write_modes

MODES = Modes(
    {
        "thorough": Mode(Options(bias=0.2), Measured(0.6, 0.35, 0.525, 140, 1528)),
        "balanced": Mode(Options(bias=0.3, min_margin=0.05), Measured(0.7, 0.25, 0.514, 20, 1528)),
        "plain": Mode(Options(steps=1)),
    },
    "4,384 sentences of dev.m2",
)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write_modes(tmp_path, MODES)
    assert read_modes(tmp_path) == MODES


def test_pruning_keeps_the_key_that_older_releases_read(tmp_path: Path) -> None:
    write_modes(tmp_path, Modes({"plain": Mode(Options(prune=False))}))
    values = json.loads((tmp_path / "modes.json").read_text())
    options = values["modes"]["plain"]["options"]
    assert (options["thrifty"], "prune" in options) == (False, False)
    assert not read_modes(tmp_path).options("plain").prune


def test_the_default_is_balanced_and_plain_options_where_there_are_no_modes(tmp_path: Path) -> None:
    assert read_modes(tmp_path) == Modes()
    assert read_modes(tmp_path).options() == Options()
    assert MODES.options() == MODES.options("balanced") == Options(bias=0.3, min_margin=0.05)


def test_an_unknown_mode_is_told_in_a_sentence() -> None:
    with pytest.raises(PermendError, match="no mode 'bold': it has thorough, balanced, plain"):
        MODES.options("bold")
    with pytest.raises(PermendError, match=r"no mode 'bold': it comes without modes\.json"):
        Modes().options("bold")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"format": FORMAT + 1, "news": 1}, f"format {FORMAT + 1}, this permend reads up to {FORMAT}: upgrade"),
        ({"modes": {}}, "cannot be read"),
        ({"format": 1, "modes": {"a": {"options": {"beem": 1}}}}, "cannot be read .*beem"),
        ({"format": 1, "modes": {"a": {"options": {"beam": 0}}}}, r"modes\.json: beam must be at least 1"),
        ({"format": 1, "modes": {"a": {"options": {"bias": "x"}}}}, "cannot be read"),
        ([], "cannot be read"),
    ],
)
def test_a_file_that_makes_no_sense_is_told_in_a_sentence(tmp_path: Path, values: Any, message: str) -> None:
    (tmp_path / "modes.json").write_text(json.dumps(values), encoding="utf-8")
    with pytest.raises(PermendError, match=message) as raised:
        read_modes(tmp_path)
    assert str(raised.value).startswith(str(tmp_path))
    assert "\n" not in str(raised.value)


def test_new_modes_leave_the_hashes_right(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    write_hashes(tmp_path)
    write_modes(tmp_path, MODES)
    check_hashes(tmp_path)
    write_modes(tmp_path, Modes())
    check_hashes(tmp_path)
