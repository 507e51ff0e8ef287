"""Nasty programs of every language: exactly the prose of their comments is offered, and nothing else ever changes."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from permend.documents import Document
from permend.documents.comments.python import find_comments
from permend.documents.comments.source import Source
from tests.documents.comments.programs import LANGUAGES, change, code_of, read_program
from tests.documents.reading import map_edits, prose, times_offered, wild_edits

OFFERED = {
    "python": """
        The module have two parts, see Python and Python.
        It go on:
        Example of it:
        Read this, it are old.
        We needs it for paths.
        What the text were before.
        This comment are one paragraph of three lines, with Python and Python in them.
        Another one have Python in it.
        an item were here and it go on
        the second
        This need work.
        A thing that have state.
        The name that it have, on two lines.
        How big it are.
        If it go wrong.
        Do something nice.
        The first number.
        The second one, which are a text.
        What come out.
        it return both
        Say "it don't" nothing.
        the number that go in
        what come out
        One line, it are.
        Python are big
    """,
    "javascript": """
        The function add two numbers, see Python and Python.
        It have a second paragraph.
        the first number that are added
        The second one.
        The sum of both number.
        If it go wrong.
        This are a comment.
        it were inside
        The first thing
        Another thing are here
        this are wrong
        They was here.
        A plain block without stars have lines.
        Steps of it:
        the first step are here
        the second
    """,
    "typescript": """
        The function add two numbers, see Python and Python.
        It have a second paragraph.
        the first number that are added
        The second one.
        The sum of both number.
        If it go wrong.
        This are a comment.
        it were inside
        The first thing
        Another thing are here
        this are wrong
        They was here.
        A plain block without stars have lines.
        Steps of it:
        the first step are here
        the second
    """,
    "tsx": """
        The function add two numbers, see Python and Python.
        It have a second paragraph.
        the first number that are added
        The second one.
        The sum of both number.
        If it go wrong.
        This are a comment.
        it were inside
        The first thing
        Another thing are here
        this are wrong
        They was here.
        A plain block without stars have lines.
        Steps of it:
        the first step are here
        the second
    """,
    "rust": """
        The crate have modules.
        A heading of it
        Returns the [`Python`] that are there, or Python.
        It take a link and a Python.
        the pointer are valid
        The quote are a Python.
        Nested / comments Python / are read
        It were a block.
    """,
    "go": """
        Package Python have things.
        We needs it.
        Python go through all of it and return what were found.
        Deprecated: it are old.
        "quoted" are the text
        A block are here.
    """,
    "c": """
        It are needed.
        The function add numbers.
        It have a Python word and calls Python.
        the first number
        the second, which are big
        what come out
        it were a number
        It have text.
        A box have a title
        and/or it are / odd
        he go home
    """,
    "cpp": """
        It are needed.
        The function add numbers.
        It have a Python word and calls Python.
        the first number
        the second, which are big
        what come out
        it were a number
        It have text.
        A box have a title
        and/or it are / odd
        he go home
    """,
    "java": """
        The class Python have state.
        The first item are here.
        The second have Python.
        the type that are used
        The text are here.
        Returns the Python sign, it are one.
    """,
    "shell": """
        The script go through all files and print them.
        This are a name.
        It print Python and Python.
    """,
}
HOSTILE = [
    "word",
    "",
    '"',
    "'",
    '"""',
    "*/",
    "/*",
    "\\",
    "\\N{",
    "`",
    "#",
    "//",
    "\n",
    "a */ b",
    "${x}",
    "*",
    "/",
    "-->",
    "{@",
]


def lines(text: str) -> list[str]:
    return [line.strip(" ") for line in text.strip().split("\n")]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_exactly_the_prose_is_offered(language: str, line_end: str) -> None:
    assert prose(read_program(language).replace("\n", line_end), language) == lines(OFFERED[language])


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_protected_is_offered_and_nothing_is_offered_twice(language: str) -> None:
    text = read_program(language)
    counts = times_offered(text, list(Document.from_text(text, language)))
    assert max(counts) == 1
    for word in re.finditer(r"\w*XX\w*", text):
        assert not any(counts[slice(*word.span())]), word.group()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("after", HOSTILE)
def test_code_stays_whatever_becomes_of_every_word(language: str, after: str) -> None:
    text = read_program(language)
    changed = change(text, language, after)
    assert after != "word" or changed != text
    assert code_of(changed, language) == code_of(text, language)


@pytest.mark.parametrize("language", LANGUAGES)
@given(seed=st.integers(0, 10**9))
@settings(max_examples=20, deadline=None)
def test_code_stays_whatever_a_corrector_does(language: str, seed: int) -> None:
    text, chance = read_program(language), random.Random(seed)
    changed = ""
    for block in Document.from_text(text, language):
        changed += block.apply(map_edits(block, (wild_edits(each.prose, chance) for each in block.sentences)))
    assert code_of(changed, language) == code_of(text, language)


SIGNS = """
    He go to the cat's naïve 😀 `x` a_b *so* it's "said" 't don't and/or fooBar() {@code } <b> </b> # // /* ** / * [a]
"""
WORDS = st.lists(st.sampled_from([*SIGNS.split(), "\t"]), min_size=1, max_size=12).map(" ".join)
HEADS = {"python": "#", "shell": "#"}
STATEMENTS = {
    "python": "x = '# he go'",
    "javascript": "let x = `// he go` + 1 / 2;",
    "typescript": "let x: string = '/* he go */';",
    "tsx": "let x: number = 1 / 2;",
    "rust": 'const X: &str = "// he go";',
    "go": 'var x = "// he go"',
    "c": 'char *x = "/* he go */";',
    "cpp": 'auto x = R"(// he go)";',
    "java": 'class X { String s = "// he go"; }',
    "shell": "x='# he go'",
}


@pytest.mark.parametrize("language", LANGUAGES)
@given(
    texts=st.lists(WORDS, min_size=1, max_size=4), after=st.sampled_from(HOSTILE), ends=st.sampled_from(["\n", "\r\n"])
)
@settings(max_examples=60, deadline=None)
def test_comments_of_any_words_keep_their_ends(language: str, texts: list[str], after: str, ends: str) -> None:
    statement = STATEMENTS[language]
    if language in HEADS:
        comments = [f"# {text}" for text in texts]
    else:
        comments = [f"// {text}" for text in texts]
        comments += [f"/* {text.replace('/*', '').replace('*/', '')}\n   {text.replace('/', '')} */" for text in texts]
    if language == "python":
        safe = (text.replace('"', "") for text in texts)
        comments += [f'"""{text}\n\n{text}\n"""' for text in safe]
    package = "package a\n" if language == "go" else ""
    text = package + "".join(f"{comment}\n{statement} {comments[0]}\n" for comment in comments)
    text = text.replace("\n", ends)
    before = code_of(text, language)
    assert code_of(change(text, language, after), language) == before


@pytest.mark.parametrize("language", LANGUAGES)
@given(
    text=st.text(max_size=80) | st.lists(st.sampled_from(list("\"'`#/*\\\n\r ab{}()<>$🙂:")), max_size=60).map("".join)
)
@settings(max_examples=100, deadline=None)
def test_what_is_no_program_is_read_without_an_error(language: str, text: str) -> None:
    blocks = list(Document.from_text(text, language))
    assert "".join(block.text for block in blocks) == text


@pytest.mark.parametrize(
    "text",
    [
        "# One comment.\nx = 'never closed # no comment\n# Nor this.\n",
        "# One comment.\nx = '''never closed\n# no comment\n",
        "# One comment.\nif x:\n        y\n    z\n# Too late.\n",
    ],
)
def test_a_broken_program_is_read_up_to_where_it_breaks(text: str) -> None:
    assert [text[each.start : each.end] for each in find_comments(text)] == ["# One comment."]


def test_a_program_that_is_being_typed_keeps_its_comments() -> None:
    text = "// One thing.\nfunction f(a, {\n  // Two things.\n  x.\n}\n// Three things.\n"
    assert prose(text, "javascript") == ["One thing.", "Two things.", "Three things."]
    text = "// One thing.\nlet s = `never closed\n // in the text\n"
    assert prose(text, "javascript") == ["One thing."]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "unit", ["# a\n", "/* a ", "((((", "{", "// a\n", "'", '"', "a(", "\\", "# `x ", "`", "<a>", "/*", "x = 1\n"]
)
def test_deep_and_long_programs_take_no_longer_than_their_length(language: str, unit: str) -> None:
    from time import process_time

    times = []
    for length in (2_000, 8_000):
        text = unit * (length // len(unit))
        start = process_time()
        Source(language).scan(text)
        times.append(process_time() - start)
    assert times[1] < 16 * times[0] + 1


def test_positions_count_characters_whatever_their_bytes() -> None:
    for language, text in (
        ("javascript", "let é = '😀'; /* naïve\t*/ // He go — 😀 home.\r\n\t// They was here.\r\n"),
        ("python", "é = '😀'  # He go — 😀 home.\r\n\t# They was here.\r\n"),
    ):
        sentences = [each for block in Document.from_text(text, language) for each in block.sentences]
        runs = [run for sentence in sentences for run in sentence.runs if run.editable]
        assert all(text[run.start : run.end] == run.shown for run in runs)
        assert {"He go — 😀 home.", "They was here."} <= {sentence.prose for sentence in sentences}
