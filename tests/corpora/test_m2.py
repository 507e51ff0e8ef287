"""M2 files: what is in them, what the edits make of the source, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from permend.corpora.m2 import M2Edit, M2Sentence, read_m2
from permend.errors import InputError

TEXT = """S He go to to school .
A 1 2|||R:VERB:SVA|||goes||went|||REQUIRED|||-NONE-|||0
A 3 4|||U:PREP|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Fine .

S Bad thing
A 2 2|||M:PUNCT|||.|||REQUIRED|||-NONE-|||0
A 0 1|||UNK|||Bad|||REQUIRED|||-NONE-|||0
"""


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "some.m2"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_reads_annotators_alternatives_and_sentences_without_edits(tmp_path: Path) -> None:
    first, second, third = read_m2(write(tmp_path, TEXT))
    assert first.tokens == ("He", "go", "to", "to", "school", ".")
    assert first.annotations == {
        0: (M2Edit(1, 2, "R:VERB:SVA", ("goes", "went"), 0), M2Edit(3, 4, "U:PREP", ("",), 0)),
        1: (),
    }
    assert second.annotations == {0: ()}
    assert [sentence.line for sentence in (first, second, third)] == [1, 6, 8]


def test_corrected_applies_one_annotator(tmp_path: Path) -> None:
    first, second, third = read_m2(write(tmp_path, TEXT))
    assert first.corrected() == ["He", "goes", "to", "school", "."]
    assert first.corrected(1) == list(first.tokens)
    assert second.corrected() == ["Fine", "."]
    assert third.corrected() == ["Bad", "thing", "."]  # an UNK edit has nothing to say


def test_windows_line_ends_and_a_missing_last_blank_line_change_nothing(tmp_path: Path) -> None:
    plain = [sentence.annotations for sentence in read_m2(write(tmp_path, TEXT))]
    windows = [sentence.annotations for sentence in read_m2(write(tmp_path, TEXT.strip().replace("\n", "\r\n")))]
    assert windows == plain


def test_two_insertions_at_one_place_keep_their_order() -> None:
    edits = tuple(M2Edit(1, 1, "M:OTHER", (word,), 0) for word in ("b", "c"))
    assert M2Sentence(("a", "d"), {0: edits}).corrected() == ["a", "b", "c", "d"]


def test_an_insertion_may_touch_a_replacement() -> None:
    edits = (M2Edit(1, 2, "R", ("B",), 0), M2Edit(1, 1, "M", ("x",), 0), M2Edit(2, 2, "M", ("y",), 0))
    assert M2Sentence(("a", "b", "c"), {0: edits}).corrected() == ["a", "x", "B", "y", "c"]


@pytest.mark.parametrize("spans", [((0, 2), (1, 3)), ((1, 2), (1, 2)), ((0, 2), (1, 1))])
def test_overlapping_edits_cannot_be_applied(spans: tuple[tuple[int, int], tuple[int, int]]) -> None:
    edits = tuple(M2Edit(*span, "R", ("x",), 0) for span in spans)
    with pytest.raises(InputError, match=r"^some.m2:7: the edits of annotator 0 overlap at token 1$"):
        M2Sentence(("a", "b", "c"), {0: edits}, "some.m2", 7).corrected()


def test_an_annotator_who_is_not_there() -> None:
    with pytest.raises(InputError, match="annotator 3 has not seen"):
        M2Sentence(("a",), {0: ()}).corrected(3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"some\.m2: holds no sentences"),
        ("\n \n\n", r"some\.m2: holds no sentences"),
        ("A 0 1|||R|||x|||REQUIRED|||-NONE-|||0\n", r"some\.m2:1: this edit \(A\) belongs to no sentence"),
        ("S a\n\nA 0 1|||R|||x|||REQUIRED|||-NONE-|||0\n", r"some\.m2:3: this edit"),
        ("S a\nA 0 1|||R|||x\n", r"some\.m2:2: an edit has 6 fields .* has 3"),
        ("S a\nA 0 one|||R|||x|||REQUIRED|||-NONE-|||0\n", r"some\.m2:2: an edit needs whole numbers"),
        ("S a\nA 0|||R|||x|||REQUIRED|||-NONE-|||0\n", r"some\.m2:2: an edit needs whole numbers"),
        ("S a\nA 0 1|||R|||x|||REQUIRED|||-NONE-|||me\n", r"some\.m2:2: an edit needs whole numbers"),
        ("S a\nA 0 2|||R|||x|||REQUIRED|||-NONE-|||0\n", r"some\.m2:2: an edit from 0 to 2 does not fit .* 1 tokens"),
        ("S a\nA 1 0|||R|||x|||REQUIRED|||-NONE-|||0\n", r"some\.m2:2: an edit from 1 to 0 does not fit"),
        ("S a\nA -1 0|||R|||x|||REQUIRED|||-NONE-|||0\n", r"some\.m2:2: an edit from -1 to 0 does not fit"),
        ("S a\nwhat is this\n", r"some\.m2:2: an M2 line starts with"),
        (b"S a\n\nS \xff\n", r"some\.m2:3: this is not valid UTF-8"),
    ],
)
def test_what_is_not_m2_is_refused_with_its_line(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(read_m2(write(tmp_path, text)))
