"""How fast a model corrects on one core, what memory it holds, how soon it answers.

Run: python -m benchmarks.speed MODEL SENTENCES [--harper FOLDER]

SENTENCES is an M2 file or has one sentence a line. Everything runs on one and the same core, one system after the
other, the model in its default mode; speed is by processor time. FOLDER is where `npm install harper.js` was run.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time

import click
from rich.console import Console
from rich.table import Table

from benchmarks import harper
from permend.corpora.lines import content_suffix, read_lines
from permend.corpora.pairs import read_pairs

RUNS = 3
"""Cold starts, of which the median counts."""
CODE = """
import json, resource, sys, time
from permend.corrector import Corrector

corrector = Corrector.from_pretrained(sys.argv[1], threads=1)
texts, batch = json.load(sys.stdin), int(sys.argv[2])
corrector.correct(texts[0])
begin = time.process_time()
if batch == 1:
    for text in texts:
        corrector.correct(text)
else:
    corrector.correct_batch(texts, batch)
seconds = time.process_time() - begin
print(json.dumps([seconds, 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]))
"""
COMMAND = "from permend.cli.correct import correct; correct()"


def throughput(model: str, texts: list[str], batch: int) -> tuple[float, int]:
    """Return sentences a second and the most memory held, in a fresh interpreter."""
    command = [sys.executable, "-c", CODE, model, str(batch)]
    done = subprocess.run(command, input=json.dumps(texts), check=True, capture_output=True, text=True)
    seconds, resident = json.loads(done.stdout)
    return len(texts) / seconds, resident


def cold_start(model: str) -> float:
    """Return the seconds from starting `permend correct` to the end of its first answer."""
    command = [sys.executable, "-c", COMMAND, "--model", model, "--threads", "1", "He go to school yesterday."]
    times = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def read_sentences(path: str, limit: int) -> list[str]:
    """Return raw sentences of an M2 file or of a text file."""
    if content_suffix(path) == ".m2":
        return [pair.source for pair in read_pairs(path, raw=True)][:limit]
    return [line for line in read_lines(path) if line.strip()][:limit]


@click.command()
@click.argument("model")
@click.argument("sentences")
@click.option("--harper", "harper_folder", help="Where `npm install harper.js` was run.")
@click.option("--limit", default=500, show_default=True, help="How many sentences.")
def main(model: str, sentences: str, harper_folder: str | None, limit: int) -> None:
    """Print the table."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    texts = read_sentences(sentences, limit)
    console = Console()
    table = Table("system", "sentences/s", "MB", "first answer, s", title=f"{len(texts):,} sentences, one core")
    start = f"{cold_start(model):.2f}"
    for batch in (1, 32):
        speed, resident = throughput(model, texts, batch)
        name = "one by one" if batch == 1 else f"batches of {batch}"
        table.add_row(f"permend, {name}", f"{speed:.1f}", f"{resident / 1e6:.0f}", start if batch == 1 else "")
    peer = harper.correct(texts, harper_folder)
    if peer is not None:
        table.add_row("Harper", f"{len(texts) / peer.seconds:.1f}", f"{peer.resident / 1e6:.0f}", "")
    console.print(table)
    if peer is None:
        console.print("Harper is not installed here and left out.")


if __name__ == "__main__":
    main()
