"""Long texts are split between tokens and lose nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from permend.text.edits import split_text
from permend.text.tokens import Tokenizer, WordTokenizer


@given(text=st.text(alphabet="ab .,!\n\t😀日", max_size=80), limit=st.integers(1, 12))
def test_the_parts_cover_the_text_and_fit(tokenizer: Tokenizer, text: str, limit: int) -> None:
    tokens = tokenizer.encode(text)
    parts = split_text(tokens, limit)
    assert "".join(text[start:end] for start, end in parts) == text
    counts = [sum(start <= a and b <= end and a < b for a, b in tokens.spans) for start, end in parts]
    assert max(counts) <= limit + 4  # tokens that share a character with their neighbour stay together


def parts(text: str, limit: int) -> list[str]:
    return [text[start:end] for start, end in split_text(WordTokenizer().encode(text), limit)]


def test_the_best_boundary_is_behind_a_sentence_then_a_clause_then_a_word() -> None:
    assert parts("One two. Three, four five six", 4) == ["One two.", " Three, four five six"]
    assert parts("One two three, four five six", 5) == ["One two three,", " four five six"]
    assert parts("one two three four five", 3) == ["one two three", " four five"]
