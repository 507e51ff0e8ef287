"""What a GPU does for a corpus: sentences a second against one core, how busy it is, what it finds otherwise.

Run: python -m benchmarks.gpu [--model FOLDER] [--sentences FILE] [--device cuda] [--processes 4]... [--count 40000]

It needs torch, transformers, safetensors, tokenizers, numpy and rapidfuzz, no onnx; where onnxruntime is missing, only
the device is measured. Sentences are lines of FILE, or forty of our own with numbers in them. Every process has a
corrector of its own on the same device and gets an equal share: searching and writing take Python, of which a process
has one core's worth, so that one process cannot keep a large GPU busy. Speed is by the clock, from when all have loaded
and warmed up until the last has ended. "busy" is what `nvidia-smi` says meanwhile, the share of time in which something
ran on the GPU; with one process, torch's profiler says it, too. Findings are compared over the first --compared
sentences, with onnxruntime's int8. ``--device cpu --count 80`` shakes it out where there is no GPU.
"""

from __future__ import annotations

import importlib.util
import multiprocessing
import os
import shutil
import statistics
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from permend.corrector.corrector import Corrector
from permend.model.torch.parity import SENTENCES

Findings = list[list[tuple[int, int, str]]]


def make_sentences(path: str | None, count: int) -> list[str]:
    """Return so many sentences, over and over where there are fewer."""
    if path is None:
        return [f"{SENTENCES[n % len(SENTENCES)]} That was in {1000 + n}." for n in range(count)]
    lines = [line for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip()]
    return [lines[n % len(lines)] for n in range(count)]


def findings(corrector: Corrector, texts: Sequence[str]) -> Findings:
    """Return what is corrected in each sentence."""
    return [[(edit.start, edit.end, edit.after) for edit in each.edits] for each in corrector.correct_all(texts)]


def work(model: str | None, device: str, texts: list[str], together: Any, ended: Any, profiled: bool) -> None:
    """Correct a share, in a process of its own."""
    corrector = Corrector(model, device=device, threads=1 if device == "cpu" else None)
    list(corrector.correct_all(texts[:512]))
    together.wait()
    with profile(profiled) as kernels:
        began = time.perf_counter()
        list(corrector.correct_all(texts))
        seconds = time.perf_counter() - began
    ended.put((seconds, sum(kernels) / seconds if kernels else None))


@contextmanager
def profile(wanted: bool) -> Iterator[list[float]]:
    """Add up the seconds of all that runs on the GPU."""
    kernels: list[float] = []
    if not wanted:
        yield kernels
        return
    from torch.profiler import ProfilerActivity
    from torch.profiler import profile as record

    with record(activities=[ProfilerActivity.CUDA]) as recorded:
        yield kernels
    kernels.append(sum(event.self_device_time_total for event in recorded.key_averages()) / 1e6)


def measure(model: str | None, device: str, texts: list[str], processes: int, profiled: bool = False) -> float:
    """Print how fast so many processes are together and how busy the device is; return the speed."""
    context = multiprocessing.get_context("spawn")
    together, ended = context.Barrier(processes + 1), context.Queue()
    shares = [texts[number::processes] for number in range(processes)]
    workers = [
        context.Process(target=work, args=(model, device, share, together, ended, profiled), daemon=True)
        for share in shares
    ]
    for worker in workers:
        worker.start()
    together.wait(600)
    began = time.perf_counter()
    busy: list[float] = []
    if device.startswith("cuda") and shutil.which("nvidia-smi"):
        while any(worker.is_alive() for worker in workers) and ended.qsize() < processes:
            busy.append(utilization())
            time.sleep(0.2)
    kernels = [ended.get(timeout=3600)[1] for _ in workers]
    seconds = time.perf_counter() - began
    for worker in workers:
        worker.join(60)
    rate = len(texts) / seconds
    shown = f"{statistics.mean(busy):.0f}%" if busy else "not seen"
    shown += f", kernels {kernels[0]:.0%} (with the profiler, which costs time)" if kernels[0] is not None else ""
    print(f"{device}, {processes} processes: {rate:.0f} sentences/s; busy: {shown}", flush=True)
    return rate


def utilization() -> float:
    """Return what nvidia-smi says."""
    command = ["nvidia-smi", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits", "-i", "0"]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[0])


@click.command()
@click.option("--model", help="An exported or trained folder; by default the one that is shipped.")
@click.option("--sentences", type=click.Path(exists=True, dir_okay=False), help="One a line.")
@click.option("--device", default="cuda", show_default=True)
@click.option("--processes", type=click.IntRange(1), multiple=True, default=(1, 4, 12), show_default=True)
@click.option("--count", type=click.IntRange(1), default=40_000, show_default=True, help="Sentences.")
@click.option("--compared", type=click.IntRange(1), default=2_000, show_default=True, help="Of these, with int8.")
def main(
    model: str | None, sentences: str | None, device: str, processes: tuple[int, ...], count: int, compared: int
) -> None:
    """Print what a GPU does for a corpus: its speed against one core's, how busy it is, what it finds otherwise."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    texts = make_sentences(sentences, count)
    core = None
    few = texts[:compared]
    on_device = findings(Corrector(model, device=device), few)
    if importlib.util.find_spec("onnxruntime"):
        corrector = Corrector(model, threads=1)
        corrector.correct(texts[0])
        began = time.process_time()
        expected = findings(corrector, few)
        core = len(few) / (time.process_time() - began)
        different = sum(one != other for one, other in zip(on_device, expected, strict=True))
        print(f"one core, onnxruntime: {core:.1f} sentences/s")
        print(f"sentences with other findings: {different} of {len(few)}", flush=True)
    else:
        print("onnxruntime is not installed here: no core, and no findings, to compare with")
    rates = [measure(model, device, texts, number) for number in processes]
    if device.startswith("cuda"):
        measure(model, device, texts, 1, profiled=True)
    if core:
        print(f"the best is {max(rates) / core:.1f} times one core")


if __name__ == "__main__":
    main()
