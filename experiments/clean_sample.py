"""Clean sentences that no training saw: what a model changes there is a false alarm, or an error that editors left.

Run: python -m experiments.clean_sample TEXT... --errors errors.json --set-aside 0.005 -o clean.txt [--also TEXT...]

In: text files, and the share of their paragraphs that the recipes set aside (`data.set_aside`). Out: sentences of those
paragraphs alone, one a line, split and judged as for training; the files take turns, and the same files give the same
sentences. A sentence that stands in any other paragraph, too, is left out: articles are printed twice, and in simpler
words. `--also` names texts that are trained on but not drawn from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from hashlib import blake2b
from itertools import islice, zip_longest
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track

from permend.corpora.lines import is_set_aside, read_paragraphs
from permend.errors import PermendError
from permend.synthesis.corrupt import Corruptor
from permend.synthesis.error_model import ErrorModel
from permend.synthesis.generate import Job, read_chunks
from permend.synthesis.targets import Judge

_WORDS = re.compile(r"\w+")
_BEGINNING = 3
"""Words by which sentences are looked up; a good sentence has at least so many."""


def draw(paths: Sequence[str | Path], job: Job, share: float) -> list[str]:
    """Return the good sentences of the paragraphs set aside, one from each file in turn, in an arbitrary order."""
    files = [sorted(_set_aside(path, job, share), key=_digest) for path in _tracked(paths, "drawing")]
    return list(dict.fromkeys(each for turn in zip_longest(*files) for each in turn if each is not None))


def find_elsewhere(sentences: Iterable[str], paths: Sequence[str | Path], share: float) -> set[str]:
    """Return the sentences whose words also stand in a paragraph that is not set aside."""
    by_beginning: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for sentence in sentences:
        words = _words(sentence)
        by_beginning.setdefault(tuple(words[:_BEGINNING]), []).append((f" {' '.join(words)} ", sentence))
    found: set[str] = set()
    for path in _tracked(paths, "comparing"):
        for paragraph in read_paragraphs(path):
            if not is_set_aside(paragraph, share):
                words = _words(paragraph)
                text = f" {' '.join(words)} "
                beginnings = by_beginning.keys() & set(zip(*(words[k:] for k in range(_BEGINNING)), strict=False))
                found |= {whole for key in beginnings for part, whole in by_beginning[key] if part in text}
    return found


def _set_aside(path: str | Path, job: Job, share: float) -> set[str]:
    chunks = read_chunks([path], wanted=partial(is_set_aside, share=share))
    return {sentence for chunk in chunks for paragraph in chunk for sentence in job.sentences(paragraph)[0]}


def _words(text: str) -> list[str]:
    return _WORDS.findall(text.lower())


def _digest(sentence: str) -> bytes:
    return blake2b(sentence.encode()).digest()


def _tracked(paths: Sequence[str | Path], what: str) -> Iterator[str | Path]:
    console = Console(stderr=True)
    yield from track(paths, what, console=console, transient=True, disable=not console.is_terminal)


@click.command()
@click.argument("texts", nargs=-1, required=True)
@click.option("--errors", required=True, help="The error model of the recipes: it knows the words of the language.")
@click.option("--set-aside", "share", type=click.FloatRange(0, 1, min_open=True), required=True)
@click.option("--also", multiple=True, help="Another text that is trained on: its sentences are left out.")
@click.option("--limit", type=click.IntRange(1), default=1500, show_default=True)
@click.option("-o", "--output", required=True)
def main(texts: tuple[str, ...], errors: str, share: float, also: tuple[str, ...], limit: int, output: str) -> None:
    """Write the sentences."""
    try:
        model = ErrorModel.load(errors)
        job = Job(Corruptor(model), language=model.language or "en", judge=Judge(known=frozenset(model.words)))
        drawn = draw(texts, job, share)
        elsewhere = find_elsewhere(drawn, [*texts, *also], share)
    except PermendError as error:
        raise click.ClickException(str(error)) from None
    sentences = list(islice((each for each in drawn if each not in elsewhere), limit))
    if not sentences:
        raise click.ClickException("these texts have no good sentence in the paragraphs that are set aside")
    Path(output).write_text("\n".join(sentences) + "\n", encoding="utf-8")
    left_out = f"{len(elsewhere):,} of {len(drawn):,} that were set aside stand elsewhere, too"
    click.echo(f"{len(sentences):,} sentences written to {output}; {left_out}", err=True)


if __name__ == "__main__":
    main()
