"""The best score that labels allow: gold labels applied to their sources, then scored with ERRANT.

Run: python -m experiments.label_ceiling GOLD.m2 [--tokenizer PATH]
"""

from __future__ import annotations

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from permend.corpora.m2 import M2Sentence, read_m2
from permend.evaluation.errant import score_errant
from permend.method.label import Labeler
from permend.text.tokens import SubwordTokenizer, Tokenizer, WordTokenizer


def labelled(sentence: M2Sentence, labeler: Labeler) -> list[str]:
    """Return what the label of a sentence and its first annotation stands for."""
    target = " ".join(sentence.corrected(min(sentence.annotations)))
    return labeler.label(" ".join(sentence.tokens), target).text().split()


@click.command()
@click.argument("gold")
@click.option("--tokenizer", "path", help="A tokenizer.json; whitespace-separated words otherwise.")
def main(gold: str, path: str | None) -> None:
    """Print one row for each way of labelling."""
    sentences = list(read_m2(gold))
    tokenizer: Tokenizer = SubwordTokenizer.from_path(path) if path else WordTokenizer()
    labelers = {
        "Algorithm 1, long insertions cut": Labeler(tokenizer),
        "Algorithm 1, source kept instead": Labeler(tokenizer, overflow="keep"),
        "FELIX, long insertions cut": Labeler(tokenizer, scheme="felix"),
        "no limits (gold itself)": Labeler(tokenizer, slots=999, masks=999),
    }
    table = Table("labels", "P", "R", "F0.5", title=f"{len(sentences):,} sentences, ERRANT")
    for name, labeler in labelers.items():
        hypotheses = [labelled(sentence, labeler) for sentence in sentences]
        score = score_errant(track(sentences, name, transient=True), hypotheses).total
        table.add_row(name, *(f"{100 * value:.1f}" for value in (score.precision, score.recall, score.f())))
    Console().print(table)


if __name__ == "__main__":
    main()
