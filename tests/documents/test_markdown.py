"""Markdown as another implementation reads it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from permend.documents import Document, markdown, markdown_inline
from permend.documents.html import Elements
from permend.documents.paragraphs import ParagraphBuilder
from tests.documents.reading import prose, times_offered

ROOT = Path(__file__).parent.parent.parent
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
WORD = re.compile(r"[A-Za-z]+")


def texts(tokens: list[Token]) -> Iterator[str]:
    """Yield what another parser takes for text."""
    for token in tokens:
        if token.type == "text":
            yield token.content
        elif token.type in ("inline", "image"):
            yield from texts(token.children or [])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_our_own_pages_offer_what_another_parser_takes_for_text(page: Path) -> None:
    text = re.sub(r"(?m)^>>> (?:.+\n)+", "", page.read_text(encoding="utf-8"))  # sessions, to them a quotation
    theirs = Counter(WORD.findall(" ".join(texts(MarkdownIt("commonmark").enable("table").parse(text)))))
    blocks = list(Document.from_text(text, "markdown"))
    counts = times_offered(text, blocks)
    ours = Counter(WORD.findall("".join(sign if count else " " for sign, count in zip(text, counts, strict=True))))
    assert not ours - theirs, "nothing else is offered"
    protected = (
        block.text[run.start : run.end]
        for block in blocks
        for each in block.paragraphs
        for run in each.runs
        if not run.editable and (run.placeholder or run.shown)
    )
    names = Counter(word for stretch in protected for word in WORD.findall(stretch))
    assert not theirs - ours - names, "all of it is, but for names"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a ``b ` c`` d", ["a Python d"]),
        ("it costs $5 and $6", ["it costs $5 and $6"]),
        ("[![badge](a.svg)](b) Text here.", ["badge", "Text here."]),
        ("[see [this] one](a)", ["see [this] one"]),
        ("[x `]` y](a) z", ["x Python y z"]),
        ("[T `[a]::b` c](d) e", ["T Python c e"]),
        ("an *unclosed star", ["an unclosed star"]),
        ("1986\\. A great year", ["A great year"]),
        ("text\n1986. a year", ["text 1986.", "a year"]),
        ("<details>\n<summary>Title of it</summary>\n\nText inside.\n\n</details>", ["Title of it", "Text inside."]),
        ("> ```\n> code\n> ```\n> text", ["text"]),
        ("- a\n\n      code\n\n  text", ["a", "text"]),
        ("\tcode\n\ntext", ["text"]),
        ("a | b\n--|--\nc | `d|e`", ["a", "b", "c"]),
        (">>> session(1)\nanswer\n\ntext\n>>> more\n... of it", ["text"]),
        ("text\n    not code", ["text not code"]),
        ("```\nnever closed\n\ntext", []),
        ("+++\na = 1\n+++\ntext", ["text"]),
        ("***\ntext\n---\n***", ["text"]),
        ("!!! note\n    Text of it", ["Text of it"]),
    ],
)
def test_small_traps(text: str, expected: list[str]) -> None:
    assert prose(text, "markdown") == expected


class Counting:
    """A pattern that counts what it finds."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern, self.found = pattern, 0

    def finditer(self, *arguments: Any) -> Iterator[re.Match[str]]:
        for match in self.pattern.finditer(*arguments):
            self.found += 1
            yield match


def test_brackets_that_are_never_closed_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    brackets = Counting(markdown_inline._BRACKETS)
    monkeypatch.setattr(markdown_inline, "_BRACKETS", brackets)
    markdown.scan("[x" * 1_000)
    assert brackets.found < 2_000


@given(st.text(st.sampled_from("[]()`\\ a"), max_size=40))
def test_brackets_are_closed_where_counting_says(text: str) -> None:
    inline = markdown_inline._Inline(ParagraphBuilder(text), [(0, len(text))], Elements())
    for place in [each.end() for each in markdown_inline._BRACKETS.finditer(text) if each.group() == "["]:
        depth, expected = 1, None
        for sign in markdown_inline._BRACKETS.finditer(text, place):
            depth += {"[": 1, "]": -1}.get(sign.group(), 0)
            if not depth:
                expected = sign.start()
                break
        assert inline.matching(place) == expected
