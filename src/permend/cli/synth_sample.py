"""``permend synth sample``: let a network that was trained backwards make the errors.

In: a model folder and sentences, one a line. Out: pairs, one a line; sentences that come out empty are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

import click

from permend.cli.synth import open_output
from permend.cli.terminal import steps
from permend.cli.train import require_training
from permend.corpora.lines import read_paragraphs

_BLOCK = 32  # batches that are sorted by length together


@click.command()
@click.argument("model_dir", type=click.Path(file_okay=False))
@click.argument("texts", metavar="TEXT...", nargs=-1, required=True)
@click.option("-o", "--output", metavar="FILE", default="-", help="Pairs (TSV; packed if it ends in .gz or .xz).")
@click.option("--temperature", default=1.0, show_default=True, help="Higher draws bolder errors.")
@click.option("--part", metavar="I/N", default="1/1", show_default=True, help="Only each N-th sentence, from the I-th.")
@click.option("--limit", type=click.IntRange(1), help="Stop after so many pairs.")
@click.option("--batch", type=click.IntRange(1), default=256, show_default=True, help="Sentences at a time.")
@click.option("--seed", type=int, default=0, show_default=True, help="Same seed and device, same pairs.")
def sample(
    model_dir: str,
    texts: tuple[str, ...],
    output: str,
    temperature: float,
    part: str,
    limit: int | None,
    batch: int,
    seed: int,
) -> None:
    """Draw errors from MODEL_DIR, a corrupter, into TEXT: one pair a line, the wrong sentence, a tab, the right one.

    A corrupter is a model that was trained with data.reverse=true, from right to wrong. TEXT has one sentence a line,
    as permend synth sentences writes it. It uses a GPU where there is one; several parts can run side by side.

    \b
    Examples:
      permend train corrupter.toml data.train=train.m2 data.reverse=true
      permend synth sample runs/corrupter/last sentences.txt -o sampled.tsv
      permend synth sample runs/corrupter/last sentences.txt --part 2/4 --temperature 0.9 -o sampled-2.tsv
    """
    require_training("Sampling errors")
    from permend.training.correction.sampling import Sampler

    first, step = _part(part)
    lines = (line for path in texts for line in read_paragraphs(path))
    wanted = islice(islice(lines, first, None, step), limit)
    sampler = Sampler.from_pretrained(model_dir, temperature, seed)
    with open_output(output) as file, steps("sampling", limit, "pairs") as count:
        for targets in _batches(wanted, batch):
            for drawn, target in zip(sampler.sample(targets), targets, strict=True):
                if source := " ".join(drawn.split()):  # a line and its two columns hold no other whitespace
                    file.write(f"{source}\t{target}\n")
            count(len(targets))


def _part(text: str) -> tuple[int, int]:
    """Read I/N, I counting from 1."""
    number, _, parts = text.partition("/")
    if not (number.isdecimal() and parts.isdecimal() and 1 <= int(number) <= int(parts)):
        raise click.UsageError(f"--part is written I/N with I from 1 to N, not {text!r}.")
    return int(number) - 1, int(parts)


def _batches(sentences: Iterable[str], size: int) -> Iterator[list[str]]:
    """Cut a stream into batches of sentences of about the same length."""
    iterator = iter(sentences)
    while block := sorted(islice(iterator, _BLOCK * size), key=len):
        yield from (block[at : at + size] for at in range(0, len(block), size))
