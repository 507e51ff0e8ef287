"""Small traps of AsciiDoc, and edits that keep its markup."""

from __future__ import annotations

import random
import re
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from permend.documents import Document
from permend.documents.asciidoc import scan
from permend.text.edits import Edit
from tests.documents.reading import map_edits, prose, times_offered, wild_edits

STRUCTURE = [
    "Some words are *stressed* here, and _others_ **un**usual; see `code(x)` and https://a.org/b[the page] of it.",
    "A <<place,place of words>> and <<other>>, xref:a.adoc[a file] and a note.footnote:[It has *words*.] So it is.",
    "Here is what you type in, where 2 * 3 is six:\n\n----\nrun *this* now\n\nand that\n----",
    "* an item of the list\nthat goes on\n** one inside it\n+\n....\nliteral text\n....",
    "== Title of it",
    ".Title of a block\n[source,python]\n----\nprint(1)\n----",
    "term of it:: The definition is here.\nother term::\n  It has one, too.",
    "NOTE: Read this first,\nthen the rest.",
    "====\nAn example has words.\n====",
    "|===\n|some |words\n|===",
    ":name: value of it",
    " some literal words",
    "Old title\n---------",
    '"`Quoted words`" are #marked# here, H~2~O, {name} and kbd:[Ctrl+C] too. +\nA new line.',
    "image::a.png[some words]",
    "// a comment of many words",
]


@given(seed=st.integers(0, 10**9))
@settings(max_examples=150, deadline=None)
def test_markup_is_the_same_after_any_edits_of_words(seed: int) -> None:
    chance = random.Random(seed)
    text = "\n\n".join(chance.sample(STRUCTURE, 6)) + "\n"
    [block] = Document.from_text(text, "asciidoc")
    changed = block.apply(map_edits(block, (wild_edits(sentence.prose, chance) for sentence in block.sentences)))
    assert markup(changed) == markup(text)


def markup(text: str) -> list[str]:
    """Return what is no prose of a text, without the signs between words."""
    counts = times_offered(text, list(Document.from_text(text, "asciidoc")))
    protected = "".join(" " if count else sign for sign, count in zip(text, counts, strict=True))
    return [part for part in protected.split() if part != ":" and not set(part) <= set(".,;")]


@pytest.mark.parametrize("after", ["s", " s", "s ", " s "])
def test_formatting_stays_whatever_is_inserted(after: str) -> None:
    text = "See *the very good* _thing_ `x` link:a[of words], #so# and **un**done *this*.\n"
    [block] = Document.from_text(text, "asciidoc")
    [sentence] = block.sentences
    for at in range(len(sentence.prose) + 1):
        changed = block.apply(sentence.map_edits([Edit(at, at, "", after)]))
        assert re.search(r" \*[^\s*][^*]*[^\s*]\* _[^\s_]+( \w+|\w+ )*_ `x` link:a\[[^\]]+\][ ,]", changed), changed
        assert len(prose(changed, "asciidoc")[0]) == len(sentence.prose) + len(changed) - len(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("= Title\nAnn Lee\n:a: b\n\nText.", ["Title", "Text."]),
        ("---\nlayout: a\n---\n\nText.", ["Text."]),
        ("== Title ==\nText.", ["Title", "Text."]),
        ("Title\n-----\n\nText.", ["Text."]),
        ("A line\n----\ncode\n\ncode\n----\nText.", ["Text."]),
        ("Two\nlines\n----\ncode\n\ncode\n----\nText.", ["Two lines", "Text."]),
        ("[source]\ncode\n\ntext", ["text"]),
        ("[source]\n\n----\ncode\n----\ntext", ["text"]),
        ("[plantuml]\n--\ncode\n\ncode\n--\n\ntext", ["text"]),
        ("[[a]]\ntext", ["text"]),
        ("----\nnever closed\n\ntext", []),
        ("====\nText.\n====\n\n more", ["Text."]),
        ("```\ncode\n```\ntext", ["text"]),
        (" code\n----\ncode\n\ncode\n----\ntext", ["text"]),
        ("text\n indented", ["text indented"]),
        ("* a\n\n  code\n\n* b", ["a", "b"]),
        ("* a\n+\nb\n+\n----\nc\n----", ["a", "b"]),
        ("text\n* no item", ["text * no item"]),
        ("a:: b\nc:: d", ["a", "b", "c", "d"]),
        ("a::\n  b", ["a", "b"]),
        (":a: b \\\nc\n\ntext", ["text"]),
        ("text\n// comment\nmore", ["text more"]),
        ("a *b _c_* d", ["a b c d"]),
        ("an *unclosed star", ["an *unclosed star"]),
        ("snake_case and _words_", ["Python and words"]),
        ("`*a*` and +*b*+", ["Python and Python"]),
        ("C++ is a language", ["C++ is a language"]),
        ("a wordfootnote:[b *c*] d", ["b c", "a word d"]),
        ("https://a.org[b], https://c.org", ["b, Python"]),
        ("{a}[b c^] and link:d[e^] f", ["b c and e f"]),
        ("the [.path]_a_file.xx_ of users`' homes", ["the Python of users' homes"]),
        ("link:a_b_c[d, role=e] f", ["Python f"]),
        ("{a}/b and {nbsp}c", ["Python/b and \xa0c"]),
        ("((a b)) and (((c))) d", ["a b and d"]),
        ("See (C) &#167; here", ["See © § here"]),
        ("`a", ["`a"]),
        ("-----BEGIN PGP SIGNATURE-----\n\nabc words\n\n-----END PGP SIGNATURE-----\n", []),
        ("-----BEGIN PGP SIGNED MESSAGE-----\nHash: a\n\nSigned words.\n\n-----BEGIN PGP SIGNATURE-----\n", []),
        ('"Words"\n-- Ann Lee', ['"Words"']),
        ("> quoted\n> words", []),
        ("ifdef::a[]\ntext\nendif::[]", ["text"]),
        ("image:a.png[words] of it", ["Python of it"]),
    ],
)
def test_small_traps(text: str, expected: list[str]) -> None:
    assert prose(text, "asciidoc") == expected


def test_a_thousand_levels_are_read() -> None:
    delimiters = ["=" * length for length in range(4, 1004)]
    text = "\n\n".join([*delimiters, "A word.", *reversed(delimiters)]) + "\n\nAnother word."
    found = scan(text)
    assert [paragraph.text for paragraph in found.paragraphs] == ["A word.", "Another word."]
    assert found.cut_at == text.index("Another")
    assert prose("*_" * 1000 + "a word", "asciidoc")[0].endswith("a word")


@pytest.mark.parametrize(
    "unit",
    ["*a ", "_a ", "`a ", "+a ", "a:b[c ", "footnote:[", "<<a,", "[[a", "a:-", '"`a ', "a:: ", "----\n", "[", "a_b "],
)
def test_unclosed_markup_is_read_once(unit: str) -> None:
    times = []
    for length in (20_000, 80_000):
        start = perf_counter()
        scan(unit * (length // len(unit)))
        times.append(perf_counter() - start)
    assert times[1] < 16 * times[0] + 1
