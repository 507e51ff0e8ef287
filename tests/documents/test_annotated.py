"""Annotated text: only text changes, markup stays, and offsets count both."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from permend.documents.annotated import AnnotatedDocument, Piece
from permend.text.edits import Edit

URL = "https://example.org/a"
WORDS = st.sampled_from(
    ["He ", "go", " home. ", "\n\n", "It's ", "https://example.org/a ", "😀 ", "a", " ", "\n", "and, "]
)
MARKUP = st.builds(
    Piece,
    st.sampled_from(["<b>", "</b>", "<p>", "<br/>", "&amp;"]),
    st.just(True),
    st.sampled_from(["", "\n\n", "&", "Python"]),
)
PIECES = st.lists(st.one_of(st.builds(Piece, WORDS), MARKUP), max_size=20)


@given(PIECES)
def test_sentences_show_what_the_pieces_show_and_only_text_can_change(pieces: list[Piece]) -> None:
    for block in AnnotatedDocument.of(pieces):
        assert block.text == "".join(piece.text for piece in pieces)
        markup = []
        at = 0
        for piece in pieces:
            markup += [range(at, at + len(piece.text))] * piece.markup
            at += len(piece.text)
        for sentence in block.sentences:
            shown = re.sub(" *\n", " ", "".join(piece.shown for piece in pieces))  # a line goes on in the next
            assert sentence.prose.replace(URL, "Python") in shown.replace(URL, "Python")
            ends = [0]
            for run in sentence.runs:
                assert ends[-1] <= run.start <= run.end
                ends.append(run.end)
                if run.editable:
                    assert block.text[run.start : run.end] == run.shown
                    assert not any(place in each for each in markup for place in range(run.start, run.end))


@given(PIECES)
def test_capitals_everywhere_leave_markup_as_it_is(pieces: list[Piece]) -> None:
    for block in AnnotatedDocument.of(pieces):
        edits = []
        for sentence in block.sentences:
            prose = sentence.prose
            edits += sentence.map_edits(
                [Edit(at, at + 1, sign, sign.upper()) for at, sign in enumerate(prose) if sign.upper() != sign]
            )
        expected = block.apply(edits)
        at = 0
        for piece in pieces:
            after = expected[at : at + len(piece.text)]
            assert after == piece.text if piece.markup else after.lower() == piece.text.lower()
            at += len(piece.text)


def test_what_markup_is_read_as_ends_paragraphs() -> None:
    pieces = [Piece("One line"), Piece("<br><br>", True, "\n\n"), Piece("another one.")]
    [block] = AnnotatedDocument.of(pieces)
    assert [sentence.prose for sentence in block.sentences] == ["One line", "another one."]


def test_nothing_is_no_document_of_errors() -> None:
    assert [block.sentences for block in AnnotatedDocument.of([])] == [[]]
