"""What decoding costs before anything is trained: permend beside greedy and aggressive decoding, on one core.

Run: python -m experiments.scripted_speed DEV.m2 [--sentences 100] [--device cpu]

How long autoregressive decoding takes depends on what it writes, not on how well it learned to. So here it is told what
to write: the installed permend's own correction of each sentence. Its encoder is permend's, its two decoder layers are
copies of the encoder's; all of it is computed, token by token, and only the choice of the token is replaced. permend
runs as in the paper (the best plan filled, one decoder pass or two) and with the options that it ships with, in the
same arithmetic (torch, float32); as it ships (int8, onnxruntime) it has a row of its own. All take turns at every
sentence. The trained comparison is `python -m experiments table3`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import torch
from torch import Tensor

from benchmarks.tables import Grid
from experiments.paper.contestants import PAPERS
from experiments.paper.settings import Timing
from experiments.paper.timing import Times, measure
from experiments.rivals.ar import Autoregressive, Greedily
from experiments.rivals.corrector import RivalCorrector
from experiments.rivals.system import Guess
from permend.cli.terminal import tracked
from permend.corrector.corrector import Corrector
from permend.documents.checker import Corrects
from permend.evaluation.devset import read_devset
from permend.model.options import Options, read_modes
from permend.model.pretrained import model_folder
from permend.model.torch.device import DeviceNetworks, find_device
from permend.model.torch.network import PointerInfiller, exported_config
from permend.text.tokens import SubwordTokenizer, Tokenizer, Tokens

GREEDY = "AR(12+2), greedy"


class Scripted(Autoregressive):
    """Computes what an autoregressive corrector computes, and writes what it is told."""

    def __init__(self, network: PointerInfiller, script: dict[tuple[int, ...], tuple[int, ...]]) -> None:
        """Take permend's network, and what to write for each source, both as ids from ``<s>`` to ``</s>``."""
        super().__init__(network.config, {}, network.backbone)
        self._script, self._written = script, torch.zeros(0, dtype=torch.long)
        self.start_from_encoder()
        self.eval()

    def guess(self, sentences: Sequence[Tokens], tokenizer: Tokenizer, how: Greedily) -> list[Guess]:
        """Correct one sentence."""
        (sentence,) = sentences
        self._written = torch.tensor(self._script.get(sentence.ids, sentence.ids)[1:], device=self.device)
        return super().guess(sentences, tokenizer, how)

    def said(self, logits: Tensor, place: int) -> Tensor:
        """Return the script's tokens at these places, after looking for the most probable ones."""
        found = super().said(logits, place)  # (1, T)
        script = self._written[place : place + found.shape[1]]
        found[0, : len(script)] = script
        return found


def contestants(texts: Sequence[str], device: torch.device) -> Iterator[tuple[str, Corrects]]:
    """Yield everything that is timed."""
    folder = model_folder()
    installed, tokenizer = Corrector(threads=1), SubwordTokenizer.from_path(folder / "tokenizer.json")
    wanted = [each.text for each in installed.correct_batch(texts)]
    sides = zip(tokenizer.encode_batch(list(texts)), tokenizer.encode_batch(wanted), strict=True)
    script = {source.ids: target.ids for source, target in sides}
    network = PointerInfiller.to_run(folder)
    network.config = exported_config(folder)  # which takes whole sentences, whatever the export does
    scripted = Scripted(network, script).to(device)
    for decoding in ("greedy", "aggressive"):
        yield f"AR(12+2), {decoding}", RivalCorrector(scripted, tokenizer, Greedily(decoding))
    networks = DeviceNetworks(network, device, torch.float32)
    for name, options in _options(folder):
        yield name, Corrector.of(networks, tokenizer, options)
    if device.type == "cpu":
        yield "permend, as it ships (int8, onnxruntime)", installed


def _options(folder: Path) -> Iterator[tuple[str, Options]]:
    papers: dict[str, Any] = {**PAPERS, "alternatives": 1, "bias": 0.2}
    yield "permend, as in the paper, vanilla", Options(**{**papers, "steps": 1})
    yield "permend, as in the paper, SUNDAE", Options(**papers)
    yield "permend, shipped options", read_modes(folder).options()


def grid(times: Times) -> Grid:
    """Return the table: the speed-up over greedy decoding, over all and by length."""
    lengths = {name: times.by_length(name) for name in times.seconds}
    starts = sorted({start for each in lengths.values() for start in each})
    counts = lengths[GREEDY]
    rows = []
    for name in times.seconds:
        by_length = [f"{counts[start][0] / lengths[name][start][0]:.2f}×" for start in starts]
        milliseconds = f"{1000 * times.mean(name):.1f}"
        rows.append([name, milliseconds, f"{times.speed_up(name, GREEDY):.2f}×", *by_length])
    rows.append(["sentences", "", str(sum(times.even)), *(str(counts[start][1]) for start in starts)])
    heads = ["system", "ms a sentence", "speed-up", *(f"{start}–{start + 9} tokens" for start in starts)]
    return Grid(f"Decoding, {times.device if times.device != 'CPU' else times.processor}, one thread", heads, rows)


@click.command()
@click.argument("sentences")
@click.option("--sentences", "count", default=100, show_default=True, help="Timed, spread evenly.")
@click.option("--each-length", default=10, show_default=True, help="At least so many for each ten tokens of length.")
@click.option("--repeats", default=3, show_default=True, help="Of which the median counts.")
@click.option("--device", default="cpu", show_default=True, help="cpu, cuda, or auto.")
def main(sentences: str, count: int, each_length: int, repeats: int, device: str) -> None:
    """Print the table for SENTENCES, an M2 file or a table of pairs."""
    torch.set_num_threads(1)
    found = find_device(device) or torch.device("cpu")
    texts = read_devset(sentences).texts
    tokenizer = SubwordTokenizer.from_path(model_folder() / "tokenizer.json")
    opened = dict(contestants(texts, found))
    times = measure(opened, texts, tokenizer, Timing(count, each_length, repeats), found, tracked)
    table = grid(times)
    click.echo(f"{table.title}\n\n{table.markdown()}")


if __name__ == "__main__":
    main()
