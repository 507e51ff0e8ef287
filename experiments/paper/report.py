"""Tables as files: Markdown to read, JSON for programs, pictures where these say more.

In: a `PaperTable`, and where it comes from: commit, settings, device, minutes of training. Out: `table2.md`,
`table2.json`, and for tables that are drawn `table3.png`, in the folder of results.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.tables import Grid
from experiments.paper.spent import minutes, read_spent
from experiments.paper.tables import AGGRESSIVE, GREEDY, PaperTable
from experiments.paper.trainings import choose, read_done


@dataclass(frozen=True)
class Origin:
    """What stands behind the numbers."""

    commit: str
    settings: str
    """The file of settings, or how they were made."""
    devices: tuple[str, ...]
    """What was trained on."""
    training_minutes: float
    """In which at least one training ran, compiling included."""
    minutes: float
    """In which that device was needed for anything: training, asking, timing."""
    trainings: int

    def line(self) -> str:
        """Return it in one line."""
        where = " and ".join(self.devices) or "no device"
        return (
            f"Commit {self.commit}; settings {self.settings}; {self.trainings} trainings on {where}, "
            f"{self.training_minutes:.1f} minutes; with asking and timing there {self.minutes:.1f} minutes."
        )


def origin(work: Path, settings: str) -> Origin:
    """Return what stands behind a work folder."""
    done = [each for training in choose([]) if (each := read_done(work, training)) is not None]
    devices = sorted({each.device for each in done})
    pieces = [each for each in read_spent(work) if each.device in devices]
    training = minutes(each for each in pieces if each.what.startswith("train "))
    return Origin(_commit(), settings, tuple(devices), training, minutes(pieces), len(done))


def write(table: PaperTable, folder: Path, made: Origin) -> list[Path]:
    """Write a table's files."""
    folder.mkdir(parents=True, exist_ok=True)
    text = folder / f"{table.name}.md"
    text.write_text(markdown(table, made), encoding="utf-8")
    values = folder / f"{table.name}.json"
    plain: dict[str, Any] = {"table": table.name, "title": table.title, "origin": vars(made)}
    plain |= {"headers": table.headers, "rows": table.rows, "values": table.values, "notes": table.notes}
    values.write_text(json.dumps(plain, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    picture = _draw(table, folder / f"{table.name}.png")
    return [text, values, *([picture] if picture else [])]


def markdown(table: PaperTable, made: Origin) -> str:
    """Return a table as Markdown."""
    notes = "".join(f"\n{note}\n" for note in (*table.notes, made.line()))
    return f"# {table.title}\n\n{grid(table).markdown()}\n{notes}"


def grid(table: PaperTable) -> Grid:
    """Return a table to look at."""
    return Grid(table.title, table.headers, table.rows, "\n".join(table.notes))


def _draw(table: PaperTable, path: Path) -> Path | None:
    """Draw latency over length, or speed-ups; None where there is nothing to draw."""
    if table.name not in ("latency", "table3") or not table.values:
        return None
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(table.values), figsize=(6.5 * len(table.values), 4), squeeze=False)
    for axis, (device, values) in zip(axes[0], table.values.items(), strict=True):
        axis.set_title(device)
        if table.name == "latency":
            _curves(axis, values)
        else:
            _bars(axis, values)
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
    return path


def _curves(axis: Any, values: dict[str, dict[str, float]]) -> None:
    for name, points in values.items():
        strong = name.startswith("permend") or name in (GREEDY, AGGRESSIVE)
        at = [int(start) + 5 for start in points]
        axis.plot(at, [1000 * s for s in points.values()], label=name, marker=".", alpha=1.0 if strong else 0.4)
    axis.set_xlabel("source tokens")
    axis.set_ylabel("milliseconds a sentence")
    axis.set_ylim(bottom=0)
    axis.legend(fontsize=7)


def _bars(axis: Any, values: dict[str, float]) -> None:
    names: Sequence[str] = list(values)[::-1]
    if GREEDY not in values:
        return
    speed_ups = [values[GREEDY] / values[name] for name in names]
    axis.barh(names, speed_ups, color=["tab:blue" if name.startswith("permend") else "silver" for name in names])
    axis.set_xlabel(f"times as fast as {GREEDY}")


def _commit() -> str:
    """Return the commit, with a plus where something is not committed."""
    here = Path(__file__).parent
    try:
        head = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=here, capture_output=True, text=True)
        dirty = subprocess.run(["git", "status", "--porcelain"], cwd=here, capture_output=True, text=True)
    except OSError:
        return "unknown"
    return (head.stdout.strip() or "unknown") + ("+" if dirty.stdout.strip() else "")
