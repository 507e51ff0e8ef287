"""A correction as HTML: well-formed and complete, whatever the texts hold."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permend.corrector.correction import Alternative, Correction, ScoredEdit, Suggestion
from permend.corrector.notebook import correction_html

ANY = st.text(alphabet=st.characters(codec=None), max_size=20)
NASTY = st.sampled_from(["<script>alert(1)</script>", '" onmouseover="x', "&lt;", "]]>", "<!--", "\x00\x1b", "\ud800"])
TEXTS = ANY | NASTY
WEIRD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
TAGS = {"div", "del", "ins", "details", "summary", "table", "thead", "tbody", "tr", "th", "td", "b"}


@st.composite
def corrections(draw: st.DrawFn) -> Correction:
    source, text, edits = "", "", []
    for _ in range(draw(st.integers(0, 3))):
        same, before, after = draw(TEXTS), draw(TEXTS), draw(TEXTS)
        start = len(source) + len(same)
        suggestions = tuple(Suggestion(each, 0.1) for each in draw(st.lists(TEXTS, max_size=2)))
        edits.append(ScoredEdit(start, start + len(before), before, after, 0.5, draw(TEXTS), draw(TEXTS), suggestions))
        source, text = source + same + before, text + same + after
    ranked = (Alternative(text, -1.0, -1.0, 4, -0.5, False), Alternative(source, -2.0, 0.0, 4, -0.7, True))
    return Correction(source, text, tuple(edits), ranked, 0.2)


def content(element: ElementTree.Element, leave_out: str) -> str:
    """Return what a reader sees of an element without one kind of mark."""
    inner = "" if element.tag == leave_out else (element.text or "")
    return inner + "".join(content(child, leave_out) + (child.tail or "") for child in element)


def shown(text: str) -> str:
    """Return a text as a page can hold it."""
    return WEIRD.sub("\ufffd", text).replace("\r\n", "\n").replace("\r", "\n")


@given(corrections())
def test_any_correction_is_one_harmless_element_that_shows_both_texts(correction: Correction) -> None:
    html = correction_html(correction)
    html.encode("utf-8")
    root = ElementTree.fromstring(html)  # fails where anything is not well-formed
    elements = list(root.iter())
    assert {element.tag for element in elements} <= TAGS
    assert {name for element in elements for name in element.attrib} <= {"class", "style", "title"}
    # A page turns "\r\n" into "\n" only inside one stretch, so compare without line ends.
    squeezed = [content(root[0], tag).replace("\n", "") for tag in ("ins", "del")]
    assert squeezed == [shown(each).replace("\n", "") for each in (correction.source, correction.text)]


def test_type_probability_and_explanation_are_one_hover_away() -> None:
    edit = ScoredEdit(3, 5, "go", "went", 0.934, "R:VERB:TENSE", "The past tense fits.", (Suggestion("goes", 0.04),))
    ranked = (Alternative("He went.", -1.0, -1.0, 4, -0.5, False), Alternative("He go.", -2.0, 0.0, 4, -0.7, True))
    root = ElementTree.fromstring(correction_html(Correction("He go.", "He went.", (edit,), ranked, 0.2)))
    for tag, text in (("del", "go"), ("ins", "went")):
        [mark] = root.iter(tag)
        assert (mark.text, mark.get("title")) == (text, "R:VERB:TENSE, 93%: The past tense fits.")
    first, second = root.iter("details")
    assert "goes 4%" in "".join(first.itertext())
    assert [row[1].text for row in second.iter("tr")] == ["sentence", "He went.", "He go."]


@pytest.mark.parametrize("text", ["", "All is well."])
def test_where_nothing_is_wrong_it_says_so(text: str) -> None:
    assert "nothing to correct" in correction_html(Correction.blank(text))
