"""What a comment dismisses is never offered, wherever a document is cut."""

from __future__ import annotations

import pytest

from permend.documents import Document, document
from tests.documents.reading import prose

COMMENTS = {
    "markdown": "<!-- {} -->",
    "html": "<!-- {} -->",
    "latex": "% {}",
    "rst": ".. {}",
    "asciidoc": "// {}",
}
COMMENTED = list(COMMENTS)


def comment(format_: str, kind: str = "", reason: str = "") -> str:
    """Return a line that dismisses something."""
    return COMMENTS[format_].format(f"permend-ignore{kind}{reason}")


def paragraph(format_: str, text: str) -> str:
    """Return a paragraph as a format has it."""
    return f"<p>{text}</p>" if format_ == "html" else text


@pytest.mark.parametrize("format_", COMMENTED)
@pytest.mark.parametrize("reason", ["", ": quoted from the poem", " because it is so"])
@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_a_comment_on_its_line_covers_the_next_paragraph_alone(format_: str, reason: str, between: str) -> None:
    before, covered, behind = (
        paragraph(format_, text) for text in ("One here.", "Two is. Two goes on.", "Three here.")
    )
    text = f"{before}\n\n{comment(format_, reason=reason)}{between}{covered}\n\n{behind}\n"
    assert prose(text, format_) == ["One here.", "Three here."]


@pytest.mark.parametrize("format_", COMMENTED)
def test_a_range_covers_all_up_to_its_end_or_that_of_the_document(format_: str) -> None:
    parts = [paragraph(format_, f"{number} here.") for number in ("One", "Two", "Three", "Four")]
    parts.insert(1, comment(format_, "-start"))
    assert prose("\n\n".join(parts), format_) == ["One here."]
    parts.insert(4, comment(format_, "-end"))
    assert prose("\n\n".join(parts), format_) == ["One here.", "Four here."]


@pytest.mark.parametrize("format_", COMMENTED)
@pytest.mark.parametrize(
    "word", ["permend-ignored", "permend-ignore-this", "do not permend-ignore", "permend-ignore-end"]
)
def test_other_comments_cover_nothing(format_: str, word: str) -> None:
    text = COMMENTS[format_].format(word) + "\n\n" + paragraph(format_, "One here.")
    assert prose(text, format_) == ["One here."]


@pytest.mark.parametrize(
    ("format_", "text", "expected"),
    [
        ("markdown", "One here. <!-- permend-ignore -->\n\nTwo here.", ["Two here."]),
        ("markdown", "One <!--permend-ignore--> here.\nIt goes on.\n\nTwo here.", ["Two here."]),
        ("markdown", "# One <!-- permend-ignore -->\nTwo here.", ["Two here."]),
        ("markdown", "One here.\n<!-- permend-ignore -->\nTwo here.\nIt goes on.\n\nThree.", ["One here.", "Three."]),
        ("markdown", "<!-- permend-ignore -->\n- one\n- two", ["two"]),
        ("markdown", "- one\n- two <!-- permend-ignore -->\n- three", ["one", "three"]),
        ("markdown", "- one\n\n  <!-- permend-ignore -->\n  two\n\n- three", ["one", "three"]),
        ("markdown", "> <!-- permend-ignore -->\n> one\n\nTwo here.", ["Two here."]),
        ("markdown", "<!-- a --> <!-- permend-ignore -->\n\nOne here.\n\nTwo here.", ["Two here."]),
        ("markdown", "<!-- permend-ignore -->\n\n|a|b|\n|-|-|\n|c|d|\n\nTwo here.", ["Two here."]),
        ("markdown", "```\n<!-- permend-ignore-start -->\n```\n\nOne here.", ["One here."]),
        ("markdown", "Write `<!-- permend-ignore-start -->`.\n\nOne here.", ["Write Python.", "One here."]),
        ("markdown", "    <!-- permend-ignore-start -->\n\nOne here.", ["One here."]),
        ("html", "<p>One here.</p><!-- permend-ignore --><p>Two here.</p><p>Three.</p>", ["One here.", "Three."]),
        ("html", "<h1>One</h1> <!-- permend-ignore -->\n<p>Two here.</p>", ["Two here."]),
        ("html", "<p>One <!-- permend-ignore --> here.</p><p>Two here.</p>", ["Two here."]),
        ("html", "<p>\nOne here.\n<!-- permend-ignore -->\nTwo here.\n</p><p>Three.", ["One here.", "Three."]),
        ("html", "<pre><!-- permend-ignore-start --></pre><p>One here.</p>", ["One here."]),
        ("html", "<script>'<!-- permend-ignore-start -->'</script><p>One here.</p>", ["One here."]),
        ("latex", "One here. % permend-ignore\nIt goes on.\n\nTwo here.", ["Two here."]),
        ("latex", "One here.\n% permend-ignore\nTwo here.\n\nThree.", ["One here.", "Three."]),
        ("latex", "\\section{One} % permend-ignore\nTwo here.", ["Two here."]),
        ("latex", "\\begin{itemize}\n% permend-ignore\n\\item one\n\\item two\n\\end{itemize}", ["two"]),
        ("latex", "\\item one % permend-ignore\n\\item two", ["two"]),
        ("latex", "One.\\footnote{Note here. % permend-ignore\n} It goes on.", ["One.", "It goes on."]),
        ("latex", "One.\\footnote{Note here.} It goes. % permend-ignore\n\nTwo here.", ["Two here."]),
        ("latex", "\\begin{verbatim}\n% permend-ignore-start\n\\end{verbatim}\n\nOne here.", ["One here."]),
        ("latex", "5\\% permend-ignore it.\n\nOne here.", ["5% permend-ignore it.", "One here."]),
        (
            "latex",
            "\\documentclass{a}\n% permend-ignore\n\\title{One}\n\\begin{document}\nTwo here.\n\\end{document}",
            ["Two here."],
        ),
        ("rst", "- one\n\n  .. permend-ignore\n\n  two\n\n- three", ["one", "three"]),
        ("rst", "::\n\n   .. permend-ignore-start\n\nOne here.", ["One here."]),
        ("asciidoc", "One here.\n// permend-ignore\nTwo here.\n\nThree.", ["One here.", "Three."]),
        ("asciidoc", "----\n// permend-ignore-start\n----\n\nOne here.", ["One here."]),
        ("asciidoc", "* one\n// permend-ignore\n* two\n* three", ["one", "three"]),
        ("plain", "<!-- permend-ignore -->\nOne here.\n", ["<!-- permend-ignore -->", "One here."]),
    ],
)
def test_small_traps(format_: str, text: str, expected: list[str]) -> None:
    assert prose(text, format_) == expected


@pytest.mark.parametrize("format_", COMMENTED)
@pytest.mark.parametrize("size", [1, 50, 200])
def test_comments_are_not_parted_from_what_they_cover(format_: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = ["", "", "-start", "x", "", "-end", "-end", "-start", "", "-start"]
    parts = []
    for number in range(40):
        kind = kinds[number % 10]
        parts += [comment(format_, kind)] if kind != "x" else []
        parts += [paragraph(format_, f"Here is {letter} of {number}.") for letter in ("one", "two", "three")]
    text = "\n\n".join(parts)
    whole = prose(text, format_)
    assert 5 < len(whole) < 100
    monkeypatch.setattr(document, "FIRST", size)
    monkeypatch.setattr(document, "BLOCK", size)
    monkeypatch.setattr(document, "_CHUNK", 40)
    blocks = list(Document.from_text(text, format_))
    assert len(blocks) > 10
    assert [sentence.prose for block in blocks for sentence in block.sentences] == whole


@pytest.mark.parametrize("format_", COMMENTED)
def test_a_range_and_a_paragraph_may_be_larger_than_any_block(format_: str) -> None:
    filler = (paragraph(format_, "Here is a line of it.") + "\n\n") * 10_000
    text = f"{comment(format_, '-start')}\n\n{filler}{comment(format_, '-end')}\n\n{paragraph(format_, 'It ends.')}\n"
    assert prose(text, format_) == ["It ends."]
    long = paragraph(format_, "Here is a line of it. " * 10_000)
    assert prose(f"{comment(format_)}\n\n{long}\n\n{paragraph(format_, 'It ends.')}\n", format_) == ["It ends."]


@pytest.mark.parametrize("format_", COMMENTED)
def test_time_grows_as_the_text_does(format_: str) -> None:
    text = (comment(format_) + "\n\n") * 20_000 + paragraph(format_, "One here.")
    assert prose(text, format_) == []
    assert prose("<!-- permend-ignore -->" * 40_000 + "<p>One here.</p>", "html") == []
