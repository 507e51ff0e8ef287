"""Everyday errors that learners' essays show too seldom for a model to learn them, made in clean sentences.

Run: python -m experiments.everyday SENTENCES --each 30000 -o data/everyday.tsv

In: clean sentences, one a line. Out: pairs (TSV) of four kinds, as many of each as there are, at most `--each`:

    counted    many informations → much information, an advice → a piece of advice, the homeworks → the homework
    doubled    more taller → taller, the most easiest → the easiest
    confused   their → there, your → you're, should of → should have
    clean      sentences that are right as they are

*Much* stands for *a lot of*, too: four new tokens do not fit into a slot, three do. The same file gives the same pairs.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import click

from permend.corpora.lines import read_lines
from permend.corpora.pairs import Pair
from permend.synthesis.casing import raise_first

_WORDS = range(4, 31)
_MASS = (
    "information|advice|furniture|equipment|homework|housework|knowledge|research|luggage|baggage|evidence|software|"
    "hardware|feedback|progress|traffic|pollution|machinery|jewelry|clothing|scenery|transportation|garbage|rubbish|"
    "luck|music|money|bread|rice|violence|electricity|stuff|weather"
)
_COUNTED = re.compile(
    rf"(?:\b(?P<verb>has|have|gets?|needs?|gives?|wants?|is|was) )?"
    rf"\b(?P<before>a lot of|lots of|plenty of|a great deal of|so much|too much|much|little|some|any|more|all|enough|"
    rf"new|useful|important|good|the|this|his|her|their|your|our|my|of|a piece of|a bit of) (?P<noun>{_MASS})\b"
    rf"(?! (?:{_MASS}|and|or|of|system|center|department|technology)\b|[-'’])(?: (?P<after>is|was|has)\b)?"
)
_AMOUNTS = ("a lot of", "lots of", "plenty of", "a great deal of")
_SOME, _GOOD = ("some", "any", "enough"), ("new", "useful", "important", "good")
_PLAIN = ("the", "this", "his", "her", "their", "your", "our", "my", "of", "all")
_MANY = {"so much": "so many", "too much": "too many", "much": "many", "little": "few", "this": "these"}
_PIECES = ("a piece of", "a bit of")
_FORMS = {"has": "have", "have": "has", "is": "are", "was": "were"}
_SHORT = (
    "taller|smaller|bigger|larger|older|younger|higher|lower|cheaper|faster|slower|stronger|weaker|safer|cleaner|"
    "easier|happier|healthier|busier|funnier|prettier|heavier|better|worse|longer|shorter|richer|poorer|nicer|warmer|"
    "colder|hotter|cooler|louder|quieter|closer|deeper|wider|harder|softer|brighter|darker|kinder|smarter|simpler"
)
_NO_SUPERLATIVES = r"best\b|west|rest|test|guest|forest|interest|harvest|protest|request|contest"
_DOUBLED = re.compile(
    rf"(?<!more )(?<!much )(?<!the )(?<!no )\b"
    rf"(?P<more>{_SHORT}|(?!other|rather|either|ever|never)[a-z]{{2,}}er(?= than))\b"
    rf"|(?<=\bthe )(?P<most>(?!{_NO_SUPERLATIVES})[a-z]{{2,}}est)\b"
)
_SETS = (
    "their there they're|your you're|its it's|to too|two too to|than then|accept except|affect effect|lose loose|"
    "whose who's|quite quiet|weather whether|where were|hear here|know now|buy by|passed past|advice advise|"
    "peace piece|break brake|bought brought|of off|right write|wear where|weak week|one won|new knew|our are|"
    "through threw|a an|lead led|principal principle|breath breathe|desert dessert|plain plane|site sight|hole whole|"
    "wait weight|allowed aloud|cell sell|die dye|fair fare|mail male|meat meet|road rode|sale sail|steal steel|"
    "tail tale|waist waste|it's its|you're your|they're their there|who's whose|we're were|let's lets"
)
_HAVE = re.compile(r"(?<=ould )have\b|(?<=\bmight )have\b|(?<=\bmust )have\b")
_WORD = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?")


def _confusions() -> dict[str, tuple[str, ...]]:
    """Return for each word those it is mistaken for."""
    found: dict[str, set[str]] = {}
    for each in _SETS.split("|"):
        words = each.split()
        for word in words:
            found.setdefault(word, set()).update(set(words) - {word})
    return {word: tuple(sorted(others)) for word, others in found.items()}


_CONFUSED = _confusions()
_RARELY = frozenset({"to", "of", "a", "an", "by", "one", "new", "our", "are", "were", "now", "right", "here", "than"})
"""So frequent that they would be most of all."""


def count(text: str, random_: random.Random) -> Pair | None:
    """Count a noun that has no plural."""
    found = _COUNTED.search(text)
    if found is None or (found["before"] in _PLAIN and random_.random() < 0.85):
        return None
    verb, before, noun, after = found.group("verb", "before", "noun", "after")
    many, much = _MANY.get(before, before), before
    if random_.random() < 0.6 and before in (*_AMOUNTS, *_SOME, *_GOOD):
        own = f" {before}" if before in _GOOD else ""
        many, much = f"many{own}", f"much{own}"
    if before in _PIECES:
        wrong = f"{'an' if noun[0] in 'aei' else 'a'} {noun}"
    elif many != much and random_.random() < 0.3:
        wrong = f"{many} {noun}"
    else:
        wrong = f"{many} {_plural(noun)}"
    right = f"{much} {noun}"
    if verb:
        wrong, right = f"{_FORMS.get(verb, verb) if random_.random() < 0.5 else verb} {wrong}", f"{verb} {right}"
    if after:
        wrong, right = f"{wrong} {_FORMS.get(after, after)}", f"{right} {after}"
    return _pair(text, found, wrong, right)


def double(text: str, random_: random.Random) -> Pair | None:
    """Compare twice."""
    found = _DOUBLED.search(text)
    if found is None:
        return None
    return _pair(text, found, f"{'more' if found['more'] else 'most'} {found.group()}", found.group())


def confuse(text: str, random_: random.Random) -> Pair | None:
    """Put one word, sometimes two or three, for others that sound alike."""
    places = [found for found in _WORD.finditer(text) if found.group().lower() in _CONFUSED]
    places = [each for each in places if each.group().lower() not in _RARELY or random_.random() < 0.05]
    places += _HAVE.finditer(text)
    if not places:
        return None
    wrong = text
    chosen = random_.sample(places, min(len(places), random_.choice((1, 1, 1, 2, 2, 3))))
    for found in sorted(chosen, key=lambda each: -each.start()):
        word = found.group()
        other = "of" if word == "have" else random_.choice(_CONFUSED[word.lower()])
        if word[0].isupper():
            [other] = raise_first((other,))
        wrong = wrong[: found.start()] + other + wrong[found.end() :]
    return Pair(wrong, text)


def leave(text: str, random_: random.Random) -> Pair | None:
    """Do nothing, to one sentence of a hundred."""
    return Pair(text, text) if random_.random() < 0.01 else None


KINDS: dict[str, Callable[[str, random.Random], Pair | None]] = {
    "counted": count,
    "doubled": double,
    "confused": confuse,
    "clean": leave,
}


def make(sentences: Iterable[str], most: Mapping[str, int], random_: random.Random) -> Iterator[Pair]:
    """Yield at most so many pairs of each kind; a sentence serves once."""
    left = dict(most)
    for text in sentences:
        if len(text.split()) not in _WORDS:
            continue
        for kind, change in KINDS.items():
            if left[kind] and (pair := change(text, random_)) is not None:
                left[kind] -= 1
                yield pair
                break
        if not any(left.values()):
            return


def _plural(noun: str) -> str:
    return f"{noun}es" if noun.endswith("s") else f"{noun[:-1]}ies" if noun[-2:] in ("ty", "ry") else f"{noun}s"


def _pair(text: str, found: re.Match[str], wrong: str, right: str) -> Pair:
    before, after = text[: found.start()], text[found.end() :]
    return Pair(f"{before}{wrong}{after}", f"{before}{right}{after}")


@click.command(help=__doc__)
@click.argument("sentences", metavar="SENTENCES")
@click.option("--each", type=click.IntRange(1), default=30_000, show_default=True, help="Pairs of a kind, at most.")
@click.option("--clean", type=click.IntRange(0), help="Clean sentences, at most; by default as many as of other kinds.")
@click.option("--seed", default=1, show_default=True, help="Other seeds take other sentences.")
@click.option("-o", "--output", required=True, metavar="FILE")
def main(sentences: str, each: int, clean: int | None, seed: int, output: str) -> None:
    """Write the pairs."""
    lines = list(read_lines(sentences))
    random_ = random.Random(seed)
    random_.shuffle(lines)
    most = dict.fromkeys(KINDS, each) | ({} if clean is None else {"clean": clean})
    pairs = [f"{pair.source}\t{pair.target}\n" for pair in make(lines, most, random_)]
    Path(output).write_text("".join(pairs), encoding="utf-8")
    click.echo(f"{len(pairs):,} pairs are in {output}")


if __name__ == "__main__":
    main()
