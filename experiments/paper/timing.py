"""How long one sentence takes each system, all of them taking turns in one process (Section 4.4).

In: correctors by name, sentences. Out: `Times`, as a file: for each sentence its length in tokens, and the median of
some repeats for each. They take turns at every sentence, in another order each time, so that whatever
else slows the machine down slows all of them down alike. Text goes in and text comes out: tokenising, search and
writing count, waiting for the device counts.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from experiments.paper.settings import Timing
from experiments.paper.spent import device_name
from experiments.rivals.corrector import RivalCorrector
from permend.documents.checker import Corrects
from permend.errors import InputError
from permend.evaluation.correcting import Tracked, silently
from permend.model.torch.networks import TorchNetworks
from permend.text.tokens import Tokenizer

_WIDTH = 10
"""Tokens of source length that count as one length."""
_LONGEST = 80


@dataclass(frozen=True)
class Times:
    """What was timed."""

    device: str
    processor: str
    threads: int
    lengths: tuple[int, ...]
    """Source tokens of each sentence."""
    even: tuple[bool, ...]
    """Whether each is of the even sample, over which speed-ups are taken; the others fill up the lengths."""
    seconds: Mapping[str, tuple[float, ...]]
    """For each contestant, sentence by sentence."""
    parameters: Mapping[str, int]

    @classmethod
    def read(cls, file: Path) -> Times | None:
        """Read a file; None where there is none."""
        try:
            values = json.loads(file.read_text(encoding="utf-8"))
            return cls(**{**values, "seconds": {name: tuple(each) for name, each in values["seconds"].items()}})
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise InputError(f"these are no times ({error.__class__.__name__})", file) from None

    def write(self, file: Path) -> None:
        """Write the file, whole or not at all."""
        file.parent.mkdir(parents=True, exist_ok=True)
        partial = file.with_suffix(".part")
        partial.write_text(json.dumps(asdict(self)) + "\n", encoding="utf-8")
        partial.replace(file)

    def mean(self, name: str) -> float:
        """Return the mean seconds of a contestant over the even sample."""
        return statistics.fmean(s for s, even in zip(self.seconds[name], self.even, strict=True) if even)

    def speed_up(self, name: str, over: str) -> float:
        """Return how many times as fast one contestant is as another."""
        return self.mean(over) / self.mean(name)

    def by_length(self, name: str) -> dict[int, tuple[float, int]]:
        """Return the mean seconds and the number of sentences by length, ten tokens together: 0, 10, 20, …"""
        groups: dict[int, list[float]] = {}
        for length, seconds in zip(self.lengths, self.seconds[name], strict=True):
            groups.setdefault(length // _WIDTH * _WIDTH, []).append(seconds)
        return {start: (statistics.fmean(each), len(each)) for start, each in sorted(groups.items())}


def sample(texts: Sequence[str], tokenizer: Tokenizer, timing: Timing) -> tuple[list[str], list[int], list[bool]]:
    """Choose what is timed: an even sample, and more where a length has too few."""
    lengths = [len(each.ids) - 2 for each in tokenizer.encode_batch(list(texts))]
    step = max(1, len(texts) // timing.sentences)
    chosen = dict.fromkeys(range(0, len(texts), step), True)
    counts: dict[int, int] = {}
    for place in chosen:
        counts[lengths[place] // _WIDTH] = counts.get(lengths[place] // _WIDTH, 0) + 1
    for place, length in enumerate(lengths):
        group = length // _WIDTH
        if place not in chosen and length < _LONGEST and counts.get(group, 0) < timing.each_length:
            chosen[place] = False
            counts[group] = counts.get(group, 0) + 1
    places = sorted(chosen)
    return [texts[p] for p in places], [lengths[p] for p in places], [chosen[p] for p in places]


def measure(
    opened: Mapping[str, Corrects],
    texts: Sequence[str],
    tokenizer: Tokenizer,
    timing: Timing,
    device: torch.device,
    tracked: Tracked = silently,
) -> Times:
    """Time correctors."""
    chosen, lengths, even = sample(texts, tokenizer, timing)
    for corrector in opened.values():
        for text in chosen[:: max(1, len(chosen) // 10)]:  # caches, kernels, allocations
            corrector.correct_batch([text], 1)
    names = list(opened)
    seconds: dict[str, list[float]] = {name: [] for name in names}
    for number in tracked(range(len(chosen)), "timing"):
        runs: dict[str, list[float]] = {name: [] for name in names}
        for repeat in range(timing.repeats):
            turn = (number + repeat) % len(names)
            for name in [*names[turn:], *names[:turn]]:
                runs[name].append(_timed(opened[name], chosen[number], device))
        for name in names:
            seconds[name].append(statistics.median(runs[name]))
    return Times(
        device=device_name(device),
        processor=_processor(),
        threads=torch.get_num_threads(),
        lengths=tuple(lengths),
        even=tuple(even),
        seconds={name: tuple(each) for name, each in seconds.items()},
        parameters={name: _parameters(each) for name, each in opened.items()},
    )


def _timed(corrector: Corrects, text: str, device: torch.device) -> float:
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    begun = time.perf_counter()
    corrector.correct_batch([text], 1)
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    return time.perf_counter() - begun


def _parameters(corrector: Corrects) -> int:
    """Return the number of a contestant's weights; 0 where they are not in torch."""
    if isinstance(corrector, RivalCorrector):
        return sum(each.numel() for each in corrector.system.parameters())
    networks = getattr(corrector, "networks", None)
    return networks.weights if isinstance(networks, TorchNetworks) else 0


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
