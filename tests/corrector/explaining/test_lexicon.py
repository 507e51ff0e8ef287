"""The lexicon: which words exist, and what they are in their sentence."""

from __future__ import annotations

import gzip
from pathlib import Path

import permend.corrector.explaining.lexicon
from permend.corrector.explaining.lexicon import Lexicon, load_lexicon

SMALL = Lexicon.parse(
    "# a comment\n"
    "word\tDT\tthe\n"
    "word\tNN VB\tplay walk\n"
    "word\t\trareword\n"
    "ending\tRB\tly\n"
    "own\tTO IN\tto\n"
    "rule\tVB\tto|NN VB|\n"
    "rule\tIN\t|to|DT\n"
)


def test_common_words_exist_and_misspellings_do_not() -> None:
    lexicon = load_lexicon("en")
    assert all(word in lexicon for word in "the colour color organise organize went children Paris I".split())
    assert not any(word in lexicon for word in "beleive recieve informations childs definately alot".split())


def test_context_decides_what_a_word_is() -> None:
    lexicon = load_lexicon("en")
    assert lexicon.tag("I want to play chess".split(), 3) == "VB"
    assert lexicon.tag("I saw the play again".split(), 3) == "NN"
    assert lexicon.tag("He has gone home".split(), 1) == "VBZa"
    assert lexicon.tag("He has a dog".split(), 1) == "VBZ"


def test_the_first_rule_that_fits_decides() -> None:
    assert SMALL.tag("to walk".split(), 1) == "VB"
    assert SMALL.tag("the walk".split(), 1) == "NN"
    assert SMALL.tag("to the".split(), 0) == "IN"
    assert SMALL.tag("to walk".split(), 0) == "TO"


def test_unknown_words_are_classed_by_their_letters() -> None:
    assert SMALL.tag(["xenially"], 0) == "RB"
    assert SMALL.tag(["Xenially"], 0) == "NN"
    assert SMALL.tag(["rareword"], 0) == "NN"
    assert [SMALL.tag([sign], 0) for sign in (",", "@", "1990", "")] == ["P", "P", "X", "P"]


def test_the_file_is_small_and_says_where_it_comes_from() -> None:
    folder = Path(permend.corrector.explaining.lexicon.__file__).parent / "en"
    packed = (folder / "lexicon.txt.gz").read_bytes()
    assert len(packed) < 210_000
    assert "MIT" in gzip.decompress(packed).decode().partition("\n")[0]
    assert "MIT" in (folder / "SOURCES.md").read_text()
