"""What a document shows to be intended is not mended, whatever a network would write."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from permend.corrector.correction import Correction, ScoredEdit
from permend.corrector.explaining.language import Language, load_language
from permend.documents.checker import Checker, Finding
from permend.text.edits import apply, diff


class Scripted:
    """Corrects sentences as it is told."""

    options = None

    def __init__(self, corrections: dict[str, str], language: str = "en") -> None:
        self._corrections, self.language = corrections, load_language(language)

    language: Language

    def correct_batch(self, texts: Sequence[str], batch_size: int, known: object = None) -> list[Correction]:
        return [self._correct(text) for text in texts]

    def _correct(self, text: str) -> Correction:
        target = self._corrections.get(text) or text[:1].upper() + text[1:]
        edits = tuple(ScoredEdit(e.start, e.end, e.before, e.after, 0.9, "R:ORTH", "Why.") for e in diff(text, target))
        return Correction(text, target, edits, (), 1.0)


def findings(text: str, form: str = "plain", language: str = "en", **corrections: str) -> list[Finding]:
    """Check a text with a corrector that makes every first letter a capital."""
    pairs = {source.replace("_", " "): target for source, target in corrections.items()}
    return Checker(Scripted(pairs, language)).check_text(text, form)


def mended(text: str, form: str = "plain", **corrections: str) -> str:
    return apply(text, findings(text, form, **corrections))


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("markdown", "| name | what |\n|---|---|\n| version | number of the release |\n| output | it goes there |\n"),
        ("markdown", "- fast, small, no network\n- easy to install\n- it works offline\n"),
        ("markdown", "- reads files.\n- writes reports.\n"),
        ("markdown", "## how it works\n\nIt works.\n"),
        ("markdown", "![small and fast](a.png)\n\n![it is small][a]\n"),
        ("markdown", "**speed**: it is twice as fast\n"),
        ("markdown", "term\n: the number of words\n"),
        ("html", "<table><tr><td>version</td><td>the number of the release</td></tr></table>"),
        ("html", "<ul><li>small and fast</li><li><p>without a network</p></li></ul><button>save it</button>"),
        ("rst", "- small and fast\n- it works\n\nterm\n   the number of words\n"),
        ("asciidoc", "* small and fast\n* it works\n\nterm:: the number of words\n\n== how it works\n"),
        ("latex", "\\begin{itemize}\\item small and fast\n\\item it works\\end{itemize}\\section{how it works}"),
        ("latex", "\\begin{tabular}{ll}\nversion & it counts \\\\\n\\end{tabular}\n"),
        ("plain", "small, fast, no network\n\nresults of the last run\n\nfiles that are read\n"),
        ("plain", "1. it is small\n2. it is fast\n"),
        ("python", "# the number of words in it.\nx = 1\n"),
        ("commit", "return early where nothing changed\n"),
    ],
)
def test_pieces_that_are_no_sentences_begin_as_they_did(form: str, text: str) -> None:
    assert mended(text, form) == text


@pytest.mark.parametrize(
    ("form", "text", "expected"),
    [
        ("plain", "she like tea\n\nwhat is your name\n\nsend me the file\n", None),
        ("plain", "small and fast.\n", None),
        ("plain", "it was good. we liked it!\n", "It was good. We liked it!\n"),
        ("markdown", "they was late.\n\nhe like *tea*\n", None),
        ("markdown", "- He is here.\n- she is late.\n- They left.\n", "- He is here.\n- She is late.\n- They left.\n"),
        (
            "markdown",
            "| who | what |\n|---|---|\n| Anna | i am late |\n",
            "| who | what |\n|---|---|\n| Anna | I am late |\n",
        ),
        ("markdown", "- small. then more\n", "- Small. Then more\n"),
        ("html", "<p>Dear Anna,</p><p>thank you for it.</p>", "<p>Dear Anna,</p><p>Thank you for it.</p>"),
    ],
)
def test_sentences_get_their_capitals_with_a_full_stop_or_without(form: str, text: str, expected: str | None) -> None:
    lines = "".join(line[:1].upper() + line[1:] for line in text.splitlines(keepends=True))
    assert mended(text, form) == (expected or lines)


def test_what_goes_on_behind_code_or_maths_begins_small() -> None:
    for text in ("We find\n\n$$x = 2$$\n\nwhere it is small.\n", "We call\n\n```\nf(x)\n```\n\nand it is read.\n"):
        assert mended(text, "markdown") == text
    assert mended("We call it.\n\n```\nf(x)\n```\n\nand it is read.\n", "markdown").endswith("And it is read.\n")


def test_names_keep_their_small_letters() -> None:
    for text in (
        "iPhone sales rose.",
        "# permend\n\npermend mends it.\n",
        "It is fast. permend mends it, as permend does.\n",
        "git keeps it.\n\nUse `git log`.\n",
        "pip installs it.\n\n```\npip install x\n```\n",
    ):
        assert mended(text, "markdown") == text
    assert mended("obama went home.\n") == "Obama went home.\n"
    assert mended("- monday\n- free\n", "markdown") == "- Monday\n- free\n"


def test_names_that_stand_as_code_elsewhere_are_not_respelt() -> None:
    text = "With permend it is fast. Run `permend correct`.\n"
    wrong = {"With permend it is fast.": "With permit it is fast."}
    assert mended(text, "markdown", **wrong) == text
    assert mended(text.replace("`", ""), **wrong) == text.replace("`", "").replace("With permend", "With permit")


def test_another_error_at_the_beginning_is_mended_all_the_same() -> None:
    [finding] = findings("- a apple\n- a pear\n", "markdown", **{"a apple": "An apple", "a pear": "A pear"})
    assert (finding.before, finding.after) == ("a", "an")
    assert "“an”" in finding.explanation
    assert "An" not in finding.explanation


def test_no_word_is_put_before_the_first_of_a_piece_that_is_no_sentence() -> None:
    text = "- number of bytes\n- size\n"
    assert mended(text, "markdown", **{"number of bytes": "The number of bytes"}) == text


def test_full_stops_end_sentences_alone() -> None:
    corrections = {"best regards": "best regards.", "Tea is good": "Tea is good.", "small (and": "small (and)"}
    assert (
        mended("best regards\n\nTea is good\n\nsmall (and\n", **corrections)
        == "best regards\n\nTea is good.\n\nsmall (and)\n"
    )
    for item in ("1. Tea is good\n", "- Tea is good\n"):
        assert mended(item, **corrections) == item
    assert mended("Yes, I am. And you\n", **{"And you": "And you?"}) == "Yes, I am. And you?\n"


def test_a_language_without_words_is_left_to_the_network() -> None:
    assert [each.after for each in findings("hund\n", language="de")] == ["Hund"]
