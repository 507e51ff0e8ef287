"""What a Python caller gets wrong is told at once: TypeError for the wrong kind, a ValueError of ours for the rest."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from permend import Checker, Corrector, Options, PermendError
from permend.errors import ArgumentError
from tests.corrector.test_corrector import corrector, replace_was
from tests.model.tiny import exported

MADE = corrector(replace_was)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: MADE.correct(None), "text must be a string, not None"),  # type: ignore[arg-type]
        (lambda: MADE.correct(b"I was."), "text must be a string, not bytes: decode them first"),  # type: ignore[arg-type]
        (lambda: MADE.correct_batch("I was."), "texts must be several strings.*not one: put it into a list"),
        (lambda: MADE.correct_all("I was."), "texts must be several strings"),
        (lambda: MADE.correct_batch(3), "texts must be several strings, such as a list of them, not 3"),  # type: ignore[arg-type]
        (lambda: MADE.correct_batch(["I was.", None]), r"texts\[1\] must be a string, not None"),  # type: ignore[list-item]
        (lambda: list(MADE.correct_all(["a"] * 300 + [3])), r"texts\[300\] must be a string, not 3"),  # type: ignore[list-item]
        (lambda: MADE.correct_batch(["I was."], 2.0), "batch_size must be a whole number, not 2.0"),  # type: ignore[arg-type]
        (lambda: MADE.correct_batch(["I was."], True), "batch_size must be a whole number, not True"),
        (lambda: Options(beam=2.5), "beam must be a whole number, not 2.5"),  # type: ignore[arg-type]
        (lambda: Options(bias="high"), "bias must be a number, not 'high'"),  # type: ignore[arg-type]
        (lambda: Options(joint=1), "joint must be True or False, not 1"),  # type: ignore[arg-type]
        (lambda: Checker(None), r"corrector must be a Corrector, such as Corrector\(\), not None"),  # type: ignore[arg-type]
        (lambda: Checker(MADE, workers="2"), "workers must be a whole number, not '2'"),  # type: ignore[arg-type]
        (lambda: Checker(MADE).check_text(None), "text must be a string, not None"),  # type: ignore[arg-type]
        (lambda: Corrector(MADE.networks), r"folder must be a path, not .*; Corrector\.of puts parts together"),  # type: ignore[arg-type]
        (lambda: Corrector.from_pretrained(exported()[1], threads="2"), "threads must be a whole number"),  # type: ignore[arg-type]
    ],
)
def test_a_value_of_the_wrong_kind_is_a_type_error(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: MADE.correct_batch(["I was."], 0), "batch_size must be at least 1, not 0"),
        (lambda: MADE.correct_batch([], -3), "batch_size must be at least 1, not -3"),
        (lambda: Options(beam=0), "beam must be at least 1, not 0"),
        (lambda: Options(beam=10**9), "beam must be at most 1,000, not 1000000000"),
        (lambda: Options(steps=-1), "steps must be at least 1, not -1"),
        (lambda: Options(readings=0), "readings must be at least 1, not 0"),
        (lambda: Options(bias=1.5), "bias must be between 0 and 1, not 1.5"),
        (lambda: Options(min_confidence=float("nan")), "min_confidence must be between 0 and 1, not nan"),
        (lambda: Options(min_margin=float("nan")), "min_margin must be a number"),
        (lambda: Options(min_margin=10**400), "min_margin must be a number that a computer can reckon with"),
        (lambda: Checker(MADE, workers=0), "workers must be at least 1, not 0"),
        (lambda: Checker(MADE, memory=-1), "memory must be at least 0, not -1"),
        (lambda: Checker(MADE).check_text("I was.", "docx"), "'docx' is no format of documents; there are plain"),
        (lambda: Corrector(mode="nonsense"), "no mode 'nonsense': it has thorough, balanced, precise"),
        (lambda: Corrector.from_pretrained(exported()[1], threads=0), "threads must be at least 1, not 0"),
        (lambda: Corrector.from_pretrained(exported()[1], threads=-1), "threads must be at least 1, not -1"),
        (lambda: Corrector.from_pretrained(exported()[1], threads=10**9), "threads must be at most 1,024"),
    ],
)
def test_a_value_that_cannot_be_used_is_an_error_of_ours_and_a_value_error(
    call: Callable[[], Any], message: str
) -> None:
    with pytest.raises(ArgumentError, match=message) as raised:
        call()
    assert isinstance(raised.value, PermendError)
    assert isinstance(raised.value, ValueError)


def test_what_is_as_good_is_taken() -> None:
    assert Options(beam=np.int64(3), bias=np.float32(0.5), min_margin=float("inf")).beam == 3  # type: ignore[arg-type]
    assert [each.text for each in MADE.correct_batch(("I was.",))] == ["I am."]
    assert [each.text for each in MADE.correct_all(text for text in ["I was.", ""])] == ["I am.", ""]
    assert Corrector.from_pretrained(Path(exported()[1]), threads=1).options == Options()
    assert MADE.correct_batch([]) == list(MADE.correct_all([])) == []
    assert MADE.correct(sys.intern("I was.")).text == "I am."
