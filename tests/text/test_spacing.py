"""Spaces stand where a writer sets them."""

from __future__ import annotations

import pytest

from permend.text.spacing import space_between


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("I", "am", True),
        ("home", ".", False),
        ("home", ",", False),
        ("(", "by", False),
        ("bus", ")", False),
        ("bus", "(", True),
        ("don", "'", False),
        ("don'", "t", False),
        ("well", "-", False),
        ("well-", "known", False),
        ("said", '"', True),
        ('said "', "hello", False),
        ('said "hello', '"', False),
        ('said "hello"', "to", True),
        ("日", "本", False),
        ("", "I", False),
        ("I ", "am", False),
    ],
)
def test_space_between(left: str, right: str, expected: bool) -> None:
    assert space_between(left, right) is expected
