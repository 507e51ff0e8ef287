"""A head that lets sentences leave early, learned from what a model itself leaves alone.

Run: python -m experiments.leave_early MODEL TEXT... -o FOLDER [--layers 4] [--workers 2] [--cache FOLDER]

In: an exported model with modes, and sentences, one a line, right and wrong ones, of the kind that it will meet; no
references. Out: a copy of the folder with the encoder in two parts and a head on the first
(`permend.model.torch.leave`). `permend tune FOLDER dev.m2` then finds out which doubts its modes may leave at.

The model corrects every sentence in its default mode, and the head learns which of them that changes. Sentences of
held-out sets are refused as in training; one in twenty is kept to tell what the head is worth. With --cache, what the
networks said is kept there, and the same command goes on from it.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import numpy as np
import onnx
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track

from permend.corpora.held_out import held_out_hashes, holds
from permend.corpora.lines import read_lines
from permend.corrector.corrector import Corrector
from permend.errors import PermendError
from permend.model.networks import sentence_arrays
from permend.model.onnx import DECODER, ENCODER, STATES, WEIGHTS, open_graph
from permend.model.options import MODES
from permend.model.torch.leave import Examples, shares_that_leave, train_head, write_parts
from permend.model.torch.split import split_graph

CHUNK = 1000
BATCH = 16
LEAST_WORDS = 7
"""Words of a sentence that counts as one of a held-out set."""
KEPT = 20
"""One in so many sentences is not learned from."""


def collect(model: str, layers: int, job: tuple[Path, list[str]]) -> Path:
    """Write what the networks make of some sentences into a file, unless it is there; return the file."""
    file, texts = job
    if file.exists():
        return file
    corrector = Corrector.from_pretrained(model, threads=1)
    config, tokenizer = corrector.networks.config, corrector.tokenizer
    texts = [text for text in texts if len(tokenizer.encode(text).ids) + config.slots <= config.max_length]
    changed = [bool(each.edits) for each in corrector.correct_batch(texts)]
    with TemporaryDirectory(dir=file.parent) as scratch:
        start, _ = split_graph(onnx.load(Path(model) / ENCODER, load_external_data=False), layers)
        shutil.copy(Path(model) / WEIGHTS, scratch)  # onnxruntime follows no links
        onnx.save(start, Path(scratch) / "start.onnx")
        session = open_graph(Path(scratch) / "start.onnx", threads=1)
        tokens = tokenizer.encode_batch(texts)
        order = sorted(range(len(texts)), key=lambda place: len(tokens[place].ids))
        states: list[NDArray[np.float16]] = []
        for at in range(0, len(order), BATCH):
            some = [tokens[place].ids for place in order[at : at + BATCH]]
            ids, mask = sentence_arrays(some, config.slots, config.slot_id(0), config.pad_id)
            (found,) = session.run([STATES], {"ids": ids, "mask": mask})
            states += [row[: len(each)].astype(np.float16) for row, each in zip(found, some, strict=True)]
    lengths = np.array([len(each) for each in states])
    whole = np.concatenate(states) if states else np.zeros((0, config.d), np.float16)
    part = file.with_suffix(".part.npz")
    np.savez(part, states=whole, lengths=lengths, changed=np.array([changed[place] for place in order]))
    part.rename(file)
    return file


def _key(model: str, layers: int, texts: Sequence[str]) -> str:
    """Return a name for what this model says of these sentences."""
    graphs = [(Path(model) / name).read_bytes() for name in (ENCODER, DECODER, MODES)]
    size = (Path(model) / WEIGHTS).stat().st_size
    return blake2b(repr((graphs, size, layers, texts)).encode(), digest_size=12).hexdigest()


def gather(files: Sequence[Path]) -> Examples:
    """Read what was collected."""
    loaded: list[dict[str, NDArray[Any]]] = [dict(np.load(file)) for file in files]
    return Examples(*(np.concatenate([each[name] for each in loaded]) for name in ("states", "lengths", "changed")))


@click.command()
@click.argument("model", type=click.Path(exists=True, file_okay=False))
@click.argument("texts", nargs=-1, required=True)
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False))
@click.option("--layers", type=click.IntRange(1), default=4, show_default=True, help="After how many to leave.")
@click.option("--epochs", type=click.IntRange(1), default=10, show_default=True)
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Processes, a core each.")
@click.option("--cache", type=click.Path(file_okay=False), help="Keep what the networks say here.")
def main(
    model: str, texts: tuple[str, ...], output: str, layers: int, epochs: int, workers: int, cache: str | None
) -> None:
    """Write the folder."""
    out, console = Path(output), Console(stderr=True)
    if out.exists():
        raise click.ClickException(f"{out} is in the way: name a new folder")
    sentences = list(dict.fromkeys(line.strip() for path in texts for line in read_lines(path) if line.strip()))
    known = held_out_hashes()
    allowed = [each for each in sentences if not holds(each, known, LEAST_WORDS)]
    console.print(f"{len(allowed):,} sentences; {len(sentences) - len(allowed):,} of held-out sets are left out")
    with TemporaryDirectory() as scratch:
        where = Path(cache or scratch)
        where.mkdir(parents=True, exist_ok=True)
        chunks = [allowed[at : at + CHUNK] for at in range(0, len(allowed), CHUNK)]
        jobs = [(where / f"{_key(model, layers, chunk)}.npz", chunk) for chunk in chunks]
        with ProcessPoolExecutor(workers) as pool:
            found = pool.map(partial(collect, model, layers), jobs)
            files = list(track(found, "correcting", total=len(jobs), console=console))
        examples = gather(files)
    try:
        kept = np.arange(len(examples.lengths)) % KEPT == 0
        head = train_head(examples.part(~kept), epochs)
        for share, leaving in shares_that_leave(head, examples.part(kept)).items():
            console.print(f"keeping {share:.1%} of the changes, {leaving:.1%} of the other sentences leave")
        shutil.copytree(model, out)
        write_parts(out, head, layers)
    except PermendError as error:
        raise click.ClickException(str(error)) from None
    console.print(f"{out}: leaves after {layers} layers; now run permend tune")


if __name__ == "__main__":
    main()
