"""What a document offers, character by character, for tests."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from pathlib import Path

from permend.documents import Block, Document, Sentence
from permend.text.edits import Edit

PAGES = Path(__file__).parent / "pages"
ENDINGS = {"plain": "txt", "markdown": "md", "html": "html", "latex": "tex", "rst": "rst", "asciidoc": "adoc"}


def read_page(format_: str) -> str:
    """Return our test page of a format."""
    return (PAGES / f"nasty.{ENDINGS[format_]}").read_text(encoding="utf-8")


def sentences(text: str, format_: str = "plain") -> list[Sentence]:
    """Return all sentences of a text."""
    return list(Document.from_text(text, format_).sentences)


def prose(text: str, format_: str = "plain") -> list[str]:
    """Return what a corrector sees of a text."""
    return [sentence.prose for sentence in sentences(text, format_)]


def times_offered(text: str, blocks: list[Block]) -> list[int]:
    """Count for every character of a text how often it is offered for change."""
    counts = [0] * len(text)
    for block in blocks:
        for sentence in block.sentences:
            for run in sentence.runs:
                for place in range(run.start, run.end) if run.editable else ():
                    counts[place] += 1
    return counts


def map_edits(block: Block, edits: Iterable[Iterable[Edit]]) -> list[Edit]:
    """Turn edits of each sentence of a block into edits of the document."""
    return [edit for sentence, each in zip(block.sentences, edits, strict=True) for edit in sentence.map_edits(each)]


def wild_edits(text: str, chance: random.Random) -> list[Edit]:
    """Replace, delete and insert words at random places, those between words too."""
    places = sorted({place for word in re.finditer(r"\w+|[^\w\s]", text) for place in word.span()})
    edits = []
    for start, end in zip(places[::2], places[1::2], strict=False):
        if chance.random() < 0.5:
            stop = chance.choice([start, end, end])
            edits.append(
                Edit(start, stop, text[start:stop], chance.choice(["", "word", "a word", ",", "Python", "words."]))
            )
    return edits
