"""Small traps of HTML."""

from __future__ import annotations

import pytest

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
    ],
)
def test_small_traps(text: str, expected: list[str]) -> None:
    assert prose(text, "html") == expected
