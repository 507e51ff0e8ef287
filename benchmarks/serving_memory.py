"""How much memory the processes of a server share: what each uses, and its fair part of what they use together.

Run: python -m benchmarks.serving_memory [MODEL] [--workers 4]

Each worker is asked until all have corrected something. ``RSS`` counts all pages of a process, ``PSS`` a page that
n processes use as an n-th part, so that the sum of a column of PSS is what the machine has given.
"""

from __future__ import annotations

from pathlib import Path

import click
import httpx
from rich.console import Console

from benchmarks.serving_fuzz import served
from benchmarks.tables import Grid


def memory(number: int) -> tuple[float, float]:
    """Return a process's RSS and PSS in MiB."""
    lines = Path(f"/proc/{number}/smaps_rollup").read_text(encoding="ascii").splitlines()[1:]
    counted = {line.partition(":")[0]: int(line.split()[1]) / 1024 for line in lines}
    return counted["Rss"], counted["Pss"]


@click.command()
@click.argument("model", required=False)
@click.option("--workers", default=4, show_default=True)
def main(model: str | None, workers: int) -> None:
    """Measure."""
    with served(model, "--workers", str(workers), "--threads", "1") as (number, url):
        for asked in range(10 * workers):
            form = {"language": "en-US", "text": f"He go to school in {1900 + asked}, and she have many informations."}
            httpx.post(f"{url}/v2/check", data=form, timeout=60).raise_for_status()
        children = Path(f"/proc/{number}/task/{number}/children").read_text(encoding="ascii").split()
        processes = [("the first", number), *(("worker", int(child)) for child in children)]
        measured = [(name, *memory(process)) for name, process in processes]
    rows = [[name, f"{rss:.0f}", f"{pss:.0f}"] for name, rss, pss in measured]
    total = ["together", f"{sum(row[1] for row in measured):.0f}", f"{sum(row[2] for row in measured):.0f}"]
    Console().print(Grid("Memory, MiB", ["process", "RSS", "PSS"], [*rows, total]).drawn())


if __name__ == "__main__":
    main()
