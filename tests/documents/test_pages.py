"""Nasty pages of every format: exactly the prose is offered. What must never be offered has XX in it."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from permend.documents import Document
from permend.text.edits import Edit
from tests.documents.reading import ENDINGS, map_edits, prose, read_page, times_offered, wild_edits

OFFERED = {
    "plain": """
        Dear Dr. Smith,
        I am writing to you about the meeting on 3.5.2024 at 5 p.m. in room 12.
        We was very happy to see so many people, e.g. the team of Mr. Brown, and we hopes that it go well.
        Please send the file Python to Python or look at Python.
        It is there.
        first item of the list
        the second item, which is on two lines
        a numbered item
        a lettered item
        The cat and/or the dog is here and he/she was not there:
        Python and Python said that Python and Python is fine.
        It works on Python and in Python or Python or Python.
        Call Python or Python in Python and Python.
        He forgot the space.
        The next sentence begins here.so it is.
        Visit Python or Python, or Python; then go home.
        A word with a soft hyphen in it, and a zerowidth space.
        "Is it true?" she asked.
        "Yes!" he said...
        And so on.
        The price is $5 or $10, 50% off & more; it's 3 < 4.
        Ends without a full stop
    """,
    "markdown": """
        The first heading with Python and stress
        Setext heading of two lines
        image of a cat
        A paragraph with emphasis, strong words, both, under and more, struck and marked text, a link text and another\
 one, and an Excel.
        Auto: Python and Python, bare Python too.
        Escaped *stars* and Python stay.
        Maths: Python costs $5 or $10, Python and\u00a0more & so.
        A hard break before this line, and a backslash one.
        A footnote and a citation.
        A shortcut [refXX].
        A quotation over two lines that goes on lazily.
        Deeper still with Python.
        first item continued here
        a task with bold and Python keys
        after the break
        nested item
        paragraph of the nested item
        numbered
        last
        Some words
        Head one
        Head two
        cell one
        cell | two
        link
        Text inside a division.
        We get Python where the value is small.
        Then Python is used here.
        The text of the note is here.
        Term
        Definition of the term
        Snake Python and 2 * 3 * 4 and a*b stay.
        See Python for it.
        Final line with bold.
    """,
    "html": """
        The title of the page
        First heading
        She go to the old market, and buys "bread" — it's cheap\u00a0there.
        Run Python or Python first.
        Two sentences here.
        This is the second one
        After the break
        and more
        one item
        another item
        Head
        Cell < two
        A picture here.
        Less 3 < 4 and mail Python about Python.
        Write to Python.
        A quotation inside text
        Upper case tagstwo work
        Template text Python is here.
        Unclosed paragraph
    """,
    "latex": """
        A study of small things
        This is the abstract of the paper.
        It has two sentences.
        The first section
        The note has its own words.
        Inner note.
        We show in Section Python that Python are small, as Python did.
        See Python for more.
        The word goes on, and 5% of the naïve résumés of Erdős cost $5 & more — "quoted words" here.
        A new line with Python and Python and Python, and linked words.
        After the comment bold words and slanted ones stay.
        We get Python where the value is small, and Python
        The next sentence begins.
        Also Python and Python inside.
        first item with stress
        Name
        second item
        The caption of this table
        Head one
        Head two
        cell one
        wide cell
        A figure
        Unknown Python and Python stay.
        Use Python and coloured words.
        Last words.
    """,
    "rst": """
        A paragraph with emphasis, strong words, Python, Python, Python, Python and Python in it.
        A link textXX and another oneXX, a simpleXX reference and an anonymousXX one, Python and Python and an\
 inlineXX target.
        A footnote and a citation.
        Bare Python too.
        Escaped *stars* stay, as do 2 * 3 * 4 and a*b and "*" and lone ` ticks | bars.
        Two words.
        And two sentences here.
        Things and things.
        Literal blocks follow after this:
        and here is a quoted one:
        After it.
        The note has its own words on two lines:
        More of the note.
        Be careful with Python.
        The title of it
        Body of the admonition.
        The option was added.
        It can be changed.
        Use the other one.
        The caption of the figure.
        The legend of it.
        Return the sum.
        the first number
        the sum of them
        A quotation behind an empty comment.
        The footnote has words, on two lines.
        A citation has some, too.
        first item continued here
        second item
        nested item
        paragraph of the second item:
        both at once
        numbered
        also numbered and continued
        automatic
        A. Einstein was here and went home again.
        Term one
        Definition of the term.
        More of the definition.
        Term two
        Its definition has Python in it:
        the first option
        a long option that goes on here
        an old one
        Lines of a poem
        stand by themselves and go on
        A quotation that is indented.
        Words of wisdom.
        Nested note here.
        Final line with bold.
    """,
    "asciidoc": """
        The title of it
        The note has words.
        A paragraph with bold words, italic ones, unconstrained, marked and styled words, Python, Python and Python,\
 Python, Python and Python.
        "Quoted words" and 'single' are here.
        H2O and E2 too.
        A link text, another one, bare Python and reference text, this part and Python too.
        A hard break before.
        Press Python, see Python and Python.
        An anchor, a wordXX and terms.
        Escaped Python stay, as do 2 * 3 * 4 and a*b and C++ and © signs & more.
        Python is an Excel of it.
        The paragraph goes on.
        Section title
        Block title
        After the code.
        Words of wisdom.
        An example with words.
        A sidebar inside.
        An open block has words.
        Be careful with Python.
        This is dangerous.
        first item continued here
        nested item
        a task
        A paragraph of the task.
        dashed
        numbered
        also numbered
        with a number
        A callout has words.
        Term one
        Definition of the term
        Term two
        Its definition has Python in it on two lines
        "A quotation"
        Deeper title
        Final line with bold.
    """,
}
FORMATS = list(ENDINGS)


def lines(text: str) -> list[str]:
    return [line.strip(" ") for line in text.strip().split("\n")]


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_exactly_the_prose_is_offered(format_: str, line_end: str) -> None:
    assert prose(read_page(format_).replace("\n", line_end), format_) == lines(OFFERED[format_])


@pytest.mark.parametrize("format_", FORMATS)
def test_nothing_protected_is_offered_and_nothing_is_offered_twice(format_: str) -> None:
    text = read_page(format_)
    counts = times_offered(text, list(Document.from_text(text, format_)))
    assert max(counts) == 1
    for word in re.finditer(r"\w*XX\w*", text):
        assert not any(counts[slice(*word.span())]), word.group()


@pytest.mark.parametrize("format_", FORMATS)
@given(seed=st.integers(0, 10**9))
@settings(max_examples=20, deadline=None)
def test_whatever_a_corrector_does_protected_text_stays_as_and_where_it_is(format_: str, seed: int) -> None:
    text = read_page(format_)
    chance = random.Random(seed)
    document = list(Document.from_text(text, format_))
    changed = ""
    edits: list[Edit] = []
    for block in document:
        edits += (found := map_edits(block, (wild_edits(sentence.prose, chance) for sentence in block.sentences)))
        changed += block.apply(found)
    assert edits
    counts = times_offered(text, document)
    assert all(all(counts[edit.start : edit.end]) for edit in edits)
    protected = re.findall(
        r"\S+", "".join(sign if not count else " " for sign, count in zip(text, counts, strict=True))
    )
    at = 0
    for stretch in protected:
        at = changed.index(stretch, at) + len(stretch)
    assert offered_markup(changed, format_) == offered_markup(text, format_)


def offered_markup(text: str, format_: str) -> list[str]:
    """Return the protected words in the order of the text, if none of them is offered."""
    counts = times_offered(text, list(Document.from_text(text, format_)))
    words = list(re.finditer(r"\w*XX\w*", text))
    assert not any(any(counts[slice(*word.span())]) for word in words)
    return [word.group() for word in words]
