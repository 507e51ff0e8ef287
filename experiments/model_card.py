"""Write a model's card from what was measured.

Run: python -m experiments.model_card MODEL REPORT.json... [--speed SPEED.json] [--judged changes.tsv]
         [--examples FILE] [--template FILE]

In: a Markdown template with what a person has to say (data, terms, recipe, failings) and a `$name` wherever a number or
a table belongs; the reports of `benchmarks.quality` and `benchmarks.speed`; the changes in clean text with a person's
verdict on each; sentences to be corrected and shown as they come out. Out: `README.md` in the model's folder. The
hashes of the folder do not cover its card, so they stay right.

| in the template | what comes there |
|---|---|
| `$encoder`, `$parameters` | from the card that the export wrote |
| `$vocabulary`, `$d`, `$slots`, `$masks`, `$decoder_layers`, `$max_length`, `$size` | from the folder |
| `$modes` | the operating points and what they were chosen on |
| `$scores`, `$fluency`, `$types`, `$parts`, `$clean` | tables of the reports |
| `$at_recall` | correct sentences changed at the recall of interest |
| `$speed_on`, `$speed`, `$verdicts`, `$examples` | from the other files |
| `$root` | the way from the model's folder to the repository |

A report on another model, even on the same one with other modes, is refused; so is a template that asks for what was
not measured, or in which something is still to be filled in (`FILL`).
"""

from __future__ import annotations

import csv
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from string import Template

import click

from benchmarks import tables
from benchmarks.results import Measured, Report, fingerprint
from benchmarks.speed import Speed
from benchmarks.tables import Grid
from permend.corrector.corrector import Corrector
from permend.errors import InputError, PermendError
from permend.evaluation.correcting import correct_with
from permend.model.config import ModelConfig
from permend.model.folder import read_card
from permend.model.options import DEFAULT, Modes, read_modes

ROOT = Path(__file__).parent.parent
TEMPLATE = Path(__file__).with_name("card") / "en.markdown"
SHOWN = (DEFAULT, "thorough")
"""Modes in which examples are shown."""


def fill(template: str, values: Mapping[str, str]) -> str:
    """Put values into a template, which must want nothing else."""
    if "FILL" in template:
        line = next(line for line in template.splitlines() if "FILL" in line)
        raise PermendError(f"the template is not complete: {line.strip()}")
    try:
        return Template(template).substitute(values)
    except KeyError as error:
        raise PermendError(f"the template wants ${error.args[0]}, which nothing given here holds") from None


def describe(folder: Path) -> dict[str, str]:
    """Return what the folder says about itself."""
    config, facts = ModelConfig.from_file(folder / "config.json"), read_card(folder).facts
    size = sum(file.stat().st_size for file in folder.iterdir() if file.is_file() and file.name != "README.md")
    values: dict[str, str] = {
        "vocabulary": f"{config.vocab_size:,}",
        "size": f"{size / 1e6:.1f} MB",
        "root": os.path.relpath(ROOT, folder.resolve()),
        **{name: str(getattr(config, name)) for name in ("d", "slots", "masks", "decoder_layers", "max_length")},
        **{name: facts[name] for name in ("encoder", "parameters") if name in facts},
    }
    modes = read_modes(folder)
    if modes.modes:
        values["modes"] = modes_grid(modes).markdown()
    return values


def modes_grid(modes: Modes) -> Grid:
    """Return the operating points."""
    rows = [
        [
            *(name, f"{o.bias:g}", f"{o.min_margin:.3g}", f"{o.least_margin:.3g}", f"{o.min_confidence:g}"),
            *(str(o.beam), str(o.steps)),
        ]
        for name, o in ((name, mode.options) for name, mode in modes.modes.items())
    ]
    heads = ["mode", "bias c", "least margin", "of slips", "least probability of an edit", "beam"]
    return Grid("", [*heads, "passes of the decoder"], rows)


def measured_values(sets: Sequence[Measured]) -> dict[str, str]:
    """Return the tables of all reports; where several sets could give one, the first does."""
    scored = [each for each in sets if each.metric in ("errant", "m2")]
    values = {
        "scores": _stacked(scored),
        "fluency": _stacked([each for each in sets if each.metric == "gleu"]),
        "clean": _stacked([each for each in sets if each.metric == "clean"]),
    }
    for each in sets:
        grids = {"types": tables.types(each), "parts": tables.parts(each)}
        for name, grid in grids.items():
            if grid.rows:
                values.setdefault(name, grid.markdown())
        if each.at_recall is not None:
            values.setdefault("at_recall", "No threshold reaches it." if each.alarms is None else str(each.alarms))
    return {name: value for name, value in values.items() if value}


def _stacked(sets: Sequence[Measured]) -> str:
    """Return the tables of several sets as one, each row with the name of its set."""
    grids = [tables.scores(each) for each in sets]
    if not grids:
        return ""
    headers = max((grid.headers for grid in grids), key=len)
    named = [
        [f"{each.name} ({tables.METRICS[each.metric]})" if not place else "", *row]
        for each, grid in zip(sets, grids, strict=True)
        for place, row in enumerate(grid.rows)
    ]
    return Grid("", ["set", *headers], [[*row, *[""] * (len(headers) + 1 - len(row))] for row in named]).markdown()


def verdict_grid(path: str, clean: Measured, modes: Iterable[str]) -> Grid:
    """Return what a person thinks of changes in clean text, for all modes of which every change has a verdict.

    The default mode must be one of them.
    """
    with Path(path).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    judged = {name: Counter(row["verdict"] for row in rows if name in row["modes"].split(",")) for name in modes}
    for name, counts in judged.items():
        if counts.total() != clean.systems[name].changed:
            found = f"{counts.total()} changes in mode {name}, the report {clean.systems[name].changed}"
            raise InputError(f"the file of judged changes has {found}: judge those of the last measurement", path)
        if counts[""] and (name == DEFAULT or DEFAULT not in judged):
            raise InputError(f"{counts['']} changes in mode {name} have no verdict in the first column yet", path)
    judged = {name: counts for name, counts in judged.items() if not counts[""]}
    kinds = sorted({kind for counts in judged.values() for kind in counts})
    cells = [[name, *(str(counts[kind]) for kind in kinds)] for name, counts in judged.items()]
    return Grid("", ["mode", *kinds], cells)


def show_examples(lines: Iterable[str], corrector: Corrector, modes: Modes) -> str:
    """Correct sentences and return them group by group; a line that begins with # opens a group."""
    names = [name for name in SHOWN if name in modes.modes]
    groups: dict[str, list[str]] = {}
    heading = ""
    for line in filter(None, map(str.strip, lines)):
        if line.startswith("#"):
            heading = line.lstrip("# ")
        else:
            groups.setdefault(heading, []).append(line)
    sentences = [sentence for group in groups.values() for sentence in group]
    results = correct_with(corrector, sentences, [modes.modes[name].options for name in names])
    found = {s: [each.text for each in row] for s, *row in zip(sentences, *results, strict=True)}
    parts = []
    for heading, group in groups.items():
        rows = [[s, *("*unchanged*" if text == s else text for text in found[s])] for s in group]
        parts += [heading] * bool(heading) + [Grid("", ["sentence", *names], rows).markdown()]
    return "\n\n".join(parts)


def read_reports(paths: Sequence[str], expected: str) -> list[Measured]:
    """Return the sets of all reports, which must be about the model with this fingerprint."""
    reports = {path: Report.read(path) for path in paths}
    for path, report in reports.items():
        _refuse_other_model(path, report.fingerprint, expected)
    return [each for report in reports.values() for each in report.sets]


def _refuse_other_model(path: str, found: str, expected: str) -> None:
    if found != expected:
        raise InputError(f"this report is about another model ({found}, the folder is {expected}): measure again", path)


@click.command()
@click.argument("model")
@click.argument("reports", nargs=-1, required=True)
@click.option("--speed", metavar="FILE", help="Report of benchmarks.speed.")
@click.option("--judged", metavar="FILE.tsv", help="Changes of benchmarks.quality with a verdict on each.")
@click.option("--examples", metavar="FILE", help="Sentences to correct and show, one a line; # opens a group.")
@click.option("--template", default=TEMPLATE, type=Path, show_default="experiments/card/en.markdown")
def main(
    model: str, reports: tuple[str, ...], speed: str | None, judged: str | None, examples: str | None, template: Path
) -> None:
    """Write the card."""
    folder = Path(model)
    try:
        own = fingerprint(folder)
        sets = read_reports(reports, own)
        values = describe(folder) | measured_values(sets)
        if speed is not None:
            found = Speed.read(speed)
            _refuse_other_model(speed, found.fingerprint, own)
            values |= {"speed": found.grid().markdown(), "speed_on": found.grid().title}
        if judged is not None:
            clean = [each for each in sets if each.metric == "clean"]
            if not clean:
                raise PermendError("there are judged changes, but no report on clean text")
            values["verdicts"] = verdict_grid(judged, clean[0], read_modes(folder).modes).markdown()
        if examples is not None:
            lines = Path(examples).read_text(encoding="utf-8").splitlines()
            values["examples"] = show_examples(lines, Corrector.from_pretrained(folder, threads=1), read_modes(folder))
        card = fill(template.read_text(encoding="utf-8"), values)
    except (PermendError, OSError) as error:
        raise click.ClickException(str(error)) from None
    (folder / "README.md").write_text(card, encoding="utf-8")
    click.echo(f"written to {folder / 'README.md'}", err=True)


if __name__ == "__main__":
    main()
