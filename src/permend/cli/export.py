"""``permend export``: a trained model in, a folder out that runs without torch, checked against the original."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table

from permend.cli.train import require_training
from permend.corpora.lines import content_suffix, read_lines
from permend.corpora.pairs import read_pairs
from permend.errors import InputError, PermendError

if TYPE_CHECKING:
    from permend.model.parity import Parity
    from permend.model.quantize import Quantization

_PAIRS = (".m2", ".tsv", ".csv", ".jsonl")
_SHOWN = 5  # changed corrections in the table


@dataclass(frozen=True)
class _Report:
    """What came of an export."""

    quantize: Quantization
    parity: Parity
    changed: list[dict[str, str]]
    """Source, and the two corrections, where they differ."""
    sizes: dict[str, int]
    """Bytes of the trained weights, and of every exported file."""


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
    "--sentences", metavar="FILE", help="What to check on: one a line, or the sources of an .m2 or .tsv file."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs; sizes are in bytes.")
def export(model_dir: str, out_dir: str, quantize: Quantization, sentences: str | None, as_json: bool) -> None:
    """Turn MODEL_DIR, a trained model, into OUT_DIR, a folder that needs no torch.

    OUT_DIR gets two ONNX graphs (encoder with pointer; decoder), the tokenizer, the config and a model card. Then the
    trained and the exported model correct the same sentences; where they disagree by more than this kind of weights
    may, OUT_DIR is removed again and the export fails. Forty built-in sentences serve unless a file is given; sentences
    of the kind that the model shall correct tell more.

    \b
    Examples:
      permend export runs/first/best my-corrector
      permend export runs/first/best my-corrector --sentences dev.m2
      permend export runs/first/best my-corrector-float --quantize none --json
    """
    require_training("Exporting")
    texts = _texts(sentences)
    out = Path(out_dir)
    if out.is_dir() and any(out.iterdir()):
        raise InputError("this folder is not empty: name a new one", out)
    try:
        report = _export(Path(model_dir), out, quantize, texts)
        if as_json:
            click.echo(json.dumps(_as_dict(report), ensure_ascii=False))
        else:
            _draw(report, out, Console(highlight=False))
        _require(report, out)
    except BaseException:
        shutil.rmtree(out, ignore_errors=True)  # empty or absent before: nothing of the user's is in it
        raise


def _texts(path: str | None) -> list[str]:
    """Return the sentences of a file, or the built-in ones."""
    if path is None:
        from permend.model.sentences import SENTENCES

        return list(SENTENCES)
    suffix = content_suffix(path)
    if suffix in _PAIRS or Path(path).is_dir():
        return [pair.source for pair in read_pairs(path, raw=suffix not in _PAIRS[1:])]
    texts = [line for line in read_lines(path) if line.strip()]
    if not texts:
        raise InputError("this file holds no sentences", path)
    return texts


def _export(model: Path, out: Path, quantize: Quantization, texts: Sequence[str]) -> _Report:
    from permend.corrector import Corrector
    from permend.model.card import read_notes
    from permend.model.export import export as write
    from permend.model.network import PointerInfiller
    from permend.model.parity import compare, compare_texts, samples
    from permend.model.torch_networks import TorchNetworks
    from permend.runtime.onnx import OnnxNetworks
    from permend.text.tokens import SubwordTokenizer

    console = Console(stderr=True)
    network = PointerInfiller.from_pretrained(model)
    tokenizer = SubwordTokenizer.from_path(model)
    with console.status("Tracing the graphs …"):
        write(network, out, quantize, f"{read_notes(model)}\n\nExported with `--quantize {quantize}`.")
    with console.status(f"Correcting {len(texts)} sentences twice …"):
        networks = TorchNetworks(network), OnnxNetworks(out)
        found = compare(*networks, samples(texts, tokenizer, network.config))
        old, new = ([c.text for c in Corrector(each, tokenizer).correct_batch(texts)] for each in networks)
    changed = [
        {"source": source, "trained": a, "exported": b} for source, a, b in zip(texts, old, new, strict=True) if a != b
    ]
    sizes = {"trained": (model / "model.safetensors").stat().st_size}
    sizes |= {file.name: file.stat().st_size for file in sorted(out.iterdir())}
    return _Report(quantize, found | compare_texts(old, new), changed, sizes)


def _require(report: _Report, out: Path) -> None:
    from permend.model.parity import require

    try:
        require(report.parity, report.quantize)
    except PermendError as error:
        raise PermendError(f"{error}; {out} was removed") from None


def _as_dict(report: _Report) -> dict[str, Any]:
    return {
        "quantize": report.quantize,
        **asdict(report.parity),
        "changed": report.changed,
        "sizes": report.sizes,
    }


def _draw(report: _Report, out: Path, console: Console) -> None:
    """Print what was found beside what is allowed."""
    from permend.model.parity import BOUNDS

    found, bound = report.parity, BOUNDS[report.quantize]
    table = Table("", "found", "allowed", title=f"{out}, {report.quantize}, against the trained model")
    for what, difference in (("pointer", found.pointer_difference), ("fill", found.fill_difference)):
        allowed = "any" if bound.difference == float("inf") else f"{bound.difference:.2g}"
        table.add_row(f"{what} log-probability, largest difference", f"{difference:.2g}", allowed)
    counts = (
        ("decisions that changed", found.changed_decisions, found.decisions, bound.decisions),
        ("corrections that changed", found.changed_corrections, found.sentences, bound.corrections),
    )
    for what, changed, number, share in counts:
        table.add_row(what, f"{changed:,} of {number:,} ({changed / max(1, number):.1%})", f"{share:.1%}")
    exported = sum(size for name, size in report.sizes.items() if name != "trained")
    table.add_row("megabytes", f"{exported / 1e6:.1f}", f"{report.sizes['trained'] / 1e6:.1f} trained")
    console.print(table)
    for each in report.changed[:_SHOWN]:
        for name, text in each.items():
            console.print(f"{name:>8}  {text}", markup=False)
        console.print()
