"""A file's name says whether it may be corrected; where it says nothing, nobody guesses."""

from __future__ import annotations

import time

import pytest

from permend.documents.formats import _ENDINGS, is_code_or_data, is_prose, names_file

PROSE = (
    "a.txt",
    "a.TEXT",
    "docs/a.md",
    "a.html",
    "a.tex",
    "Makefile.md",
    "docker/Dockerfile.txt",
    "my.requirements.md",
)
CODE_OR_DATA = (
    "a.json", "a.py", "A.YAML", "a.csv", "a.xml", "a.svg", "a.ipynb", "a.css", "a.po", "a.bib", "a.diff", "uv.lock",
    "a.log", "a.c", "a.r", "page.html.j2", "a/.bashrc", ".gitignore", "Makefile", "makefile", "GNUmakefile",
    "Dockerfile", "Dockerfile.dev", "Jenkinsfile", "CMakeLists.txt", "robots.txt", "requirements.txt",
    "requirements-dev.txt", "constraints.txt",
)  # fmt: skip
UNKNOWN = ("README", "LICENSE", "NEWS", "a.xyz", "a.txt.bak", "a.txt~", "a.md.orig", "a.srt", "a.docx", "a.")


@pytest.mark.parametrize("name", PROSE + CODE_OR_DATA + UNKNOWN)
def test_a_name_says_prose_or_code_or_nothing(name: str) -> None:
    assert (is_prose(name), is_code_or_data(name)) == (name in PROSE, name in CODE_OR_DATA)


def test_all_formats_that_are_read_are_prose() -> None:
    for ending in _ENDINGS:
        assert is_prose(f"a{ending}"), ending
        assert not is_code_or_data(f"a{ending}"), ending
        assert names_file(f"a{ending}"), ending


def test_words_are_not_taken_for_files() -> None:
    for word in (
        "Hello.",
        "e.g.",
        "i.e",
        "it.so",
        "example.com",
        "a.m",
        "P.M",
        "U.S",
        "Ph.D",
        "etc.",
        "...",
        ".",
        "3.14",
    ):
        assert not names_file(word), word
    for word in ("x.docx", "x.pdf", "x.odt", "x.md", "x.py", "main.c", "letter.v2.txt"):
        assert names_file(word), word


def test_a_long_name_takes_no_longer_than_its_length() -> None:
    start = time.perf_counter()
    assert not is_prose("requirements" + "_" * 5_000 + ".txt")
    assert not is_code_or_data("requirements" + "_" * 5_000 + "!")
    assert time.perf_counter() - start < 5
