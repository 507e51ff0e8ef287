"""Sentences are recognised however they are spaced, and a file of hashes holds nothing but hashes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permend.corpora.held_out import WIDTH, HashedSet, fingerprints, holds, read_hashes, write_hashes
from permend.errors import InputError
from permend.text.tokenized import detokenize

WORDS = st.text(st.sampled_from("abcxyzÄéß19"), min_size=1, max_size=6)
TOKENS = st.lists(WORDS | st.sampled_from([",", '"', "n't", "'s", "(", ")", "-", "’"]), min_size=1, max_size=12)


@given(TOKENS)
def test_tokens_and_text_are_the_same_sentence(tokens: list[str]) -> None:
    tokenised, written = " ".join(tokens), detokenize(tokens).text
    assert fingerprints(tokenised)[:1] == fingerprints(written)[:1] == fingerprints(written.upper().lower())[:1]


@given(st.lists(WORDS, min_size=4, max_size=12), st.lists(WORDS, min_size=1, max_size=5), st.sampled_from(".!?"))
def test_a_sentence_is_found_inside_a_text(words: list[str], others: list[str], end: str) -> None:
    sentence, other = " ".join(words), " ".join(others)
    known = set(fingerprints(sentence))
    assert holds(f"{other}{end} {sentence}{end}", known, len(words))
    assert holds(f"{sentence} {end} {other}", known, len(words))
    assert not holds(f"{sentence}{end}", known, len(words) + 1)


@given(st.text(), st.integers(0, 9))
def test_what_holds_says_is_what_the_hashes_say(text: str, least: int) -> None:
    assert holds(text, fingerprints(text), least) == bool(fingerprints(text, least))


def test_letters_beyond_ascii_change_nothing_for_the_others() -> None:
    assert fingerprints("“I don’t know”") == fingerprints('"I do n\'t know"')
    assert fingerprints("Café") == fingerprints("CAFÉ") != fingerprints("Cafe")
    assert fingerprints("… ?!") == []


def test_part_of_an_abbreviation_is_no_sentence() -> None:
    assert not holds("Mr. Smith has left for the day.", fingerprints("Mr."))
    assert holds("Mr.", fingerprints("Mr."))


def test_a_file_of_hashes_comes_back_and_holds_no_text(tmp_path: Path) -> None:
    sets = [
        HashedSet("lamps & co", 2, frozenset(fingerprints("We lit the lamps. They went out at once again."))),
        HashedSet("other", 1, frozenset(fingerprints("Nothing else happened here."))),
    ]
    write_hashes(tmp_path / "hashes.bin", sets)
    assert read_hashes(tmp_path / "hashes.bin") == tuple(sets)
    written = (tmp_path / "hashes.bin").read_bytes()
    assert len(written.split(b"\n", 1)[1]) == WIDTH * sum(len(each.hashes) for each in sets)
    assert b"lit the" not in written
    write_hashes(tmp_path / "again.bin", read_hashes(tmp_path / "hashes.bin"))
    assert (tmp_path / "again.bin").read_bytes() == written


@pytest.mark.parametrize(
    "content", [b"", b"words\n", b'{"a": 1}\n', b'[{"name": "x", "sentences": 1, "hashes": 2}]\n123456']
)
def test_a_damaged_file_is_an_input_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.bin").write_bytes(content)
    with pytest.raises(InputError, match=r"bad\.bin: this (is no file of hashes|file of hashes is damaged)"):
        read_hashes(tmp_path / "bad.bin")
    with pytest.raises(InputError, match="cannot be read"):
        read_hashes(tmp_path / "gone.bin")
