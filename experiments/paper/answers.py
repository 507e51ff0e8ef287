"""What contestants make of test sets, as files: so that a GPU is asked once, and scores need none.

In: a contestant, its options and a test set. Out: `Answers`, from a file of JSON lines under the work folder, written
when it is missing. Beside the corrected text permend gives its best hypotheses with both networks' log-probabilities:
the ablation chooses among these without asking again.

    {"contestant": "permend, SUNDAE", "training": "permend-III", "options": {"bias": 0.2}, "set": "dev.m2"}
    {"text": "He goes.", "hypotheses": [["He goes.", -0.2, -0.1, 4], ["He go.", -1.9, 0.0, 4]]}
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import torch

from experiments.paper.contestants import Contestant, OptionValues
from experiments.paper.settings import Settings
from experiments.paper.spent import spending
from permend.corrector.correction import Correction
from permend.errors import InputError
from permend.evaluation.correcting import Tracked, silently
from permend.evaluation.devset import DevSet

MOST_HYPOTHESES = 5


class Guessed(NamedTuple):
    """A hypothesis of permend's."""

    text: str
    plan: float
    """log p(π)"""
    fill: float
    """log p(y | π)"""
    length: int
    """Positions of the plan."""


@dataclass(frozen=True)
class Answer:
    """What became of a sentence."""

    text: str
    hypotheses: tuple[Guessed, ...] = ()
    """The likeliest first, by the pointer alone; only permend has several."""


def file_of(work: Path, contestant: Contestant, options: OptionValues, devset: DevSet) -> Path:
    """Return where the answers are kept; other options or sentences are another file."""
    said = _described(contestant, options, devset)
    texts = "\n".join(devset.texts)
    key = hashlib.sha256(f"{json.dumps(said, sort_keys=True)}\n{texts}".encode()).hexdigest()[:12]
    name = re.sub(r"[^\w]+", "-", f"{contestant.name} {devset.name}").strip("-").lower()
    return work / "answers" / f"{name}-{key}.jsonl"


def answer(
    work: Path,
    settings: Settings,
    contestant: Contestant,
    devset: DevSet,
    device: torch.device,
    tracked: Tracked = silently,
) -> dict[Path, OptionValues]:
    """Write the answers that are missing, for all options that the contestant may choose; return all files."""
    files = {file_of(work, contestant, options, devset): options for options in contestant.choices()}
    for file, options in files.items():
        if file.exists():
            continue
        with spending(work, f"ask {contestant.name}", device):
            corrector = contestant.open(work, device, options)
            lines = [json.dumps(_described(contestant, options, devset), ensure_ascii=False)]
            texts = devset.texts
            for start in tracked(range(0, len(texts), settings.batch * 8), contestant.name):
                some = texts[start : start + settings.batch * 8]
                lines += [
                    json.dumps(_said(each), ensure_ascii=False)
                    for each in corrector.correct_batch(some, settings.batch)
                ]
        file.parent.mkdir(parents=True, exist_ok=True)
        partial = file.with_suffix(".part")
        partial.write_text("\n".join(lines) + "\n", encoding="utf-8")
        partial.replace(file)
    return files


def read_answers(file: Path) -> list[Answer]:
    """Read what `answer` wrote."""
    try:
        _, *lines = file.read_text(encoding="utf-8").splitlines()
        values = [json.loads(line) for line in lines]
        return [Answer(v["text"], tuple(Guessed(*each) for each in v.get("hypotheses", ()))) for v in values]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"these are no answers ({error.__class__.__name__})", file) from None


def texts_of(answers: Sequence[Answer]) -> list[str]:
    """Return the corrected sentences."""
    return [each.text for each in answers]


def _described(contestant: Contestant, options: OptionValues, devset: DevSet) -> dict[str, Any]:
    training = contestant.training.name if contestant.training else None
    return {"contestant": contestant.name, "training": training, "options": dict(options), "set": devset.name}


def _said(correction: Correction) -> dict[str, Any]:
    said: dict[str, Any] = {"text": correction.text}
    ranked = sorted(correction.alternatives, key=lambda each: -each.plan_log_prob)[:MOST_HYPOTHESES]
    if len(ranked) > 1 or correction.text != correction.source:
        said["hypotheses"] = [
            [each.text, round(each.plan_log_prob, 5), round(each.fill_log_prob, 5), each.length] for each in ranked
        ]
    return said
