"""Documents of any length and content: nothing is lost, whatever the size of blocks."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from permend.documents import Document, document, format_of, read_document
from permend.errors import InputError, PermendError
from tests.documents.reading import ENDINGS, PAGES, map_edits, prose, read_page, times_offered, wild_edits

FORMATS = list(ENDINGS)
ANY_TEXT = st.text(alphabet=st.characters(codec=None), max_size=200)
PIECES = (
    "a word|Two words.|\n|\n\n|\r\n|\r| |    |\t|*|**|_|`|```|~~~|$|$$|[|]|](x)|![|(|)|<b>|</b>|<p>|<pre>|</pre>|<!--"
    "|-->|<|>|> |- |1. |# |---|===|\\|\\||\\emph{|\\footnote{|\\section{|{|}|%|&|&amp;|\\[|\\]|\\begin{verbatim}"
    "|\\end{verbatim}|\\begin{equation}|\\end{equation}|\\item|\\cite{a}|~|``|''|\\'e|#tag|@name|a@b.org|é|e\u0301|.|!"
    "|https://a.org/b|src/a.py|\u200b|\u00ad|\u2028|\x0b|\x0c|😀|שלום|\ud800|?|: |[^1]|[^1]: |{{x}}|{%x%}|an |\ufeff|\0"
    "|<script>|</script>|<br>|:::|\\begin{document}|\\end{document}|\\documentclass{a}|\\verb+x+"
    "|::\n\n|.. |.. note:: |.. x:: |:x: |`_|__|_ |[1]_|:a:`|-a  |== ==|+--+|>>> |=\n|----\n|====\n|--\n|+\n|[x]\n|a:: "
    '|. |.b|<<|>>|a:b[|footnote:[|+++|{a}|[[a]]|//|"`|`"|<b translate=no>|<p class="notranslate">|<i translate="yes">'
    "|</p>|</i>|<!-- permend-ignore -->|<!-- permend-ignore-start -->|<!-- permend-ignore-end -->|% permend-ignore\n"
    "|// permend-ignore\n|.. permend-ignore\n|-- \n|a wrote:\n"
)
SOUP = st.lists(st.sampled_from([*PIECES.split("|"), "|"]), max_size=25).map("".join)


@pytest.mark.parametrize("format_", FORMATS)
@given(text=ANY_TEXT | SOUP)
@example(text="A.\ud800 B.")
@example(text="\r\n\x0b\x0c\u2028 a.B")
@settings(max_examples=150, deadline=None)
def test_any_text_is_its_blocks_and_its_sentences_stand_in_it(format_: str, text: str) -> None:
    blocks = list(Document.from_text(text, format_))
    assert "".join(block.text for block in blocks) == text
    assert max(times_offered(text, blocks), default=0) <= 1
    counts = times_offered(text, blocks)
    for block in blocks:
        assert block.apply([]) == block.text
        edits = map_edits(block, (wild_edits(sentence.prose, random.Random(len(text))) for sentence in block.sentences))
        assert all(all(counts[edit.start : edit.end]) for edit in edits)
        assert len(block.apply(edits)) - len(block.text) == sum(len(edit.after) - len(edit.before) for edit in edits)
        for sentence in block.sentences:
            assert "".join(run.shown for run in sentence.runs) == sentence.prose == sentence.prose.strip()
            assert all(text[run.start : run.end] == run.shown for run in sentence.runs if run.editable)


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("size", [1, 100, 300])
def test_sentences_do_not_depend_on_the_size_of_blocks(
    format_: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = read_page(format_) if format_ == "latex" else read_page(format_) * 3
    whole = prose(text, format_)
    monkeypatch.setattr(document, "FIRST", size)
    monkeypatch.setattr(document, "BLOCK", size)
    monkeypatch.setattr(document, "_CHUNK", 40)
    blocks = list(Document.from_text(text, format_))
    assert len(blocks) > 3
    assert "".join(block.text for block in blocks) == text
    assert [sentence.prose for block in blocks for sentence in block.sentences] == whole
    assert all(
        text[run.start : run.end] == run.shown
        for each in blocks
        for s in each.sentences
        for run in s.runs
        if run.editable
    )


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("unit", ["This is a sentence, and Mr. Brown reads it. ", "word ", "x"])
def test_one_long_line_is_cut_between_sentences_or_words(format_: str, unit: str) -> None:
    text = unit * (600_000 // len(unit))
    blocks = list(Document.from_text(text, format_))
    assert "".join(block.text for block in blocks) == text
    if unit != "x":
        assert max(len(block.text) for block in blocks) <= 2 * document.LARGEST
        assert all(block.text.endswith(unit) for block in blocks)
    elif format_ == "plain":
        assert max(len(block.text) for block in blocks) <= 2 * document.LARGEST


def test_what_a_reader_takes_for_one_character_is_not_cut() -> None:
    for sign in ("e\u0301", "👩\u200d💻"):
        for before in ("", "x"):
            blocks = list(Document.from_text(before + sign * 100_000))
            assert not any(block.text[0] in "\u0301\u200d💻" for block in blocks[1:])


def test_a_file_is_read_as_it_is_gone_through(tmp_path: Path) -> None:
    class Endless(io.RawIOBase):
        read_so_far = 0

        def read(self, size: int = -1, /) -> bytes:
            self.read_so_far += size
            return (b"A line of text.\n\n" * size)[:size]

    source = Endless()
    blocks = iter(read_document(source))  # type: ignore[arg-type]
    for _ in range(5):
        assert next(blocks).sentences[1].prose == "A line of text."
    assert source.read_so_far < 1_000_000


@pytest.mark.parametrize("format_", FORMATS)
def test_a_file_comes_back_byte_for_byte(format_: str, tmp_path: Path) -> None:
    original = (PAGES / f"nasty.{ENDINGS[format_]}").read_bytes().replace(b"\n", b"\r\n")
    path = tmp_path / f"page.{ENDINGS[format_]}"
    path.write_bytes(b"\xef\xbb\xbf" + original)
    found = read_document(path)
    assert found.format == format_
    written = found.encoding.mark + b"".join(found.encoding.encode(block.text) for block in found)
    assert written == path.read_bytes()


def test_formats_by_ending() -> None:
    assert [format_of(f"a.{end}") for end in ("md", "MARKDOWN", "html", "htm", "tex", "txt", "py")] == [
        "markdown", "markdown", "html", "html", "latex", "plain", "plain",
    ]  # fmt: skip
    assert [format_of(f"a.{end}") for end in ("rst", "rest", "adoc", "asciidoc", "asc")] == [
        "rst", "rst", "asciidoc", "asciidoc", "asciidoc",
    ]  # fmt: skip
    with pytest.raises(
        PermendError, match="'word' is no format of documents; there are plain, markdown, html, latex, rst, asciidoc"
    ):
        Document.from_text("a", "word")


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.txt"):
        with pytest.raises(InputError, match=f"{path}: cannot be read"):
            read_document(path)
    (tmp_path / "empty.txt").write_bytes(b"")
    assert list(read_document(tmp_path / "empty.txt")) == []


def test_names_are_protected_and_words_are_not() -> None:
    names = (
        "https://a.org/x_(y)?z=1&w=2#v http://localhost:8080/a www.a.org/b example.com/a ann.lee@mail.a.org"
        " mailto:ann@a.org /usr/local/bin ~/notes ../a/b.txt C:\\users\\ann src/main.py report.final.pdf README.md"
        " @ann_lee #tag name_of_it os.path.join() run() doi:10.1000/x"
    )
    for name in names.split():
        assert prose(f"Look at {name}, and then at {name}. Go on.") in (
            ["Look at Python, and then at Python.", "Go on."],
            ["Look at Python, and then at Python. Go on."],
        ), name
    words = "He/she and/or I use C# at 3.5 km/h, i.e. at night.so we is e-mail's 24/7 user's, rock'n'roll & U.S. 100% #"
    assert prose(words) == [words]


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_wrapped_and_unwrapped_text_gives_the_same_sentences(seed: int) -> None:
    chance = random.Random(seed)
    words = [chance.choice("a cat sees the long road behind our wonderful house".split()) for _ in range(80)]
    text = "Well " + " ".join(words) + "."
    width = chance.randrange(45, 100)
    lines, line = [], ""
    for word in text.split():
        if len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    assert prose("\n".join([*lines, line])) == [text]


def test_one_sentence_a_line_stays_so() -> None:
    lines = ["a line of text without a full stop in it " + "x" * (1 + length % 37) for length in range(60)]
    assert prose("\n".join(lines)) == lines
