"""A little annotated text of our own, for models that are learned in a moment."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from permend.corpora.m2 import read_m2
from permend.synthesis.error_model import ErrorModel
from permend.synthesis.fit import fit

EDITS = [
    ("She go to the school every day .", [(1, 2, "R:VERB:SVA", "goes"), (3, 4, "U:DET", "")]),
    ("He like dog very much .", [(1, 2, "R:VERB:SVA", "likes"), (2, 3, "R:NOUN:NUM", "dogs")]),
    ("I have a informations about it .", [(2, 3, "U:DET", ""), (3, 4, "R:NOUN:INFL", "information")]),
    ("Yesterday we walk in park .", [(1, 1, "M:PUNCT", ","), (2, 3, "R:VERB:TENSE", "walked"), (4, 4, "M:DET", "the")]),
    ("They recieve many letters on monday .", [(1, 2, "R:SPELL", "receive"), (5, 6, "R:ORTH", "Monday")]),
    ("I am agree with you .", [(1, 2, "U:VERB", "")]),
    ("We discussed about the problem at school .", [(2, 3, "U:PREP", "")]),
    ("He is more taller then his brother .", [(2, 3, "U:ADV", ""), (4, 5, "R:OTHER", "than")]),
    ("My friend like also music a lot .", [(2, 4, "R:WO", "also like"), (3, 3, "M:OTHER", "")][:1]),
    ("She depends of her parents and friends .", [(2, 3, "R:PREP", "on")]),
    ("it was a beautifull day in the park .", [(0, 1, "R:ORTH", "It"), (3, 4, "R:SPELL", "beautiful")]),
    ("I did not had time to read the book .", [(3, 4, "R:VERB:FORM", "have")]),
    ("The children is playing in the garden .", [(2, 3, "R:VERB:SVA", "are")]),
    ("We went to cinema , it was nice .", [(3, 3, "M:DET", "the"), (4, 6, "R:PUNCT", ". It")]),
    ("Every one knows this city well .", [(0, 2, "R:ORTH", "Everyone")]),
    ("He has two car and a big house .", [(3, 4, "R:NOUN:NUM", "cars")]),
    ("She always comes to school by bus .", []),
    ("They live in a small house near the park .", []),
    ("I like music and books .", []),
    ("He reads the letters every day .", []),
]

TEXT = """She goes to school by bus every day. He likes the park in the city very much, and his friends like it too.
Yesterday, we walked in the park with the children. They have two cars and a small house near the school.
I have information about the problem. My brother reads many books and letters. On Monday, they receive the letters.
It was a beautiful day in the garden, and the dogs were playing. Everyone knows that she depends on her friends.
We discussed the problem at home. He is taller than his brother. I did not have time to read the long book yesterday.
She always comes to the cinema with her parents, but her brother likes music. The house in the city is big and nice.
"""

OTHER_LANGUAGE = (
    "Der alte Mann ging jeden Tag mit seinem Hund durch den dunklen Wald. Er war nicht sehr schnell dabei.\n"
)


def m2_text(copies: int = 12) -> str:
    """Return the annotated text as M2, several times over, so that its counts mean something."""
    lines = []
    for sentence, edits in EDITS:
        lines.append(f"S {sentence}")
        lines += [f"A {a} {b}|||{kind}|||{new or '-NONE-'}|||REQUIRED|||-NONE-|||0" for a, b, kind, new in edits]
        lines.append("")
    return "\n".join(lines * copies) + "\n"


def write_m2(folder: Path, copies: int = 12) -> Path:
    """Write it to a file."""
    path = folder / "annotated.m2"
    path.write_text(m2_text(copies), encoding="utf-8")
    return path


def write_text(folder: Path, name: str = "clean.txt", text: str = TEXT) -> Path:
    """Write clean text to a file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@cache
def small_model(folder: Path) -> ErrorModel:
    """Learn from the annotated text."""
    path = write_m2(folder)
    return fit(lambda: read_m2(path), "en")
