"""Pairs to learn from, out of corrections that writers made to public documents.

Run: python -m experiments.revision_pairs REVISIONS --candidates FILE --sources sources.tsv [--open] -o pairs.jsonl

In: pairs as `permend synth mine` writes them, those that it kept and those that it left out, and a table of their
repositories' licences (columns ``repository`` and ``licence …``). Out: JSON lines of

    all that was kept, but of the repositories set aside (benchmarks/set-aside.txt) nothing, and of those of one company
    that edits to a house style (`HOUSE`) a quarter;
    of what was left out, in mending commits: slips, that is words doubled, joined or split, apostrophes, spaces; and
    plain grammar and misspellings (`PLAIN`) that the model does not think worse than before, commas and capitals where
    it thinks them better;
    for some of them, --clean of all, the target twice: a sentence without errors;
    each with a weight for `experiments.draw_pairs`: what teaches most (`weigh`) comes more often, other words less.

`--open` takes only repositories under CC BY, CC0, MIT, Apache or BSD licences. Hashes choose: the same files give the
same pairs.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from hashlib import blake2b
from typing import Any

import click

from benchmarks.revisions import NAMES
from permend.corpora.lines import open_for_writing, read_lines, read_names
from permend.corpora.pairs import Pair
from permend.errors import InputError
from permend.synthesis.mining.reasons import Look
from permend.synthesis.slips import TYPES
from permend.synthesis.typed import annotate

OPEN = frozenset({"Apache-2.0", "BSD", "CC-BY", "CC0", "MIT"})
HOUSE = ("microsoft",)
PLAIN = {
    **dict.fromkeys(
        "M:CONTR M:DET M:NOUN:POSS M:PREP M:PRON R:ADJ:FORM R:CONTR R:DET R:MORPH R:NOUN:INFL R:NOUN:NUM R:NOUN:POSS "
        "R:PREP R:PRON R:SPELL R:VERB:FORM R:VERB:INFL R:VERB:SVA R:VERB:TENSE U:DET U:PREP U:PRON".split(),
        -0.3,
    ),
    **dict.fromkeys("M:PUNCT R:ORTH R:PUNCT U:PUNCT".split(), 0.3),
}
"""Types of edits that a pair may be made of, and the least gain that it wants with one of them."""
_TEACHES = frozenset({"R:SPELL", "R:VERB:SVA", "R:VERB:FORM", "R:NOUN:NUM", "R:NOUN:INFL"})
_LITTLE_GAIN = 2.0
_SLIPS = frozenset({*TYPES.values(), "R:ORTH"})
_HOUSE_SHARE = 0.25


def read_open(path: str) -> set[str]:
    """Return the repositories all of whose licences are open."""
    lines = [line.split("\t") for line in read_lines(path)]
    place = next((place for place, cell in enumerate(lines[0]) if cell.startswith("licence")), None)
    if place is None or lines[0][0] != "repository":
        raise InputError("a table of sources has the columns repository and licence", path, 1)
    return {row[0] for row in lines[1:] if set(row[place].split(" + ")) <= OPEN}


def choose(rows: Iterable[dict[str, Any]], without: Collection[str], only: Collection[str] | None) -> Iterator[Pair]:
    """Yield the pairs of the wanted repositories, of a house's own a part."""
    for row in rows:
        name = row["repository"]
        if name in without or (only is not None and name not in only):
            continue
        pair = Pair(row["source"], row["target"])
        if not name.lower().startswith(HOUSE) or share(pair.source) < _HOUSE_SHARE:
            yield pair


def weigh(row: dict[str, Any]) -> float:
    """Return how often to draw a pair: misspellings and forms that the model hardly saw most, wording least."""
    types = set(row["types"])
    if types <= _TEACHES and (row.get("gain") or 0.0) < _LITTLE_GAIN:
        return 3.0
    return 1.0 if types <= PLAIN.keys() else 0.4


def is_slip(pair: Pair, look: Look) -> bool:
    """Whether only spaces, apostrophes, or a word twice have changed, and not just a capital."""
    if look(pair.source, pair.target)[0] is not None:
        return False
    found = annotate(pair)
    types = {edit.type for edit in found.annotations[0]} if found else set()
    return bool(types) and types <= _SLIPS and pair.source.lower() != pair.target.lower()


def is_plain(row: dict[str, Any], look: Look) -> bool:
    """Whether a row changes nothing but grammar and spelling, and not for the worse as far as the model can tell."""
    if row.get("gain") is None or not set(row["types"]) <= PLAIN.keys():
        return False
    least = max((PLAIN[type_] for type_ in row["types"]), default=0.0)
    return row["gain"] >= least and look(row["source"], row["target"])[0] is None


def share(text: str) -> float:
    """Return a number between 0 and 1 that belongs to a text."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).digest(), "big") / 2**48


def _rows(path: str) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in read_lines(path))


@click.command(help=__doc__)
@click.argument("revisions")
@click.option("--candidates", required=True, help="What was left out.")
@click.option("--sources", required=True, help="Repositories and their licences.")
@click.option("--open", "only_open", is_flag=True, help="Only what anybody may use for anything.")
@click.option("--clean", type=click.FloatRange(0, 1, max_open=True), default=0.3, show_default=True)
@click.option("-o", "--output", required=True)
def main(revisions: str, candidates: str, sources: str, only_open: bool, clean: float, output: str) -> None:
    """Write the pairs."""
    without, only, look = read_names(NAMES), read_open(sources) if only_open else None, Look()
    rows = list(_rows(revisions))
    weights = {Pair(row["source"], row["target"]): weigh(row) for row in rows}
    pairs = list(choose(rows, without, only))
    mending = [row for row in _rows(candidates) if row["mending"]]
    slips = dict.fromkeys(pair for pair in choose(mending, without, only) if is_slip(pair, look))
    plain = [
        pair for pair in choose((row for row in mending if is_plain(row, look)), without, only) if pair not in slips
    ]
    rights = [Pair(pair.target, pair.target) for pair in pairs if share(pair.target) < clean / (1 - clean)]
    counts = Counter(kept=len(pairs), slips=len(slips), plain=len(plain), clean=len(rights))
    with open_for_writing(output) as file:
        for pair in (*pairs, *slips, *plain, *rights):
            line = {"source": pair.source, "target": pair.target, "weight": weights.get(pair, 1.0)}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    click.echo(", ".join(f"{name} {count:,}" for name, count in counts.items()))


if __name__ == "__main__":
    main()
