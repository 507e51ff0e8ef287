"""What a GPU does for a corpus: sentences a second against one core, how busy it is, what it finds otherwise.

Run: python -m benchmarks.gpu [--model FOLDER] [--sentences FILE] [--device cuda] [--processes 8]... [--reference FILE]

Sentences are lines of FILE, or the 400 everyday ones (`benchmarks.everyday`), over and over; pieces of them go through
the workers of `permend batch --device`, each with the model for itself, since searching and writing take Python, of
which a process has one core's worth. Speed is by the clock, from when all workers have loaded and warmed up until the
last piece is there. "busy" is what `nvidia-smi` says while all of them have work, the share of time in which something
ran on the GPU.
Findings are compared with those of onnxruntime's int8 on a processor.

At the end one process alone says how much of a core a sentence takes it, telling the GPU what to do included, which
bounds what so many cores can do. And torch's profiler adds up what one piece takes on the GPU: how fast the GPU would
be if no process ever kept it waiting. Where the best of the numbers of processes is far from that, more cores would
help.

It takes torch, transformers, safetensors, tokenizers, numpy, click and rapidfuzz, no onnx. The core to compare with
wants onnxruntime, but not beside the GPU: a run that has it writes its speed and findings to --reference, and one that
has not reads them there. After --seconds no further number of processes is begun. ``--device cpu --processes 1 --piece
60 --compared 60`` shakes it out where there is no GPU.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchmarks.everyday import read_everyday

if TYPE_CHECKING:
    from permend.corrector.corrector import Corrector
    from permend.model.networks import Bools, Floats, Ints, Networks, TemplateArrays

NEEDED = ("torch", "transformers", "safetensors", "tokenizers", "rapidfuzz")

Findings = list[list[tuple[int, int, str]]]


def make_sentences(path: str | None, count: int) -> list[str]:
    """Return so many sentences, over and over where there are fewer."""
    if path is None:
        slips, clean = read_everyday()
        lines = [*(slip.wrong for slip in slips), *clean]
    else:
        lines = [line for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip()]
    return list(islice(cycle(lines), count))


class Timed:
    """Networks that note how long they take; what a process does beside them, a GPU cannot make any faster."""

    def __init__(self, networks: Networks) -> None:
        """Take networks."""
        self._networks, self.config, self.seconds = networks, networks.config, 0.0

    def encode(self, ids: Ints, mask: Bools) -> tuple[Floats, Floats]:
        """Encode, and look at the clock."""
        began = time.process_time()
        found = self._networks.encode(ids, mask)
        self.seconds += time.process_time() - began
        return found

    def fill(self, memory: Floats, mask: Bools, template: TemplateArrays) -> tuple[Ints, Floats]:
        """Fill, and look at the clock."""
        began = time.process_time()
        found = self._networks.fill(memory, mask, template)
        self.seconds += time.process_time() - began
        return found


def findings(corrector: Corrector, texts: Sequence[str]) -> Findings:
    """Return what is corrected in each sentence."""
    return [[(edit.start, edit.end, edit.after) for edit in each.edits] for each in corrector.correct_all(texts)]


def one_core(model: str | None, texts: list[str], reference: Path | None) -> tuple[float, Findings] | None:
    """Return the speed of one core with onnxruntime and its findings, measured here or read from a file."""
    from permend.corrector.corrector import Corrector

    if find_spec("onnxruntime"):
        corrector = Corrector(model, threads=1)
        corrector.correct(texts[0])
        timed = Timed(corrector.networks)
        corrector.networks = timed
        began = time.process_time()
        found = findings(corrector, texts)
        seconds = time.process_time() - began
        rate, rest = len(texts) / seconds, len(texts) / (seconds - timed.seconds)
        if reference:
            reference.write_text(json.dumps({"rate": rate, "texts": texts, "findings": found}), encoding="utf-8")
        print(f"one core, onnxruntime: {rate:.1f} sentences/s; all but the networks: {rest:.0f}", flush=True)
        return rate, found
    if reference is None or not reference.is_file():
        print("onnxruntime is not installed here, and there is no --reference: no core to compare with", flush=True)
        return None
    known = json.loads(reference.read_text(encoding="utf-8"))
    if known["texts"] != texts:
        raise click.UsageError("--reference was made with other sentences, or another number of them.")
    print(f"one core, onnxruntime, on the machine that made the reference: {known['rate']:.1f} sentences/s", flush=True)
    return known["rate"], [[(start, end, after) for start, end, after in each] for each in known["findings"]]


def compare(corrector: Corrector, texts: list[str], expected: Findings) -> None:
    """Print how many findings differ."""
    different = sum(one != other for one, other in zip(findings(corrector, texts), expected, strict=True))
    print(f"sentences with other findings: {different} of {len(texts)}", flush=True)


def alone(corrector: Corrector, texts: list[str]) -> None:
    """Print what one process takes of a core, how fast the device would be alone, and how busy one process keeps it."""
    findings(corrector, texts)  # what is done once only, such as choosing kernels, is done
    began = time.process_time()
    findings(corrector, texts)
    core = (time.process_time() - began) / len(texts)
    print(f"one process takes {1e3 * core:.3f} ms of a core for a sentence: at most {1 / core:.0f} a second and core")
    began = time.perf_counter()
    with profile() as kernels:
        findings(corrector, texts)
        seconds = time.perf_counter() - began
    if not sum(kernels):
        print("torch's profiler sees nothing on this device")
        return
    rate, share = len(texts) / sum(kernels), sum(kernels) / seconds
    print(
        f"the device by itself: {rate:.0f} sentences/s; one process, slowed by the profiler, uses {share:.0%} of that"
    )


@contextmanager
def profile() -> Iterator[list[float]]:
    """Add up the seconds of all that runs on the GPU."""
    from torch.profiler import ProfilerActivity
    from torch.profiler import profile as record

    kernels: list[float] = []
    with record(activities=[ProfilerActivity.CUDA]) as recorded:
        yield kernels
    kernels.append(sum(event.self_device_time_total for event in recorded.key_averages()) / 1e6)


def measure(model: str | None, device: str, pieces: list[list[str]], processes: int) -> float:
    """Print how fast so many processes are together and how busy the device is; return the speed."""
    from permend.batch.correcting import Correcting
    from permend.batch.pool import Pool
    from permend.model.options import read_modes
    from permend.model.pretrained import model_folder

    options = read_modes(model_folder(model)).options()
    work = Correcting(model, options, sentences=True, device=device)
    began = time.perf_counter()
    with Pool(work, processes, fork=False) as engine:
        list(engine.map([pieces[0]] * processes))  # each gets one: now all have loaded and warmed up
        print(f"{device}, {processes} processes: ready after {time.perf_counter() - began:.0f} s", flush=True)
        with watched(device) as busy:
            began, count, looks = time.perf_counter(), 0, 0
            for number, found in enumerate(engine.map(pieces), start=1):
                count += len(found)
                if number <= len(pieces) - processes:  # at the end some processes have no work left
                    looks = len(busy)
            seconds = time.perf_counter() - began
    shown = f"{statistics.mean(busy[:looks]):.0f}%" if looks else "not seen"
    print(f"{device}, {processes} processes: {count / seconds:.1f} sentences/s; busy: {shown}", flush=True)
    return count / seconds


@contextmanager
def watched(device: str) -> Iterator[list[float]]:
    """Note what nvidia-smi says, again and again."""
    busy: list[float] = []
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.2):
            busy.append(utilization())

    watcher = threading.Thread(target=watch, daemon=True)
    if device.startswith("cuda") and shutil.which("nvidia-smi"):
        watcher.start()
    try:
        yield busy
    finally:
        ended.set()


def utilization() -> float:
    """Return the share of time, in percent, in which something has just run on the GPU."""
    command = ["nvidia-smi", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits", "-i", "0"]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[0])


@click.command()
@click.option("--model", help="An exported or trained folder; by default the one that is shipped.")
@click.option("--sentences", type=click.Path(exists=True, dir_okay=False), help="One a line.")
@click.option("--device", default="cuda", show_default=True)
@click.option("--processes", type=click.IntRange(1), multiple=True, default=(14, 15, 16, 8, 1), show_default=True)
@click.option("--piece", type=click.IntRange(1), default=3_000, show_default=True, help="Sentences of a piece.")
@click.option("--pieces", type=click.IntRange(1), default=4, show_default=True, help="Of these, for each process.")
@click.option("--compared", type=click.IntRange(1), default=1_000, show_default=True, help="Sentences, with one core.")
@click.option("--reference", type=click.Path(dir_okay=False, path_type=Path), help="What one core does, as JSON.")
@click.option("--seconds", type=float, default=240, show_default=True, help="Begin nothing more after so long.")
def main(device: str, processes: tuple[int, ...], seconds: float, **options: Any) -> None:
    """Print what a GPU does for a corpus: its speed against one core's, how busy it is, what it finds otherwise."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise click.ClickException(f"this needs {', '.join(missing)}, of permend's own and its train extra")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    began = time.monotonic()
    model, size = options["model"], options["piece"]
    compared = make_sentences(options["sentences"], options["compared"])
    core = one_core(model, compared, options["reference"])
    rates: list[float] = []
    for number in processes:
        if rates and time.monotonic() - began > seconds:
            print(f"{device}, {number} processes: not measured, {seconds:g} seconds have passed")
            continue
        texts = make_sentences(options["sentences"], size * options["pieces"] * number)
        rates.append(measure(model, device, [texts[at : at + size] for at in range(0, len(texts), size)], number))
    if core:
        print(f"the best is {max(rates) / core[0]:.1f} times one core (bar: 40)", flush=True)
    from permend.corrector.corrector import Corrector

    corrector = Corrector(model, device=device, threads=1)
    corrector.reasons = False  # as for a corpus
    if core:
        compare(corrector, compared, core[1])
    if device.startswith("cuda"):
        alone(corrector, make_sentences(options["sentences"], size))


if __name__ == "__main__":
    main()
