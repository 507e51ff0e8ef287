"""Calibrated probabilities: what is written is read, and more evidence never means less probability."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permend.errors import InputError
from permend.model.folder import check_hashes, write_hashes
from permend.model.options import Calibration, Evidence, read_calibration, write_calibration

CALIBRATION = Calibration(-0.8, 0.3, 0.5, 3.3, 0.1, {"R:SPELL": 1.1, "R:OTHER": -1.2})


def test_what_is_written_is_read_and_the_hashes_stay_right(tmp_path: Path) -> None:
    assert read_calibration(tmp_path) is None
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    write_hashes(tmp_path)
    write_calibration(tmp_path, CALIBRATION)
    assert read_calibration(tmp_path) == CALIBRATION
    check_hashes(tmp_path)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(-50, 0))
def test_a_larger_share_never_means_a_smaller_probability(one: float, other: float, fill: float) -> None:
    low, high = (CALIBRATION(Evidence(share, fill, 0.1, 3.0, "M:DET")) for share in sorted((one, other)))
    assert 0 < low <= high < 1


def test_types_differ_and_unknown_ones_lie_between() -> None:
    spelling, unknown, other = (
        CALIBRATION(Evidence(0.9, -0.2, 0.0, 3.0, name)) for name in ("R:SPELL", "X:NEW", "R:OTHER")
    )
    assert spelling > unknown > other


@pytest.mark.parametrize("values", [[], {"share": 1}, {"types": {}, "shares": 1}, {"types": {"a": "b"}}, "x"])
def test_a_file_that_makes_no_sense_is_told_in_a_sentence(tmp_path: Path, values: Any) -> None:
    (tmp_path / "calibration.json").write_text(json.dumps(values), encoding="utf-8")
    with pytest.raises(InputError, match="calibration cannot be read") as raised:
        read_calibration(tmp_path)
    assert str(raised.value).startswith(str(tmp_path))
    assert "\n" not in str(raised.value)
