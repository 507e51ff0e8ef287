"""Small traps of HTML."""

from __future__ import annotations

import pytest

from permend.documents import Document, document
from tests.documents.reading import prose


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <b>b</b>c", ["a bc"]),
        ("1 < 2 and 3 > 2", ["1 < 2 and 3 > 2"]),
        ("R&amp;D &lt;now&gt;", ["R&D <now>"]),
        ('<a title="x > y" href=z>text</a>', ["text"]),
        ("<p>one<p>two", ["one", "two"]),
        ("<PRE>no</PRE>yes", ["yes"]),
        ("<script>'</p>'</script>yes", ["yes"]),
        ("<!-- never closed", []),
        ("<style>never closed", []),
        ("yes<!-- no --> yes", ["yes yes"]),
        ("<td>one</td><td>two</td>", ["one", "two"]),
        ("an <code>x</code> is", ["an Excel is"]),
        ("one<br>two", ["one", "two"]),
        ("<unknown-tag>text</unknown-tag>", ["text"]),
        ('See <span translate="no">He go</span> now.', ["See Python now."]),
        ("an <b class='a notranslate'>x</b> is", ["an Excel is"]),
        ("See <b CLASS=notranslate>a <i>b</i> c</b> now.", ["See Python now."]),
        ("See <b translate=no></b>now.", ["See now."]),
        ('<p translate="no">one</p><p>two</p>', ["two"]),
        ('<div translate="no"><p>one</p><div>two</div>three</div><p>four</p>', ["four"]),
        ('<div translate="no">one<p translate="yes">two <b>three</b></p>four</div>five', ["two three", "five"]),
        ('<div translate="no">one <b translate="yes">two</b></div>three', ["Python two", "three"]),
        ('<p>a <b translate="no">one <i translate="yes">two</i> three </b>four', ["a Python two Python four"]),
        ('<p translate="no">one<p>two', ["two"]),
        ('<ul><li translate="no">one<li>two</ul>', ["two"]),
        ('<tr><td translate="no">one<td>two<tr><td>three', ["two", "three"]),
        ('<div>See <span translate="no">one</div><p>two</p>', ["See", "two"]),
        ('one <img translate="no"> two<br class="notranslate">three', ["one  two", "three"]),
        ('one <span translate="no"/> two', ["one  two"]),
        ('<p title="translate=no">one</p>', ["one"]),
        ('<p class="notranslated" data-translate="no">one</p>', ["one"]),
        ('<body translate="no">one<p>two', []),
        ('<div translate="no"><code>a</code><pre></div></pre>one</div>two', ["two"]),
        ('<div translate="no">one<!-- permend-ignore --></div><p>two<p>three', ["three"]),
    ],
)
def test_small_traps(text: str, expected: list[str]) -> None:
    assert prose(text, "html") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('See <span translate="no">He *go*</span> now.', ["See Python now."]),
        ('See <span translate="no">He go.\n\nTwo here.', ["See Python", "Two here."]),
        ('<div translate="no">\n\nHe *go*.\n\n# One\n\n- two\n\n</div>\n\nThree here.', ["Three here."]),
        ('<p class="notranslate">He go.</p>\n\nTwo here.', ["Two here."]),
        ('<p translate="no">He go.\n\nTwo here.', ["Two here."]),
        ('See [<b translate="no">a](b) c</b> now.', ["See Python now."]),
        ('| <b translate="no">a</b> is | b |\n|---|---|\n| c | d |', ["Python is", "b", "c", "d"]),
        ('See `<b translate="no">` now.', ["See Python now."]),
    ],
)
def test_what_is_not_to_be_translated_stays_in_markdown_too(text: str, expected: list[str]) -> None:
    assert prose(text, "markdown") == expected


@pytest.mark.parametrize("format_", ["html", "markdown"])
def test_an_element_that_is_not_to_be_translated_is_not_cut(format_: str, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = "<p>one</p>\n\n<div>two</div>\n\n" * 10
    text = (f'<p>Here it is.</p>\n\n<div translate="no">\n\n{inside}</div>\n\n') * 10
    monkeypatch.setattr(document, "FIRST", 1)
    monkeypatch.setattr(document, "BLOCK", 1)
    monkeypatch.setattr(document, "_CHUNK", 40)
    blocks = list(Document.from_text(text, format_))
    assert len(blocks) > 5
    assert [sentence.prose for block in blocks for sentence in block.sentences] == ["Here it is."] * 10


def test_many_open_elements_take_no_longer_than_as_many_closed_ones() -> None:
    assert prose('<div translate="no"><i>x</b>' * 20_000 + "<p>One here.", "html") == ["One here."]
    assert prose('<b translate="no">' * 20_000 + "<p>One here.", "html") == []
