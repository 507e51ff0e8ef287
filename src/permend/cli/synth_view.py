"""How ``permend synth`` shows its results to people: tables, and pairs side by side."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from permend.corpora.pairs import Pair
from permend.synthesis.error_model import ErrorModel
from permend.synthesis.profile import MOST_SHOWN, Comparison, error_shares
from permend.synthesis.targets import REASONS, Tally
from permend.text.edits import diff

_OPERATIONS = {"R": "replaced", "M": "missing", "U": "unnecessary"}
_LOSSES = {
    "insertions_cut": "insertions longer than a slot",
    "slots_exceeded": "insertions without a free slot",
    "spans_dropped": "spans that would move too far",
}


def draw_model(model: ErrorModel, console: Console) -> None:
    """Say what was learned."""
    total = sum(model.types.values())
    sentences = model.origin.get("sentences", 0)
    table = Table(title=f"{total:,} errors in {sentences:,} sentences", title_justify="left")
    table.add_column("type")
    table.add_column("errors", justify="right")
    table.add_column("share", justify="right")
    for name, count in sorted(model.types.items(), key=lambda item: -item[1])[:15]:
        table.add_row(name, f"{count:,}", f"{count / total:.1%}")
    console.print(table)


def draw_tally(tally: Tally, console: Console) -> None:
    """Say what became of the sentences."""
    table = Table(title=f"{tally.seen:,} sentences", title_justify="left", show_header=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_column(justify="right")
    table.add_row("kept", f"{tally.kept:,}", f"{tally.kept / max(1, tally.seen):.1%}", style="bold")
    for reason, count in tally.dropped.most_common():
        table.add_row(REASONS.get(reason, reason), f"{count:,}", f"{count / max(1, tally.seen):.1%}")
    console.print(table)


def draw_comparison(comparison: Comparison, console: Console) -> None:
    """Show made errors beside real ones."""
    table = _table("types, % of all errors", "annotated", "real", "made", "made / annotated")
    for name, annotated, real, made in comparison.rows():
        ratio = f"{made / annotated:.2f}" if annotated else "–"
        table.add_row(name, *(f"{100 * share:.1f}" for share in (annotated, real, made)), ratio)
    console.print(table)
    profiles = (comparison.annotated, comparison.real, comparison.made)
    table = _table("errors", "annotated", "real", "made")
    table.add_row("a sentence", *(f"{profile.rate:.2f}" for profile in profiles))
    table.add_row("in 100 tokens", *(f"{100 * profile.total / max(1, profile.tokens):.1f}" for profile in profiles))
    for key, name in _OPERATIONS.items():
        table.add_row(f"{name}, %", *(f"{100 * profile.by_operation().get(key, 0):.1f}" for profile in profiles))
    table.add_section()
    for number, shares in enumerate(zip(*map(error_shares, profiles), strict=True)):
        name = f"{number}{'+' if number == MOST_SHOWN else ''} errors, % of sentences"
        table.add_row(name, *(f"{100 * share:.1f}" for share in shares))
    console.print(table)
    table = _table("labels, % of pairs", "real", "made")
    sides = (comparison.real_labels, comparison.made_labels)
    table.add_row("expressed exactly", *(f"{100 * side.share(side.exact):.2f}" for side in sides))
    for key, name in _LOSSES.items():
        table.add_row(name, *(f"{100 * side.share(side.losses[key]):.2f}" for side in sides))
    console.print(table)


def _table(title: str, *columns: str) -> Table:
    table = Table(title_justify="left")
    table.add_column(title)
    for column in columns:
        table.add_column(column, justify="right")
    return table


def draw_pairs(pairs: Iterable[Pair], console: Console) -> None:
    """Show pairs as the correct text with its errors: ``[-wrong-]`` and ``{+right+}``."""
    for pair in pairs:
        line = Text("• ")
        done = 0
        for edit in diff(pair.source, pair.target):
            line.append(pair.source[done : edit.start])
            if edit.before:
                line.append(f"[-{edit.before}-]", style="red")
            if edit.after:
                line.append(f"{{+{edit.after}+}}", style="green")
            done = edit.end
        line.append(pair.source[done:])
        console.print(line)
