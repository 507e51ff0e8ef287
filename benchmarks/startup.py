"""How soon the first sentence is corrected, and how much memory stays in use.

Run: python -m benchmarks.startup FOLDER...

Seconds are processor time with the files in the cache, so that other work on the machine does not count. Memory
includes the pages of weights.bin that are mapped, which the system can take back at any time.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

RUNS = 5
STAGES = ("import", "load", "first sentence", "second sentence")
CODE = """
import json, resource, sys, time

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()

stages, begin = [], time.process_time()
def done():
    global begin
    stages.append((time.process_time() - begin, resident()))
    begin = time.process_time()

from permend.corrector.corrector import Corrector
done()
corrector = Corrector.from_pretrained(sys.argv[1], threads=1)
done()
for text in ("He go to school every days.", "She have went to the cinema with they friends yesterday."):
    corrector.correct(text)
    done()
print(json.dumps(stages))
"""


def measure(folder: str) -> list[tuple[float, int]]:
    """Return seconds and resident bytes after each stage, in a fresh interpreter."""
    done = subprocess.run([sys.executable, "-c", CODE, folder], check=True, capture_output=True, text=True)
    return [(seconds, size) for seconds, size in json.loads(done.stdout)]


@click.command(help=__doc__)
@click.argument("folders", nargs=-1, required=True)
def main(folders: tuple[str, ...]) -> None:
    """Print the table."""
    table = Table("folder", "stage", "seconds", "resident MB", title=f"Start-up, median of {RUNS}")
    for folder in folders:
        runs = [measure(folder) for _ in range(RUNS + 1)][1:]
        for stage, values in zip(STAGES, zip(*runs, strict=True), strict=True):
            seconds, sizes = zip(*values, strict=True)
            name = Path(folder).name if stage == STAGES[0] else ""
            table.add_row(name, stage, f"{statistics.median(seconds):.3f}", f"{statistics.median(sizes) / 1e6:.0f}")
        whole = statistics.median(sum(seconds for seconds, _ in run[:-1]) for run in runs)
        table.add_row("", "all, to the first sentence", f"{whole:.3f}", "")
    Console().print(table)


if __name__ == "__main__":
    main()
