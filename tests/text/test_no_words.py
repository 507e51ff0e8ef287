"""What is no word is found wherever it stands, and never taken for a long word or an address of a few words."""

from __future__ import annotations

import base64
import hashlib
import random

import pytest

from permend.text.no_words import find_no_words, split_no_words

BASE64 = base64.b64encode(random.Random(1).randbytes(57)).decode()


@pytest.mark.parametrize(
    "stretch",
    [
        hashlib.md5(b"", usedforsecurity=False).hexdigest(),
        hashlib.sha256(b"").hexdigest().upper(),
        hashlib.sha512(b"").hexdigest(),
        BASE64,
        BASE64[:45] + "==",
        "x" * 100,
        "a-b" * 50,
    ],
)
@pytest.mark.parametrize("frame", ["{}", "See {}.", "“{}”, he say.", "A ({})\nand"])
def test_codes_are_found_without_the_marks_around_them(stretch: str, frame: str) -> None:
    text = frame.format(stretch)
    assert [text[start:end].rstrip("=") for start, end in find_no_words(text)] == [stretch.rstrip("=")]
    parts = split_no_words(text)
    assert "".join(part for part, _ in parts) == text
    assert not any(stretch in part for part, is_prose in parts if is_prose)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "Pneumonoultramicroscopicsilicovolcanoconiosis is a word.",
        "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch, antidisestablishmentarianism!",
        "the up-to-date-but-never-really-quite-finished-business plan",
        "12345678901234567890123456789012",
    ],
)
def test_words_stay_words(text: str) -> None:
    assert not list(find_no_words(text))
    assert split_no_words(text) == [(text, True)]
