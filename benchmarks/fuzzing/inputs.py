r"""Cases: hostile documents of every format, each made from its number alone.

In: a seed and a number. Out: a `Case`, always the same one: pieces of markup in each other, odd characters, learners'
sentences, parts of our test pages; then cut, doubled and mixed up.

>>> make_case(0, 7) == make_case(0, 7), make_case(0, 7) == make_case(1, 7)
(True, False)
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from benchmarks.fuzzing.pieces import FOREIGN, LINE_ENDS, MARKUP, NAMES, ODD, QUOTED, SURROGATES, WORDS
from permend.documents import FORMATS
from permend.documents.formats import SOURCE_FORMATS
from permend.model.options import Options

PAGES = Path(__file__).parents[2] / "tests" / "documents" / "pages"
_ENDINGS = {"plain": "txt", "markdown": "md", "html": "html", "latex": "tex", "rst": "rst", "asciidoc": "adoc"}
_ENDINGS |= {name: f"{name}.txt" for name in ("commit", *SOURCE_FORMATS)}
_DEEPEST = 2  # pieces in each other
_GLUE = (" ", " ", " ", " ", "", "\n", "\n\n", ". ", ", ")
_ENCODINGS = (  # and what is given for it, if it is not found out
    ("utf-8", b"", None),
    ("utf-8", b"", None),
    ("utf-8", b"", "utf-8"),
    ("utf-8", codecs.BOM_UTF8, None),
    ("utf-16-le", codecs.BOM_UTF16_LE, None),
    ("utf-16-be", codecs.BOM_UTF16_BE, None),
    ("utf-32-le", codecs.BOM_UTF32_LE, None),
    ("utf-16-le", b"", "utf-16-le"),
    ("cp1252", b"", "cp1252"),
    ("utf-8-sig", codecs.BOM_UTF8, "utf-8-sig"),
)


@dataclass(frozen=True)
class Case:
    """A document to be, and how it is to be checked."""

    number: int
    format: str
    text: str
    options: Options
    encoding: tuple[str, bytes, str | None] | None = None
    """Encoding, byte-order mark, and what the reader is told; None: the text is in memory."""
    damage: int | None = None
    """The place of a byte that is taken out."""
    chunk: int = 32_768
    """Bytes that are read at a time."""
    words: tuple[str, ...] = ()
    """The writer's own."""
    hostile: bool = False
    """Whether edits are anything at all, rather than what could come out of networks."""
    dismiss: int | None = None
    """The finding that the writer dismisses, if there are so many."""


def make_case(seed: int, number: int) -> Case:
    """Make the case with a number."""
    chance = Random(seed * 1_000_003 + number)
    form = FORMATS[number % len(FORMATS)]
    maker = _Maker(form, chance)
    text = maker.long() if chance.random() < 0.01 else maker.text()
    known = [word for word in text.split()[:40] if word.isalpha()] if chance.random() < 0.3 else []
    in_memory = chance.random() < 0.5
    return Case(
        number,
        form,
        text,
        Options(min_confidence=chance.choice((0.0, 0.0, 0.3, 0.9)), vetted=chance.random() < 0.5),
        None if in_memory else chance.choice(_ENCODINGS),
        None if in_memory or chance.random() < 0.9 else chance.randrange(len(text) + 1),
        chance.choice((1, 7, 100, 32_768)) if len(text) < 1000 else 1024,
        tuple(chance.sample(known, min(len(known), 3))),
        chance.random() < 0.6,
        chance.randrange(4) if chance.random() < 0.2 else None,
    )


@cache
def _page(form: str) -> str:
    return (PAGES / f"nasty.{_ENDINGS[form]}").read_text(encoding="utf-8")


@dataclass(frozen=True)
class _Maker:
    """Makes texts of a format."""

    form: str
    chance: Random

    def text(self) -> str:
        """Return a short text."""
        chance = self.chance
        parts = [self.piece(_DEEPEST) for _ in range(chance.choice((1, 2, 3, 4, 6)))]
        if chance.random() < 0.25:
            parts.insert(chance.randrange(len(parts) + 1), self.from_page())
        text = "".join(part + chance.choice(_GLUE) for part in parts)
        for _ in range(chance.choice((0, 0, 1, 2, 4))):
            text = self.mutate(text)
        end = chance.random()
        return text.replace("\n", "\r\n") if end < 0.12 else text.replace("\n", "\r") if end < 0.14 else text

    def long(self) -> str:
        """Return a text of several blocks."""
        chance = self.chance
        if chance.random() < 0.3:
            part = chance.choice(
                ("a", "word ", "He go. ", "(", "*a", "“", "\u0301", "👩\u200d", "# ", "> ", "a\n", "[x")
            )
            size = 70_000 if chance.random() < 0.02 and part in ("a", "word ") else 6_000
            return self.piece(1) + part * (size // len(part))
        return "".join(self.text() + chance.choice(("\n\n", "\n", " ")) for _ in range(30))

    def piece(self, depth: int) -> str:
        """Return markup with other pieces inside, words, or something odd."""
        chance = self.chance
        what = chance.random()
        if depth and what < (0.85 if depth == _DEEPEST and self.form in SOURCE_FORMATS else 0.42):
            form = self.form if chance.random() < 0.9 else chance.choice(FORMATS)
            return self.filled(chance.choice(MARKUP[form]), depth)
        if what < 0.48 and depth:
            return self.filled(chance.choice(QUOTED), depth)
        if what < 0.86:
            return self.sentence()
        if what < 0.90:
            return chance.choice(ODD) * chance.choice((1, 1, 1, 2, 5))
        if what < 0.93:
            return chance.choice(NAMES)
        if what < 0.96:
            return chance.choice(LINE_ENDS)
        if what < 0.97:
            return chance.choice(FOREIGN)
        if what < 0.975:
            return chance.choice(("a", "xy", "-", "*", "_", "é", "😀", "\\", "'", "<", "[", "(", "`")) * chance.choice(
                (30, 300)
            )
        return "" if what < 0.995 else chance.choice(SURROGATES)

    def filled(self, markup: str, depth: int) -> str:
        """Return markup with something in each of its gaps."""
        first, *rest = markup.split("§")
        return first + "".join(self.piece(depth - 1) + part for part in rest)

    def sentence(self) -> str:
        """Return some words, which may be a sentence."""
        chance = self.chance
        words = chance.choices(WORDS, k=chance.choice((1, 2, 4, 7, 12)))
        if chance.random() < 0.1:
            words.insert(chance.randrange(len(words) + 1), chance.choice(ODD))
        text = " ".join(words)
        if chance.random() < 0.15:
            at = chance.randrange(len(text) + 1)
            text = text[:at] + chance.choice(ODD) + text[at:]
        if chance.random() < 0.6:
            return text[:1].upper() + text[1:] + chance.choice((".", ".", "?", "!", "...", " .", ".”", ".)"))
        return text

    def from_page(self) -> str:
        """Return some of a test page."""
        page = _page(self.form if self.chance.random() < 0.9 else self.chance.choice(FORMATS))
        start = self.chance.randrange(len(page))
        return page[start : start + self.chance.choice((40, 120, 300))]

    def mutate(self, text: str) -> str:
        """Cut, double, swap or insert something."""
        chance = self.chance
        one, two = sorted((chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)))
        two = min(two, one + chance.choice((1, 3, 20, 80)))
        match chance.randrange(6):
            case 0:
                return text[:one] + text[two:]
            case 1:
                return text[:two] + text[one:two] + text[two:]
            case 2:
                return text[:one] + text[one:two][::-1] + text[two:]
            case 3:
                return text[two:] + text[one:two] + text[:one]
            case 4:
                return text[:one] + chance.choice(MARKUP[self.form]).replace("§", "") + text[one:]
            case _:
                sign = chance.choice(ODD if chance.random() < 0.5 else tuple("*_`[]()<>{}|\\$&#~^=:;.,!?'\"-+@%/ \n\t"))
                return text[:one] + sign + text[two if chance.random() < 0.3 else one :]
