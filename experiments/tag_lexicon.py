"""Count what a tagger sees in clean text, and write it as the lexicon of `permend.corrector.explaining`.

Run: python -m experiments.tag_lexicon --words FREQUENCIES.txt TEXT... -o src/permend/explaining/en/lexicon.txt.gz

In: clean text (one paragraph a line, packed or not) and a list of words with their frequencies, most frequent first.
Out: words grouped by the tags that they were seen with, endings of words, and rules for words with several tags; no
text. Needs the ``eval`` extra. For another language, give another spaCy model and, if its tags are not the Penn
Treebank's, another `TAGS`.
"""

from __future__ import annotations

import gzip
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import click

from permend.corpora.lines import read_lines
from permend.corrector.explaining.lexicon import Lexicon

TAGS = {
    "NN": "NN NNP",
    "NNS": "NNS NNPS",
    "VB": "VB VBP MD",
    "VBD": "VBD",
    "VBG": "VBG",
    "VBN": "VBN",
    "VBZ": "VBZ BES HVS",
    "JJ": "JJ JJR JJS AFX",
    "RB": "RB RBR RBS WRB",
    "IN": "IN",
    "DT": "DT PDT PRP$ WDT WP$",
    "PRP": "PRP EX WP",
    "CC": "CC",
    "TO": "TO",
    "RP": "RP",
    "POS": "POS",
    "X": "CD UH FW LS NIL XX ADD GW NFP SYM # $",
    "P": "'' , -LRB- -RRB- . : HYPH ``",
}
"""Our tags, and the Penn Treebank's that they stand for."""

_MERGED = {theirs: ours for ours, names in TAGS.items() for theirs in names.split()}
_OPEN = ("NN", "JJ", "VB")  # words of these tags alone never are classes of their own
_MOST_TAGS = 4
_LEAST_SHARE = 0.05  # of a word's occurrences, for a tag to count
_RARE = 10  # words seen so often at most say what an ending means
_LEAST_FOR_ENDING = 30
_LEAST_FOR_CLIPPED = 50
_LEAST_TO_EXIST = 4
_CERTAIN = 0.995  # classes with one tag so often need no rules

Tagged = list[tuple[str, str]]


def read_tagged(nlp: Any, paths: Iterable[str], tokens: int) -> Iterator[Tagged]:
    """Yield sentences of words and tags, about so many tokens from each file."""
    for path in paths:
        paragraphs = list(read_lines(path))
        random.Random(0).shuffle(paragraphs)
        seen = 0
        for document in nlp.pipe((paragraph[:3000] for paragraph in paragraphs), batch_size=64):
            for sentence in document.sents:
                words = [(token.text, _tag(token)) for token in sentence if not token.is_space]
                seen += len(words)
                yield words
            if seen > tokens:
                break


def _tag(token: Any) -> str:
    tag = _MERGED.get(token.tag_, "X")
    is_auxiliary = token.tag_ == "MD" or (tag.startswith("VB") and token.dep_ in ("aux", "auxpass"))
    return tag + "a" if is_auxiliary else tag


def count_words(sentences: Iterable[Tagged]) -> dict[str, Counter[str]]:
    """Count the tags of every lower-case word."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for sentence in sentences:
        for word, tag in sentence:
            counts[word.lower()][tag] += 1
    return counts


def tags_of(counts: Counter[str]) -> str:
    """Name a class: the tags that make up a fair share, the most frequent first."""
    total = counts.total()
    common = counts.most_common(_MOST_TAGS)
    return " ".join(tag for place, (tag, count) in enumerate(common) if place == 0 or count >= _LEAST_SHARE * total)


def choose_own(counts: dict[str, Counter[str]], size: int) -> list[str]:
    """Choose the frequent function words that become classes of their own."""
    words = [
        word
        for word, tags in counts.items()
        if (any(map(str.isalpha, word)) or word == "'")
        and (" " in tags_of(tags) or not tags_of(tags).startswith(_OPEN))
    ]
    return sorted(words, key=lambda word: (-counts[word].total(), word))[:size]


def count_endings(counts: dict[str, Counter[str]]) -> dict[str, str]:
    """Find the class of rare words by their last two to four letters."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for word, tags in counts.items():
        if tags.total() <= _RARE and word.isalpha() and word.isascii() and len(word) > 4:
            for size in (2, 3, 4):
                found[word[-size:]].update(tags.keys())
    return {ending: tags_of(tags) for ending, tags in found.items() if tags.total() >= _LEAST_FOR_ENDING}


def find_rules(lexicon: Lexicon, sentences: Iterable[Tagged], least: int) -> list[tuple[str, str]]:
    """Find contexts that decide between the tags of a class, as (tag, context), from certain to doubtful."""
    counts: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for sentence in sentences:
        classes = ["^", *(lexicon.classify(word) for word, _ in sentence), "^"]
        for (_, tag), left, own, right in zip(sentence, classes, classes[1:], classes[2:], strict=False):
            for context in ((left, own, right), (left, own, ""), ("", own, right), ("", own, "")):
                counts[context][tag] += 1
    sure = {context: _surest(tags) for context, tags in counts.items() if tags.total() >= least}
    kept = [(-share, tag, "|".join(context)) for context, (share, tag) in sure.items() if _tells(sure, context)]
    return [(tag, context) for _, tag, context in sorted(kept)]


def _surest(tags: Counter[str]) -> tuple[float, str]:
    tag, count = tags.most_common(1)[0]
    return (count + 0.5) / (tags.total() + 1.5), tag


def _tells(sure: dict[tuple[str, str, str], tuple[float, str]], context: tuple[str, str, str]) -> bool:
    """Whether a context is needed: it says other than shorter ones do, or is more certain than the class alone."""
    left, own, right = context
    if left and right:
        shorter = [sure[each] for each in ((left, own, ""), ("", own, right), ("", own, "")) if each in sure]
        return not shorter or max(shorter)[1] != sure[context][1]
    default = sure["", own, ""]
    certainty = sure[context][0] if sure[context][1] == default[1] else 1
    return bool(left or right) and default[0] < _CERTAIN and certainty > default[0]


def find_words(sentences: Iterable[Tagged], counts: dict[str, Counter[str]]) -> list[str]:
    """Find words that the list of words may lack: seen in lower case often enough, or with an apostrophe (*'ll*)."""
    seen = Counter(word for sentence in sentences for word, _ in sentence if word.isalpha() and word.islower())
    plain = [word for word, count in seen.items() if count >= _LEAST_TO_EXIST and len(word) > 2]
    return plain + [word for word, tags in counts.items() if "'" in word and tags.total() >= _LEAST_FOR_CLIPPED]


def write_lexicon(
    words: Iterable[str], sentences: list[Tagged], own_size: int, least: int, origin: str
) -> Iterator[str]:
    """Yield the lines of the file."""
    counts = count_words(sentences)
    own = dict.fromkeys(choose_own(counts, own_size))
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for word in dict.fromkeys([*words, *find_words(sentences, counts)]):
        if word not in own:
            is_known = word in counts and counts[word].total() > 1
            groups["word", tags_of(counts[word]) if is_known else ""].append(word)
    for ending, tags in count_endings(counts).items():
        groups["ending", tags].append(ending)
    lines = [f"own\t{tags_of(counts[word])}\t{word}" for word in own]
    lines += [f"{kind}\t{tags}\t{' '.join(sorted(members))}" for (kind, tags), members in sorted(groups.items())]
    yield f"# {origin}"
    yield from lines
    rules = find_rules(Lexicon.parse("\n".join(lines)), sentences, least)
    yield from (f"rule\t{tag}\t{context}" for tag, context in rules)


@click.command()
@click.argument("texts", nargs=-1, required=True)
@click.option("--words", "frequencies", required=True, help="Words that exist, most frequent first; one a line.")
@click.option("--size", default=45_000, show_default=True, help="How many of them to keep.")
@click.option("--model", default="en_core_web_sm", show_default=True, help="The spaCy model that tags.")
@click.option("--tokens", default=350_000, show_default=True, help="Tokens to tag from each text.")
@click.option("--own", default=120, show_default=True, help="Function words that are classes of their own.")
@click.option("--least", default=20, show_default=True, help="How often a context must be seen.")
@click.option("--origin", default="", help="Where words and text come from: the file's first line.")
@click.option("-o", "--output", required=True, help="The file to write (.txt.gz).")
def main(
    texts: tuple[str, ...],
    frequencies: str,
    size: int,
    model: str,
    tokens: int,
    own: int,
    least: int,
    origin: str,
    output: str,
) -> None:
    """Write a lexicon."""
    nlp = import_module(model).load(disable=["ner", "lemmatizer"])
    words = (line.split()[0].lstrip("\ufeff") for line in read_lines(frequencies) if line.strip())
    known = list(islice((word for word in words if word.isalpha()), size))
    lines = write_lexicon(known, list(read_tagged(nlp, texts, tokens)), own, least, origin)
    Path(output).write_bytes(gzip.compress("\n".join(lines).encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
