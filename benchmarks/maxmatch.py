"""How fast MaxMatch is on a set of the size and shape of the CoNLL-2014 test set.

Run it with ``python -m benchmarks.maxmatch``. It makes up 1,312 sentences of 23 words on average, some of more than
100, with two annotators; systems that follow one of them, rewrite half of every sentence, or answer with the next
sentence; and prints a table. Times are processor time of one core.
"""

from __future__ import annotations

import random
import time

import click
from rich.console import Console
from rich.table import Table

from permend.corpora.m2 import M2Edit, M2Sentence
from permend.evaluation.maxmatch import score_maxmatch

SENTENCES = 1312
WORDS = [f"w{rank}" for rank in range(5000)]
WEIGHTS = [1 / (rank + 3) for rank in range(len(WORDS))]  # a few words are everywhere, as in a language


def make_sentence(rng: random.Random) -> M2Sentence:
    """Make up a sentence and two annotators who change about every eighth word."""
    length = rng.randint(100, 140) if rng.random() < 0.01 else max(3, round(rng.gauss(22, 9)))
    tokens = tuple(rng.choices(WORDS, WEIGHTS, k=length))
    return M2Sentence(tokens, {who: make_edits(rng, tokens, who) for who in (0, 1)})


def make_edits(rng: random.Random, tokens: tuple[str, ...], annotator: int, rate: float = 0.125) -> tuple[M2Edit, ...]:
    """Make up edits from left to right that replace, delete or insert one or two words."""
    edits = []
    start = 0
    while start < len(tokens):
        if rng.random() < rate:
            end = min(len(tokens), start + rng.choice((0, 1, 1, 1, 2)))
            size = rng.choice((0, 1, 1, 2)) if end > start else rng.choice((1, 1, 2))
            edits.append(M2Edit(start, end, "R", (" ".join(rng.choices(WORDS, WEIGHTS, k=size)),), annotator))
            start = end
        start += 1
    return tuple(edits)


def systems(rng: random.Random, sentences: list[M2Sentence]) -> dict[str, list[list[str]]]:
    """Make up what systems would answer."""

    def edited(sentence: M2Sentence, rate: float, copied: float) -> list[str]:
        mine = [edit for edit in sentence.annotations[0] if rng.random() < copied]
        text = M2Sentence(sentence.tokens, {0: tuple(mine)}).corrected()
        return M2Sentence(tuple(text), {0: make_edits(rng, tuple(text), 0, rate)}).corrected()

    return {
        "a cautious system": [edited(sentence, 0.03, 0.4) for sentence in sentences],
        "annotator 0": [sentence.corrected(0) for sentence in sentences],
        "half of annotator 0, many more edits": [edited(sentence, 0.2, 0.5) for sentence in sentences],
        "half of every sentence rewritten": [edited(sentence, 0.5, 0.2) for sentence in sentences],
        "the next sentence": [list(sentence.tokens) for sentence in (*sentences[1:], sentences[0])],
    }


@click.command(help=__doc__)
def main() -> None:
    """Print the table."""
    rng = random.Random(1)
    sentences = [make_sentence(rng) for _ in range(SENTENCES)]
    lengths = [len(sentence.tokens) for sentence in sentences]
    table = Table(
        title=f"MaxMatch, {SENTENCES} sentences of {sum(lengths) / SENTENCES:.0f} words (longest {max(lengths)})"
    )
    for name in ("system", "seconds", "sentences/s"):
        table.add_column(name, justify="left" if name == "system" else "right")
    for name, hypotheses in systems(rng, sentences).items():
        begin = time.process_time()
        score_maxmatch(sentences, hypotheses)
        seconds = time.process_time() - begin
        table.add_row(name, f"{seconds:.1f}", f"{SENTENCES / seconds:,.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
