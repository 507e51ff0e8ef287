"""reStructuredText as docutils reads it, before and after edits."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from time import perf_counter

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from hypothesis import given, settings
from hypothesis import strategies as st

from permend.documents import Document
from permend.documents.rst import scan
from permend.text.edits import Edit
from tests.documents.reading import map_edits, prose, read_page, times_offered, wild_edits

WORD = re.compile(r"[A-Za-z]+")
QUIET = {"report_level": 5, "file_insertion_enabled": False, "doctitle_xform": False, "docinfo_xform": False}
NO_PROSE = (
    nodes.Invisible, nodes.Titular, nodes.classifier, nodes.field_name, nodes.label, nodes.literal, nodes.literal_block,
    nodes.doctest_block, nodes.math_block, nodes.option_group, nodes.raw, nodes.reference, nodes.system_message,
    nodes.table, nodes.target, nodes.title_reference, nodes.attribution,
)  # fmt: skip
STRUCTURE = [
    "Some are *stressed* here, and **others are strong**; see ``code(x)`` and `the page <https://a.org/b>`_ too.",
    "A word_ and `two words`_ lead somewhere, as does _`this place` and the note [1]_ on it, |so| it is.",
    "Here is what you type in, where 2 * 3 is six::\n\n    run *this* now\n\n      and that",
    "- an item of the list\n  that goes on\n\n  - one inside it\n\n- *another* one",
    "Title\n=====",
    "term of it : kind\n    The definition is here.\n\nother term\n    It has one, too.",
    ".. note:: Read this first,\n   then the rest.\n\n   .. code:: python\n\n      print(1)",
    ".. figure:: a.png\n   :alt: some words\n\n   The caption of it.",
    ":param x: the number that is added\n:returns: the *sum* of both",
    "-v          say more\n--all=FILE  take all of them",
    ">>> f(1)\n2",
    "| a line of verse\n| another line",
    "1. first thing\n2. second thing",
    "=====  =====\nsome   words\n=====  =====\nmore   words\n=====  =====",
    "+------+------+\n| some | word |\n+------+------+",
    ".. a comment of many words",
    "    A quotation is indented.\n\n    -- Somebody Else",
]
TARGETS = "\n\n.. _word: https://a.org/word\n.. _two words: https://a.org/two\n.. |so| replace:: thus\n.. [1] A note.\n"


def words(node: nodes.Node) -> Iterator[str]:
    """Yield the words that docutils takes for prose."""
    if isinstance(node, nodes.Text):
        yield from WORD.findall(str(node))
    elif not isinstance(node, NO_PROSE):
        for child in node.children:
            yield from words(child)


def outline(node: nodes.Node) -> list[object]:
    """Return a document without its prose: elements, and all text that is none."""
    if isinstance(node, nodes.Text):
        return []
    inside: list[object] = [str(node)] if isinstance(node, NO_PROSE) else [outline(child) for child in node.children]
    return [node.tagname, *(each for each in inside if each != [])]


def parse(text: str) -> nodes.document:
    return publish_doctree(text, settings_overrides=QUIET)


def as_docutils_knows_it(text: str) -> str:
    """Return our page without the directives and roles of Sphinx and without options that nobody knows."""
    text = re.sub(r"(?m)^\.\. (?:version\w+|deprecated):: \S+", ".. note::", text)
    text = re.sub(r"(?m)^\.\. function:: (?s:.*?)\n\n", ".. class:: x\n\n", text)
    return re.sub(r":ref:|:py:func:|:subXX:|(?m:^   :\w*: .*XX.*\n)", "", text)


def test_our_page_offers_what_docutils_takes_for_prose() -> None:
    text = as_docutils_knows_it(read_page("rst"))
    counts = times_offered(text, list(Document.from_text(text, "rst")))
    ours = Counter(WORD.findall("".join(sign if count else " " for sign, count in zip(text, counts, strict=True))))
    theirs = Counter(words(parse(text)))
    title = Counter("The title of it".split())  # that of an admonition, which docutils takes for a title
    assert not ours - theirs - title, "nothing else is offered"
    missing = {word for word in theirs - ours if "XX" not in word}
    assert missing == {"text"}, "all of it is, but for what a name stands for"


@given(seed=st.integers(0, 10**9))
@settings(max_examples=150, deadline=None)
def test_docutils_sees_the_same_structure_after_any_edits_of_words(seed: int) -> None:
    chance = random.Random(seed)
    text = "\n\n".join(chance.sample(STRUCTURE, 6)) + TARGETS
    [block] = Document.from_text(text, "rst")
    changed = block.apply(map_edits(block, (wild_edits(sentence.prose, chance) for sentence in block.sentences)))
    assert changed != text
    assert outline(parse(changed)) == outline(parse(text))


@pytest.mark.parametrize("edit", ["replace", "insert", "spaces"])
def test_signs_and_spaces_beside_emphasis_stay(edit: str) -> None:
    text = "See *the very good* **thing** ``x`` word_ [1]_ and *this*.\n"
    [block] = Document.from_text(text + TARGETS, "rst")
    before = outline(parse(text + TARGETS))
    sentence = block.sentences[0]
    for at in range(len(sentence.prose) + 1):
        after = {"replace": "s", "insert": "s", "spaces": " s "}[edit]
        end = min(at + (edit == "replace"), len(sentence.prose))
        found = sentence.map_edits([Edit(at, end, sentence.prose[at:end], after)])
        changed = block.apply(found)
        assert outline(parse(changed)) == before, changed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Title\n-----\n\nText.", ["Text."]),
        ("Title\n--\n\nText.", ["Text."]),
        ("=====\nTitle\n=====\nText.", ["Text."]),
        ("A line\n::\n\n  code", ["A line"]),
        ("Text::\n  code\n\nmore", ["Text:", "more"]),
        ("Text ::\n\n\tcode\n\nmore", ["Text", "more"]),
        ("- a::\n\n      code\n\n  text", ["a:", "text"]),
        (".. note:: a::\n\n      code\n\n   also protected\n\ntext", ["a:", "text"]),
        (".. note::\n\n   a::\n\n      code\n\n   text", ["a:", "text"]),
        (".. code::\n\n   a\n\n  b\n\nc", ["c"]),
        (".. _a: b\n   c\n.. d\ne", ["e"]),
        ("``a *b`` *c d*", ["Python c d"]),
        ("*a ``b* c``", ["a ``b c``"]),
        ("``a``b`` c", ["Python c"]),
        ("an *unclosed star", ["an *unclosed star"]),
        ("a \\*b and c\\ d", ["a *b and cd"]),
        ("It is *so*\\ s.", ["It is sos."]),
        (":term:`a` is an `b`", ["Python is an Excel"]),
        ("`a b <c>`_ is", ["a b is"]),
        ("a_b is a name, c_ a reference", ["Python is a name, c a reference"]),
        ("term : int\n    text", ["term", "text"]),
        ("``a : b`` : int\n    text", ["text"]),
        ("text\n- not an item", ["text - not an item"]),
        ("(a) an item\n\ni. another", ["an item", "another"]),
        (":Author: me\n:param a: text\n    more", ["text more"]),
        (".. rubric:: Words of it", ["Words of it"]),
        (".. class:: a\n\nText.", ["Text."]),
        (".. py:method:: a(b,\n   c)\n\n   Text.", ["Text."]),
        (".. glossary::\n\n   a\n     b", []),
        ("==  ==\na   b\n\nc   d\n==  ==\n\ntext", ["text"]),
        ("==  ==\nnever closed\n\ntext", []),
        ("- >>> a\n  b\n\n  c", ["c"]),
        ("..\n\n   text", ["text"]),
        ("..\n   text", []),
        ("PEP: 8\nTitle: Some words\n\nText.", ["Text."]),
    ],
)
def test_small_traps(text: str, expected: list[str]) -> None:
    assert prose(text, "rst") == expected


@pytest.mark.parametrize("unit", ["- ", "  - ", ".. note:: "])
def test_a_thousand_levels_are_read(unit: str) -> None:
    lines = ["   " * level + unit + "a word\n\n" for level in range(1000)]
    assert len(prose("".join(lines), "rst")) == 1000
    assert prose(unit.lstrip() * 1000 + "a word", "rst") == ["a word"]


@pytest.mark.parametrize(
    "unit",
    ["``a ", "`a ", "*a ", "**a ", "|a ", "_`a ", ":a:`b ", ".. x::\n\n", "a::\n\n", "- ", "== ==\n", "a-", "[a"],
)
def test_unclosed_markup_is_read_once(unit: str) -> None:
    times = []
    for length in (20_000, 80_000):
        start = perf_counter()
        scan(unit * (length // len(unit)))
        times.append(perf_counter() - start)
    assert times[1] < 16 * times[0] + 1


@pytest.mark.parametrize(
    ("text", "shown"), [(r"see \b_", r"see b_"), (r"\x_,r it is", "x_,r it is"), (r"an \a__ of it", "an a__ of it")]
)
def test_an_escaped_letter_is_no_name_of_a_reference(text: str, shown: str) -> None:
    assert prose(text, "rst") == [shown]
    assert max(times_offered(text, list(Document.from_text(text, "rst")))) <= 1
