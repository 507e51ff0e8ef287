"""Corrections that people made to documents, of repositories that no training sees: `set-aside.txt` names them.

Run: python -m benchmarks.revisions REVISIONS [CANDIDATES...] -o set-aside.jsonl      the pairs to measure on
     python -m benchmarks.revisions REVISIONS [CANDIDATES...] --choose                how the names were chosen

In: pairs as `permend synth mine` writes them (JSON lines, packed or not), those it kept and those it left out. Out: of
each repository set aside the pairs whose commits say that they mend something and that show no reason to be left out,
whatever the model thinks of them; 1,000 in all, which their hashes choose, one of each repository in turn.

The names were chosen before training, by size and hash: repositories with at least 25 such pairs, in order of their
number, are cut into twenty groups of the same size, and of each group the one with the smallest hash is taken whose
owner is not among them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import click

from permend.corpora.lines import open_for_writing, read_lines, read_names
from permend.errors import InputError, PermendError
from permend.synthesis.mining.reasons import Look

NAMES = Path(__file__).with_name("set-aside.txt")
_REPOSITORIES, _FEWEST = 20, 25
_MOST = 1000


class Revision(NamedTuple):
    """A correction that somebody made."""

    source: str
    target: str
    repository: str
    types: tuple[str, ...]


def read_revisions(path: str) -> Iterator[tuple[Revision, bool]]:
    """Yield the pairs of a file, and whether their commits say that they mend something."""
    for number, line in enumerate(read_lines(path), start=1):
        try:
            found = json.loads(line)
            pair = Revision(found["source"], found["target"], found["repository"], tuple(found["types"]))
        except (ValueError, KeyError, TypeError):
            raise InputError("this is no pair of permend synth mine", path, number) from None
        yield pair, found.get("mending") is True


def read_mending(paths: Iterable[str], names: Collection[str] | None = None) -> Iterator[Revision]:
    """Yield the pairs of mending commits that show no reason to be left out, of some repositories or of all."""
    look = Look()
    for path in paths:
        for pair, mending in read_revisions(path):
            wanted = mending and (names is None or pair.repository in names)
            if wanted and look(pair.source, pair.target)[0] is None:
                yield pair


def choose(sizes: Mapping[str, int]) -> list[str]:
    """Choose repositories by their numbers of pairs.

    >>> choose({f"{owner}/docs": 30 for owner in "abcdefghijklmnopqrstu"} | {"z/small": 3})[:2]
    ['a/docs', 'b/docs']
    """
    names = sorted((name for name, size in sizes.items() if size >= _FEWEST), key=lambda name: (-sizes[name], name))
    if len(names) < _REPOSITORIES:
        raise PermendError(f"there are {len(names)} repositories with {_FEWEST} pairs, not {_REPOSITORIES}")
    chosen: list[str] = []
    for group in range(_REPOSITORIES):
        some = names[group * len(names) // _REPOSITORIES : (group + 1) * len(names) // _REPOSITORIES]
        owners = {_owner(name) for name in chosen}
        chosen.append(min((name for name in some if _owner(name) not in owners), key=_digest, default=some[0]))
    return sorted(chosen)


def select(pairs: Iterable[Revision]) -> list[Revision]:
    """Select the pairs to measure on, each once: the repositories take turns, so that small ones count as well."""
    turns: Counter[str] = Counter()
    placed = []
    for pair in sorted(set(pairs), key=lambda pair: _digest(f"{pair.source}\t{pair.target}")):
        turns[pair.repository] += 1
        placed.append((turns[pair.repository], pair))
    return [pair for _, pair in sorted(placed, key=lambda each: each[0])][:_MOST]


def _owner(name: str) -> str:
    """Return whose repository it is; one company has several names."""
    owner = name.partition("/")[0].lower()
    return "microsoft" if owner.startswith("microsoft") else owner


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()


@click.command(help=__doc__)
@click.argument("files", nargs=-1, required=True)
@click.option("-o", "--output", metavar="FILE", help="Where to write the pairs (JSON lines).")
@click.option("--choose", "choosing", is_flag=True, help="Print names to set aside instead.")
def main(files: tuple[str, ...], output: str | None, choosing: bool) -> None:
    """Write the pairs, or choose the repositories."""
    try:
        if choosing:
            click.echo("\n".join(choose(Counter(pair.repository for pair in set(read_mending(files))))))
            return
        pairs = select(read_mending(files, read_names(NAMES)))
        if output is not None:
            with open_for_writing(output) as file:
                file.writelines(json.dumps(pair._asdict(), ensure_ascii=False) + "\n" for pair in pairs)
        click.echo(f"{len(pairs):,} pairs of {len({pair.repository for pair in pairs})} repositories")
    except PermendError as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    main()
