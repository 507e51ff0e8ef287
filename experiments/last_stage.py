"""What the last short stage of the English model learns from: everyday errors that learners' essays show too seldom.

Run: python -m experiments.last_stage TRAIN.m2... -o FOLDER

In: annotated training files, the one to take usual pairs from first. Out, in FOLDER: some-pairs.tsv and
some-sentences.txt, for `data.train` and `data.text` of the recipe en-stage-4. The pairs are usual ones, and three times
each those with a counted mass noun (*informations*) or a double comparative (*more taller*); since there are so few,
the same errors are also made in corrected sentences. The sentences, in which the recipe makes its own errors, are usual
ones, and ones with mass nouns and comparatives. The same files give the same output.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from permend.corpora.pairs import Pair
from permend.training.sources import read_corpus

USUAL, SENTENCES, MASS, COMPARED, MADE = 4500, 2500, 1500, 700, 150
"""How many of each kind; MADE of either error."""
_WORDS = range(4, 33)
_NOUN = (
    "information|advice|furniture|equipment|homework|knowledge|research|luggage|evidence|software|feedback|housework"
)
_MASS = re.compile(rf"\b({_NOUN}|transport)\b", re.I)
_COUNTED = re.compile(rf"\b({_NOUN}|transport|music)(e?s)\b", re.I)
_AMOUNT = re.compile(rf"\b(a lot of|lots of|much|a great deal of|plenty of) ({_NOUN})\b")
_COMPARATIVE = re.compile(
    r"\b(?<!more )([a-z]{3,}er than|easier|better|faster|cheaper|bigger|stronger|worse|safer|healthier)\b"
)
_DOUBLE = re.compile(r"\bmore ([a-z]+er|worse)\b")


def choose(files: Sequence[Iterable[Pair]], random_: random.Random) -> tuple[list[Pair], list[str]]:
    """Return the pairs and the sentences."""
    lists = [[pair for pair in file if len(pair.source.split()) in _WORDS] for file in files]
    everything = [pair for each in lists for pair in each]
    rare = [pair for pair in everything if _mends(_COUNTED, pair) or _mends(_DOUBLE, pair)]
    targets = sorted({pair.target for pair in everything})
    random_.shuffle(targets)
    counted = [_made(_AMOUNT, r"many \2s", target) for target in targets if _AMOUNT.search(target)]
    doubled = [_made(_COMPARATIVE, r"more \1", target) for target in targets if _COMPARATIVE.search(target)]
    usual = random_.sample(lists[0], min(USUAL, len(lists[0])))
    pairs = [*usual, *rare * 3, *counted[:MADE], *doubled[:MADE]]
    sentences = [
        *targets[:SENTENCES],
        *[target for target in targets if _MASS.search(target)][:MASS],
        *[target for target in targets if _COMPARATIVE.search(target)][:COMPARED],
    ]
    random_.shuffle(pairs)
    random_.shuffle(sentences)
    return pairs, sentences


def _mends(error: re.Pattern[str], pair: Pair) -> bool:
    return bool(error.search(pair.source)) and not error.search(pair.target)


def _made(right: re.Pattern[str], wrong: str, target: str) -> Pair:
    return Pair(right.sub(wrong, target, count=1), target)


@click.command(help=__doc__)
@click.argument("files", nargs=-1, required=True, metavar="TRAIN...")
@click.option("-o", "--output", required=True, metavar="FOLDER", help="Where to write the two files.")
@click.option("--seed", default=9, show_default=True, metavar="N")
def main(files: tuple[str, ...], output: str, seed: int) -> None:
    """Write the two files."""
    pairs, sentences = choose([list(read_corpus(path)) for path in files], random.Random(seed))
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"{pair.source}\t{pair.target}" for pair in pairs]
    (folder / "some-pairs.tsv").write_text("\n".join([*lines, ""]), encoding="utf-8")
    (folder / "some-sentences.txt").write_text("\n".join([*sentences, ""]), encoding="utf-8")
    click.echo(f"{len(pairs):,} pairs and {len(sentences):,} sentences are in {folder}")


if __name__ == "__main__":
    main()
