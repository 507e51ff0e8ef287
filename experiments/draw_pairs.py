"""Draw pairs by their weights: another part of a large file for each run.

Run: python -m experiments.draw_pairs PAIRS --most 45000 --seed 21 -o drawn.jsonl

In: JSON lines with source, target and, where it is not 1, weight. Out: so many of them, none twice; one that weighs
twice as much comes in about twice as often while few are drawn. Hashes choose: the same file and seed give the same.
"""

from __future__ import annotations

import json
from heapq import nlargest

import click

from experiments.revision_pairs import share
from permend.corpora.lines import open_for_writing, read_lines


def place(line: str, seed: int) -> float:
    """Return where a pair stands among those that may be drawn; the highest ones are."""
    return float(share(f"{seed} {line}") ** (1 / json.loads(line).get("weight", 1.0)))


@click.command(help=__doc__)
@click.argument("pairs")
@click.option("--most", type=click.IntRange(1), required=True, help="Pairs to draw.")
@click.option("--seed", default=1, show_default=True)
@click.option("-o", "--output", required=True)
def main(pairs: str, most: int, seed: int, output: str) -> None:
    """Write the pairs."""
    drawn = nlargest(most, read_lines(pairs), key=lambda line: place(line, seed))
    with open_for_writing(output) as file:
        for line in drawn:
            row = json.loads(line)
            file.write(json.dumps({"source": row["source"], "target": row["target"]}, ensure_ascii=False) + "\n")
    click.echo(f"{len(drawn):,} pairs are in {output}")


if __name__ == "__main__":
    main()
