"""How a model does for people who write, learners or not: everyday slips, corrections of real documents, false alarms.

Run: python -m benchmarks.everyone MODEL [--everyday FILE] [--revisions set-aside.jsonl] [--clean docs.txt]
         [--show] [--json report.json]

In: a model folder; `everyday.txt`, which helped to choose models, or `everyday-test.txt`, which never did; the pairs
that `python -m benchmarks.revisions` writes; clean sentences, one a line. Out, for each mode as it ships:

    everyday     slips that are mended, by kind: the whole sentence must be right; correct sentences that were changed
    revisions    sentences mended exactly as their writers did, also of those alone in which no noun, verb, adjective or
                 adverb became another (nobody can guess these); misspellings mended; targets that were changed
    clean        sentences that were changed

`--show` lists what the default mode did not mend of the everyday sentences, and what it changed in correct ones.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import click
from rich.console import Console

from benchmarks.everyday import FILE, Slip, read_everyday
from benchmarks.revisions import Revision, read_revisions
from benchmarks.tables import Grid
from permend.cli.terminal import tracked
from permend.corpora.lines import read_lines
from permend.corrector.corrector import Corrector
from permend.errors import PermendError
from permend.evaluation.correcting import correct_with
from permend.model.options import DEFAULT, Mode, read_modes
from permend.synthesis.mining.gain import CONTENT
from permend.text.edits import diff

Texts = dict[str, list[str]]
"""What each mode made of some sentences."""


@dataclass
class Share:
    """So many of so many."""

    part: int = 0
    whole: int = 0

    def add(self, holds: bool) -> None:
        """Count one more."""
        self.part += holds
        self.whole += 1

    def __str__(self) -> str:
        """Write it as tables do."""
        return f"{self.part:,} of {self.whole:,} ({self.part / max(1, self.whole):.1%})"


@dataclass
class Measured:
    """What a mode did."""

    kinds: dict[str, Share] = field(default_factory=dict)
    """Everyday slips mended, by kind."""
    correct: Share = field(default_factory=Share)
    """Correct everyday sentences changed."""
    exact: Share = field(default_factory=Share)
    """Revisions mended exactly."""
    plain: Share = field(default_factory=Share)
    """The same, of those without another word of content."""
    misspellings: Share = field(default_factory=Share)
    targets: Share = field(default_factory=Share)
    """Targets of revisions changed."""
    clean: Share = field(default_factory=Share)
    """Clean sentences changed."""

    @property
    def mended(self) -> Share:
        """Everyday slips of all kinds."""
        return Share(sum(each.part for each in self.kinds.values()), sum(each.whole for each in self.kinds.values()))


def measure_everyday(slips: Sequence[Slip], made: Sequence[str], measured: Measured) -> None:
    """Count slips that became one of the right sentences."""
    for slip, text in zip(slips, made, strict=True):
        measured.kinds.setdefault(slip.kind, Share()).add(text in slip.rights)


def measure_revisions(pairs: Sequence[Revision], made: Sequence[str], measured: Measured) -> None:
    """Count sentences that became what their writers made of them, and misspellings, each by itself."""
    for pair, text in zip(pairs, made, strict=True):
        measured.exact.add(text == pair.target)
        if not any(kind.partition(":")[2] in CONTENT for kind in pair.types):
            measured.plain.add(text == pair.target)
        found = diff(pair.source, text)
        for edit, kind in zip(diff(pair.source, pair.target), pair.types, strict=False):
            if kind == "R:SPELL":
                measured.misspellings.add(edit in found)


def measure_changes(texts: Sequence[str], made: Sequence[str], share: Share) -> None:
    """Count sentences that were changed."""
    for before, after in zip(texts, made, strict=True):
        share.add(before != after)


def grids(found: dict[str, Measured]) -> list[Grid]:
    """Return the tables."""
    headers = ["", *found]
    kinds = next(iter(found.values())).kinds
    everyday = [[kind, *(str(each.kinds[kind]) for each in found.values())] for kind in kinds]
    everyday.append(["all", *(str(each.mended) for each in found.values())])
    everyday.append(["correct ones changed", *(str(each.correct) for each in found.values())])
    tables = [Grid("everyday sentences, mended", headers, everyday)]
    names = {
        "exact": "revisions mended exactly",
        "plain": "those without other words of content",
        "misspellings": "misspellings mended",
        "targets": "targets changed",
        "clean": "clean sentences changed",
    }
    rows = [
        [title, *(str(getattr(each, name)) for each in found.values())]
        for name, title in names.items()
        if any(getattr(each, name).whole for each in found.values())
    ]
    return [*tables, Grid("revisions and clean text", headers, rows)] if rows else tables


def _correct(corrector: Corrector, modes: dict[str, Mode], texts: Sequence[str]) -> Texts:
    """Correct texts in every mode, each text encoded once."""
    unique = list(dict.fromkeys(texts))
    found = correct_with(corrector, unique, [mode.options for mode in modes.values()], tracked)
    tables = [dict(zip(unique, (each.text for each in mine), strict=True)) for mine in found]
    return {name: [table[text] for text in texts] for name, table in zip(modes, tables, strict=True)}


@click.command(help=__doc__)
@click.argument("model")
@click.option("--everyday", default=FILE, type=click.Path(dir_okay=False, path_type=Path), help="Slips of everybody.")
@click.option("--revisions", metavar="FILE", help="Pairs of repositories that are set aside.")
@click.option("--clean", metavar="FILE", help="Sentences taken as correct, one a line.")
@click.option("--limit", type=click.IntRange(1), help="Use only the first so many of both.")
@click.option("--show", is_flag=True, help="Show everyday sentences that went wrong.")
@click.option("--json", "json_path", metavar="FILE", help="Write all counts here.")
def main(
    model: str,
    everyday: Path,
    revisions: str | None,
    clean: str | None,
    limit: int | None,
    show: bool,
    json_path: str | None,
) -> None:
    """Print the tables."""
    console = Console(highlight=False, markup=False)
    try:
        corrector = Corrector.from_pretrained(model, threads=1)
        modes = dict(read_modes(model).modes) or {"default options": Mode(corrector.options)}
        slips, correct = read_everyday(everyday)
        pairs = [pair for pair, _ in read_revisions(revisions)][:limit] if revisions else []
        sentences = [line for line in read_lines(clean) if line.strip()][:limit] if clean else []
    except PermendError as error:
        raise click.ClickException(str(error)) from None
    found = {name: Measured() for name in modes}
    wrongs, sources, targets = [s.wrong for s in slips], [p.source for p in pairs], [p.target for p in pairs]
    made = _correct(corrector, modes, [*wrongs, *correct, *sources, *targets, *sentences])
    for name, measured in found.items():
        texts = iter(made[name])
        measure_everyday(slips, [next(texts) for _ in slips], measured)
        measure_changes(correct, [next(texts) for _ in correct], measured.correct)
        measure_revisions(pairs, [next(texts) for _ in pairs], measured)
        measure_changes(targets, [next(texts) for _ in targets], measured.targets)
        measure_changes(sentences, list(texts), measured.clean)
    for grid in grids(found):
        console.print(grid.drawn())
    if show:
        chosen = DEFAULT if DEFAULT in modes else next(iter(modes))
        for slip, text in zip(slips, made[chosen], strict=False):
            if text not in slip.rights:
                console.print(f"{slip.kind}: {slip.wrong}\n→ {text}", soft_wrap=True)
        for before, after in zip(correct, made[chosen][len(slips) :], strict=False):
            if before != after:
                console.print(f"correct: {before}\n→ {after}", soft_wrap=True)
    if json_path is not None:
        Path(json_path).write_text(json.dumps({name: asdict(each) for name, each in found.items()}, indent=1) + "\n")


if __name__ == "__main__":
    main()
