"""How many labelled pairs a second a core makes: splitting, corruption, tokenising, Algorithm 1.

Run: python -m benchmarks.synthesis errors.json news.txt.xz letters.txt --tokenizer model/tokenizer.json
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Sequence
from itertools import chain, islice

import click
from rich.console import Console
from rich.table import Table

from permend.corpora.lines import read_paragraphs
from permend.corpora.pairs import Pair
from permend.method.label import Labeler
from permend.synthesis.corrupt import Corruptor
from permend.synthesis.error_model import ErrorModel
from permend.synthesis.targets import Judge, split_sentences
from permend.text.tokens import SubwordTokenizer, Tokenizer, Tokens, WordTokenizer

Encoded = tuple[list[Tokens], list[Tokens]]


class Stages:
    """The steps from paragraphs to labels, each on a list."""

    def __init__(self, model: ErrorModel, tokenizer: Tokenizer) -> None:
        """Take what makes errors and what makes tokens."""
        self.corruptor = Corruptor(model)
        self.judge = Judge(known=frozenset(model.words))
        self.tokenizer = tokenizer
        self.labeler = Labeler(tokenizer)

    def split(self, paragraphs: Sequence[str]) -> list[str]:
        """Split paragraphs into good sentences."""
        return [each for text in paragraphs for each in split_sentences(text) if self.judge(each) is None]

    def corrupt(self, sentences: Sequence[str]) -> list[Pair]:
        """Make errors."""
        return [self.corruptor.corrupt(text, random.Random(f"0 {i}")).pair for i, text in enumerate(sentences)]

    def tokenise(self, pairs: Sequence[Pair]) -> Encoded:
        """Turn both sides into tokens."""
        encode = self.tokenizer.encode_batch
        return encode([pair.source for pair in pairs]), encode([pair.target for pair in pairs])

    def label(self, encoded: Encoded) -> int:
        """Label all pairs."""
        return sum(self.labeler.label_tokens(*sides).alignment.losses.exact for sides in zip(*encoded, strict=True))

    def together(self, sentences: Sequence[str]) -> int:
        """Make errors, tokens and labels, in chunks as training does."""
        parts = (sentences[start : start + 512] for start in range(0, len(sentences), 512))
        return sum(self.label(self.tokenise(self.corrupt(part))) for part in parts)


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU time of some work, all threads together."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


@click.command()
@click.argument("errors")
@click.argument("texts", nargs=-1, required=True)
@click.option("--tokenizer", help="A tokenizer.json, or a folder that holds one; otherwise words.")
@click.option("--paragraphs", default=3000, show_default=True)
def main(errors: str, texts: tuple[str, ...], tokenizer: str | None, paragraphs: int) -> None:
    """Print the table."""
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    stages = Stages(ErrorModel.load(errors), SubwordTokenizer.from_path(tokenizer) if tokenizer else WordTokenizer())
    share = paragraphs // len(texts)
    text = list(chain.from_iterable(islice(read_paragraphs(path), 2 * share) for path in texts))
    first, second = text[0::2], text[1::2]
    sentences = stages.split(second)
    cold = seconds(lambda: stages.corrupt(stages.split(first)))  # also fills the memory of words
    pairs = stages.corrupt(sentences)
    encoded = stages.tokenise(pairs)
    table = Table("step", "pairs a second a core", title=f"{len(pairs):,} pairs, one core", title_justify="left")
    for name, work in (
        ("splitting and judging", lambda: stages.split(second)),
        ("corruption", lambda: stages.corrupt(sentences)),
        ("tokenising both sides", lambda: stages.tokenise(pairs)),
        ("Algorithm 1", lambda: stages.label(encoded)),
        ("these three together", lambda: stages.together(sentences)),
        ("and splitting", lambda: stages.together(stages.split(second))),
    ):
        table.add_row(name, f"{len(pairs) / seconds(work):,.0f}")
    table.add_section()
    table.add_row("the first corruption", f"{cold:.1f} s for {len(first):,} paragraphs")
    table.columns[1].justify = "right"
    Console().print(table)


if __name__ == "__main__":
    main()
