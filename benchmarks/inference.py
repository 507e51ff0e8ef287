"""What a correction costs on one core, part by part.  Run: python -m benchmarks.inference FOLDER...

Every folder is a model, exported or trained; compare for example ``model-int8 model-float model``. All times are
processor time, so that whatever else runs on the machine counts as little as possible.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from permend.corrector.corrector import Corrector
from permend.method.search import search
from permend.model.networks import Bools, Floats, Ints, Networks, Parts, TemplateArrays, parts_of
from permend.model.torch.parity import SENTENCES
from permend.text.tokens import Tokenizer

LENGTHS = (10, 20, 30, 40, 80)
SENTENCES_EACH = 8
BATCH = 32
RUNS = 3


@dataclass
class Timed:
    """Networks with a watch, which keep the scores that they gave last."""

    inner: Networks
    seconds: dict[str, float] = field(default_factory=lambda: {"encode": 0.0, "fill": 0.0})
    scores: list[Floats] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Take over the config."""
        self.config = self.inner.config

    def encode(self, ids: Ints, mask: Bools) -> tuple[Floats, Floats]:
        """Encode."""
        begin = time.process_time()
        memory, scores = self.inner.encode(ids, mask)
        self.seconds["encode"] += time.process_time() - begin
        self.scores = [row[:n, :n] for row, n in zip(scores, mask.sum(1), strict=True)]
        return memory, scores

    @property
    def parts(self) -> TimedParts | None:
        """The encoder in two parts, with the same watch."""
        parts = parts_of(self.inner)
        return None if parts is None else TimedParts(parts, self)

    def fill(self, memory: Floats, mask: Bools, template: TemplateArrays) -> tuple[Ints, Floats]:
        """Fill."""
        begin = time.process_time()
        filled = self.inner.fill(memory, mask, template)
        self.seconds["fill"] += time.process_time() - begin
        return filled


@dataclass
class TimedParts:
    """Both parts of an encoder; what they take counts as encoding."""

    inner: Parts
    timed: Timed

    def start(self, ids: Ints, mask: Bools) -> tuple[Floats, Floats]:
        """Read with the first layers."""
        begin = time.process_time()
        found = self.inner.start(ids, mask)
        self.timed.seconds["encode"] += time.process_time() - begin
        return found

    def rest(self, states: Floats, ids: Ints, mask: Bools) -> tuple[Floats, Floats]:
        """Read on."""
        begin = time.process_time()
        memory, scores = self.inner.rest(states, ids, mask)
        self.timed.seconds["encode"] += time.process_time() - begin
        self.timed.scores = [row[:n, :n] for row, n in zip(scores, mask.sum(1), strict=True)]
        return memory, scores


def make_texts(length: int, tokenizer: Tokenizer, count: int) -> list[str]:
    """Cut stretches of exactly `length` tokens, `<s>` and `</s>` included, out of the built-in sentences."""
    texts = []
    for first in range(count):
        tokens = tokenizer.encode(" ".join(SENTENCES[(first + k) % len(SENTENCES)] for k in range(20)))
        texts.append(tokens.text[: tokens.spans[length - 2][1]])
    return texts


def cost(corrector: Corrector, text: str) -> dict[str, float]:
    """Return the milliseconds of each part for one sentence, the best of some runs."""
    timed = corrector.networks
    assert isinstance(timed, Timed)
    runs = []
    for _ in range(RUNS):
        timed.seconds.update(encode=0.0, fill=0.0)
        begin = time.process_time()
        corrector.correct(text)
        whole = time.process_time() - begin
        lengths = [len(matrix) - timed.config.slots for matrix in timed.scores]
        begin = time.process_time()
        search(timed.scores, lengths, beam=corrector.options.beam, best=corrector.options.alternatives)
        searched = time.process_time() - begin
        parts = {**timed.seconds, "search": searched}
        runs.append({**parts, "text": whole - sum(parts.values()), "whole": whole})
    return {name: 1000 * value for name, value in min(runs, key=lambda run: run["whole"]).items()}


def parts_table(name: str, corrector: Corrector) -> Table:
    """Time the parts for every length."""
    table = Table(
        "tokens",
        "encoder + pointer",
        "decoder",
        "search",
        "text",
        "whole",
        "search + text",
        title=f"{name}: ms a sentence",
    )
    corrector = Corrector.of(Timed(corrector.networks), corrector.tokenizer, corrector.options)
    for length in LENGTHS:
        texts = make_texts(length, corrector.tokenizer, SENTENCES_EACH)
        corrector.correct(texts[0])
        costs = [cost(corrector, text) for text in texts]
        mean = {part: sum(each[part] for each in costs) / len(costs) for part in costs[0]}
        share = (mean["search"] + mean["text"]) / mean["whole"]
        columns = (mean[part] for part in ("encode", "fill", "search", "text", "whole"))
        table.add_row(str(length), *(f"{value:.2f}" for value in columns), f"{share:.1%}")
    return table


def throughput(corrector: Corrector, texts: list[str], batch: int) -> float:
    """Return sentences a second, the best of some runs."""
    times = []
    for _ in range(RUNS):
        begin = time.process_time()
        corrector.correct_batch(texts, batch)
        times.append(time.process_time() - begin)
    return len(texts) / min(times)


@click.command(help=__doc__)
@click.argument("folders", nargs=-1, required=True)
def main(folders: tuple[str, ...]) -> None:
    """Print the tables."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    correctors = {path: Corrector.from_pretrained(path, threads=1) for path in folders}
    console = Console()
    batches = Table("folder", "tokens", "one by one", f"batches of {BATCH}", "gain", title="Sentences a second")
    for path, corrector in correctors.items():
        name = Path(path).name
        console.print(parts_table(name, corrector))
        for length in (10, 20, 40):
            texts = make_texts(length, corrector.tokenizer, BATCH)
            alone, together = (throughput(corrector, texts, size) for size in (1, BATCH))
            batches.add_row(name, str(length), f"{alone:.1f}", f"{together:.1f}", f"{together / alone:.2f}")
    console.print(batches)


if __name__ == "__main__":
    main()
