"""Text becomes ids, and every id knows its characters."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permend.errors import InputError, PermendError
from permend.text.tokens import SubwordTokenizer, Tokenizer, WordTokenizer
from tests.conftest import make_byte_level, make_unigram, make_wordpiece

ODD_TEXTS = [
    "",
    " ",
    "\t",
    "a\r\nb",
    "😀 \u200d x",
    "שלום עולם",
    "e\u0301",
    "\ufeffx",
    "\x00\x07",
    "ﬁne",
    "日本語",
    "\ud800 x",
]


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_every_text_is_framed_and_every_span_lies_in_it(tokenizer: Tokenizer, text: str) -> None:
    tokens = tokenizer.encode(text)
    assert tokens.ids[0] == tokenizer.start
    assert tokens.ids[-1] == tokenizer.end
    assert len(tokens.ids) == len(tokens.spans)
    assert all(0 <= start <= end <= len(text) for start, end in tokens.spans)
    assert [start for start, _ in tokens.spans] == sorted(start for start, _ in tokens.spans)


def test_spans_hold_the_words_without_their_spaces(tokenizer: Tokenizer) -> None:
    text = "I am busy"
    tokens = tokenizer.encode(text)
    covered = "".join(text[start:end] for start, end in tokens.spans)
    assert covered == "Iambusy"


def test_special_tokens_typed_by_a_writer_are_plain_text(tokenizer: Tokenizer) -> None:
    special = {tokenizer.start, tokenizer.end, tokenizer.pad, tokenizer.mask}
    for name in ("<s>", "</s>", "<mask>", "[MASK]", "[SEP]", "<pad>", "<extra_id_0>"):
        assert not special & set(tokenizer.encode(f"a {name} b").ids[1:-1])


def test_a_batch_gives_what_single_texts_give(tokenizer: Tokenizer) -> None:
    texts = ["I am busy.", "", "  dogs 😀"]
    assert tokenizer.encode_batch(texts) == [tokenizer.encode(text) for text in texts]


@given(text=st.text(max_size=20))
def test_byte_level_ids_spell_every_text(byte_level: Tokenizer, text: str) -> None:
    assert byte_level.decode(byte_level.encode(text).ids[1:-1]) == text.removeprefix(" ")


def test_unknown_words_are_compared_by_their_characters(wordpiece: Tokenizer) -> None:
    smile, grin = wordpiece.encode("I am 😀"), wordpiece.encode("I am 😁")
    assert smile.ids == grin.ids
    assert smile.keys != grin.keys


def test_a_word_called_s_is_not_the_start() -> None:
    words = WordTokenizer()
    assert words.encode("<s>").ids[1] not in (words.start, words.end)


@pytest.mark.parametrize(
    ("definition", "start", "end", "mask"),
    [
        (make_wordpiece(), "[CLS]", "[SEP]", "[MASK]"),
        (make_byte_level(), "<s>", "</s>", "<mask>"),
        (make_unigram(), "<pad>", "</s>", "<extra_id_0>"),
    ],
)
def test_special_tokens_are_found_in_every_family(definition: str, start: str, end: str, mask: str) -> None:
    tokenizer = SubwordTokenizer(definition)
    assert [tokenizer.piece(i) for i in (tokenizer.start, tokenizer.end, tokenizer.mask)] == [start, end, mask]


def test_a_folder_serves_as_well_as_a_file(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text(make_byte_level(), encoding="utf-8")
    assert SubwordTokenizer.from_path(tmp_path).size == SubwordTokenizer.from_path(tmp_path / "tokenizer.json").size


def test_bad_tokenizers_give_one_clear_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        SubwordTokenizer.from_path(tmp_path / "missing.json")
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="not a tokenizer"):
        SubwordTokenizer.from_path(tmp_path)
    with pytest.raises(PermendError, match="no mask token"):
        SubwordTokenizer(make_byte_level().replace("<mask>", "<musk>"))
