"""Correcting again what was corrected: until nothing changes, and no longer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from experiments.rivals.iterating import iterate
from permend.errors import PermendError
from permend.text.tokens import Tokens, WordTokenizer


def run(texts: Sequence[str], change: Callable[[str], str], passes: int, longest: int = 20) -> list[tuple[str, int]]:
    words = WordTokenizer()
    sizes = []

    def once(sentences: Sequence[Tokens]) -> list[str]:
        sizes.append(len(sentences))
        return [change(sentence.text) for sentence in sentences]

    guesses = iterate(words.encode_batch(texts), words, passes, longest, once)
    assert sum(sizes) == sum(guess.passes for guess in guesses)
    return [(guess.text, guess.passes) for guess in guesses]


def test_a_sentence_leaves_when_nothing_changes() -> None:
    found = run(["a", "a x", "a x x x"], lambda text: text.removesuffix(" x"), 3)
    assert found == [("a", 1), ("a", 2), ("a", 3)]


def test_a_sentence_that_comes_back_leaves() -> None:
    assert run(["a"], lambda text: {"a": "b", "b": "a"}[text], 9) == [("a", 2)]


def test_a_sentence_that_grows_too_long_or_vanishes_leaves() -> None:
    assert run(["a"], lambda text: f"{text} x", 9, longest=5) == [("a x x x", 3)]
    assert run(["a"], lambda text: "", 9) == [("", 1)]


def test_no_pass_at_all_is_refused() -> None:
    with pytest.raises(PermendError, match="passes"):
        run(["a"], str, 0)
