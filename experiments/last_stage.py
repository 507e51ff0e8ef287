"""What the last short stage of the English model learns from: everyday errors that learners' essays show too seldom.

Run: python -m experiments.last_stage TRAIN.m2... --text SENTENCES -o FOLDER

In: annotated training files, the one to take usual pairs from first, and clean sentences, one a line. Out, in FOLDER:
some-pairs.tsv and some-sentences.txt, for `data.train` and `data.text` of the recipe en-stage-4. The pairs are usual
ones and, three times each, those with a counted mass noun (*informations*) or a double comparative (*more taller*).
There are few of these, so the same errors are also made: *She has a lot of information* gives *She have many
informations → She has much information*, which fits into one slot. The sentences, in which the recipe makes its own
errors, are corrected ones. The same files give the same output.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from permend.corpora.lines import read_lines
from permend.corpora.pairs import Pair
from permend.training.sources import read_corpus

USUAL, SENTENCES, COMPARED, DOUBLED = 4500, 2500, 500, 200
"""How many of each kind."""
_WORDS = range(4, 33)
_NOUNS = (
    "information|advice|furniture|equipment|homework|knowledge|research|luggage|evidence|software|feedback|housework"
)
_COUNTED = re.compile(rf"\b({_NOUNS}|transport|music)(e?s)\b", re.I)
_AMOUNT = re.compile(
    rf"\b(?:(has|have|gets?|needs?|gives?) )?(a lot of|lots of|much|a great deal of|plenty of) ({_NOUNS})\b"
)
_COMPARATIVE = re.compile(r"(?<!more )\b([a-z]{3,}er than|easier|better|faster|cheaper|bigger|stronger|worse|safer)\b")
_DOUBLE = re.compile(r"\bmore ([a-z]+er|worse)\b")
_OTHER_FORM = {"has": "have", "have": "has", "get": "gets", "gets": "get", "need": "needs", "needs": "need"}


def choose(
    files: Sequence[Iterable[Pair]], clean: Iterable[str], random_: random.Random
) -> tuple[list[Pair], list[str]]:
    """Return the pairs and the sentences."""
    lists = [[pair for pair in file if len(pair.source.split()) in _WORDS] for file in files]
    everything = [pair for each in lists for pair in each]
    rare = [pair for pair in everything if _mends(_COUNTED, pair) or _mends(_DOUBLE, pair)]
    targets = sorted({pair.target for pair in everything})
    random_.shuffle(targets)
    compared = [target for target in targets if _COMPARATIVE.search(target)]
    doubled = [Pair(_COMPARATIVE.sub(r"more \1", target, count=1), target) for target in compared[:DOUBLED]]
    short = (sentence for sentence in clean if len(sentence.split()) in _WORDS)
    counted = [pair for text in (*targets, *short) for pair in _count(text, random_)]
    usual = random_.sample(lists[0], min(USUAL, len(lists[0])))
    pairs = [*usual, *rare * 3, *counted, *doubled]
    sentences = [*targets[:SENTENCES], *compared[:COMPARED]]
    random_.shuffle(pairs)
    random_.shuffle(sentences)
    return pairs, sentences


def _mends(error: re.Pattern[str], pair: Pair) -> bool:
    return bool(error.search(pair.source)) and not error.search(pair.target)


def _count(text: str, random_: random.Random) -> Iterator[Pair]:
    """Count the mass noun of a sentence: alone, and with a verb in the wrong form before it."""
    found = _AMOUNT.search(text)
    if found is None:
        return
    verb, amount, noun = found.groups()
    before, after = text[: found.start(2)], text[found.end() :]
    yield Pair(f"{before}many {noun}s{after}", f"{before}{random_.choice(('a lot of', amount))} {noun}{after}")
    if verb in _OTHER_FORM:
        wrong = text[: found.start()] + _OTHER_FORM[verb]
        yield Pair(f"{wrong} many {noun}s{after}", f"{before}much {noun}{after}")


@click.command(help=__doc__)
@click.argument("files", nargs=-1, required=True, metavar="TRAIN...")
@click.option("--text", required=True, metavar="SENTENCES", help="Clean sentences, one a line.")
@click.option("-o", "--output", required=True, metavar="FOLDER", help="Where to write the two files.")
@click.option("--seed", default=9, show_default=True, metavar="N")
def main(files: tuple[str, ...], text: str, output: str, seed: int) -> None:
    """Write the two files."""
    pairs, sentences = choose([list(read_corpus(path)) for path in files], read_lines(text), random.Random(seed))
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"{pair.source}\t{pair.target}" for pair in pairs]
    (folder / "some-pairs.tsv").write_text("\n".join([*lines, ""]), encoding="utf-8")
    (folder / "some-sentences.txt").write_text("\n".join([*sentences, ""]), encoding="utf-8")
    click.echo(f"{len(pairs):,} pairs and {len(sentences):,} sentences are in {folder}")


if __name__ == "__main__":
    main()
