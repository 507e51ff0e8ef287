"""``permend export``: a trained model in, a folder out that runs without torch, checked against the original.

What was compared and measured is shown as a table for people or as JSON for programs.
"""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table

from permend.cli.terminal import SafeConsole, tracked
from permend.cli.train import require_training
from permend.corpora.lines import read_lines
from permend.corpora.pairs import holds_pairs
from permend.errors import InputError, PermendError
from permend.evaluation.devset import METRIC_NAMES, DevSet, Metric, read_devset
from permend.evaluation.score import Score
from permend.model.config import ModelConfig

if TYPE_CHECKING:
    from permend.model.torch.parity import Parity
    from permend.model.torch.quantize import Quantization


_SHOWN = 5  # changed corrections under the table


@dataclass(frozen=True)
class Cost:
    """What an export costs in quality."""

    metric: Metric
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
    from permend.model.torch.parity import BOUNDS

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
    return f"F0.5 lost, {METRIC_NAMES[cost.metric]}", f"{cost.loss:.2f} ({trained} to {exported})", f"{max_loss:g}"


_COMPARED = 400  # sentences, spread over the file, whose decisions are compared; all are corrected


@click.command()
@click.argument("model_dir", type=click.Path(file_okay=False))
@click.argument("out_dir", type=click.Path(file_okay=False))
@click.option(
    "--quantize",
    type=click.Choice(["int8", "int4", "none"]),
    default="int8",
    show_default=True,
    help="Weights of 8 bits (fastest), of 4 bits (smallest), or as they were trained.",
)
@click.option(
    "--sentences", metavar="FILE", help="What to check on: an .m2 or .tsv file with references, or one sentence a line."
)
@click.option(
    "--max-loss",
    type=click.FloatRange(min=0),
    default=0.3,
    show_default=True,
    help="Points of F0.5 that the export may cost, where there are references.",
)
@click.option(
    "--longest",
    type=click.IntRange(8),
    metavar="TOKENS",
    help="Split longer sentences before correcting; networks do badly beyond the lengths that they learned from.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs; sizes are in bytes.")
def export(
    model_dir: str,
    out_dir: str,
    quantize: Quantization,
    sentences: str | None,
    max_loss: float,
    longest: int | None,
    as_json: bool,
) -> None:
    """Turn MODEL_DIR, a trained model, into OUT_DIR, a folder that needs no torch.

    OUT_DIR gets two ONNX graphs (encoder with pointer; decoder), their weights, the tokenizer, the config and a model
    card. Then the trained and the exported model correct the same sentences; where they disagree by more than this kind
    of weights may, OUT_DIR is removed again and the export fails. Forty built-in sentences serve unless a file is
    given; sentences of the kind that the model shall correct tell more. A file with references also tells what the
    export costs in F0.5 (ERRANT where it is installed and the file is .m2, else edits of words), at default options;
    more than --max-loss fails, unless a single correction makes the difference.

    \b
    Examples:
      permend export runs/first/best my-corrector
      permend export runs/first/best my-corrector --sentences dev.m2 --max-loss 0.2
      permend export runs/first/best my-corrector-float --quantize none --json
    """
    require_training("Exporting")
    out = Path(out_dir)
    if out.is_dir() and any(out.iterdir()):
        raise InputError("this folder is not empty: name a new one", out)
    devset = read_devset(sentences) if sentences and holds_pairs(sentences) else None
    texts = devset.texts if devset else _texts(sentences)
    try:
        report = _export(Path(model_dir), out, quantize, texts, devset, max_loss, longest)
        if as_json:
            click.echo(json.dumps(report.as_dict(), ensure_ascii=False))
        else:
            draw_export(report, str(out), SafeConsole())
        _require(report, out)
    except BaseException:
        shutil.rmtree(out, ignore_errors=True)  # empty or absent before: nothing of the user's is in it
        raise


def _texts(path: str | None) -> list[str]:
    """Return the sentences of a file, or the built-in ones."""
    if path is None:
        from permend.model.torch.parity import SENTENCES

        return list(SENTENCES)
    texts = [line for line in read_lines(path) if line.strip()]
    if not texts:
        raise InputError("this file holds no sentences", path)
    return texts


def _export(
    model: Path,
    out: Path,
    quantize: Quantization,
    texts: Sequence[str],
    devset: DevSet | None,
    max_loss: float,
    longest: int | None,
) -> ExportReport:
    from permend.corrector.corrector import Corrector
    from permend.evaluation.correcting import correct_all
    from permend.model.folder import read_notes
    from permend.model.onnx import OnnxNetworks
    from permend.model.torch.export import export as write
    from permend.model.torch.network import PointerInfiller
    from permend.model.torch.networks import TorchNetworks
    from permend.model.torch.parity import compare, compare_texts, samples
    from permend.text.tokens import SubwordTokenizer

    console = Console(stderr=True)
    network = PointerInfiller.from_pretrained(model)
    if longest is not None:
        network.config = _shortened(network.config, longest)
    tokenizer = SubwordTokenizer.from_path(model)
    with console.status("Tracing the graphs …"):
        write(network, out, quantize, f"{read_notes(model)}\n\nExported with `--quantize {quantize}`.")
    trained, exported = TorchNetworks(network), OnnxNetworks(out)
    some = texts[:: -(-len(texts) // _COMPARED)]
    found = compare(trained, exported, tracked(list(samples(some, tokenizer, network.config)), "comparing decisions"))
    both = [
        correct_all(Corrector.of(networks, tokenizer), texts, tracked, f"the {name} model corrects")
        for name, networks in (("trained", trained), ("exported", exported))
    ]
    old, new = ([each.text for each in corrected] for corrected in both)
    changed = [
        {"source": source, "trained": a, "exported": b} for source, a, b in zip(texts, old, new, strict=True) if a != b
    ]
    cost = None
    if devset is not None:
        with console.status("Scoring …"):
            cost = Cost(devset.metric, devset.score(old), devset.score(new))
    sizes = {"trained": (model / "model.safetensors").stat().st_size}
    sizes |= {file.name: file.stat().st_size for file in sorted(out.iterdir())}
    return ExportReport(quantize, found | compare_texts(old, new), changed, cost, max_loss, sizes)


def _shortened(config: ModelConfig, longest: int) -> ModelConfig:
    """Return the config of a model that takes so many tokens at a time."""
    room = longest + config.slots + 2
    if room > config.max_length:
        raise PermendError(f"--longest {longest} needs {room} positions, the encoder has {config.max_length}")
    return dataclasses.replace(config, max_length=room)


def _require(report: ExportReport, out: Path) -> None:
    from permend.model.torch.parity import require

    try:
        require(report.parity, report.quantize)
        if report.cost is not None and not report.cost.loss <= report.max_loss and len(report.changed) > 1:
            lost = f"{report.cost.loss:.2f} points of F0.5 against the trained one"
            raise PermendError(f"the exported model loses {lost}, {report.max_loss:g} are allowed")
    except PermendError as error:
        raise PermendError(f"{error}; {out} was removed") from None
