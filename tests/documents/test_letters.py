"""Letters in plain text: what others wrote and signatures are left alone."""

from __future__ import annotations

import pytest

from permend.documents import Document, document
from tests.documents.reading import prose


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("> He go.\n>> She go.\n  > We goes.\nOne here.", ["One here."]),
        (">He go.\n>\n> She go.\n\nOne here.", ["One here."]),
        ("On Mon, 3 May 2021 at 10:00, Ann Lee <a@b.org> wrote:\n> He go.\n\nOne here.", ["One here."]),
        ("On Mon, 3 May 2021 at 10:00, Ann Lee <a@b.org> wrote:\n\n> He go.\n\nOne here.", ["One here."]),
        ("Hello.\n\nOn Mon, 3 May 2021 at 10:00, Ann Lee\n<a@b.org> wrote:\n> He go.", ["Hello."]),
        ("Hello.\n\nAnn Lee writes:\n> He go.", ["Hello."]),
        ("He asked:\n> He go.", ["He asked:"]),
        ("On Monday he wrote:\nOne here.", ["On Monday he wrote:", "One here."]),
        ("One here.\n-- \nAnn Lee\nShe sell boats.\n", ["One here."]),
        ("One here.\n--\nAnn Lee\n\nShe sell boats.\n\n\n", ["One here."]),
        ("One here.\r\n-- \r\nAnn Lee\r\n", ["One here."]),
        ("--\nOne here.", ["One here."]),
        ("One -- here.\n-- two\n---\nThree.", ["One -- here.", "-- two", "Three."]),
    ],
)
def test_small_traps(text: str, expected: list[str]) -> None:
    assert prose(text) == expected


def test_a_signature_is_short() -> None:
    for lines, expected in ((15, 1), (16, 17)):
        assert len(prose("One here.\n--\n" + "Another line.\n" * lines)) == expected


def test_in_markdown_a_quotation_is_part_of_the_text() -> None:
    assert prose("> One here.", "markdown") == ["One here."]


@pytest.mark.parametrize("size", [1, 30, 200])
def test_letters_are_not_parted(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    letter = (
        "Hello.\n\nOn Mon, 3 May 2021, Ann Lee wrote:\n\n> He go.\n> She go.\nYes.\n\nNo.\n\n--\nBob\n\nHe sell.\n\n"
    )
    text = letter + "One here.\n\n" * 20 + letter * 3
    whole = prose(text)
    assert whole.count("Hello.") == 3
    assert "He go." not in whole
    monkeypatch.setattr(document, "FIRST", size)
    monkeypatch.setattr(document, "BLOCK", size)
    monkeypatch.setattr(document, "_CHUNK", 7)
    blocks = list(Document.from_text(text))
    assert len(blocks) > 3
    assert [sentence.prose for block in blocks for sentence in block.sentences] == whole


def test_a_long_quotation_is_cut_between_lines() -> None:
    blocks = list(Document.from_text("> Here is a line of it.\n" * 20_000 + "One here."))
    assert max(len(block.text) for block in blocks) <= 2 * document.LARGEST
    assert [sentence.prose for block in blocks for sentence in block.sentences] == ["One here."]
