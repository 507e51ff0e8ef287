"""What in a comment is prose: small cases, one trap each."""

from __future__ import annotations

import pytest

from permend.documents import Document
from permend.documents.formats import FORMATS, format_of_language, source_format_of
from permend.text.edits import Edit
from tests.documents.reading import prose


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("python", "x = 1  # one thing\ny = 2  # another\n", ["one thing", "another"]),
        ("python", "x = 1  # one thing\n       # goes on\n", ["one thing goes on"]),
        ("python", "# one\n\n# two words\n", ["one", "two words"]),
        ("python", "# Some text.  # noqa: E501\n", ["Some text."]),
        ("python", "#: What it is.\nx = 1\n", ["What it is."]),
        ("python", "'A text ' 'of two strings'\n", []),
        ("python", "b'He go.'\nf'He go.'\nx = 'He go.'\nprint('He go.')\n", []),
        ("python", '"""He go."""; x = 1\n', []),
        ("python", "def f():\n    # He go.\n    'They go.'\n", ["He go.", "They go."]),
        ("python", '"""A \\N{DASH} and \\x41bc word."""\n', ["A Python and Python word."]),
        ("python", "# def f(x):\n#     return x\n", []),
        ("python", "# for each in them:\n#     print(each)\n", []),
        ("python", "# return early if there is none\n", ["return early if there is none"]),
        ("python", "# See https://a.org/b and a/b/c.py, or ~/x.\n", ["See Python and Python, or Python."]),
        ("python", '"""Do it.\n\n    >>> f(1)\n    he go\n\nIt go.\n"""\n', ["Do it.", "It go."]),
        ("python", '"""Do it.\n\n```\nhe go\n```\n"""\n', ["Do it."]),
        ("python", '"""Do it.\n\nReturns:\n    int: The number of it.\n"""\n', ["Do it.", "The number of it."]),
        ("python", '"""Do it.\n\nExamples:\n    permend check all of it\n"""\n', ["Do it."]),
        ("javascript", "// one\n/// two\n", ["one", "two"]),
        ("javascript", "/** @type {Foo} */\n/** @returns {Foo} the thing */", ["the thing"]),
        ("javascript", "// #region of things\n// #endregion\n", []),
        ("javascript", "/* global foo, bar */ // He go.\n", ["He go."]),
        ("javascript", "// prettier-ignore\n//# sourceMappingURL=a.js\n", []),
        ("rust", "/// He go.\n/// ```\n/// he go\n/// ```\n/// They go.\n", ["He go.", "They go."]),
        ("rust", "// #[derive(Debug)]\n// fn foo() {}\n", []),
        ("go", "// foo go home.\nfunc foo() {}\n", ["Python go home."]),
        ("go", "//nolint:all\n// +build linux\n//go:embed a.txt\n", []),
        ("c", "/* a = b; */ /* he go */\n", ["he go"]),
        ("c", "/****************\n * He go.\n ****************/\n", ["He go."]),
        ("c", "// +---+\n// | x |\n// +---+\n", []),
        ("java", "/** He go to {@code a\n * b} and home. */", ["He go to Python Python and home."]),
        ("shell", "echo ${#x} # He go.\n", ["He go."]),
        ("cpp", "// NOLINTNEXTLINE(foo)\n// clang-format off\n// He go.\n", ["He go."]),
    ],
)
def test_small_traps(language: str, text: str, expected: list[str]) -> None:
    assert prose(text, language) == expected


def test_a_note_needs_no_full_stop_and_no_capital_letter() -> None:
    [block] = Document.from_text("x = 1  # the number of it. then more\n", "python")
    first, second = block.sentences
    assert not first.map_edits([Edit(0, 3, "the", "The")])
    assert second.map_edits([Edit(0, 4, "then", "Then")])
    assert not second.map_edits([Edit(len(second.prose), len(second.prose), "", ".")])


def test_an_article_before_code_is_the_writers() -> None:
    [block] = Document.from_text("# Use the `x` and `y` here\n", "python")
    [sentence] = block.sentences
    assert sentence.prose == "Use the Python and Python here"
    assert not sentence.map_edits([Edit(4, 8, "the ", "")])
    assert not sentence.map_edits([Edit(19, 19, "", "the ")])


def test_comments_say_what_is_left_alone() -> None:
    text = "# permend-ignore: a poem\n# He go.\n\n# They go.\n\nx = 1  # We goes to permend.\n"
    assert prose(text, "python") == ["They go.", "We goes to permend."]
    text = "/* permend-ignore-start */\n// He go.\nf();\n/* permend-ignore-end */\n// They go.\n"
    assert prose(text, "javascript") == ["They go."]


def test_names_of_the_program_are_nouns() -> None:
    text = "// The mintty of a Result is here.\ntype Result struct { mintty int }\n"
    assert prose(text, "go") == ["The Python of a Python is here."]


def test_editors_names_lead_to_formats() -> None:
    for name in ("python", "javascriptreact", "typescriptreact", "shellscript", "git-commit", "gitcommit", "plaintext"):
        assert format_of_language(name) in FORMATS
    assert format_of_language("brainfuck") is None
    assert source_format_of("a.h") == "cpp"
    assert source_format_of("a.md") is None
