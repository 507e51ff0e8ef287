"""The tokenizer that is learned: it spells everything, and words, marks and digits keep apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permend.errors import PermendError
from permend.text.tokens import SubwordTokenizer
from permend.training.pretraining.text import SPECIAL, train_tokenizer

TEXT = (Path(__file__).parents[3] / "experiments" / "recipes" / "pretrain-toy.txt").read_text(encoding="utf-8")
# Marks and digits side by side, often enough to be merged if they could be.
MARKS = ['"Yes...", he said (2024-12345).', "¿Qué? «Sí»… “No”—'tis 100000'.", "好。」好，？", "don't isn't he's"] * 50


@pytest.fixture(scope="module")
def learned() -> SubwordTokenizer:
    return SubwordTokenizer(train_tokenizer([*TEXT.splitlines(), *MARKS], 700))


def _pieces(tokenizer: SubwordTokenizer, text: str) -> list[str]:
    return [tokenizer.decode([token]) for token in tokenizer.encode(text).ids[1:-1]]


@given(text=st.text(max_size=30))
def test_every_text_can_be_spelled(learned: SubwordTokenizer, text: str) -> None:
    assert learned.decode(learned.encode(text).ids[1:-1]) == text.removeprefix(" ")


def test_special_tokens_have_the_first_ids(learned: SubwordTokenizer) -> None:
    assert tuple(map(learned.piece, range(5))) == SPECIAL
    assert (learned.start, learned.pad, learned.end, learned.unknown, learned.mask) == (0, 1, 2, 3, 4)


def test_a_word_has_one_id_wherever_it_stands(learned: SubwordTokenizer) -> None:
    first, later = learned.encode("the house").ids[1], learned.encode("in the house").ids[2]
    assert first == later
    assert learned.encode("The").ids != learned.encode("the").ids


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ('"Yes...",', ['"', "Yes", ".", ".", ".", '"', ","]),
        ("he (2024)", ["he", "(", "202", "4", ")"]),
        ("“No”—", ["“", "No", "”", "—"]),
        ("«Sí»…", ["«", "Sí", "»", "…"]),
        ("好。」", ["好", "。", "」"]),
        ("好，？", ["好", "，", "？"]),
        ("100000'.", ["100", "000", "'", "."]),
        ("don't", ["don", "'t"]),
    ],
)
def test_marks_stand_alone_and_digits_go_three_together(
    learned: SubwordTokenizer, text: str, pieces: list[str]
) -> None:
    assert _pieces(learned, text) == pieces


def test_a_vocabulary_without_room_for_bytes_is_refused() -> None:
    with pytest.raises(PermendError, match="no room for 256 bytes"):
        train_tokenizer(["a"], 100)
