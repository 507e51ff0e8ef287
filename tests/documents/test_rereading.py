"""A text that is read again after a change is read as if it were new."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.editing.recording import LANGUAGES, Writer
from permend.documents import Document
from permend.documents.formats import FORMATS
from permend.documents.rereading import Piece, read_pieces
from permend.lsp.settings import LANGUAGE_FORMATS

CUT = ("plain", "markdown", "html", "latex", "rst", "asciidoc")


def shown(pieces: list[Piece]) -> list[tuple[str, list[str], tuple[str, ...]]]:
    return [(each.block.text, [sentence.prose for sentence in each.block.sentences], each.after) for each in pieces]


def prose(text: str, form: str) -> list[str]:
    return [sentence.prose for sentence in Document.from_text(text, form).sentences]


@pytest.mark.parametrize("form", [*CUT, pytest.param("whole", id="a format that is read whole")])
def test_after_any_change_a_text_is_read_as_if_it_were_new(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if form == "whole":
        monkeypatch.setattr("permend.documents.rereading._CUT", frozenset())
        form = "markdown"
    random = Random(form)
    writer = Writer(7)
    text = writer._sentences(200)
    pieces: list[Piece] = []
    for _ in range(40):
        start = random.randint(0, len(text))
        end = min(len(text), start + random.choice((0, 0, 1, 30, 3000)))
        text = text[:start] + random.choice(("", "x", "\n\n", "<!-- permend-ignore-start -->\n", "```\n")) + text[end:]
        pieces = read_pieces(text, form, known=pieces)
        assert "".join(each.block.text for each in pieces) == text
        assert shown(pieces) == shown(read_pieces(text, form))


@pytest.mark.parametrize("form", CUT)
def test_pieces_hold_the_sentences_of_the_document(form: str) -> None:
    text = "\n\n".join(f"Paragraph {number} has a sentence. It has another one, too." for number in range(400))
    assert [each for piece in read_pieces(text, form) for each in (s.prose for s in piece.block.sentences)] == prose(
        text, form
    )


def test_a_keystroke_costs_a_piece_or_two() -> None:
    text = "\n\n".join(f"Paragraph {number} has a sentence. It has another one, too." for number in range(2000))
    before = read_pieces(text, "markdown")
    assert len(before) > 40
    for at in range(10, len(text), 5000):
        after = read_pieces(text[:at] + "x" + text[at:], "markdown", known=before)
        assert sum(piece not in before for piece in after) <= 3


def test_an_empty_text_has_no_pieces() -> None:
    assert read_pieces("", "plain") == []


def test_every_language_of_the_recording_has_a_format() -> None:
    assert {LANGUAGE_FORMATS[language] for language in LANGUAGES} <= set(FORMATS)
