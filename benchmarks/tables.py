"""Tables of results, for the terminal and for a model card.

In: a `Measured`. Out: a `Grid` of cells, which is drawn or written as Markdown.

>>> print(Grid("", ["mode", "P"], [["balanced", "61.4"]]).markdown())
| mode | P |
|---|---|
| balanced | 61.4 |
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.table import Table

from benchmarks.results import Measured, Result
from permend.evaluation.score import Score

FAMILIAR = ("SPELL", "ORTH")
"""Types that checkers with rules are good at."""
METRICS = {"errant": "ERRANT", "m2": "MaxMatch", "gleu": "GLEU", "clean": "taken as correct"}


@dataclass(frozen=True)
class Grid:
    """A table."""

    title: str
    headers: Sequence[str]
    rows: Sequence[Sequence[str]]
    caption: str = ""

    def drawn(self) -> Table:
        """Return it for the terminal."""
        table = Table(*self.headers, title=self.title, title_justify="left", caption=self.caption or None)
        for row in self.rows:
            table.add_row(*row)
        return table

    def markdown(self) -> str:
        """Return it for a card."""
        lines = [self.headers, ["---"] * len(self.headers), *self.rows]
        cells = [[cell.replace("|", "\\|") for cell in line] for line in lines]
        return "\n".join(
            "|" + "|".join(line) + "|" if line[0] == "---" else f"| {' | '.join(line)} |" for line in cells
        )


def scores(measured: Measured) -> Grid:
    """Return how each system did."""
    title = f"{measured.name}, {_sentences(measured)}, {METRICS[measured.metric]}"
    systems = measured.systems.items()
    if measured.metric == "gleu":
        return Grid(
            title, ["system", "GLEU", "changed"], [[n, f"{100 * (r.gleu or 0):.2f}", _changed(r)] for n, r in systems]
        )
    if measured.metric == "clean":
        return Grid(title, ["system", "changed"], [[name, _changed(result)] for name, result in systems])
    headers = ["system", "P", "R", "F0.5", "correct changed"]
    rows = [[name, *_shares(result.edits), _alarms(result)] for name, result in systems]
    if measured.metric == "errant":
        headers += [f"{name} P / R" for name in FAMILIAR]
        for row, result in zip(rows, measured.systems.values(), strict=True):
            row += [" / ".join(_shares(result.types.get(name))[:2]) for name in FAMILIAR]
    caption = ""
    if measured.at_recall is not None:
        alarms = "not reached" if measured.alarms is None else str(measured.alarms)
        caption = f"Correct sentences changed at a recall of {measured.at_recall:.1%}, over thresholds: {alarms}"
    return Grid(title, headers, rows, caption)


def types(measured: Measured) -> Grid:
    """Return each system's scores by error type, the most frequent type first."""
    gold = {
        name: max(_gold(result.types.get(name)) for result in measured.systems.values()) for name in _names(measured)
    }
    headers = ["type", "gold", *(f"{name} P / R / F0.5" for name in measured.systems)]
    rows = [
        [name, f"{gold[name]:,}", *(" / ".join(_shares(r.types.get(name))) for r in measured.systems.values())]
        for name in sorted(gold, key=lambda name: (-gold[name], name))
    ]
    return Grid(f"{measured.name}, by type", headers, rows)


def parts(measured: Measured) -> Grid:
    """Return each system's scores by the parts of the set."""
    headers = ["part", "sentences", "system", "P", "R", "F0.5", "correct changed"]
    first = next(iter(measured.systems.values()))
    rows = [
        [part, f"{found.sentences:,}", name, *_shares(found.edits), _alarms(found)]
        for part in first.parts
        for name, result in measured.systems.items()
        for found in [result.parts[part]]
    ]
    return Grid(f"{measured.name}, by part", headers, rows)


def all_grids(measured: Measured) -> Iterable[Grid]:
    """Yield every table that a set has."""
    yield scores(measured)
    if _names(measured):
        yield types(measured)
    if any(result.parts for result in measured.systems.values()):
        yield parts(measured)


def _names(measured: Measured) -> list[str]:
    return sorted({name for result in measured.systems.values() for name in result.types})


def _gold(score: Score | None) -> int:
    return 0 if score is None else score.tp + score.fn


def _shares(score: Score | None) -> list[str]:
    """Return P, R and F0.5; a dash where there is nothing to divide by."""
    score = score or Score()
    precision = f"{100 * score.precision:.1f}" if score.tp + score.fp else "–"
    recall = f"{100 * score.recall:.1f}" if _gold(score) else "–"
    return [precision, recall, f"{100 * score.f():.1f}" if _gold(score) else "–"]


def _changed(result: Result) -> str:
    return f"{result.changed:,} of {result.sentences:,} ({result.changed / max(1, result.sentences):.1%})"


def _alarms(result: Result) -> str:
    return f"{result.correct_changed:,} of {result.correct:,}"


def _sentences(measured: Measured) -> str:
    return f"{next(iter(measured.systems.values())).sentences:,} sentences"
