"""What is no word is passed by, in every format and at once, however long it is; the words around it are corrected."""

from __future__ import annotations

import base64
import random
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from permend.cli.main import main
from permend.corrector.corrector import Corrector
from permend.documents import Document, latex
from permend.documents.checker import Checker
from permend.model.networks import Bools, Floats, Ints
from tests.corrector.test_corrector import TOKENIZER, HandMade, replace_was

FORMATS = ("plain", "markdown", "html", "latex", "rst", "asciidoc")
LONG = 2_000_000
CODE = base64.b64encode(random.Random(1).randbytes(LONG * 3 // 4)).decode()
LINES = "\n".join("A1" + CODE[at : at + 74] for at in range(0, 74_000, 74))
STRETCHES = {"letters": "x" * LONG, "base64": CODE, "digits": "1234567890" * (LONG // 10), "lines": LINES}


class Counting(HandMade):
    """Networks that count what they are asked to read."""

    read = 0

    def encode(self, ids: Ints, mask: Bools) -> tuple[Floats, Floats]:
        self.read += ids.size
        return super().encode(ids, mask)


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("kind", STRETCHES)
def test_documents_without_words_are_passed_by_without_being_read(kind: str, format_: str) -> None:
    networks = Counting(replace_was)
    text = STRETCHES[kind]
    checked = list(Checker(Corrector.of(networks, TOKENIZER)).check(Document.from_text(text, format_)))
    assert "".join(block.text for block in checked) == text
    assert networks.read <= 100, "the rest of a last line, at most"


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("stretch", ["x" * 70_000, CODE[:70_000], CODE[:76], "d41d8cd98f00b204e9800998ecf8427e"])
def test_the_words_around_are_corrected(stretch: str, format_: str) -> None:
    text = f"I was busy.\n\nI was {stretch} busy.\n\nI was busy.\n"
    blocks = Checker(Corrector.of(HandMade(replace_was), TOKENIZER)).check(Document.from_text(text, format_))
    assert "".join(block.text for block in blocks) == text.replace("was", "am")


def test_a_long_address_takes_no_words_with_it() -> None:
    address = "https://example.org/" + "/".join(["path"] * 40)
    for text in (f"I was [busy]({address}).\n", f"I [was]({address}) busy.\n", f"[I]({address}) was *busy*.\n"):
        blocks = Checker(Corrector.of(HandMade(replace_was), TOKENIZER)).check(Document.from_text(text, "markdown"))
        assert "".join(block.text for block in blocks) == text.replace("was", "am")


@pytest.mark.parametrize("stretch", ["x" * LONG, CODE])
def test_sentences_without_words_are_passed_by(stretch: str) -> None:
    networks = Counting(replace_was)
    corrector = Corrector.of(networks, TOKENIZER)
    assert corrector.correct(stretch).text == stretch
    assert networks.read == 0
    text = f"I was busy, but {stretch} if I was busy."
    assert corrector.correct(text).text == text.replace("I was", "I am")


def test_lines_without_words_are_passed_by(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    networks = Counting(replace_was)
    monkeypatch.setattr(Corrector, "from_pretrained", lambda *_, **__: Corrector.of(networks, TOKENIZER))
    path = tmp_path / "a.txt"
    path.write_text(f"I was busy.\n{CODE}\nI was busy.\n")
    result = CliRunner().invoke(main, ["correct", "--lines", str(path)])
    assert result.exit_code == 0
    assert result.stdout == path.read_text().replace("I was", "I am")
    assert networks.read < 100


@pytest.mark.parametrize(
    ("format_", "text"),
    [
        ("latex", "a\\footnote{" * 8_000 + "I was" + "}" * 8_000),
        ("latex", "\\footnote{" * 8_000),
        ("latex", "\\emph{" * 10_000 + "I was" + "}" * 10_000),
        ("markdown", "".join("  " * depth + "- I was.\n" for depth in range(700))),
        ("markdown", "- " * 8_000 + "I was.\n"),
        ("markdown", "> - " * 8_000 + "I was.\n"),
        *(("markdown", sign * 10_000 + "I was.\n") for sign in (">", "> ", "*", "[", "(", "![", "[a](", "{{", "1. ")),
        ("html", "<div>" * 10_000 + "I was" + "</div>" * 10_000),
        ("html", "{" * 200_000),
        ("rst", "- " * 8_000 + "I was.\n"),
        ("rst", "".join(" " * depth + "I was.\n\n" for depth in range(1_000))),
        ("asciidoc", "*" * 8_000 + " I was.\n"),
        ("asciidoc", "footnote:[" * 8_000 + "I was" + "]" * 8_000),
        ("asciidoc", "".join("=" * (4 + depth) + "\n" for depth in range(1_000)) + "I was.\n"),
        ("plain", ">" * 10_000 + "- " * 8_000 + "I was.\n"),
    ],
    ids=lambda text: text[:12],
)
def test_no_nesting_is_too_deep(format_: str, text: str) -> None:
    blocks = list(Document.from_text(text, format_))
    assert "".join(block.text for block in blocks) == text
    assert all(sentence.prose for block in blocks for sentence in block.sentences)


def test_braces_in_braces_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read = 0
    find = latex._Reader.find_closings

    def counting(self: latex._Reader, brace: int, signs: re.Pattern[str]) -> dict[int, int | None]:
        nonlocal read
        read += 1
        return find(self, brace, signs)

    monkeypatch.setattr(latex._Reader, "find_closings", counting)
    for text in ("\\footnote{" * 8_000 + "I was" + "}" * 8_000, "\\footnote{" * 8_000):
        latex.scan(text)
    assert read < 40, "not for each of them"
