"""How fast a model corrects on one core, what memory it holds, how soon it answers.

Run: python -m benchmarks.speed MODEL SENTENCES [--harper FOLDER] [--json FILE]

SENTENCES is an M2 file or has one sentence a line. Everything runs on one and the same core, one system after the
other, the model in its default mode and in `thorough`; speed is by processor time. FOLDER is where `npm install
harper.js` was run. Give thousands of sentences: Harper needs hundreds until it runs at full speed (88 sentences/s over
500, 176 over 4,384).
"""

from __future__ import annotations

import dataclasses
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console

from benchmarks import harper
from benchmarks.results import fingerprint
from benchmarks.tables import Grid
from permend.corpora.lines import read_lines
from permend.corpora.pairs import holds_pairs
from permend.errors import InputError
from permend.evaluation.devset import read_devset
from permend.model.options import THOROUGH, read_modes

RUNS = 3
"""Cold starts, of which the median counts."""
BATCH = 8
CODE = """
import json, resource, sys, time
from permend.corrector.corrector import Corrector

corrector = Corrector.from_pretrained(sys.argv[1], threads=1, mode=sys.argv[3] or None)
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


@dataclass(frozen=True)
class Row:
    """What a system takes."""

    system: str
    rate: float
    """Sentences a second of processor time."""
    resident: int
    """Most bytes held in memory."""
    first_answer: float | None = None
    """Seconds from a cold start of the command to its first answer."""


@dataclass(frozen=True)
class Speed:
    """What a model and its peers take, on the same sentences and the same core."""

    fingerprint: str
    sentences: int
    processor: str
    rows: Sequence[Row]

    @classmethod
    def read(cls, path: str | Path) -> Speed:
        """Read what was written."""
        try:
            values = json.loads(Path(path).read_text(encoding="utf-8"))
            return cls(**{**values, "rows": [Row(**row) for row in values["rows"]]})
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise InputError(f"this is no report of benchmarks.speed ({error.__class__.__name__})", path) from None

    def grid(self) -> Grid:
        """Return the table."""
        rows = [
            [
                row.system,
                f"{row.rate:.1f}",
                f"{row.resident / 1e6:.0f}",
                "" if row.first_answer is None else f"{row.first_answer:.2f}",
            ]
            for row in self.rows
        ]
        title = f"{self.sentences:,} sentences, one core of {self.processor}"
        return Grid(title, ["system", "sentences/s", "MB", "first answer, s"], rows)


def throughput(model: str, texts: list[str], batch: int, mode: str = "") -> tuple[float, int]:
    """Return sentences a second and the most memory held, in a fresh interpreter."""
    command = [sys.executable, "-c", CODE, model, str(batch), mode]
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


def read_sentences(path: str, limit: int | None) -> list[str]:
    """Return the sentences of a development set or of a text file."""
    if holds_pairs(path):
        return read_devset(path, limit).texts
    return [line for line in read_lines(path) if line.strip()][:limit]


def measure(model: str, texts: list[str], harper_folder: str | None) -> list[Row]:
    """Measure the model one by one and in batches, and the peer that is installed."""
    start = cold_start(model)
    rows = [Row("permend, one by one", *throughput(model, texts, 1), start)]
    rows.append(Row(f"permend, batches of {BATCH}", *throughput(model, texts, BATCH)))
    if THOROUGH in read_modes(model).modes:
        rows.append(Row(f"permend, batches of {BATCH}, {THOROUGH}", *throughput(model, texts, BATCH, THOROUGH)))
    peer = harper.correct(texts, harper_folder)
    if peer is not None:
        rows.append(Row("Harper", len(texts) / peer.seconds, peer.resident))
    return rows


def processor() -> str:
    """Return the name of the machine's processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown processor"


@click.command()
@click.argument("model")
@click.argument("sentences")
@click.option("--harper", "harper_folder", metavar="FOLDER", help="Where `npm install harper.js` was run.")
@click.option("--limit", type=int, help="Only the first sentences.")
@click.option("--json", "json_path", metavar="FILE", help="Write all numbers here.")
def main(model: str, sentences: str, harper_folder: str | None, limit: int | None, json_path: str | None) -> None:
    """Print the table."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    texts = read_sentences(sentences, limit)
    found = Speed(fingerprint(model), len(texts), processor(), measure(model, texts, harper_folder))
    console = Console(highlight=False)
    console.print(found.grid().drawn())
    if not any(row.system == "Harper" for row in found.rows):
        console.print("Harper is not installed here and left out.")
    if json_path is not None:
        Path(json_path).write_text(json.dumps(dataclasses.asdict(found), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
