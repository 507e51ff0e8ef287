"""What came of an export, as a table for people and as JSON for programs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from permend.evaluation.score import Score

if TYPE_CHECKING:
    from permend.model.parity import Parity
    from permend.model.quantize import Quantization

_SHOWN = 5  # changed corrections under the table
_METRICS = {"errant": "ERRANT", "edits": "edits of words"}


@dataclass(frozen=True)
class Cost:
    """What an export costs in quality."""

    metric: str
    trained: Score
    exported: Score

    @property
    def loss(self) -> float:
        """Points of F0.5, below 0 where the exported model is better."""
        return 100 * (self.trained.f(0.5) - self.exported.f(0.5))


@dataclass(frozen=True)
class ExportReport:
    """What came of an export."""

    quantize: Quantization
    parity: Parity
    changed: list[dict[str, str]]
    """Source, and the two corrections, where they differ."""
    cost: Cost | None
    """None where the sentences have no references."""
    max_loss: float
    """Points of F0.5 that are allowed."""
    sizes: dict[str, int]
    """Bytes of the trained weights, and of every exported file."""

    def as_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "quantize": self.quantize,
            **asdict(self.parity),
            "changed": self.changed,
            "score": None if self.cost is None else _cost_as_dict(self.cost),
            "sizes": self.sizes,
        }


def _cost_as_dict(cost: Cost) -> dict[str, Any]:
    both = {
        name: {**asdict(score), "precision": score.precision, "recall": score.recall, "f0.5": score.f(0.5)}
        for name, score in (("trained", cost.trained), ("exported", cost.exported))
    }
    return {"metric": cost.metric, **both, "loss": cost.loss}


def draw_export(report: ExportReport, name: str, console: Console) -> None:
    """Print what was found beside what is allowed."""
    from permend.model.parity import BOUNDS

    found, bound = report.parity, BOUNDS[report.quantize]
    table = Table("", "found", "allowed", title=f"{name}, {report.quantize}, against the trained model")
    for what, difference in (("pointer", found.pointer_difference), ("fill", found.fill_difference)):
        allowed = "any" if bound.difference == float("inf") else f"{bound.difference:.2g}"
        table.add_row(f"{what} log-probability, largest difference", f"{difference:.2g}", allowed)
    counts = (
        ("decisions that changed", found.changed_decisions, found.decisions, bound.decisions),
        ("corrections that changed", found.changed_corrections, found.sentences, bound.corrections),
    )
    for what, changed, number, share in counts:
        table.add_row(what, f"{changed:,} of {number:,} ({changed / max(1, number):.1%})", f"{share:.1%}")
    table.add_row(*_cost_row(report.cost, report.max_loss))
    exported = sum(size for name, size in report.sizes.items() if name != "trained")
    table.add_row("megabytes", f"{exported / 1e6:.1f}", f"{report.sizes['trained'] / 1e6:.1f} trained")
    console.print(table)
    for each in report.changed[:_SHOWN]:
        for label, text in each.items():
            console.print(f"{label:>8}  {text}", markup=False)
        console.print()


def _cost_row(cost: Cost | None, max_loss: float) -> tuple[str, str, str]:
    if cost is None:
        return "F0.5 lost", "not measured, no references", ""
    trained, exported = (f"{100 * score.f(0.5):.2f}" for score in (cost.trained, cost.exported))
    return f"F0.5 lost, {_METRICS[cost.metric]}", f"{cost.loss:.2f} ({trained} to {exported})", f"{max_loss:g}"
