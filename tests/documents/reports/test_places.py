"""Places are those that editors show: lines and columns for people, UTF-16 units for their programs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from permend.documents import Block
from permend.documents.checker import CheckedBlock, Finding
from permend.documents.reports.places import Place, locate, units
from tests.documents.reports.made import checked

PIECES = st.text(st.sampled_from("ab \n\r😀é"), max_size=12)


@given(st.lists(PIECES, min_size=1, max_size=4), st.data())
def test_a_place_is_what_counting_from_the_beginning_gives(texts: list[str], data: st.DataObject) -> None:
    whole, blocks, start = "".join(texts), [], 0
    for text in texts:
        offset = start + data.draw(st.integers(0, len(text)))
        finding = Finding(offset, offset, "", "x", 0.5)
        blocks.append(CheckedBlock(Block(start, text, []), (finding,), text))
        start += len(text)
    for found in locate(blocks):
        before = whole[: found.finding.start]
        column = len(before) - before.rfind("\n")
        assert found.start == Place(before.count("\n") + 1, column, len(before.encode("utf-16-le")) // 2)


@given(st.text())
def test_units_are_those_of_utf_16(text: str) -> None:
    assert units(text) == len(text.encode("utf-16-le", "surrogatepass")) // 2


def test_an_insertion_takes_in_the_word_beside_it() -> None:
    found = list(locate(checked()))[1]
    wide = found.widened()
    assert (found.finding.before, found.finding.after) == ("", " the")
    assert (wide.finding.before, wide.finding.after) == ("to", "to the")
    assert (wide.start.column, wide.end.column) == (7, 9)
    [block] = checked("cinema is good.", (("cinema", 0, "", "The ", "M:DET"),))
    [first] = locate([block])
    assert (first.widened().finding.before, first.widened().finding.after) == ("cinema", "The cinema")
    assert (first.widened().start.unit, first.widened().end.unit) == (0, 6)


def test_a_widened_finding_makes_the_same_correction() -> None:
    [block] = checked()
    wide = [found.widened().finding for found in locate([block])]
    assert block.block.apply(wide) == block.text
