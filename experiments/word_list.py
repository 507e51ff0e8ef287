"""Count words in clean text, and write those that are spelt right as the word list of `permend.corrector.explaining`.

Run: python -m experiments.word_list TEXT... --misspellings LIST.json... -o src/permend/explaining/en/words.txt.gz

In: clean text from several sources, a file each (one paragraph a line, packed or not), and lists of misspellings (JSON
objects whose keys are wrong). Out: lower-case words, one a line, without those of the lexicon; no text. A word counts
that several sources use often enough, unless a list calls it wrong or it looks like a slip for a word that is a hundred
times as frequent. Short words need more: among letters in a row, every second pair is an abbreviation of something.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import click
from rapidfuzz.distance import OSA
from rapidfuzz.process import cdist

from permend.corpora.lines import read_lines
from permend.corrector.explaining.lexicon import load_lexicon

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_POSSESSIVE = re.compile(r"['’]s?\Z")
_LEAST, _LEAST_ALONE, _LEAST_SHORT = 6, 40, 500  # occurrences: in several sources, in one, of a short word
_SHORT = 3  # letters
_SOURCES, _SOURCES_SHORT = 2, 8
_OFTEN = 1000  # a word that slips are made for
_RATIO = 100  # how much rarer a slip is than its word
_SAME_ROOT = re.compile(r"(?:e?s|e?d|ing|e?rs?|ors?|ly|e|y)\Z")


def count_words(lines: Iterable[str]) -> Counter[str]:
    """Count the words of a text in lower case, possessives with their words."""
    words: Counter[str] = Counter()
    for line in lines:
        words.update(_WORD.findall(line))
    lower: Counter[str] = Counter()
    for word, count in words.items():
        lower[_POSSESSIVE.sub("", word.lower().replace("’", "'"))] += count
    return lower


def choose_words(sources: Iterable[Mapping[str, int]], wrong: frozenset[str]) -> set[str]:
    """Return the words that enough sources use often enough."""
    total: Counter[str] = Counter()
    used: Counter[str] = Counter()
    for counts in sources:
        total.update(counts)
        used.update(counts.keys())
    often = {word for word, count in total.items() if _is_frequent(word, count, used[word])} - wrong
    return often - _slips(often, total)


def _is_frequent(word: str, count: int, sources: int) -> bool:
    if len(word) <= _SHORT:
        return len(word) > 1 and count >= _LEAST_SHORT and sources >= _SOURCES_SHORT
    return count >= _LEAST_ALONE or (count >= _LEAST and sources >= _SOURCES)


def _slips(words: set[str], total: Mapping[str, int]) -> set[str]:
    """Return words one letter away from a far more frequent one that is no form of the same."""
    models = [word for word in words if total[word] >= _OFTEN and len(word) > _SHORT]
    rare = [word for word in words if total[word] * _RATIO < max(map(total.__getitem__, models), default=0)]
    slips: set[str] = set()
    for start in range(0, len(rare), 2000):
        some = rare[start : start + 2000]
        near = cdist(some, models, scorer=OSA.distance, score_cutoff=1, workers=-1) <= 1
        for word, row in zip(some, near, strict=True):
            slips |= {word for place in row.nonzero()[0] if _is_slip(word, models[place], total)}
    return slips


def _is_slip(word: str, model: str, total: Mapping[str, int]) -> bool:
    related = word.startswith(model) or _SAME_ROOT.sub("", word) == _SAME_ROOT.sub("", model)
    return word != model and not related and total[word] * _RATIO < total[model]


@click.command()
@click.argument("texts", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--misspellings", multiple=True, type=click.Path(exists=True, dir_okay=False), help="JSON; keys are wrong."
)
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False), help="Where to write the list.")
def main(texts: tuple[str, ...], misspellings: tuple[str, ...], output: str) -> None:
    """Write a word list."""
    wrong = frozenset(
        word.lower() for path in misspellings for word in json.loads(Path(path).read_text(encoding="utf-8"))
    )
    chosen = choose_words((count_words(read_lines(path)) for path in texts), wrong)
    lexicon = load_lexicon("en")
    written = sorted(word for word in chosen if word not in lexicon)
    data = "".join(f"{word}\n" for word in written).encode()
    Path(output).write_bytes(gzip.compress(data, 9, mtime=0))
    click.echo(f"{len(written):,} words beside the lexicon's {len(lexicon.classes):,}, {len(data):,} bytes unpacked")


if __name__ == "__main__":
    main()
