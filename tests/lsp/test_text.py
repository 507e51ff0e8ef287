"""Places in texts are those that every editor counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.editing.client import ClientDocument
from permend.lsp.text import UNITS, EditorText

SIGNS = st.sampled_from(["a", "é", "e\u0301", "😀", "\n", "\r", "\r\n", "\u2028", "\x0b", "\x85", "\ud83d", "语", " "])
TEXTS = st.lists(SIGNS, max_size=20).map("".join)


@given(TEXTS, st.sampled_from(sorted(UNITS)), st.data())
def test_an_offset_and_its_position_are_the_same_place(content: str, unit: str, data: st.DataObject) -> None:
    text, client = EditorText(content, unit), ClientDocument("", content, unit)
    at = data.draw(st.integers(0, len(content)))
    if content[at - 1 : at + 1] == "\r\n":
        return
    position = text.position(at)
    assert position == client.position(at)
    assert text.offset(position["line"], position["character"]) == at
    assert text.has(position["line"], position["character"])


@given(TEXTS, TEXTS, st.sampled_from(sorted(UNITS)), st.data())
def test_a_change_is_what_the_editor_has_done(content: str, new: str, unit: str, data: st.DataObject) -> None:
    client = ClientDocument("", content, unit)
    places = st.integers(0, len(content)).filter(lambda at: content[at - 1 : at + 1] != "\r\n")
    start, end = sorted((data.draw(places), data.draw(places)))
    first, last = (tuple(client.position(at).values()) for at in (start, end))
    expected = content[:start] + new + content[end:]
    assert EditorText(content, unit).replaced(first, last, new).content == expected  # type: ignore[arg-type]


@given(TEXTS, st.sampled_from(sorted(UNITS)), st.integers(0, 30), st.integers(0, 99))
def test_every_place_is_somewhere(content: str, unit: str, line: int, units: int) -> None:
    assert 0 <= EditorText(content, unit).offset(line, units) <= len(content)


@pytest.mark.parametrize(("unit", "inside"), [("utf-8", (1, 2, 3)), ("utf-16", (1,)), ("utf-32", ())])
def test_a_place_inside_a_character_is_before_it(unit: str, inside: tuple[int, ...]) -> None:
    text = EditorText("😀!", unit)
    assert all(text.offset(0, units) == 0 and not text.has(0, units) for units in inside)


def test_places_in_the_wrong_order_change_what_lies_between_them() -> None:
    assert EditorText("He go.").replaced((0, 5), (0, 3), "goes").content == "He goes."
