"""What checking a long document takes: sentence by sentence, in batches, with two workers, and once more.

Run: python -m benchmarks.documents MODEL [--words 10000] [--json FILE]

The document is invented: sentences from templates, no two alike, one in four with an error. Every row is the best of
some rounds that take turns, one thread to a worker. Two workers are timed by the clock, so nothing else should run on
the machine; the rest by processor time. Starts are by the clock, the median of some.
"""

from __future__ import annotations

import dataclasses
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import click
from rich.console import Console

from benchmarks.speed import processor
from benchmarks.tables import Grid
from permend.corrector.corrector import Corrector
from permend.documents import Document
from permend.documents.checker import BATCH, Checker

ROUNDS = 2
STARTS = 5
WHO = "My neighbour|The old teacher|Our youngest daughter|A friend of mine|The new doctor|Every visitor|This company"
DOES = (
    "keeps a small boat|reads the local paper|wants to sell the house|grows tomatoes and beans|looks for a better job|"
    "teaches the children to swim|writes long letters to the council|repairs old radios"
)
DID = (
    "bought a second-hand car|lost an expensive ring|painted the kitchen yellow|went to see the manager|"
    "forgot about the meeting|took a photograph of the bridge|found some money under the carpet|told us the whole story"
)
WHEN = "Last winter|On Sunday evening|Two years ago|After the concert|During the holidays|Before the war"
WHERE = "near the station|in the next village|at the end of our street|behind the hall|by the lake|in the mountains"
WHY = (
    "because the weather was so good|although nobody had asked for it|so that the family could stay together|"
    "which surprised all of us|and I still think about it|before the shops were closed"
)
ERRORS = {
    "keeps": "keep", "reads": "read", "wants to sell": "wants sell", "a better job": "an better job", "grows": "grow",
    "lost an": "lost a", "went to see": "go to see", "found some money": "found some moneys", "the meeting": "meeting",
    "in the next": "at the next", "at the end": "in the end", "because": "becouse", "surprised": "suprised",
    "although nobody": "although anybody", "were closed": "was closed", "told us": "told to us",
}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One way to check the document."""

    name: str
    seconds: float
    against: str
    """The row that it is compared with."""
    ratio: float
    wanted: float


@dataclass(frozen=True)
class Costs:
    """All that was measured."""

    words: int
    sentences: int
    processor: str
    rows: list[Row]
    findings: int
    otherwise: int
    """Findings that are there only in batches, or only one sentence at a time."""
    resident: int
    """Most bytes held by `permend correct`, which takes all cores."""
    import_seconds: float
    start_seconds: float
    load: float
    """How many processes wanted a core before all this began."""

    def grids(self) -> list[Grid]:
        """Return the tables."""
        title = f"{self.words:,} words, {self.sentences:,} sentences, {self.findings:,} findings, {self.processor}"
        caption = f"{self.otherwise} findings are there only in batches or only one at a time; load {self.load:.1f}"
        rows = [
            [row.name, f"{row.seconds:.2f}", row.against, f"{row.ratio:.2f}" if row.against else "", _at_least(row)]
            for row in self.rows
        ]
        limits = [
            ["permend correct, most MB", f"{self.resident / 1e6:.0f}", "< 400"],
            ["import permend, s", f"{self.import_seconds:.3f}", "< 0.15"],
            ["cold start to the first correction, s", f"{self.start_seconds:.2f}", "< 1.5"],
        ]
        return [
            Grid(title, ["checked", "s", "compared with", "times faster", "wanted"], rows, caption),
            Grid("Around it", ["", "measured", "wanted"], limits),
        ]


def _at_least(row: Row) -> str:
    return f"≥ {row.wanted}" if row.against else ""


def make_document(words: int, seed: int = 1) -> str:
    """Invent a document of paragraphs with about so many words."""
    random = Random(seed)
    sentences: dict[str, int] = {}
    total = 0
    while total < words:
        sentence = _sentence(random)
        if sentence not in sentences:
            sentences[sentence] = len(sentence.split())
            total += sentences[sentence]
    lines = list(sentences)
    return "\n\n".join(" ".join(lines[at : at + 6]) for at in range(0, len(lines), 6)) + "\n"


def _sentence(random: Random) -> str:
    def one_of(choices: str) -> str:
        return random.choice(choices.split("|"))

    who, does, did, when, where, why = map(one_of, (WHO, DOES, DID, WHEN, WHERE, WHY))
    shapes = (
        f"{who} {does} {where}.",
        f"{who} {does} {where} {why}.",
        f"{when}, {who[0].lower()}{who[1:]} {did} {where}.",
        f"{when}, {who[0].lower()}{who[1:]} {did} {where}, {why}.",
        f"{who} {did} {where}, and {one_of(WHO).lower()} {does} {one_of(WHERE)} {why}.",
        f"{when} it was cold, {why}, and {who.lower()}, who {does}, {did} {where}.",
    )
    sentence = random.choice(shapes)
    possible = [right for right in ERRORS if right in sentence]
    if possible and random.random() < 0.25:
        right = random.choice(possible)
        return sentence.replace(right, ERRORS[right], 1)
    return sentence


def change_one(text: str) -> str:
    """Change one sentence in the middle."""
    middle = text.index(". ", len(text) // 2) + 2
    return text[:middle] + "Yesterday " + text[middle].lower() + text[middle + 1 :]


def timed(action: Callable[[], object], clock: Callable[[], float]) -> float:
    """Return the seconds that something takes."""
    begin = clock()
    action()
    return clock() - begin


def check(checker: Checker, text: str) -> str:
    """Check a text and return it corrected."""
    return "".join(each.text for each in checker.check(Document.from_text(text)))


def measure_rows(corrector: Corrector, text: str) -> list[Row]:
    """Time all ways to check, which take turns."""
    names = ("one at a time", "batched", "batched (clock)", "two workers (clock)", "checked again")
    best = dict.fromkeys(names, float("inf"))
    for _ in range(ROUNDS):
        warm = Checker(corrector)
        actions: list[tuple[Callable[[], object], Callable[[], float]]] = [
            (lambda: check(Checker(corrector, batch=1), text), time.process_time),
            (lambda warm=warm: check(warm, text), time.process_time),  # type: ignore[misc]
            (lambda: check(Checker(corrector), text), time.perf_counter),
            (lambda: check(Checker(corrector, workers=2), text), time.perf_counter),
            (lambda warm=warm: check(warm, change_one(text)), time.process_time),  # type: ignore[misc]
        ]
        for name, (action, clock) in zip(names, actions, strict=True):
            best[name] = min(best[name], timed(action, clock))
    alone, batched, clock_one, clock_two, again = names
    compared = [(alone, "", 0.0), (batched, alone, 1.2), (clock_one, "", 0.0), (clock_two, clock_one, 1.7)]
    compared += [(again, batched, 20.0)]
    return [
        Row(name, best[name], other, best[other] / best[name] if other else 1.0, wanted)
        for name, other, wanted in compared
    ]


def count_findings(corrector: Corrector, text: str) -> tuple[int, int]:
    """Return the findings, and how many are there only in batches or only one sentence at a time."""
    together, alone = (set(Checker(corrector, batch=batch).check_text(text)) for batch in (BATCH, 1))
    places = [{(each.start, each.end, each.after) for each in found} for found in (together, alone)]
    return len(together), len(places[0] ^ places[1])


MEMORY_CODE = """
import resource, sys
from permend.cli.correct import correct
correct.main(sys.argv[1:], standalone_mode=False)
print(1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""
IMPORT_CODE = "import time; begin = time.perf_counter(); import permend; print(time.perf_counter() - begin)"
START_CODE = "from permend.cli.correct import correct; correct()"


def _run(code: str, *arguments: str, stdin: str = "") -> tuple[str, str]:
    """Return what a fresh interpreter writes to standard output and standard error."""
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, input=stdin, check=True, capture_output=True, text=True)
    return done.stdout, done.stderr


def measure(model: str, words: int) -> Costs:
    """Measure everything."""
    load = os.getloadavg()[0]
    text = make_document(words)
    corrector = Corrector.from_pretrained(model, threads=1)
    corrector.correct("He go to school yesterday.")
    findings, otherwise = count_findings(corrector, text)
    start = ("--model", model, "--threads", "1", "He go to school yesterday.")
    return Costs(
        words=len(text.split()),
        sentences=len(list(Document.from_text(text).sentences)),
        processor=f"{processor()}, {len(os.sched_getaffinity(0))} cores",
        rows=measure_rows(corrector, text),
        findings=findings,
        load=load,
        otherwise=otherwise,
        resident=int(_run(MEMORY_CODE, "--model", model, stdin=text)[1]),
        import_seconds=statistics.median(float(_run(IMPORT_CODE)[0]) for _ in range(STARTS)),
        start_seconds=statistics.median(
            timed(lambda: _run(START_CODE, *start), time.perf_counter) for _ in range(STARTS)
        ),
    )


@click.command()
@click.argument("model")
@click.option("--words", default=10_000, show_default=True, help="Length of the document.")
@click.option("--json", "json_path", metavar="FILE", help="Write all numbers here.")
def main(model: str, words: int, json_path: str | None) -> None:
    """Print the tables."""
    found = measure(model, words)
    for grid in found.grids():
        Console(highlight=False).print(grid.drawn())
    if json_path is not None:
        Path(json_path).write_text(json.dumps(dataclasses.asdict(found), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
