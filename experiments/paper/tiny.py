"""A comparison on made-up data with made-up encoders, in minutes on two cores: every step of the real one, no result.

In: a folder. Out: `Settings` for sentences of a few words in which some words are wrong, written into the folder.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

from experiments.paper.settings import Settings, make_settings

TOKENIZER = Path(__file__).parents[1] / "recipes" / "toy" / "tokenizer.json"
ENCODER = {
    "model_type": "modernbert",
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 64,
    "max_position_embeddings": 128,
}
PEOPLE = (("He", "s"), ("She", "s"), ("It", "s"), ("We", ""), ("They", ""), ("You", ""))
VERBS = ("like", "see", "read", "need", "work on")
THINGS = ("the book", "a garden", "the film", "my coffee", "the doctor", "new people")
ENDS = ("every day", "at home", "with him", "here")


def tiny_settings(folder: Path, steps: int = 20, sentences: int = 24) -> Settings:
    """Write the data, and return settings that train so many steps a stage."""
    folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(1)
    files = {}
    for name, count in (("one", 200), ("two", 120), ("three", 80), ("dev", sentences), ("test", sentences // 2)):
        lines = (f"{wrong}\t{right}\n" for wrong, right in (_pair(draw) for _ in range(count)))
        files[name] = folder / f"{name}.tsv"
        _write(files[name], "".join(lines))

    def stage(name: str) -> dict[str, object]:
        return {"data": {"train": [str(files[name])]}}

    return make_settings(
        {
            "common": {
                "data": {"max_length": 30, "workers": 0, "leak_tokens": 0},
                "model": {"tokenizer": str(TOKENIZER), "encoder_config": ENCODER, "dropout": 0.0},
                "optimisation": {
                    "learning_rate": 3e-3,
                    "warmup_steps": 2,
                    "tokens_per_batch": 512,
                    "steps": steps,
                    "clip_norm": 1.0,
                },
                "output": {"log_steps": 10},
            },
            "stage": {"I": stage("one"), "II": stage("two"), "III": stage("three")},
            "test": {"dev": str(files["dev"]), "files": [str(files["test"])], "batch": 8},
            "timing": {"sentences": 6, "each_length": 2, "repeats": 1},
        }
    )


def _write(file: Path, text: str) -> None:
    """Write a file as a whole: trainings side by side all make it, and may be reading it already."""
    partial = file.with_suffix(f".{os.getpid()}")
    partial.write_text(text, encoding="utf-8")
    partial.replace(file)


def _pair(draw: random.Random) -> tuple[str, str]:
    """Return a sentence with an error, or without one, and what it should be."""
    (who, ending), verb = draw.choice(PEOPLE), draw.choice(VERBS)
    first, _, rest = verb.partition(" ")
    what, when = draw.choice(THINGS), draw.choice(ENDS)
    right = " ".join(part for part in (who, first + ending, rest, what, when) if part) + "."
    kind = draw.randrange(4)
    if kind == 0:
        return right, right
    if kind == 1:
        return right.replace(first + ending, first if ending else first + "s", 1), right
    if kind == 2:
        return right.replace(" " + what, " " + what.split()[-1], 1), right
    return right.replace(when, f"the {when}", 1), right
