"""Changes: the words that an edit touches on both sides."""

from __future__ import annotations

import pytest

from permend.corrector.explaining.changes import find_change
from permend.corrector.explaining.en.words import WORD
from permend.text.edits import diff


@pytest.mark.parametrize(
    ("source", "target", "before", "after"),
    [
        ("I saw cat.", "I saw the cat.", "", "the"),
        ("I saw the the cat.", "I saw the cat.", "the", ""),
        ("He don't know.", "He doesn't know.", "do", "does"),
        ("He dont know.", "He don't know.", "dont", "do n't"),
        ("Yes , no.", "Yes, no.", "", ""),
        ("Tom car.", "Tom's car.", "", "'s"),
        ("", "Hello", "", "Hello"),
        ("Hello", "", "Hello", ""),
    ],
)
def test_the_words_of_an_edit(source: str, target: str, before: str, after: str) -> None:
    (edit,) = diff(source, target)
    change = find_change(source, target, edit, edit.start, WORD)
    assert change.before.touched == before.split()
    assert change.after.touched == after.split()
